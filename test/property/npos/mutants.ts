/** Owns the named wrong variants of staking: each a patch of the sources that random histories must catch. */
import type { Patch } from '../../simulation/mutants.js'

export interface StakingMutant {
  readonly name: string
  readonly patches: readonly Patch[]
  /** Within how many histories it must be caught. */
  readonly withinSeeds: number
  /** The seed of the first of them, 1 by default: later where many before it show nothing, which takes long. */
  readonly fromSeed?: number
  /** Result of the judge. */
  readonly fault: RegExp
}

const ledger = (file: string, find: string, by: string): Patch => ({
  file: `features/staking/ledger/${file}`,
  find,
  by,
})
const rules = (file: string, find: string, by: string): Patch => ({ file: `consensus/npos/${file}`, find, by })

export const STAKING_MUTANTS: readonly StakingMutant[] = [
  {
    name: 'the snapshot is taken after reveals',
    patches: [
      rules('calendar.ts', 'q >= commit,\n', 'q > commit + 6,\n'),
      ledger(
        'epochs/duties.ts',
        ' || snapshot?.isDecided !== true) {',
        ' || (snapshot !== undefined && height < 0)) {',
      ),
    ],
    withinSeeds: 3,
    fault: /snapshot after reveals/,
  },
  {
    name: 'seats are fixed, whatever the stake behind them',
    patches: [rules('election.ts', 'if (isEnough) break', 'break')],
    withinSeeds: 20,
    fault: /than exact fractions/,
  },
  {
    name: 'the roster is fixed by h-1',
    patches: [ledger('epochs/epochs.ts', 'const start = height + RECORD_LEAD', 'const start = height + 1')],
    withinSeeds: 3,
    fault: /fixed by|begins at/,
  },
  {
    name: 'stake is free a term too early',
    patches: [ledger('epochs/terms.ts', 'state.get(terms, term + 2)', 'state.get(terms, term + 1)')],
    fromSeed: 25,
    withinSeeds: 60,
    fault: /is withdrawn/,
  },
  {
    name: 'stake is free when two epochs and the horizon are over, kept rosters or not',
    patches: [
      ledger('epochs/terms.ts', 'const after = state.get(terms, term + 2)', 'const after = state.get(terms, term)'),
      ledger('epochs/terms.ts', 'height >= after.start + horizon', 'height >= after.start + 80 + horizon'),
    ],
    fromSeed: 30,
    withinSeeds: 60,
    fault: /is withdrawn/,
  },
  {
    name: 'stake is free before the evidence horizon',
    patches: [ledger('epochs/terms.ts', 'height >= after.start + horizon', 'height >= after.start')],
    fromSeed: 25,
    withinSeeds: 60,
    fault: /is withdrawn/,
  },
  {
    name: 'the seed is drawn while members reveal',
    patches: [rules('calendar.ts', 'q >= closingBlocks(windows) - 3', 'q > windows.commit + windows.election + 3')],
    withinSeeds: 3,
    fault: /before the reveals are over/,
  },
  {
    name: 'reveals are taken after the seed is drawn',
    patches: [
      rules('calendar.ts', 'q > commit + election && q <= commit + election + reveal', 'q > commit + election'),
      rules('calendar.ts', 'q >= closingBlocks(windows) - 3', 'q >= closingBlocks(windows) - 4'),
    ],
    withinSeeds: 40,
    fault: /before the reveals are over|a reveal after the seed/,
  },
  {
    name: 'the seed leaves a reveal out',
    patches: [
      ledger(
        'epochs/epochs.ts',
        'current?.seed ?? genesisSeed, reveals)',
        'current?.seed ?? genesisSeed, reveals.slice(1))',
      ),
    ],
    withinSeeds: 3,
    fault: /than the reveals give/,
  },
  {
    name: 'f reveals make a strong seed',
    patches: [ledger('epochs/epochs.ts', '.length) + 1\n', '.length)\n')],
    fromSeed: 45,
    withinSeeds: 60,
    fault: /is weak/,
  },
  {
    name: 'struck seats are refilled',
    patches: [
      ledger(
        'elections/elected-seats.ts',
        'return seats.filter(({ validator }) => !struck.has(validator))',
        `const left = seats.filter(({ validator }) => !struck.has(validator))
  const peers = calendarOf(state)?.snapshot
  const others = peers === undefined ? [] : snapshotCandidatesOf(state, peers)
  for (const { account, key, peer } of others) {
    if (left.length < seats.length && !seats.some((one) => one.validator === account)) left.push({ validator: account, key, peer })
  }
  return left`,
      ),
    ],
    withinSeeds: 60,
    fault: /who was not elected/,
  },
  {
    name: 'who proved faulty keeps its seat',
    patches: [
      ledger('elections/elected-seats.ts', 'const struck = new Set(faulty', 'const struck = new Set(faulty.slice(1)'),
    ],
    withinSeeds: 60,
    fault: /who proved faulty/,
  },
  {
    name: 'a kept roster begins a term',
    patches: [
      ledger(
        'epochs/epochs.ts',
        'const term = snapshot.isKept ? calendar.term : calendar.term + 1',
        'const term = calendar.term + 1',
      ),
    ],
    withinSeeds: 40,
    fault: /has the term/,
  },
  {
    name: 'what is nominated after the snapshot counts',
    patches: [
      ledger(
        'elections/snapshot.ts',
        'state.get(snapshotVoters, page) ?? state.get(voterPages, page)',
        'state.get(voterPages, page)',
      ),
    ],
    withinSeeds: 120,
    fault: /than exact fractions/,
  },
  {
    name: 'more than f members are jailed at once',
    patches: [
      ledger('epochs/uptime.ts', 'budgetOf(state, calendar)).flatMap', 'budgetOf(state, calendar) + 3).flatMap'),
    ],
    withinSeeds: 120,
    fault: /jailed at once/,
  },
  {
    name: 'a page is paid twice',
    patches: [ledger('rewards/rewards.ts', 'if (row.paid.includes(page))', 'if (row.paid.length > 64)')],
    withinSeeds: 60,
    fault: /paid twice/,
  },
  {
    name: 'shares of a reward are rounded up',
    patches: [rules('amounts.ts', '(rest * amount) / (total || 1n)', '(rest * amount + total - 1n) / (total || 1n)')],
    withinSeeds: 120,
    fault: /than the seat earned/,
  },
  {
    name: 'who withholds is paid',
    patches: [ledger('rewards/rewards.ts', 'isJailed || hasWithheld ?', 'isJailed ?')],
    withinSeeds: 60,
    fault: /withheld its reveal/,
  },
  {
    name: 'a slash takes from the term that runs',
    patches: [
      ledger(
        'slashing/slashes.ts',
        'const { term, validator } = row\n  const exposed',
        'const { validator } = row\n  const term = calendarOf(ctx)?.term ?? row.term\n  const exposed',
      ),
    ],
    withinSeeds: 120,
    fault: /did not stand behind/,
  },
  {
    name: 'faults of one member in one term add up',
    patches: [ledger('slashing/slashes.ts', 'bps: Math.max(0, whole - before)', 'bps: whole + 0 * before')],
    withinSeeds: 120,
    fault: /bps are taken/,
  },
  {
    name: 'what a slash takes stays in the supply',
    patches: [
      ledger('slashing/slashes.ts', 'else burn(ctx, pool, taken)', 'else if (taken < 0n) burn(ctx, pool, taken)'),
    ],
    withinSeeds: 30,
    fault: /the total is/,
  },
  {
    name: 'the smallest of a page is not kept up to date',
    patches: [ledger('validators/lists.ts', 'if (!isSame) state.set', 'if (before === undefined) state.set')],
    withinSeeds: 3,
    fault: /floor/,
  },
]
