/** Owns the worst block: every share of it is full of the input with the highest time per unit. */
import type { ExecutableEntry } from '../../../src/executor/index.js'
import { BLOCK_TEU, MAX_TEU_PER_TX } from '../../../src/executor/system-parameters.js'
import type { WorldState } from '../../../src/state/index.js'
import { entry } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import { HOOKS, preparedHook } from './hooks.js'
import { alice, long, owner, repeat, shortNotes, text } from './inputs.js'
import { coldState, fastest, timedBlock } from './measure.js'

/** Maximum execution time of a block besides its pairings, in ms (docs/design/hardening.md 4). */
const BLOCK_MS = 100

export interface BlockFigure {
  readonly ms: number
  /** Units of transactions and runs. */
  readonly teu: number
  readonly transactions: number
  readonly runs: number
  readonly isAbove: boolean
}

/** Transaction that registers objects with the maximum number of notes. */
const heavy = (index: number): ExecutableEntry =>
  entry(
    owner,
    repeat(8, (at) => core.registerNft(`n${index}.${at}$bank`, shortNotes())),
  )

/** As many of them as the units of a block allow, including units beyond static costs. */
function fullOf(state: WorldState): ExecutableEntry[] {
  const entries: ExecutableEntry[] = []
  for (;;) {
    const more = [...entries, heavy(entries.length)]
    if (timedBlock(state, more).results < more.length) return entries
    entries.push(...more.slice(entries.length))
  }
}

/** Time of a block with all of its shares full: transactions and their content, time triggers, triggers at its end. */
export async function benchBlock(): Promise<BlockFigure> {
  const bench = preparedHook((world) => {
    world.genesis(owner, core.mint(alice, 1_000_000n))
    const list = repeat(16, (index) => core.setKey({ kind: 'account', value: alice }, `t${index}`, text(5 + index)))
    for (let index = 0; index < 64; index += 1) {
      const filter = index < 8 ? ({ kind: 'preCommit', value: undefined } as const) : core.every(100, 1_000)
      const own = index < 8 ? list.slice(0, 12) : list
      world.genesis(alice, core.registerTrigger(long(index), alice, filter, own))
    }
  }, HOOKS['nothing']?.place)
  const entries = fullOf(await coldState(bench.state))
  const best = await fastest(async () => timedBlock(await coldState(bench.state), entries, { timeMs: 200 }))
  const { ms, teu } = best
  const most = BLOCK_TEU.fallback * 2 + MAX_TEU_PER_TX.fallback
  if (teu > most) throw new Error(`a block of ${teu} units, at most ${most} are allowed`)
  return { ms, teu, transactions: entries.length, runs: best.results - entries.length, isAbove: ms > BLOCK_MS }
}
