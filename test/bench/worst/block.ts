/** Owns the worst block: every share of it full of the input that takes longest per unit. */
import { type ExecutableEntry, staticCost } from '../../../src/executor/index.js'
import { BLOCK_TEU, MAX_TEU_PER_TX } from '../../../src/executor/system-parameters.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { entry } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import { HOOKS, preparedHook } from './hooks.js'
import { alice, deep, long, notes, owner, repeat, VALUE_BYTES } from './inputs.js'
import { coldState, fastest, timedBlock } from './measure.js'

/** Most that the execution of a block may take beside its pairings, in ms (design/hardening.md 4). */
const BLOCK_MS = 100

export interface BlockFigure {
  readonly ms: number
  /** Of transactions and runs. */
  readonly teu: number
  readonly transactions: number
  readonly runs: number
  readonly isAbove: boolean
}

/** Transactions that write the deepest JSON, as many as a block holds. */
function fullOf(): ExecutableEntry[] {
  const entries: ExecutableEntry[] = []
  let left = BLOCK_TEU.fallback
  for (let index = 0; ; index += 1) {
    const next = entry(
      alice,
      notes(() => deep(VALUE_BYTES - 100 - index)),
    )
    const { teu } = staticCost(ABI_1, next.signed, next.signedBytes.length)
    if (teu > left) return entries
    left -= teu
    entries.push(next)
  }
}

/** Time of a block with all of its shares full: transactions and their content, time triggers, triggers at its end. */
export async function benchBlock(): Promise<BlockFigure> {
  const bench = preparedHook((world) => {
    world.genesis(owner, core.mint(alice, 1_000_000n))
    const list = repeat(6, (index) => core.setKey({ kind: 'account', value: alice }, `t${index}`, deep(9_000)))
    for (let index = 0; index < 64; index += 1) {
      const filter = index < 8 ? ({ kind: 'preCommit', value: undefined } as const) : core.every(100, 1_000)
      const own = index < 8 ? list.slice(0, 4) : list
      world.genesis(alice, core.registerTrigger(long(index), alice, filter, own))
    }
  }, HOOKS['nothing']?.place)
  const cold = await coldState(bench.state)
  // What the block has for their content ends before their static costs do: its builder cuts it there.
  const entries = fullOf().slice(0, timedBlock(cold, fullOf()).results)
  const best = await fastest(async () => timedBlock(await coldState(bench.state), entries, { timeMs: 200 }))
  const { ms, teu } = best
  const most = BLOCK_TEU.fallback * 2 + MAX_TEU_PER_TX.fallback
  if (teu > most) throw new Error(`a block of ${teu} units, at most ${most} are allowed`)
  return { ms, teu, transactions: entries.length, runs: best.results - entries.length, isAbove: ms > BLOCK_MS }
}
