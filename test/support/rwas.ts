/** Owns a small world with a class of real-world assets, and short forms of its instructions. */
import type { Abi } from '../../src/executor/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as rwas } from '../../src/features/rwas/schema/instructions.js'
import { type AccountId, type Instruction, instruction, type RwaFlags } from '../../src/model/index.js'
import type { RowReader } from '../../src/state/index.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'

export const { owner, alice, bob, agent, stranger, units } = core
export const carol = accountNamed('carol')
export const GOLD = 'gold#bank'
export const START_MS = 1_760_000_000_000

/** An issuer with all powers. */
export const ALL: RwaFlags = { freeze: true, hold: true, force: true, redeem: true, eligibleOnly: false }
export const NONE: RwaFlags = { freeze: false, hold: false, force: false, redeem: false, eligibleOnly: false }

/** Id of a lot of gold. */
export const lotOf = (number: number, definition = GOLD): string => `${definition}/${number}`

export const registerClass = (
  id = GOLD,
  { flags = ALL, holdersMax }: { readonly flags?: RwaFlags; readonly holdersMax?: number } = {},
): Instruction =>
  instruction(rwas.registerRwaClass, {
    ...{ id, scale: 2, kind: 'metal', unit: 'g', flags, holdersMax },
    ...{ termsHash: undefined, termsUri: undefined, isin: undefined },
  })

export const issue = (
  to: AccountId,
  quantity: bigint,
  { id = GOLD, grade = 'fine', expiresMs }: { id?: string; grade?: string; expiresMs?: number } = {},
): Instruction =>
  instruction(rwas.issueRwa, {
    ...{ class: id, to, quantity: core.units(quantity), grade, expiresMs },
    ...{ reference: 'bar', documentHash: undefined, attributes: {} },
  })

export const move = (lot: number, to: AccountId, quantity?: bigint): Instruction =>
  instruction(rwas.transferRwa, {
    ...{ lot: lotOf(lot), to },
    quantity: quantity === undefined ? undefined : core.units(quantity),
  })

/** A bank with gold, whose accounts have euros. */
export function rwaWorld(parent?: RowReader, abi: Abi = ABI_2): Bench {
  const bench = new Bench(parent, abi)
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    ...[owner, alice, bob, carol, agent, stranger].map((id) => core.registerAccount(id)),
    core.registerDefinition(core.USD),
    ...[owner, alice, bob].map((id) => core.mint(id, 1_000_000n)),
    registerClass(),
  )
  return bench
}
