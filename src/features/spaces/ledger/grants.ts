/** Owns the evaluation of manifests: what a guest may run and move (docs/concepts/spaces.md). */
import { sameBytes } from '../../../base/bytes.js'
import type { Numeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import type { GateMove, SpaceGrants } from '../../../executor/contract.js'
import { matchesLabel } from '../../../lanes/index.js'
import { ZERO } from '../../../ledger/money.js'
import { type AccountId, add, subtract } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { domainOfCounterparty, type SpaceEntry, type SpaceScope, type SpaceWindow } from '../schema/records.js'
import {
  type Bucket,
  type ManifestKey,
  type ManifestRow,
  manifestOf,
  spaceUsage,
  statusOf,
  type UsageRow,
} from './tables.js'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** What is asked of a manifest: an instruction by its label, or a movement in a transaction. */
export type Question = { readonly label: string } | MoveQuestion
interface MoveQuestion {
  readonly move: GateMove
  /** Id of the transaction; undefined: one of its own, which moved nothing before. */
  readonly transaction: Uint8Array | undefined
}

/** Answer of a manifest. */
export interface Decision {
  readonly isAllowed: boolean
  /** Index of the entry that decided; undefined: none matched, or no manifest is active. */
  readonly entry: number | undefined
  /** Amount that is left in the window afterwards; undefined: the entry has no limit, or no amount was asked about. */
  readonly rest: Numeric | undefined
  /** Usage to record for the entry; undefined: none. */
  readonly usage: UsageRow | undefined
}

const deniedBy = (entry: number | undefined): Decision => ({
  isAllowed: false,
  entry,
  rest: undefined,
  usage: undefined,
})
const allowedBy = (entry: number, rest?: Numeric, usage?: UsageRow): Decision => ({
  isAllowed: true,
  entry,
  rest,
  usage,
})

/** Window that a time falls in; undefined: a transaction of its own. */
export function bucketOf(window: SpaceWindow, timeMs: number, transaction: Uint8Array | undefined): Bucket | undefined {
  if (window === 'transaction') return transaction && { kind: window, value: transaction }
  return { kind: window, value: Math.floor(timeMs / (window === 'minute' ? MINUTE_MS : DAY_MS)) }
}

const sameBucket = (a: Bucket, b: Bucket): boolean =>
  a.kind === 'transaction'
    ? b.kind === 'transaction' && sameBytes(a.value, b.value)
    : a.kind === b.kind && a.value === b.value

/** Amount that a guest moved under an entry in a window; usage of another version or window counts as zero. */
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

/** Whether an entry is about an instruction, of which amount, definition and receiver are not known yet. */
function matchesInstruction({ scope, effect }: SpaceEntry, label: string): boolean {
  const { instruction, definition, counterparty } = scope
  const isOpen = definition === undefined && counterparty === undefined
  if (effect.kind === 'deny' && !isOpen) return false
  return instruction === undefined ? isOpen : matchesLabel(instruction, label)
}

/** Whether an entry is about a movement: every field that it names fits. */
function matchesMove(state: StateReader, scope: SpaceScope, { label, definition, to }: GateMove): boolean {
  if (scope.instruction !== undefined && (label === undefined || !matchesLabel(scope.instruction, label))) return false
  if (scope.definition !== undefined && scope.definition !== definition) return false
  return scope.counterparty === undefined || (to !== undefined && isCounterparty(state, scope.counterparty, to))
}

function isCounterparty(state: StateReader, counterparty: string, account: AccountId): boolean {
  const domain = domainOfCounterparty(counterparty)
  return domain === undefined ? counterparty === account : state.get(accounts, account)?.domain === domain
}

/** Answer of a manifest at a header time. Any denial that matches wins; otherwise the first allowance with room for the amount. */
export function decisionOf(state: StateReader, timeMs: number, key: ManifestKey, question: Question): Decision {
  const manifest = manifestOf(state, key)
  if (manifest === undefined || statusOf(manifest, timeMs) !== 'active') return deniedBy(undefined)
  const matches = (entry: SpaceEntry): boolean =>
    'label' in question ? matchesInstruction(entry, question.label) : matchesMove(state, entry.scope, question.move)
  const { entries } = manifest
  const denial = entries.findIndex((entry) => entry.effect.kind === 'deny' && matches(entry))
  if (denial >= 0) return deniedBy(denial)
  for (const [index, entry] of entries.entries()) {
    if (entry.effect.kind === 'deny' || !matches(entry)) continue
    if ('label' in question) return allowedBy(index)
    const decision = allowance(state, timeMs, key, manifest, index, entry.effect.value, question)
    if (decision !== undefined) return decision
  }
  return deniedBy(undefined)
}

type Allowance = (SpaceEntry['effect'] & { readonly kind: 'allow' })['value']

/** Decision of an allowance about a movement; undefined: the amount does not fit into its window. */
function allowance(
  state: StateReader,
  timeMs: number,
  key: ManifestKey,
  { version }: ManifestRow,
  entry: number,
  { maxAmount, window }: Allowance,
  { move, transaction }: MoveQuestion,
): Decision | undefined {
  if (maxAmount === undefined || window === undefined) return allowedBy(entry)
  const bucket = bucketOf(window, timeMs, transaction)
  const spent = add(spentIn(state, key, entry, version, bucket), move.amount)
  const rest = spent && subtract(maxAmount, spent)
  if (spent === undefined || rest === undefined) return undefined
  return allowedBy(entry, rest, bucket && { version, bucket, spent })
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
      const { isAllowed, entry, usage } = noted(decisionOf(ctx, ctx.env.timeMs, key, { move, transaction }))
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
