/** Owns the checks of certificates: structure here, signatures as checks for a backend (docs/design/consensus.md 3). */
import { sameBytes } from '../base/bytes.js'
import { hash } from '../crypto/index.js'
import {
  type CertifiedHeader,
  certificateHash,
  hashOfHeader,
  type QuorumCertificate,
  TIMEOUT_REASON_CODES,
  type TimeoutCertificate,
  type TimeoutReason,
  timeoutCertificate,
  type ValidatorKey,
} from '../model/index.js'
import { positionsOf, setPositions } from './bitmap.js'
import type { SameMessageCheck, SignatureCheck } from './check.js'
import type { Committee } from './roster.js'
import { type SignDomain, timeoutSignBytes, voteSignBytes } from './sign-bytes.js'

/** Result of the structural checks: a fault, or the signature checks that remain. */
export type CertificateCheck = { readonly fault: string } | { readonly checks: readonly SignatureCheck[] }

const keysAt = (committee: Committee, positions: readonly number[]): ValidatorKey[] =>
  positions.map((position) => {
    const key = committee.keys[position]
    if (key === undefined) throw new Error('bitmap position beyond its committee passed positionsOf')
    return key
  })

/**
 * Check a quorum certificate of `committee`: bitmap length and padding, popcount, committeeHash, then the signature.
 */
export function checkQuorumCertificate(
  certificate: QuorumCertificate,
  committee: Committee,
  domain: SignDomain,
): { readonly fault: string } | { readonly checks: readonly SameMessageCheck[] } {
  if (certificate.height !== committee.height) return { fault: "height is not the committee's" }
  const signers = positionsOf(certificate.bitmap, committee.keys.length)
  if (signers === undefined) return { fault: 'malformed bitmap' }
  if (signers.length < committee.quorum) return { fault: `${signers.length} signers, quorum is ${committee.quorum}` }
  if (!sameBytes(certificate.committeeHash, committee.hash)) return { fault: 'another committee' }
  return {
    checks: [
      {
        kind: 'same',
        keys: keysAt(committee, signers),
        message: voteSignBytes(domain, certificate.phase, certificate.view, certificate.blockHash),
        signature: certificate.aggregate,
      },
    ],
  }
}

/** Check a certificate together with its header. */
export function checkCertifiedHeader(
  certified: CertifiedHeader,
  committee: Committee,
  domain: SignDomain,
): CertificateCheck {
  if (certified.header.height !== certified.certificate.height) return { fault: 'header of another height' }
  if (!sameBytes(hashOfHeader(certified.header), certified.certificate.blockHash))
    return { fault: 'header of another block' }
  return checkQuorumCertificate(certified.certificate, committee, domain)
}

/**
 * Check a timeout certificate: groups disjoint, union at least the quorum, the largest named view equal to the view of
 * the carried certificate (all 0 without one), and that certificate valid and of the same height. Without these checks,
 * a forging proposer could cause a fork.
 */
export function checkTimeoutCertificate(
  certificate: TimeoutCertificate,
  committee: Committee,
  domain: SignDomain,
): CertificateCheck {
  if (certificate.height !== committee.height) return { fault: "height is not the committee's" }
  const seen = new Set<number>()
  let highest = 0
  const groups: { keys: ValidatorKey[]; message: Uint8Array }[] = []
  for (const group of certificate.groups) {
    const positions = positionsOf(group.bitmap, committee.keys.length)
    if (positions === undefined || positions.length === 0) return { fault: 'malformed bitmap in a group' }
    for (const position of positions) {
      if (seen.has(position)) return { fault: 'a signer is in two groups' }
      seen.add(position)
    }
    highest = Math.max(highest, group.certificateView)
    groups.push({
      keys: keysAt(committee, positions),
      message: timeoutSignBytes(domain, certificate.view, group.certificateView, group.reason),
    })
  }
  if (seen.size < committee.quorum) return { fault: `${seen.size} signers, quorum is ${committee.quorum}` }
  const carried = certificate.highPrepare
  if (highest !== (carried === undefined ? 0 : carried.certificate.view + 1)) {
    return { fault: 'the included certificate is not the highest that a signer named' }
  }
  const own: SignatureCheck = { kind: 'multi', groups, signature: certificate.aggregate }
  if (carried === undefined) return { checks: [own] }
  if (carried.certificate.phase !== 'prepare') return { fault: 'the included certificate is not a prepare certificate' }
  if (carried.certificate.view > certificate.view) return { fault: 'the included certificate is of a later view' }
  const inner = checkCertifiedHeader(carried, committee, domain)
  return 'fault' in inner ? inner : { checks: [...inner.checks, own] }
}

/** Most frequent reason of a timeout certificate, for display; ties go to the lower code. */
export function reasonOf(certificate: TimeoutCertificate): TimeoutReason {
  const counts = new Map<TimeoutReason, number>()
  for (const group of certificate.groups) {
    counts.set(group.reason, (counts.get(group.reason) ?? 0) + setPositions(group.bitmap).length)
  }
  const [most] = [...counts].sort(
    ([a, countA], [b, countB]) => countB - countA || TIMEOUT_REASON_CODES[a] - TIMEOUT_REASON_CODES[b],
  )
  return most?.[0] ?? 'noProposal'
}

/** Key under which a verified certificate is cached. */
export const certificateKey = (certificate: QuorumCertificate): string =>
  certificateHash(certificate).toString('latin1')

/** Key under which a verified timeout certificate is cached: a hash of all its bytes, not of its signature alone. */
export const timeoutCertificateKey = (certificate: TimeoutCertificate): string =>
  hash('timeout-certificate', timeoutCertificate.encode(certificate)).toString('latin1')
