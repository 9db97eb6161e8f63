/** Owns the limits of a submitter (docs/design/iso20022.md 2): maximum amount of one payment and of one day in an asset definition. */
import type { Numeric } from '../../../codec/index.js'
import { type Rejection, reject } from '../../../executor/contract.js'
import { ZERO } from '../../../ledger/money.js'
import { type AccountId, add, exceeds } from '../../../model/index.js'
import type { StateReader, StateWriter } from '../../../state/index.js'
import { type Submitter, type Usage, usage } from './tables.js'

const DAY_MS = 86_400_000

/** UTC day of a time, in days since the Unix epoch. */
export const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS)

/** Usage after this payment, or a rejection by the limit that forbids it; undefined: no limit applies. */
function after(
  state: StateReader,
  id: AccountId,
  submitter: Submitter,
  payment: {
    readonly definition: string
    readonly amount: Numeric
    /** Total of earlier payments that are not in a block yet. */
    readonly open?: Numeric | undefined
  },
  timeMs: number,
): Usage | Rejection | undefined {
  const { definition, amount, open = ZERO } = payment
  const limit = submitter.limits.find((one) => one.definition === definition)
  if (limit === undefined) return undefined
  if (limit.perPayment !== undefined && exceeds(amount, limit.perPayment)) {
    return reject('iso_limit', 'the payment exceeds the limit of its submitter')
  }
  if (limit.perDay === undefined) return undefined
  const day = dayOf(timeMs)
  const before = state.get(usage, { submitter: id, definition })
  const planned = add(before?.day === day ? before.spent : ZERO, open)
  const spent = planned && add(planned, amount)
  if (spent === undefined || exceeds(spent, limit.perDay)) {
    return reject('iso_limit', 'the payment would exceed the daily limit of its submitter')
  }
  return { day, spent }
}

/** Rejection if the limits of a submitter forbid a payment. */
export function limitFault(...parameters: Parameters<typeof after>): Rejection | undefined {
  const outcome = after(...parameters)
  return outcome !== undefined && 'code' in outcome ? outcome : undefined
}

/** Check the limits of a submitter and write its usage including the payment, or return a rejection. */
export function applyLimits(state: StateWriter, ...rest: Tail<Parameters<typeof after>>): Rejection | undefined {
  const outcome = after(state, ...rest)
  if (outcome === undefined) return undefined
  if ('code' in outcome) return outcome
  const [submitter, , { definition }] = rest
  state.set(usage, { submitter, definition }, outcome)
  return undefined
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never
