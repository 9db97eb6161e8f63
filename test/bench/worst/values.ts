import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instruction, METADATA_MAX_KEYS } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed } from '../../support/executor.js'

import {
  alice,
  deep,
  LONG,
  long,
  named,
  notes,
  owner,
  payment,
  people,
  populated,
  repeat,
  SELF,
  shredded,
  text,
  VALUE_BYTES,
  type WorstCase,
} from './inputs.js'

export const VALUES: Readonly<Record<string, WorstCase>> = {
  transfer: {
    isCommon: true,
    prepare: (bench) => populated(bench, 200),
    transactions: () => people(200).map((to) => [core.transfer(alice, to, 1n)]),
  },
  'transfer, to new holders': {
    isCommon: true,
    prepare: (bench) =>
      repeat(200, (index) => bench.genesis(owner, core.registerAccount(accountNamed(`person ${index}`)))),
    transactions: () => people(90).map((to) => [core.transfer(alice, to, 1n)]),
  },
  'batch of 256, longest names': {
    isCommon: true,
    prepare: (bench) => populated(bench, 256, LONG),
    transactions: () => [
      [
        instruction(assets.transferBatch, {
          transfers: people(256).map((to) => ({ asset: core.balance(alice, LONG), to, amount: core.units(1n) })),
        }),
      ],
    ],
  },
  'mint and burn': {
    isCommon: true,
    transactions: () => repeat(100, () => [core.mint(alice, 2n), core.burn(alice, 1n)]),
    by: owner,
  },
  'log, longest': { isCommon: true, transactions: () => repeat(100, () => [core.log(text(1_024))]) },
  'log, shortest': { transactions: () => [repeat(2_000, () => core.log(''))] },
  'metadata: text': { transactions: () => repeat(4, () => notes(() => text(VALUE_BYTES - 10))) },
  'metadata: shredded JSON': { transactions: () => repeat(4, () => notes(() => shredded(VALUE_BYTES - 10))) },
  'metadata: deep JSON': { transactions: () => repeat(4, () => notes(() => deep(VALUE_BYTES - 100))) },
  'metadata: objects with names of their own': {
    transactions: () =>
      repeat(4, (at) => repeat(4, (index) => core.setKey(SELF, `k${index}`, named(VALUE_BYTES - 100, 4 * at + index)))),
  },
  'metadata: digits and an escape': {
    transactions: () => repeat(4, () => notes(() => ['\n', ...repeat(VALUE_BYTES / 2 - 10, () => 1)])),
  },
  'metadata: names with escapes': {
    transactions: () =>
      repeat(4, () => notes(() => repeat(VALUE_BYTES / 16 - 10, (index) => ({ [`\n${index}`.padEnd(7, 'x')]: 0 })))),
  },
  'metadata: text beyond the first plane': {
    transactions: () => repeat(4, () => notes(() => '\u{1f600}'.repeat(VALUE_BYTES / 4 - 10))),
  },
  'metadata: short over shredded': {
    prepare: (bench) => bench.genesis(alice, ...notes(() => shredded(VALUE_BYTES - 10))),
    transactions: () => repeat(50, () => notes(() => 1)),
  },
  'metadata: many keys': {
    transactions: () =>
      repeat(4, () => repeat(60, (index) => core.setKey(SELF, `key ${index}`.replace(' ', ''), index))),
  },
  'batch of 256, one row written again and again': {
    prepare: (bench) => populated(bench, 2),
    transactions: () => [
      [
        instruction(assets.transferBatch, {
          transfers: repeat(256, (index) => payment(people(2)[index % 2] as string)),
        }),
      ],
    ],
  },
  'transfer under three caps': {
    prepare: (bench) => {
      populated(bench, 50)
      const caps = (['day', 'week', 'month'] as const).map((window) => ({ window, cap: core.units(1_000n) }))
      bench.genesis(owner, instruction(assets.setLimits, { asset: core.balance(alice), limits: caps }))
    },
    transactions: () => people(50).map((to) => [core.transfer(alice, to, 1n)]),
  },
  'metadata: one key beside 63 long ones': {
    prepare: (bench) =>
      bench.genesis(alice, ...repeat(METADATA_MAX_KEYS - 1, (index) => core.setKey(SELF, long(index), 1))),
    transactions: () => [repeat(120, (index) => core.setKey(SELF, 'k', index))],
  },
  'metadata: set and removed': {
    isCommon: true,
    transactions: () => repeat(60, () => [core.setKey(SELF, 'note', 'a few words'), core.removeKey(SELF, 'note')]),
  },
}
