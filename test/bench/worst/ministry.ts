/**
 * Owns the inputs about agendas: the largest contents, and the longest lists of hashes added to the deny list and
 * removed.
 */
import { ABI_2 } from '../../../src/features/abi.js'
import type { AgendaContent } from '../../../src/features/ministry/schema/records.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import * as ministry from '../../support/ministry.js'
import { alice, bob, owner, people, repeat, text, type WorstCase } from './inputs.js'

const abi = ABI_2
const COUNT = 20

/** Nearly 8 KiB with 32 targets. */
export const fat = (index: number): AgendaContent => ({
  ...ministry.contentOf({ motivation: text(3_000), impact: text(1_500), title: text(200) }),
  targets: repeat(32, (at) => ({ ...ministry.target(`${index}.${at}`), label: text(16), reason: text(40) })),
})

function prepare(bench: Bench): void {
  bench.genesis(owner, core.permission('grant', 'CanManageGovernance', undefined, owner))
}
/** Agendas of other accounts. */
const submitted =
  (count: number) =>
  (bench: Bench): void => {
    prepare(bench)
    for (const index of repeat(count, (at) => at))
      bench.run(people(index + 1)[index] ?? bob, ministry.submit(fat(index)))
  }
const idOf = (bench: Bench, index: number): string => `AC-${new Date(bench.timeMs).getUTCFullYear()}-${index + 1}`

export const MINISTRY_CASES: Readonly<Record<string, WorstCase>> = {
  'ministry: the largest agendas, when 62 are open': {
    abi,
    by: alice,
    prepare: submitted(62),
    transactions: () => repeat(2, (index) => [ministry.submit(fat(index))]),
  },
  'ministry: the largest agendas, refused by the limit of all accounts': {
    abi,
    by: alice,
    prepare: submitted(64),
    fails: true,
    transactions: () => repeat(COUNT, (index) => [ministry.submit(fat(index))]),
  },
  'ministry: 32 hashes denied by each agenda': {
    abi,
    by: owner,
    prepare: submitted(COUNT),
    transactions: (bench) => repeat(COUNT, (index) => [ministry.apply(bench.state, idOf(bench, index))]),
  },
}
