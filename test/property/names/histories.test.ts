/** Random histories of names: the ledger and a naive registry give the same codes, names, counts, balances and versions. */
import { expect, it } from 'vitest'
import type { AccountId } from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'
import type { NaiveNames, NaiveStep } from '../../support/naive-names.js'
import {
  compareCounts,
  DAY_MS,
  instructionOf,
  leasing,
  naiveLeasing,
  owner,
  PEOPLE,
  unregistered,
  Versions,
} from '../../support/names.js'

/** Histories of one run; `npm run soak -- --names N` takes more. */
const HISTORIES = Number(process.env.CAUSEWAY_NAME_HISTORIES ?? slice(25, 150))
const STEPS = 100
const LABELS = [
  'desk',
  'd3sk',
  'de-sk',
  'pay',
  'pa-y',
  'rnode',
  'mode',
  'abc',
  'p2',
  'x',
  'Bad',
  'l1l1',
  'llll',
  '1111',
  'l-lll',
]

/** A step that mostly makes sense for who knows the registry, and its account. */
function stepOf(random: Random, naive: NaiveNames, committed: NaiveStep[]): readonly [AccountId, NaiveStep] {
  const person = (): AccountId => (random.chance(0.03) ? unregistered : random.pick(PEOPLE))
  const label = (): string => random.pick(LABELS)
  const name = (): string => {
    const all = [...naive.names]
    const own = all.filter(([, { kind }]) => kind !== 'assigned')
    const known = (own.length > 0 && random.chance(0.7) ? own : all).map(([of]) => of)
    return random.chance(0.1) || known.length === 0
      ? random.pick([label(), 'pay.desk', 'a..b', ''])
      : random.pick(known)
  }
  const holder = (of: string): AccountId => {
    const one = naive.names.get(of)
    return random.chance(0.15) || one === undefined ? random.pick(PEOPLE) : one.owner
  }
  const most = () => (random.chance(0.3) ? random.pick([0, 5, 40, 100]) : undefined)
  const years = () => (random.chance(0.1) ? random.pick([0, 6, 9]) : 1 + random.below(3))
  const on = (make: (of: string) => NaiveStep): readonly [AccountId, NaiveStep] => {
    const of = name()
    return [holder(of), make(of)]
  }
  const renew = () => on((of) => ({ do: 'renew', name: of, years: years(), most: most() }))
  const register = (): readonly [AccountId, NaiveStep] => {
    const last = committed.at(-1 - random.below(2))
    const made = last?.do === 'commit' ? last : { label: label(), owner, salt: 0 }
    const account = random.chance(0.2) ? person() : undefined
    const { label: of, salt } = made
    return [made.owner, { do: 'register', label: of, owner: made.owner, account, years: years(), salt, most: most() }]
  }
  return random.pick<() => readonly [AccountId, NaiveStep]>([
    register,
    register,
    renew,
    renew,
    () => {
      const by = random.pick(PEOPLE)
      const step = {
        do: 'commit' as const,
        label: label(),
        owner: random.chance(0.9) ? by : person(),
        salt: random.below(3),
      }
      committed.push(step)
      return [by, step]
    },
    () => on((of) => ({ do: 'transfer', names: random.chance(0.3) ? [of, name()] : [of], to: person() })),
    () => on((of) => ({ do: 'account', name: of, account: person() })),
    () =>
      on((of) => ({
        do: 'records',
        name: of,
        key: random.pick(['text:url', 'text:a', 'bad']),
        value: random.chance(0.3) ? undefined : random.pick(['x', 'a\nb']),
      })),
    () => on((of) => ({ do: 'manager', name: of, manager: random.chance(0.2) ? undefined : person() })),
    () =>
      on((of) => ({
        do: 'sub',
        parent: of,
        label: random.pick(['pay', 'in', 'A']),
        owner: person(),
        expires: random.chance(0.3) ? naive.now + random.pick([-1, 0, DAY_MS]) : undefined,
      })),
    () => on((of) => ({ do: 'removeSub', name: of })),
    () => on((of) => ({ do: 'release', name: of })),
    () => on((of) => ({ do: 'prune', name: of })),
    () => [
      random.chance(0.8) ? owner : random.pick(PEOPLE),
      { do: 'label', account: random.pick(PEOPLE), label: random.chance(0.8) ? label() : undefined },
    ],
    () => [
      random.chance(0.8) ? owner : random.pick(PEOPLE),
      { do: 'reserve', label: label(), assignee: random.chance(0.5) ? person() : undefined },
    ],
    () => [owner, { do: 'unreserve', label: label() }],
  ])()
}

it('random histories of names give the same result in the ledger and in a naive registry', () => {
  const codes = new Map<string, number>()
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = randomOf(seed, 'names')
    const [bench, naive, versions, committed] = [leasing(), naiveLeasing(), new Versions(), [] as NaiveStep[]]
    naive.now = bench.timeMs
    for (const one of naive.names.values()) one.since = bench.timeMs
    versions.look(bench, naive, `seed ${seed}`)
    for (let at = 0; at < STEPS; at += 1) {
      const wait = random.chance(0.1) ? random.pick([10, 40, 200]) * DAY_MS : random.pick([0, 5_000, 6_000, 60_000])
      bench.timeMs += wait
      naive.now += wait
      if (random.chance(0.8)) bench.height += 1
      const [by, step] = stepOf(random, naive, committed)
      const what = `seed ${seed}, step ${at}: ${JSON.stringify({ ...step })}`
      const code = bench.run(by, instructionOf(by, step))
      expect(code, what).toBe(naive.run(by, step))
      codes.set(code ?? step.do, (codes.get(code ?? step.do) ?? 0) + 1)
      versions.look(bench, naive, what)
      compareCounts(bench, naive, what)
    }
    versions.follow(bench, naive, `seed ${seed}`)
  }
  expect([...codes.keys()].sort()).toEqual(
    expect.arrayContaining([
      'register',
      'renew',
      'sub',
      'prune',
      'label',
      'release',
      'transfer',
      'removeSub',
      'name_taken',
      'name_confusable',
      'name_reserved',
      'bad_commitment',
      'name_not_live',
      'name_limit',
    ]),
  )
})
