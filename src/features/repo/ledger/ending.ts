/** Owns the end of an agreement: closing the vault, releasing the parties, keeping a digest. */
import type { Numeric } from '../../../codec/index.js'
import { countUse } from '../../../executor/accounts.js'
import type { ExecContext, Rejection } from '../../../executor/contract.js'
import { ZERO } from '../../../ledger/money.js'
import { closeVault } from '../../../ledger/vaults.js'
import { events } from '../schema/events.js'
import type { CloseCause } from '../schema/records.js'
import { REPO_FEATURE } from './items.js'
import { agreements, type FoundRepo } from './tables.js'

/** Result of an agreement. */
export interface Ending {
  readonly cause: CloseCause
  /** Cash that was paid to the buyer; absent: none. */
  readonly paid?: Numeric
  readonly shortfall?: Numeric | undefined
  /** Error code of the opening; absent: the agreement was opened or withdrawn. */
  readonly failure?: string
}

/** End an agreement whose vault is empty. The caller cancels its run. */
export function endRepo(ctx: ExecContext, { id, repo }: FoundRepo, ending: Ending): Rejection | undefined {
  const { cause, paid = ZERO, shortfall, failure } = ending
  const { status, reference, seller, buyer, custodian, proposer, termsHash, consents } = repo
  if (status !== 'proposed' && status !== 'waiting') {
    const kept = closeVault(ctx, { feature: REPO_FEATURE, key: id })
    if (kept !== undefined) return kept
  }
  for (const party of consents) countUse(ctx, party, 'objects', -1)
  ctx.set(agreements, id, {
    kind: 'closed',
    value: {
      reference,
      seller,
      buyer,
      custodian,
      proposer,
      termsHash,
      cause,
      atMs: ctx.env.timeMs,
      cash: repo.terms.cash.definition,
      paid,
      shortfall,
    },
  })
  ctx.emit(events.repoClosed, { id, seller, buyer, cause, paid, shortfall, failure })
  return undefined
}
