/** Owns the inputs about lots: the longest papers and lists, and decisions that depend on them. */
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as rwas } from '../../../src/features/rwas/schema/instructions.js'
import { HOLDS_MAX, type Instruction, instruction, LOTS_MAX } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import * as rwa from '../../support/rwas.js'
import { alice, bob, LONG_DOMAIN, owner, repeat, text, type WorstCase } from './inputs.js'

/** A class with the longest id. */
const FAT = `${'r'.repeat(128)}#${LONG_DOMAIN}`
/** Attributes of 4 KiB in many small parts. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map(
  repeat(64, (index) => [`${String(index).padStart(2, '0')}${'k'.repeat(20)}`, text(38)] as const),
)
const issue = (id: string, attributes: ReadonlyMap<string, string> = new Map()): Instruction =>
  instruction(rwas.issueRwa, {
    class: id,
    to: alice,
    quantity: core.units(1_000n),
    grade: text(32),
    reference: text(64),
    documentHash: Buffer.alloc(32, 7),
    expiresMs: undefined,
    attributes,
  })
const lot = (number: number, id = FAT): string => `${id}/${number}`

function prepare(...more: readonly Instruction[]) {
  return (bench: Bench): void =>
    bench.genesis(
      owner,
      core.registerDomain(LONG_DOMAIN),
      instruction(rwas.registerRwaClass, {
        id: FAT,
        scale: 2,
        kind: text(32),
        unit: text(16),
        flags: { ...rwa.ALL, eligibleOnly: true },
        termsHash: Buffer.alloc(32, 7),
        termsUri: text(256),
        isin: undefined,
        holdersMax: 1_000,
      }),
      rwa.registerClass(),
      ...[alice, bob].map((account) =>
        instruction(rwas.setRwaHolder, { class: FAT, account, eligibleUntilMs: Number.MAX_SAFE_INTEGER }),
      ),
      ...more,
    )
}
const fat = (count: number) => repeat(count, () => issue(FAT, ATTRIBUTES))
const held = (count: number) =>
  repeat(count, (at) =>
    repeat(HOLDS_MAX, () =>
      instruction(rwas.holdRwa, { lot: lot(at + 1), quantity: core.units(1n), untilMs: undefined, reason: text(128) }),
    ),
  ).flat()
const move = (number: number, to = bob, quantity?: bigint, id = FAT): Instruction =>
  instruction(rwas.transferRwa, {
    lot: lot(number, id),
    to,
    quantity: quantity === undefined ? undefined : core.units(quantity),
  })

export const RWA_CASES: Readonly<Record<string, WorstCase>> = {
  'rwas: lots with the longest papers': {
    abi: ABI_2,
    by: owner,
    prepare: prepare(),
    transactions: () => repeat(20, () => fat(1)),
  },
  'rwas: plain lots': {
    abi: ABI_2,
    by: owner,
    isCommon: true,
    prepare: prepare(),
    transactions: () => repeat(40, () => [issue(rwa.GOLD)]),
  },
  'rwas: transfers of plain lots': {
    abi: ABI_2,
    isCommon: true,
    prepare: prepare(...repeat(40, () => issue(rwa.GOLD))),
    transactions: () => repeat(40, (at) => [move(at + 1, bob, undefined, rwa.GOLD)]),
  },
  'rwas: parts of lots with the longest papers and holds': {
    abi: ABI_2,
    prepare: prepare(...fat(20), ...held(20)),
    transactions: () => repeat(20, (at) => [move(at + 1, bob, 5n), move(at + 1, bob, 5n)]),
  },
  'rwas: a lot divided into 16': {
    abi: ABI_2,
    prepare: prepare(...fat(10), ...held(10)),
    transactions: () =>
      repeat(10, (at) => [
        instruction(rwas.splitRwa, { lot: lot(at + 1), quantities: repeat(LOTS_MAX, () => core.units(3n)) }),
      ]),
  },
  'rwas: 16 lots joined': {
    abi: ABI_2,
    prepare: prepare(...fat(LOTS_MAX * 5)),
    transactions: () =>
      repeat(5, (at) => [
        instruction(rwas.mergeRwa, { lots: repeat(LOTS_MAX, (index) => lot(at * LOTS_MAX + index + 1)) }),
      ]),
  },
  'rwas: 16 lots with holds taken': {
    abi: ABI_2,
    by: owner,
    prepare: prepare(...fat(LOTS_MAX * 5), ...held(LOTS_MAX * 5)),
    transactions: () =>
      repeat(5, (at) => [
        instruction(rwas.forceTransferRwa, {
          lots: repeat(LOTS_MAX, (index) => lot(at * LOTS_MAX + index + 1)),
          to: bob,
          reason: text(128),
        }),
      ]),
  },
  'rwas: holds and redemptions': {
    abi: ABI_2,
    by: owner,
    prepare: prepare(...fat(10)),
    transactions: () =>
      repeat(10, (at) => [
        ...repeat(HOLDS_MAX, () =>
          instruction(rwas.holdRwa, {
            lot: lot(at + 1),
            quantity: core.units(1n),
            untilMs: undefined,
            reason: text(128),
          }),
        ),
        instruction(rwas.releaseRwa, { lot: lot(at + 1), hold: 3, reason: text(128) }),
        instruction(rwas.freezeRwa, { lot: lot(at + 1), frozen: true, reason: text(128) }),
      ]),
  },
  'rwas: income of 16 lots': {
    abi: ABI_2,
    by: owner,
    prepare: prepare(
      ...fat(LOTS_MAX * 5),
      core.mint(owner, 1_000_000n),
      instruction(rwas.declareRwaIncome, { class: FAT, cash: core.USD, amount: core.units(500_000n) }),
    ),
    transactions: () =>
      repeat(5, (at) => [
        instruction(rwas.claimRwaIncome, {
          class: FAT,
          lots: repeat(LOTS_MAX, (index) => lot(at * LOTS_MAX + index + 1)),
          accounts: repeat(LOTS_MAX, () => bob),
        }),
      ]),
  },
  'rwas: classes and their holders': {
    abi: ABI_2,
    by: owner,
    prepare: prepare(...fat(1), core.mint(owner, 1_000n)),
    transactions: () =>
      repeat(20, (at) => [
        instruction(rwas.setRwaHolder, { class: FAT, account: bob, eligibleUntilMs: at + 1_000 }),
        instruction(rwas.setRwaClass, { class: FAT, paused: at % 2 === 0, clear: [] }),
        instruction(rwas.declareRwaIncome, { class: FAT, cash: core.USD, amount: core.units(1n) }),
      ]),
  },
}
