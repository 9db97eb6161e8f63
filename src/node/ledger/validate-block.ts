/** Owns validation of a block by re-execution: the reason of a refusal, and the report of a divergence. */
import { errorMessage } from '../../base/thrown.js'
import { checkParentCertificate, type ParentRecord } from '../../consensus/index.js'
import { EXECUTIONS, evidenceFault } from '../../executor/index.js'
import type { BlockHeader } from '../../model/index.js'
import { type ExecutionContext, executeCandidate, type LedgerCandidate } from './candidate.js'
import { type ProofQuestion, unknownClaims } from './claims.js'
import { reportOf, writeReport } from './divergence.js'
import { openBody } from './entries.js'
import type { LedgerRequest, LedgerResponse } from './protocol.js'
import { type Touch, tracedAbi } from './trace.js'
import { blockFault, invalidEntries, type ValidityContext } from './validity.js'
import { type ExecutionTime, type ExecutionWatch, NO_TIME } from './watch.js'

/** Inputs of the validation of a block. */
export interface ValidationContext extends ExecutionContext {
  /** Parent to check the embedded certificate with; undefined above genesis. */
  readonly parent: ParentRecord | undefined
}

/** Refusal of a block; `own`: the own results, if execution completed. */
export interface Refusal {
  readonly mismatch: boolean
  readonly detail: string
  readonly own?: LedgerCandidate
  /** True if its execution ended early, so that its validity is unknown. */
  readonly isEnded?: boolean
}

/** Refusal of a block whose view has timed out. */
export const ENDED: Refusal = { mismatch: false, detail: 'the view has timed out', isEnded: true }

/** Refusal in the form of the port, without a report. */
export const refused = (
  { mismatch, detail, isEnded = false }: Refusal,
  took: ExecutionTime = NO_TIME,
): LedgerResponse<'execute'> => ({
  ok: false,
  mismatch,
  detail,
  report: undefined,
  reportFault: undefined,
  isEnded,
  claims: [],
  took,
})

/** Difference between a header and the results of this node; undefined if there is none. */
function difference(claimed: BlockHeader, own: BlockHeader): string | undefined {
  const fields = [
    'transactionsRoot',
    'resultsRoot',
    'stateRoot',
    'evidenceRoot',
    'laneCommitmentRoot',
    'parentCertificateHash',
    'payloadHash',
  ] as const
  for (const field of fields) {
    const theirs = Buffer.from(claimed[field]).toString('hex')
    const ours = Buffer.from(own[field]).toString('hex')
    if (theirs !== ours) return `${field}: the block has ${theirs}, but this node computed ${ours}`
  }
  if (claimed.transactionCount !== own.transactionCount) return 'transactionCount'
  return claimed.payloadBytes === own.payloadBytes ? undefined : 'payloadBytes'
}

/**
 * Execute the block of a header and compare every root; `hashes`: hashes of its signed records, 32 bytes each. `watch`
 * may end it. Returns the claims if the results of its proofs are requested first.
 */
export function validateBlock(
  context: ValidationContext,
  validity: ValidityContext,
  header: BlockHeader,
  bytes: Uint8Array,
  hashes: Uint8Array,
  watch?: ExecutionWatch,
  proofs?: ProofQuestion,
): { readonly candidate: LedgerCandidate } | { readonly claims: readonly Buffer[] } | Refusal {
  const opened = openBody(bytes, hashes, context.codec)
  if (!opened.ok) return { mismatch: false, detail: opened.detail }
  const place = { chainHash: context.chainHash, height: header.height }
  const parent = checkParentCertificate(header, opened.body.parentCertificate, context.parent)
  if ('fault' in parent) return { mismatch: false, detail: parent.fault }
  const bad = evidenceFault(context.world.reader, place, opened.body.evidence)
  if (bad !== undefined) return { mismatch: false, detail: bad }
  const [first] = invalidEntries(validity, opened.entries)
  if (first !== undefined) {
    return { mismatch: false, detail: `transaction ${first.index}: ${first.code}: ${first.message}` }
  }
  const { entries, body } = opened
  const limited = { entries, evidence: body.evidence.length, bytes: bytes.length }
  const fault = blockFault(validity, header.originView, limited)
  if (fault !== undefined) return { mismatch: false, detail: fault }
  const claims = unknownClaims(context, header.height, entries, proofs)
  if (claims.length > 0) return { claims }
  let candidate: LedgerCandidate | undefined
  try {
    const row = watch === undefined ? EXECUTIONS.replay : EXECUTIONS.validate
    candidate = executeCandidate(row, context, header, bytes, opened, watch?.between)
  } catch (error) {
    // A record corrupted on disk may not even decode: the block is not reproduced, and the report gives the reason.
    return { mismatch: true, detail: `execution failed: ${errorMessage(error)}` }
  }
  if (candidate === undefined) return ENDED
  const [invalid] = candidate.run.invalidTransactions
  if (invalid !== undefined) {
    const { index, code, message } = invalid
    return { mismatch: false, detail: `transaction ${index}: ${code}: ${message}` }
  }
  const detail = difference(header, candidate.header)
  return detail === undefined ? { candidate } : { mismatch: true, detail, own: candidate }
}

/**
 * Write the report of a refused block into a folder, if possible; returns the refusal with the summary of the report.
 */
export async function reportRefusal(
  context: ValidationContext,
  folder: string,
  request: LedgerRequest<'execute'>,
  { mismatch, detail, own }: Refusal,
): Promise<LedgerResponse<'execute'>> {
  const divergence = {
    ...context,
    header: request.header,
    certified: request.certified,
    detail,
    own: own?.header,
    changes: own?.state.rows ?? [],
    touches: touchesOf(context, request),
  }
  const { report, summary } = await reportOf(divergence)
  const written = await writeReport(folder, divergence, report)
  const refusal = refused({ mismatch, detail: `${detail}; ${summary}` })
  return 'fault' in written ? { ...refusal, reportFault: written.fault } : { ...refusal, report: written.path }
}

/** Reads and writes of a block's instructions on this node, as far as execution proceeds. */
function touchesOf(context: ValidationContext, request: LedgerRequest<'execute'>): Touch[] {
  const touches: Touch[] = []
  const opened = openBody(request.body, request.hashes, context.codec)
  if (!opened.ok) return touches
  const abi = tracedAbi(context.abi, (touch) => touches.push(touch))
  try {
    executeCandidate(EXECUTIONS.replay, { ...context, abi }, request.header, request.body, opened)
  } catch {
    // The accesses up to the failure are reported.
  }
  return touches
}
