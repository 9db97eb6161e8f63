/** Owns the decision of a signer: whether a consensus key may sign a request, given its record alone (docs/decisions/0067). */
import { sameBytes } from '../../base/bytes.js'
import { assertInvariant, type CertifiedHeader, hashOfHeader, type ValidatorKey } from '../../model/index.js'
import { certificateKey, checkCertifiedHeader } from '../certificate.js'
import type { SignatureCheck } from '../check.js'
import { namedView, type Vote } from '../messages/index.js'
import { type Committee, committeeOf } from '../roster.js'
import { proposalSignBytes, type SignDomain, timeoutSignBytes, voteSignBytes } from '../sign-bytes.js'
import type { SignRequest } from './request.js'
import { emptyRecord, type KeyRecord, type SignedRecord, signedOf } from './signed.js'

/** Reason for refusing a signature. */
export type SignRefusal =
  | 'other_chain'
  | 'not_member'
  | 'height_passed'
  | 'view_passed'
  | 'view_given_up'
  | 'already_signed'
  | 'certificate_lower'
  | 'certificate_invalid'

/** One message that may be signed. */
export interface Statement {
  readonly message: Uint8Array
  /** Recorded signature of a repeated request. */
  readonly known: Uint8Array | undefined
  /** Entry of the record after signing. */
  readonly record: (signature: Uint8Array) => SignedRecord
}

/** Decision before the signatures of certificates are checked. */
export type SigningDecision =
  | {
      readonly ok: false
      readonly code: SignRefusal
      /** Signatures of the key at the height of the request. */
      readonly recorded: readonly SignedRecord[]
    }
  | { readonly ok: true; readonly checks: readonly SignatureCheck[]; readonly statements: readonly Statement[] }

/** Messages to be signed: those without a recorded signature. */
export const freshMessages = (statements: readonly Statement[]): Uint8Array[] =>
  statements.flatMap(({ known, message }) => (known === undefined ? [message] : []))

/** All signatures in order, and the new entries of the record; `made`: signatures of `freshMessages`. */
export function withFresh(
  statements: readonly Statement[],
  made: readonly Uint8Array[],
): { readonly signatures: readonly Uint8Array[]; readonly signed: readonly SignedRecord[] } {
  const left = [...made]
  const signed: SignedRecord[] = []
  const signatures = statements.map(({ known, record }) => {
    if (known !== undefined) return known
    const signature = left.shift()
    assertInvariant(signature !== undefined, 'every fresh message has its signature')
    signed.push(record(signature))
    return signature
  })
  return { signatures, signed }
}

/** Key of a request, and the chain of its holder. */
export interface SigningKeyPlace {
  readonly key: ValidatorKey
  readonly chainHash: Uint8Array
}

/** Inputs of the rules of one request. */
interface Question {
  readonly record: KeyRecord
  readonly request: SignRequest
  readonly committee: Committee
  readonly domain: SignDomain
}

type Answer = SignRefusal | { readonly checks: readonly SignatureCheck[]; readonly statements: readonly Statement[] }

/** Decide a request. The caller runs the remaining checks and makes the signatures durable before it sends them. */
export function decideSigning(
  { key, chainHash }: SigningKeyPlace,
  known: KeyRecord,
  request: SignRequest,
): SigningDecision {
  const { height, view } = request
  const recorded = height === known.height ? signedOf(known) : []
  const refuse = (code: SignRefusal): SigningDecision => ({ ok: false, code, recorded })
  if (!sameBytes(request.chainHash, chainHash)) return refuse('other_chain')
  if (request.committee[request.index] !== key) return refuse('not_member')
  // The key may have signed below it without a remaining record.
  if (height < known.height) return refuse('height_passed')
  const isNew = height > known.height
  if (!isNew && view < known.view) return refuse('view_passed')
  const record = isNew ? emptyRecord(height) : known
  const committee = committeeOf(height, request.committee)
  const domain = { chainHash, committeeHash: committee.hash, epoch: request.epoch, height }
  const answer = answerOf({ record, request, committee, domain })
  return typeof answer === 'string' ? refuse(answer) : { ok: true, ...answer }
}

function answerOf(question: Question): Answer {
  const { intent, height } = question.request
  switch (intent.kind) {
    case 'proposal': {
      const { header, withPrepare } = intent.value
      if (header.height !== height) return 'height_passed'
      const hash = hashOfHeader(header)
      const proposal = proposalOf(question, hash)
      if (typeof proposal === 'string' || !withPrepare) return only(proposal)
      const prepare = voteOf(question, 'prepare', hash)
      return typeof prepare === 'string' ? prepare : { checks: [], statements: [proposal, prepare] }
    }
    case 'prepare':
      if (intent.value.header.height !== height) return 'height_passed'
      return only(voteOf(question, 'prepare', hashOfHeader(intent.value.header)))
    case 'commit':
      return commitOf(question, intent.value.certified)
    case 'timeout':
      return timeoutOf(question, intent.value)
  }
}

const only = (statement: Statement | SignRefusal): Answer =>
  typeof statement === 'string' ? statement : { checks: [], statements: [statement] }

/** Refuse new signatures in a view that was timed out. */
const isGivenUp = ({ record, request }: Question): boolean => (record.timedOut?.timeout.view ?? -1) >= request.view

/** One proposal in a view. */
function proposalOf(question: Question, blockHash: Buffer): Statement | SignRefusal {
  const { record, request, domain } = question
  const { height, view } = request
  const before = record.proposed?.view === view ? record.proposed : undefined
  if (before !== undefined && !sameBytes(before.blockHash, blockHash)) return 'already_signed'
  if (before === undefined && isGivenUp(question)) return 'view_given_up'
  return {
    message: proposalSignBytes(domain, view, blockHash),
    known: before?.signature,
    record: (signature) => ({
      kind: 'proposed',
      value: { height, view, blockHash, signature: Buffer.from(signature) },
    }),
  }
}

/** One vote of a phase in a view; a commit vote has the certificate that justifies it. */
function voteOf(
  question: Question,
  phase: Vote['phase'],
  blockHash: Buffer,
  certified?: CertifiedHeader,
): Statement | SignRefusal {
  const { record, request, domain } = question
  const { height, view, index } = request
  const last = (phase === 'prepare' ? record.prepared : record.locked)?.vote
  const before = last?.view === view ? last : undefined
  if (before !== undefined && !sameBytes(before.blockHash, blockHash)) return 'already_signed'
  if (before === undefined && isGivenUp(question)) return 'view_given_up'
  return {
    message: voteSignBytes(domain, phase, view, blockHash),
    known: before?.signature,
    record: (signature) => {
      const vote = { phase, height, view, blockHash, index, signature: Buffer.from(signature) }
      return certified === undefined
        ? { kind: 'prepared', value: { height, vote } }
        : { kind: 'locked', value: { height, vote, certified } }
    },
  }
}

/** Remaining checks of the prepare certificate that justifies a signature. */
function certificateChecks(
  { record, request, committee, domain }: Question,
  certified: CertifiedHeader,
): readonly SignatureCheck[] | undefined {
  const { certificate } = certified
  if (certificate.phase !== 'prepare' || certificate.view > request.view) return undefined
  const checked = checkCertifiedHeader(certified, committee, domain)
  if ('fault' in checked) return undefined
  // It was checked before.
  const isKnown = record.high !== undefined && certificateKey(record.high.certificate) === certificateKey(certificate)
  return isKnown ? [] : checked.checks
}

/** A commit vote is justified by the prepare certificate of its view. */
function commitOf(question: Question, certified: CertifiedHeader): Answer {
  const { certificate } = certified
  if (certificate.view !== question.request.view) return 'certificate_invalid'
  const checks = certificateChecks(question, certified)
  if (checks === undefined) return 'certificate_invalid'
  const vote = voteOf(question, 'commit', Buffer.from(certificate.blockHash), certified)
  return typeof vote === 'string' ? vote : { checks, statements: [vote] }
}

/**
 * One timeout of a view; it must not name a certificate below the highest one that justified a signature of the key.
 */
function timeoutOf(
  question: Question,
  { highPrepare, reason }: Extract<SignRequest['intent'], { kind: 'timeout' }>['value'],
): Answer {
  const { record, request, domain } = question
  const { height, view, index } = request
  const named = namedView(highPrepare)
  const last = record.timedOut?.timeout
  const before = last?.view === view ? last : undefined
  if (before !== undefined && (namedView(before.highPrepare) !== named || before.reason !== reason)) {
    return 'already_signed'
  }
  if (named < namedView(record.high)) return 'certificate_lower'
  const checks = highPrepare === undefined ? [] : certificateChecks(question, highPrepare)
  if (checks === undefined) return 'certificate_invalid'
  const statement: Statement = {
    message: timeoutSignBytes(domain, view, named, reason),
    known: before?.signature,
    record: (signature) => ({
      kind: 'timedOut',
      value: { height, timeout: { height, view, highPrepare, reason, index, signature: Buffer.from(signature) } },
    }),
  }
  return { checks, statements: [statement] }
}
