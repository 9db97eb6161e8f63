/** Owns a small world with a class of real-world assets, and short forms of its instructions. */
import { type Numeric, normalizeNumeric } from '../../src/codec/index.js'
import type { Abi } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as rwas } from '../../src/features/rwas/schema/instructions.js'
import { type AccountId, type Instruction, instruction, type RwaFlag, type RwaFlags } from '../../src/model/index.js'
import type { RowReader } from '../../src/state/index.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'

export const { owner, alice, bob, agent, outsider } = core
export const carol = accountNamed('carol')
export const GOLD = 'gold#bank'
export const START_MS = 1_760_000_000_000

/** All powers of an issuer. */
export const ALL: RwaFlags = { freeze: true, hold: true, force: true, redeem: true, eligibleOnly: false }
export const NONE: RwaFlags = { freeze: false, hold: false, force: false, redeem: false, eligibleOnly: false }

/** Id of a lot of gold. */
export const lotOf = (number: number, definition = GOLD): string => `${definition}/${number}`

/** Amount in hundredths: quantities of gold, and dollars. */
export function hundredths(count: bigint): Numeric {
  const amount = normalizeNumeric({ mantissa: count, scale: 2 })
  if (amount === undefined) throw new Error('too large')
  return amount
}

export const registerClass = (
  id = GOLD,
  { flags = ALL, holdersMax }: { readonly flags?: RwaFlags; readonly holdersMax?: number } = {},
): Instruction =>
  instruction(rwas.registerRwaClass, {
    id,
    scale: 2,
    kind: 'metal',
    unit: 'g',
    flags,
    holdersMax,
    termsHash: undefined,
    termsUri: undefined,
    isin: undefined,
  })

export const issue = (
  to: AccountId,
  quantity: bigint,
  { id = GOLD, grade = 'fine', expiresMs }: { id?: string; grade?: string; expiresMs?: number } = {},
): Instruction =>
  instruction(rwas.issueRwa, {
    class: id,
    to,
    quantity: hundredths(quantity),
    grade,
    expiresMs,
    reference: 'bar',
    documentHash: undefined,
    attributes: new Map(),
  })

export const move = (lot: number, to: AccountId, quantity?: bigint): Instruction =>
  instruction(rwas.transferRwa, {
    lot: lotOf(lot),
    to,
    quantity: quantity === undefined ? undefined : hundredths(quantity),
  })

/** Dollars held by the owner, by alice and by bob. */
const CASH = 1_000_000n

/** A bank with gold, some of whose accounts have dollars. */
export function rwaWorld(
  terms: Parameters<typeof registerClass>[1] = {},
  { parent, abi = ABI_2 }: { readonly parent?: RowReader; readonly abi?: Abi } = {},
): Bench {
  const bench = new Bench(parent, abi)
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    ...[owner, alice, bob, carol, agent, outsider].map((id) => core.registerAccount(id)),
    core.registerDefinition(core.USD),
    ...[owner, alice, bob].map((id) => core.mint(id, CASH)),
    registerClass(GOLD, terms),
  )
  return bench
}

export const split = (lot: number, ...quantities: readonly bigint[]): Instruction =>
  instruction(rwas.splitRwa, { lot: lotOf(lot), quantities: quantities.map((one) => hundredths(one)) })
export const merge = (...lots: readonly number[]): Instruction =>
  instruction(rwas.mergeRwa, { lots: lots.map((lot) => lotOf(lot)) })
export const freeze = (lot: number, frozen = true): Instruction =>
  instruction(rwas.freezeRwa, { lot: lotOf(lot), frozen, reason: 'court' })
export const hold = (lot: number, quantity: bigint, untilMs?: number): Instruction =>
  instruction(rwas.holdRwa, { lot: lotOf(lot), quantity: hundredths(quantity), untilMs, reason: 'court' })
export const release = (lot: number, id: number): Instruction =>
  instruction(rwas.releaseRwa, { lot: lotOf(lot), hold: id, reason: 'settled' })
export const force = (lots: readonly number[], to: AccountId): Instruction =>
  instruction(rwas.forceTransferRwa, { lots: lots.map((lot) => lotOf(lot)), to, reason: 'court' })
export const request = (lot: number, quantity: bigint): Instruction =>
  instruction(rwas.requestRwaRedemption, { lot: lotOf(lot), quantity: hundredths(quantity) })
export const redeem = (lot: number, id: number, accept = true): Instruction =>
  instruction(rwas.settleRwaRedemption, { lot: lotOf(lot), hold: id, accept })
export const admit = (account: AccountId, eligibleUntilMs?: number): Instruction =>
  instruction(rwas.setRwaHolder, { class: GOLD, account, eligibleUntilMs })
export const change = (paused: boolean | undefined, ...clear: readonly RwaFlag[]): Instruction =>
  instruction(rwas.setRwaClass, { class: GOLD, paused, clear })
export const declare = (amount: bigint, cash = core.USD): Instruction =>
  instruction(rwas.declareRwaIncome, { class: GOLD, cash, amount: hundredths(amount) })
export const claim = (lots: readonly number[], ...accounts: readonly AccountId[]): Instruction =>
  instruction(rwas.claimRwaIncome, { class: GOLD, lots: lots.map((lot) => lotOf(lot)), accounts })

/** Terms of a delivery against payment in dollars. */
export const termsOf = (
  id: string,
  [number, quantity]: readonly [number, bigint],
  [from, price]: readonly [AccountId, bigint],
  seller: AccountId,
) => ({
  id,
  delivery: { lot: lotOf(number), quantity: hundredths(quantity), to: from },
  payment: { asset: core.balance(from), to: seller, amount: hundredths(price) },
})
export const deliver = (terms: ReturnType<typeof termsOf>): Instruction => instruction(rwas.settleRwaDvp, terms)
