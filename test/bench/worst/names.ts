/** Owns the inputs about names: rows with all their records, the deepest subnames, and full skeletons. */
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { commitmentOf } from '../../../src/features/names/schema/records.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import { CHAIN } from '../../support/chain.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import * as desk from '../../support/names.js'
import { alice, bob, owner, repeat, text, type WorstCase } from './inputs.js'

const abi = ABI_2
const COUNT = 20
/** Labels of one skeleton. */
const ALIKE = ['rnnode', 'rn-node', 'r-nnode', 'rnn-ode', 'rnno-de', 'rnnod-e', 'rn-no-de', 'rnn0de']
const DEEPEST = ['a', 'b', 'c'].map((letter) => letter.repeat(28))

const records = (name: string): Instruction =>
  instruction(names.setNameRecords, {
    name,
    set: repeat(8, (index) => ({ key: `text:k${index}`, value: text(490) })),
  })
const sub = (parent: string, label: string): Instruction =>
  instruction(names.createSubname, { parent, label, owner: alice, account: undefined, expiresMs: undefined })

/** Domain with free leases, and an account with the maximum number of names. */
function prepare(bench: Bench): void {
  bench.run(
    owner,
    desk.setPolicy(1, { asset: undefined, prices: repeat(3, () => core.units(0n)), maxPerAccount: 1_000 }),
  )
}
function lease(bench: Bench, label: string): void {
  bench.run(alice, desk.commit(alice, label))
  bench.timeMs += 5_000
  bench.run(alice, desk.register(label, alice))
}
/** A commitment on the chain of the measured block. */
const committed = (label: string): Instruction => {
  const name = { domain: 'bank', label }
  const commitment = commitmentOf({ chain: CHAIN, account: alice, name, owner: alice, salt: Buffer.alloc(32, 1) })
  return instruction(names.commitName, { commitment })
}
/** Similar names, each with the maximum number of records. */
function alike(bench: Bench): void {
  prepare(bench)
  for (const label of ALIKE) {
    lease(bench, label)
    bench.run(alice, records(`${label}@bank`))
  }
}
/** Names at every depth, each with the maximum number of records. */
function deep(bench: Bench): void {
  prepare(bench)
  lease(bench, 'desk')
  let name = 'desk@bank'
  bench.run(alice, records(name))
  for (const label of DEEPEST) {
    bench.run(alice, sub(name, label))
    name = `${label}.${name}`
    bench.run(alice, records(name))
  }
}
const DEEP = `${DEEPEST.toReversed().join('.')}.desk@bank`

export const NAME_CASES: Readonly<Record<string, WorstCase>> = {
  'names: leases': {
    abi,
    by: alice,
    isCommon: true,
    prepare: (bench) => {
      prepare(bench)
      for (const index of repeat(8, (at) => at)) bench.run(alice, committed(`desk${index + 2}`))
      bench.timeMs += 5_000
    },
    timeMs: 10_000,
    transactions: () => repeat(8, (index) => [desk.register(`desk${index + 2}`, alice)]),
  },
  'names: commitments of one account': {
    abi,
    by: alice,
    prepare,
    transactions: () => repeat(8, (index) => [desk.commit(alice, `desk${index}`)]),
  },
  'names: full rows that look alike, transferred together': {
    abi,
    by: alice,
    prepare: alike,
    timeMs: 100_000,
    transactions: () => [[instruction(names.transferName, { names: ALIKE.map((label) => `${label}@bank`), to: bob })]],
  },
  'names: accounts and managers of full rows': {
    abi,
    by: alice,
    prepare: alike,
    timeMs: 100_000,
    transactions: () =>
      ALIKE.flatMap((label) => [
        [instruction(names.setNameAccount, { name: `${label}@bank`, account: bob })],
        [instruction(names.setNameManager, { name: `${label}@bank`, manager: bob })],
      ]),
  },
  'names: renewals of full rows': {
    abi,
    by: bob,
    prepare: alike,
    timeMs: 100_000,
    transactions: () =>
      ALIKE.map((label) => [
        instruction(names.renewName, { name: `${label}@bank`, years: 1, maxPrice: undefined }),
        instruction(names.renewName, { name: `${label}@bank`, years: 1, maxPrice: undefined }),
      ]),
  },
  'names: records of a full row': {
    abi,
    by: alice,
    prepare: alike,
    timeMs: 100_000,
    transactions: () => ALIKE.map((label) => [records(`${label}@bank`)]),
  },
  'names: subnames below full rows, created and removed': {
    abi,
    by: alice,
    prepare: deep,
    timeMs: 100_000,
    transactions: () =>
      repeat(COUNT, (index) => [
        sub(`${DEEPEST[1]}.${DEEPEST[0]}.desk@bank`, `x${index}`),
        instruction(names.removeSubname, { name: `x${index}.${DEEPEST[1]}.${DEEPEST[0]}.desk@bank` }),
      ]),
  },
  'names: assertions of the deepest subname': {
    abi,
    by: bob,
    prepare: deep,
    timeMs: 100_000,
    transactions: () =>
      repeat(4, () => [
        instruction(names.assertAliases, {
          items: repeat(256, () => ({ text: DEEP, target: { kind: 'account' as const, value: alice } })),
        }),
      ]),
  },
  'names: primary names': {
    abi,
    by: alice,
    prepare: deep,
    timeMs: 100_000,
    transactions: () =>
      repeat(COUNT, (index) => [instruction(names.setPrimaryName, { name: index % 2 ? undefined : DEEP })]),
  },
  'names: reservations with long reasons': {
    abi,
    by: owner,
    prepare,
    timeMs: 100_000,
    transactions: () =>
      repeat(COUNT, (index) => [
        instruction(names.reserveNames, {
          domain: 'bank',
          add: repeat(32, (at) => ({
            label: `r${index}x${at}`,
            assignee: alice,
            untilMs: undefined,
            reason: text(128),
          })),
          remove: [],
        }),
      ]),
  },
  'names: policies': {
    abi,
    by: owner,
    prepare,
    timeMs: 100_000,
    transactions: () =>
      repeat(COUNT, (index) => [
        desk.setPolicy(index + 2, { asset: undefined, prices: repeat(3, () => core.units(0n)) }),
      ]),
  },
}
