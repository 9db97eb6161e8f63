/** Owns random requests about real-world assets on a rich chain: the class `bars#bank` has lots from genesis. */
import {
  lotSettlementObject,
  instructions as rwas,
  type SettleRwaDvp,
} from '../../src/features/rwas/schema/instructions.js'
import { rwaClasses, rwaLots } from '../../src/ledger/lot-tables.js'
import { type AccountId, formatLot, type Instruction, instruction, type LiveLot } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import * as core from './core.js'
import { keysIn } from './nodes.js'
import type { Asked } from './rich.js'

export const BARS = 'bars#bank'
const POWERS = { freeze: true, hold: true, force: true, redeem: true, eligibleOnly: false }

const classOf = (id: string): Instruction =>
  instruction(rwas.registerRwaClass, {
    id,
    scale: 2,
    kind: 'metal',
    unit: 'g',
    flags: POWERS,
    termsHash: undefined,
    termsUri: undefined,
    isin: undefined,
    holdersMax: undefined,
  })
const lotFor = (to: AccountId, quantity: bigint): Instruction =>
  instruction(rwas.issueRwa, {
    class: BARS,
    to,
    quantity: core.units(quantity),
    grade: 'fine',
    reference: 'bar',
    documentHash: undefined,
    expiresMs: undefined,
    attributes: new Map(),
  })
/** Class with a lot for each of some accounts, created by genesis. */
export const bars = (people: readonly AccountId[]): readonly Instruction[] => [
  classOf(BARS),
  ...people.map((one) => lotFor(one, 1_000n)),
]

/** Chain state for the requests. */
export interface RwaWorld {
  readonly random: Random
  readonly state: Overlay
  readonly now: () => number
  readonly admin: AccountId
  readonly people: readonly AccountId[]
  readonly cash: string
}

/** Generators by instruction kind. */
export function rwaMakers({ random, state, now, admin, people, cash }: RwaWorld) {
  const { pick } = random
  let fresh = 0
  /** Deliveries to which their buyers agreed. */
  const agreed: SettleRwaDvp[] = []
  const live = (): (LiveLot & { readonly id: string })[] =>
    keysIn(state, rwaLots).flatMap((key) => {
      const row = state.get(rwaLots, key)
      return row?.kind === 'live' ? [{ ...row.value, id: formatLot(key) }] : []
    })
  const ofLot = (make: (lot: LiveLot & { readonly id: string }) => Asked): Asked | undefined => {
    const found = live()
    return found.length === 0 ? undefined : make(pick(found))
  }
  const ofHold = (kind: 'legal' | 'redemption', make: (lot: string, hold: number, by: AccountId) => Asked) => {
    const held = live().flatMap(({ id, holds, holder }) =>
      holds.flatMap((one) => (one.kind === kind ? [{ id, hold: one.id, holder }] : [])),
    )
    const found = held.length === 0 ? undefined : pick(held)
    return found && make(found.id, found.hold, found.holder)
  }
  const other = (account: AccountId): AccountId => pick(people.filter((one) => one !== account))
  const part = () => core.units(BigInt(1 + random.below(40)))
  return {
    registerRwaClass: (): Asked => [admin, classOf(`lots${fresh++}#bank`)],
    issueRwa: (): Asked => [admin, lotFor(pick(people), BigInt(1 + random.below(500)))],
    transferRwa: () =>
      ofLot(({ id, holder }) => {
        const quantity = random.chance(0.5) ? part() : undefined
        return [holder, instruction(rwas.transferRwa, { lot: id, quantity, to: other(holder) })]
      }),
    splitRwa: () =>
      ofLot(({ id, holder }) => [holder, instruction(rwas.splitRwa, { lot: id, quantities: [part(), part()] })]),
    mergeRwa: (): Asked | undefined => {
      const found = live()
      const first = found.length === 0 ? undefined : pick(found)
      const second = first && found.find(({ holder, id }) => holder === first.holder && id !== first.id)
      return second && [second.holder, instruction(rwas.mergeRwa, { lots: [second.id, first.id] })]
    },
    freezeRwa: () =>
      ofLot(({ id }) => [admin, instruction(rwas.freezeRwa, { lot: id, frozen: random.chance(0.2), reason: 'x' })]),
    holdRwa: () =>
      ofLot(({ id }) => {
        const untilMs = random.chance(0.7) ? now() + random.below(5_000) : undefined
        return [admin, instruction(rwas.holdRwa, { lot: id, quantity: part(), untilMs, reason: 'x' })]
      }),
    releaseRwa: () => ofHold('legal', (lot, hold) => [admin, instruction(rwas.releaseRwa, { lot, hold, reason: 'x' })]),
    forceTransferRwa: () =>
      ofLot(({ id, holder }) => [
        admin,
        instruction(rwas.forceTransferRwa, { lots: [id], to: other(holder), reason: 'x' }),
      ]),
    requestRwaRedemption: () =>
      ofLot(({ id, holder }) => [holder, instruction(rwas.requestRwaRedemption, { lot: id, quantity: part() })]),
    settleRwaRedemption: () =>
      ofHold('redemption', (lot, hold, by) => {
        const accept = random.chance(0.6)
        return [accept ? admin : by, instruction(rwas.settleRwaRedemption, { lot, hold, accept })]
      }),
    setRwaHolder: (): Asked => {
      const eligibleUntilMs = random.chance(0.7) ? now() + random.below(10_000) : undefined
      return [admin, instruction(rwas.setRwaHolder, { class: BARS, account: pick(people), eligibleUntilMs })]
    },
    setRwaClass: (): Asked => [
      admin,
      instruction(rwas.setRwaClass, { class: BARS, paused: random.chance(0.1), clear: [] }),
    ],
    declareRwaIncome: (): Asked => [admin, instruction(rwas.declareRwaIncome, { class: BARS, cash, amount: part() })],
    claimRwaIncome: (): Asked | undefined =>
      state.get(rwaClasses, BARS)?.income === undefined
        ? undefined
        : [
            pick(people),
            instruction(rwas.claimRwaIncome, {
              class: BARS,
              lots: live()
                .map(({ id }) => id)
                .slice(0, 8),
              accounts: [pick(people)],
            }),
          ],
    settleRwaDvp: (): Asked | undefined => {
      const granted = agreed.pop()
      if (granted !== undefined) return [granted.payment.to, instruction(rwas.settleRwaDvp, granted)]
      return ofLot(({ id, holder }) => {
        const buyer = other(holder)
        const terms = {
          id: `dvp${fresh++}`,
          delivery: { lot: id, quantity: part(), to: buyer },
          payment: { asset: { definition: cash, account: buyer }, to: holder, amount: part() },
        }
        agreed.push(terms)
        return [buyer, core.permission('grant', 'CanSettle', lotSettlementObject(terms, buyer), holder)]
      })
    },
  }
}
