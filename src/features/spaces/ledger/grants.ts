/** Owns the evaluation of manifests: instructions and movements of guests (docs/concepts/spaces.md). */
import { sameBytes } from '../../../base/bytes.js'
import type { Numeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import type { GateMove, SpaceGrants } from '../../../executor/contract.js'
import { matchesLabel } from '../../../lanes/index.js'
import { ZERO } from '../../../ledger/money.js'
import { type AccountId, add, subtract } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { domainOfCounterparty, type SpaceEntry, type SpaceScope, type SpaceWindow } from '../schema/records.js'
import { type Bucket, type ManifestKey, manifestOf, spaceUsage, statusOf, type UsageRow } from './tables.js'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Subject of a decision: an instruction by its label, or a movement in a transaction. */
export type Question = { readonly label: string } | MoveQuestion
interface MoveQuestion {
  readonly move: GateMove
  /** Transaction id; undefined for a new transaction, which has moved nothing yet. */
  readonly transaction: Uint8Array | undefined
}

/** Decision of a manifest. */
export interface Decision {
  readonly isAllowed: boolean
  /** Index of the deciding entry; undefined if none matched, or no manifest is active. */
  readonly entry: number | undefined
  /** Remaining amount in the window; undefined if the entry has no limit, or no amount was requested. */
  readonly rest: Numeric | undefined
  /** Usage to record for the entry; undefined: none. */
  readonly usage: UsageRow | undefined
  /** Number of usages that were compared with their limits. */
  readonly compared: number
}

/** Units of comparing a usage with its limit, in addition to its row. */
const COMPARE_TEU = 5

const deniedBy = (entry: number | undefined, compared = 0): Decision => ({
  isAllowed: false,
  entry,
  compared,
  rest: undefined,
  usage: undefined,
})
const allowedBy = (entry: number, compared = 0, rest?: Numeric, usage?: UsageRow): Decision => ({
  isAllowed: true,
  entry,
  compared,
  rest,
  usage,
})

/** Window that contains a time; undefined for a transaction window of a new transaction. */
export function bucketOf(window: SpaceWindow, timeMs: number, transaction: Uint8Array | undefined): Bucket | undefined {
  if (window === 'transaction') return transaction && { kind: window, value: transaction }
  return { kind: window, value: Math.floor(timeMs / (window === 'minute' ? MINUTE_MS : DAY_MS)) }
}

const sameBucket = (a: Bucket, b: Bucket): boolean =>
  a.kind === 'transaction'
    ? b.kind === 'transaction' && sameBytes(a.value, b.value)
    : a.kind === b.kind && a.value === b.value

/** Amount that a guest moved under an entry in a window; usage of other versions or windows counts as zero. */
export function spentIn(
  state: StateReader,
  key: ManifestKey,
  entry: number,
  version: number,
  bucket: Bucket | undefined,
): Numeric {
  if (bucket === undefined) return ZERO
  const usage = state.get(spaceUsage, { ...key, entry })
  return usage !== undefined && usage.version === version && sameBucket(usage.bucket, bucket) ? usage.spent : ZERO
}

/** True if an entry matches an instruction whose amount, definition and receiver are not known yet. */
function matchesInstruction({ scope, effect }: SpaceEntry, label: string): boolean {
  const { instruction, definition, counterparty } = scope
  const isOpen = definition === undefined && counterparty === undefined
  if (effect.kind === 'deny' && !isOpen) return false
  return instruction === undefined ? isOpen : matchesLabel(instruction, label)
}

/** True if an entry matches a movement, in every field that it names. */
function matchesMove(scope: SpaceScope, { label, definition, to }: GateMove, homeOf: HomeOf): boolean {
  if (scope.instruction !== undefined && (label === undefined || !matchesLabel(scope.instruction, label))) return false
  if (scope.definition !== undefined && scope.definition !== definition) return false
  return scope.counterparty === undefined || (to !== undefined && isCounterparty(scope.counterparty, to, homeOf))
}

/** Home domain of the receiver. */
type HomeOf = (account: AccountId) => string | undefined

function isCounterparty(counterparty: string, account: AccountId, homeOf: HomeOf): boolean {
  const domain = domainOfCounterparty(counterparty)
  return domain === undefined ? counterparty === account : homeOf(account) === domain
}

/**
 * Decision of a manifest at a header time. Any matching denial takes precedence; otherwise the first allowance that
 * covers the amount decides.
 */
export function decisionOf(state: StateReader, timeMs: number, key: ManifestKey, question: Question): Decision {
  const manifest = manifestOf(state, key)
  if (manifest === undefined || statusOf(manifest, timeMs) !== 'active') return deniedBy(undefined)
  // Cached: a movement has one receiver, and many entries may need its home.
  let home: string | undefined
  const homeOf = (account: AccountId): string | undefined => {
    home ??= state.get(accounts, account)?.domain
    return home
  }
  const matches = (entry: SpaceEntry): boolean =>
    'label' in question ? matchesInstruction(entry, question.label) : matchesMove(entry.scope, question.move, homeOf)
  const { entries } = manifest
  const denial = entries.findIndex((entry) => entry.effect.kind === 'deny' && matches(entry))
  if (denial >= 0) return deniedBy(denial)
  let compared = 0
  for (const [index, entry] of entries.entries()) {
    if (entry.effect.kind === 'deny' || !matches(entry)) continue
    const { maxAmount, window } = entry.effect.value
    if ('label' in question || maxAmount === undefined || window === undefined) return allowedBy(index, compared)
    compared += 1
    const { version } = manifest
    const bucket = bucketOf(window, timeMs, question.transaction)
    const spent = add(spentIn(state, key, index, version, bucket), question.move.amount)
    const rest = spent && subtract(maxAmount, spent)
    if (spent !== undefined && rest !== undefined)
      return allowedBy(index, compared, rest, bucket && { version, bucket, spent })
  }
  return deniedBy(undefined, compared)
}

/** Grants by manifests; `note` is called with every decision. */
export const grantsNoting = (note: (decision: Decision) => void): SpaceGrants => {
  const noted = (decision: Decision): Decision => {
    note(decision)
    return decision
  }
  return {
    instruction: (state, timeMs, account, dataspace, label) =>
      noted(decisionOf(state, timeMs, { dataspace, account }, { label })).isAllowed,
    movement(ctx, move, dataspace) {
      const key = { dataspace, account: move.source }
      const transaction = ctx.transaction.id
      const { isAllowed, entry, usage, compared } = noted(decisionOf(ctx, ctx.env.timeMs, key, { move, transaction }))
      ctx.take(COMPARE_TEU * compared)
      if (usage !== undefined && entry !== undefined) ctx.set(spaceUsage, { ...key, entry }, usage)
      return isAllowed
    },
    wouldMove: (state, timeMs, move, dataspace) =>
      decisionOf(state, timeMs, { dataspace, account: move.source }, { move, transaction: undefined }).isAllowed,
    mayUse(state, account, dataspace) {
      const manifest = manifestOf(state, { dataspace, account })
      if (manifest === undefined || manifest.revoked !== undefined) return false
      return manifest.entries.some(({ effect }) => effect.kind === 'allow')
    },
  }
}

export const spaceGrants: SpaceGrants = grantsNoting(() => undefined)
