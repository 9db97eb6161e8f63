/** Owns the building of a block: its execution for a proposal, or the entries that it cannot contain. */
import { errorMessage } from '../../base/thrown.js'
import { EXECUTIONS, evidenceFault, type InvalidTransaction } from '../../executor/index.js'
import { StateFault } from '../../state/index.js'
import { EngineFault } from '../../vm/index.js'
import { bisectFailingTransaction } from './bisect.js'
import { type ExecutionContext, executeCandidate, type LedgerCandidate, type OpenedBody } from './candidate.js'
import { unknownClaims } from './claims.js'
import { openBody } from './entries.js'
import type { LedgerRequest, LedgerResponse } from './protocol.js'
import { BLOCK_ENDS, blockFault, endOf, type InvalidEntry, invalidEntries, type ValidityContext } from './validity.js'
import type { ExecutionWatch } from './watch.js'

/** Reason why no block was built: an invalid entry, or no entry if the height was decided or the view has timed out. */
export type Unbuilt = Pick<LedgerResponse<'build'>, 'invalid' | 'isUnreadable'>

const unbuilt = (invalid: readonly InvalidEntry[]): Unbuilt => ({ invalid, isUnreadable: false })

/** No block was built, although all entries are valid. */
export const NOT_BUILT: Unbuilt = unbuilt([])

/** An invalid transaction, as reported to the builder. */
const invalidOf = ({ endsBlock, code, ...one }: InvalidTransaction): InvalidEntry => ({
  ...one,
  code: endsBlock ? BLOCK_ENDS : code,
})

/**
 * Execute a body for a proposal; the header of the candidate has the computed roots. `watch` may end it. Returns the
 * claims if the results of its proofs are requested first.
 */
export function buildBlock(
  context: ExecutionContext,
  validity: ValidityContext,
  request: LedgerRequest<'build'>,
  watch: ExecutionWatch,
): { readonly candidate: LedgerCandidate } | { readonly claims: readonly Buffer[] } | Unbuilt {
  const { header } = request
  const opened = openBody(request.body, request.hashes, context.codec)
  // The ABI changed while the records waited. The builder has the single records and finds the unreadable ones.
  if (!opened.ok) return { invalid: [], isUnreadable: true }
  // As voters check it: a proof that a peer sent late or twice must not end this node.
  const place = { chainHash: context.chainHash, height: header.height }
  if (evidenceFault(context.world.reader, place, opened.body.evidence) !== undefined) return NOT_BUILT
  const invalid = invalidEntries(validity, opened.entries)
  if (invalid.length > 0) return unbuilt(invalid)
  const { entries, body } = opened
  const limited = { entries, evidence: body.evidence.length, bytes: request.body.length }
  const fault = blockFault(validity, header.originView, limited)
  // Costs or limits changed since the builder counted: it uses fewer entries, and the rest stays queued.
  if (fault !== undefined) return unbuilt([endOf(validity, header.originView, limited, fault)])
  const claims = unknownClaims(context, header.height, entries, request.proofs)
  if (claims.length > 0) return { claims }
  const candidate = tryExecute(context, request, opened, watch)
  if (candidate === undefined) return NOT_BUILT
  if ('index' in candidate) return unbuilt([invalidOf(candidate)])
  const { invalidTransactions } = candidate.run
  return invalidTransactions.length > 0 ? unbuilt(invalidTransactions.map(invalidOf)) : { candidate }
}

/**
 * Execute an own block, unless `watch` ends it. If a fault of this program makes it throw, returns the entry to leave
 * out.
 */
function tryExecute(
  context: ExecutionContext,
  { header, body }: LedgerRequest<'build'>,
  opened: OpenedBody,
  watch: ExecutionWatch,
): LedgerCandidate | InvalidTransaction | undefined {
  try {
    return executeCandidate(EXECUTIONS.build, context, header, body, opened, watch.between)
  } catch (error) {
    if (error instanceof StateFault || error instanceof EngineFault) throw error
    const { entries } = opened
    const index = bisectFailingTransaction(entries.length, (count) =>
      executeCandidate(EXECUTIONS.build, context, header, body, { ...opened, entries: entries.slice(0, count) }),
    )
    if (index === undefined) throw error
    return {
      index,
      endsBlock: false,
      code: 'executor_fault',
      message: errorMessage(error),
    }
  }
}
