/** Owns validation of evidence: the fault that two signed messages prove, and the signatures to verify (docs/design/consensus.md 10). */
import { compareBytes } from '../../codec/index.js'
import { hash } from '../../crypto/index.js'
import { type Evidence, type EvidenceProof, keyBytes, type ValidatorKey } from '../../model/index.js'
import { positionsOf } from '../bitmap.js'
import { checkQuorumCertificate } from '../certificate.js'
import type { SameMessageCheck } from '../check.js'
import type { Committee } from '../roster.js'
import { proposalSignBytes, type SignDomain, timeoutSignBytes, voteSignBytes } from '../sign-bytes.js'

/** Names of the provable faults, as operators and clients read them. */
export const FAULT_KINDS = [
  'double_prepare',
  'double_commit',
  'double_proposal',
  'double_timeout',
  'lock_amnesia',
  'conflicting_commits',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** Fault proven by a record whose signatures are valid. */
export interface ProvenFault {
  readonly kind: FaultKind
  /** Consensus key of the offender. */
  readonly offender: ValidatorKey
  readonly height: number
  /** View of the fault; if the messages have different views, the later one. */
  readonly view: number
  readonly checks: readonly SameMessageCheck[]
}

/**
 * Key of a fault: one record per kind, offender and height (docs/design/hardening.md 2). The view is not part of it,
 * because a member can sign for any number of views.
 */
export const faultKey = (fault: Pick<ProvenFault, 'kind' | 'offender' | 'height'>): Buffer =>
  hash('fault', Buffer.from(`${fault.kind}:${fault.height}:`, 'ascii'), keyBytes(fault.offender))

/** Kind and view of a proof. Messages are compared, never signatures: one message may have many valid ones. */
const subjectOf = ({ kind, value }: EvidenceProof): { readonly kind: FaultKind; readonly view: number } => {
  switch (kind) {
    case 'doubleVote':
      return { kind: value.first.phase === 'prepare' ? 'double_prepare' : 'double_commit', view: value.first.view }
    case 'doubleProposal':
      return { kind: 'double_proposal', view: value.first.view }
    case 'doubleTimeout':
      return { kind: 'double_timeout', view: value.first.view }
    case 'lockAmnesia':
      return { kind: 'lock_amnesia', view: value.timeout.view }
    case 'conflictingCommits':
      return { kind: 'conflicting_commits', view: value.second.view }
  }
}

/** Reason why two messages prove no fault, or undefined. A pair has one canonical order, so that a fault has one record. */
function contradictionFault({ kind, value }: EvidenceProof): string | undefined {
  switch (kind) {
    case 'doubleVote':
      if (value.first.phase !== value.second.phase) return 'votes of two phases'
      if (value.first.view !== value.second.view) return 'votes of two views'
      return orderFault(compareBytes(value.first.blockHash, value.second.blockHash))
    case 'doubleProposal':
      if (value.first.view !== value.second.view) return 'proposals of two views'
      return orderFault(compareBytes(value.first.blockHash, value.second.blockHash))
    case 'doubleTimeout': {
      const { first, second } = value
      if (first.view !== second.view) return 'timeouts of two views'
      const byCertificate = first.certificateView - second.certificateView
      return orderFault(byCertificate !== 0 ? byCertificate : compareText(first.reason, second.reason))
    }
    case 'lockAmnesia':
      if (value.commit.phase !== 'commit') return 'no commit vote'
      if (value.timeout.view < value.commit.view) return 'the timeout is of an earlier view'
      // A timeout names the view of its certificate plus 1.
      return value.timeout.certificateView > value.commit.view ? 'the timeout names the lock' : undefined
    case 'conflictingCommits': {
      const { first, second } = value
      if (first.phase !== 'commit' || second.phase !== 'commit') return 'no commit certificates'
      if (compareBytes(first.blockHash, second.blockHash) === 0) return 'certificates of one block'
      return orderFault(
        first.view !== second.view ? first.view - second.view : compareBytes(first.blockHash, second.blockHash),
      )
    }
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const orderFault = (order: number): string | undefined =>
  order === 0 ? 'the two messages are the same' : order > 0 ? 'the two messages are in the wrong order' : undefined

/**
 * Check a record against the committee of its height. Returns a text if it proves no fault, otherwise the fault that it proves if
 * its signatures are valid. Stand-by members are in no committee, so they cannot be accused.
 */
export function validateEvidence(
  record: Evidence,
  committee: Committee,
  domain: SignDomain,
): { readonly fault: string } | ProvenFault {
  if (record.height !== committee.height) return { fault: "height is not the committee's" }
  const offender = committee.keys[record.index]
  if (offender === undefined) return { fault: 'no member of that committee' }
  const contradiction = contradictionFault(record.proof)
  if (contradiction !== undefined) return { fault: contradiction }
  const checks = checksOf(record, offender, committee, domain)
  if (typeof checks === 'string') return { fault: checks }
  return { ...subjectOf(record.proof), offender, height: record.height, checks }
}

/** Signature checks of a proof; a text if its certificates are malformed. */
function checksOf(
  { index, proof }: Evidence,
  offender: ValidatorKey,
  committee: Committee,
  domain: SignDomain,
): readonly SameMessageCheck[] | string {
  const by = (message: Uint8Array, signature: Uint8Array): SameMessageCheck => ({
    kind: 'same',
    keys: [offender],
    message,
    signature,
  })
  switch (proof.kind) {
    case 'doubleVote':
      return [proof.value.first, proof.value.second].map((one) =>
        by(voteSignBytes(domain, one.phase, one.view, one.blockHash), one.signature),
      )
    case 'doubleProposal':
      return [proof.value.first, proof.value.second].map((one) =>
        by(proposalSignBytes(domain, one.view, one.blockHash), one.signature),
      )
    case 'doubleTimeout':
      return [proof.value.first, proof.value.second].map((one) =>
        by(timeoutSignBytes(domain, one.view, one.certificateView, one.reason), one.signature),
      )
    case 'lockAmnesia': {
      const { commit, timeout } = proof.value
      return [
        by(voteSignBytes(domain, 'commit', commit.view, commit.blockHash), commit.signature),
        by(timeoutSignBytes(domain, timeout.view, timeout.certificateView, timeout.reason), timeout.signature),
      ]
    }
    case 'conflictingCommits': {
      const checks: SameMessageCheck[] = []
      for (const certificate of [proof.value.first, proof.value.second]) {
        const check = checkQuorumCertificate(certificate, committee, domain)
        if ('fault' in check) return check.fault
        if (positionsOf(certificate.bitmap, committee.keys.length)?.includes(index) !== true)
          return 'the member did not sign both certificates'
        checks.push(...check.checks)
      }
      return checks
    }
  }
}
