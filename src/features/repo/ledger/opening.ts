/** Owns the opening of an agreement: both legs, or none. */
import { hash32 } from '../../../codec/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { scheduleRun } from '../../../executor/due-runs/index.js'
import type { Scheduled } from '../../../executor/feature.js'
import { openVault } from '../../../ledger/vaults.js'
import { dayOfDate } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { LiveRepo } from '../schema/records.js'
import { endRepo } from './ending.js'
import { payCash, pledge, REPO_FEATURE } from './items.js'
import { maturityRun } from './maturity.js'
import { agreements, type FoundRepo, repoIn } from './tables.js'
import { maturityMsOf, startOf } from './valuation.js'

/** Header time at which the purchase date ends; an agreement cannot be opened afterwards. */
export const closingMsOf = (repo: LiveRepo): number => startOf(repo, purchaseDayOf(repo) + 1)
const purchaseDayOf = (repo: LiveRepo): number => dayOfDate(repo.terms.purchaseDate) ?? 0

/** Open the vault, move the collateral, then the cash, and schedule the repurchase. */
export function openRepo(ctx: ExecContext, found: FoundRepo): Rejection | undefined {
  const { id, repo } = found
  const { seller, buyer, terms } = repo
  const vault = openVault(ctx, {
    feature: REPO_FEATURE,
    key: id,
    definition: terms.cash.definition,
    beneficiary: seller,
  })
  if (typeof vault !== 'string') return vault
  const items = pledge(ctx, found, terms.collateral)
  if ('code' in items) return items
  const unpaid = payCash(ctx, repo, { from: buyer, to: seller, amount: terms.cash.amount })
  if (unpaid !== undefined) return unpaid
  const maturityMs = maturityMsOf(repo)
  const due = scheduleRun(ctx, maturityRun, id, { owner: seller, dueMs: maturityMs })
  if (typeof due !== 'number') return due
  ctx.set(agreements, id, { kind: 'live', value: { ...repo, status: 'open', items } })
  ctx.emit(events.repoOpened, { id, seller, buyer, cash: terms.cash.amount, maturityMs })
  return undefined
}

/** Run at the start of the purchase date: opens the agreement, or closes it as unfunded. */
export const openRun: Scheduled<Uint8Array> = {
  kind: 'repo_open',
  key: hash32,
  paidBy: 'owner',
  teu: 500,
  maxTeu: 10_000,
  run(ctx, id) {
    const found = repoIn(ctx, id, 'waiting')
    if ('code' in found) return undefined
    const failed =
      ctx.env.timeMs < closingMsOf(found.repo)
        ? ctx.fork((part) => openRepo(part, found))
        : reject('repo_state', 'the purchase date has passed')
    if (failed === undefined) return undefined
    return endRepo(ctx, found, { cause: 'unfunded', failure: failed.code })
  },
}
