/**
 * Owns the search for underpriced work (docs/design/hardening.md 4): for each instruction a common input and the worst
 * known one, the work of a block itself, pairings, the worst block and the worst page of a query. Times are processor
 * time.
 */
import { benchBlock } from './worst/block.js'
import { WORST_CASES } from './worst/cases.js'
import { benchHooks } from './worst/hooks.js'
import type { WorstCase } from './worst/inputs.js'
import { coldState, fastest, preparedCase, timedBlock } from './worst/measure.js'
import { benchPages } from './worst/pages.js'
import { benchPairings } from './worst/pairings.js'

/** Maximum microseconds per unit of any input, and of the common ones. */
const WORST_MICROS = 0.3
const COMMON_MICROS = 0.15
/** Selected inputs: all and everything else, or only those whose name matches. */
const ONLY_CASES = process.env['BENCH_WORST_CASES']

/** Result of a case. */
export interface WorstFigure {
  readonly name: string
  readonly transactions: number
  readonly approved: number
  readonly teu: number
  readonly microsPerTeu: number
  readonly worstTransactionMs: number
  readonly isAbove: boolean
}

async function measure(name: string, one: WorstCase): Promise<WorstFigure> {
  const { bench, entries } = preparedCase(one)
  const { abi } = bench
  const place = { abi, timeMs: one.timeMs ?? 10 }
  const stateBefore = () => coldState(bench.state, abi.codec('cw'))
  const best = await fastest(async () => timedBlock(await stateBefore(), entries, place))
  const [first] = entries
  const single = await fastest(
    async () => timedBlock(await stateBefore(), first === undefined ? [] : [first], place),
    0.2,
  )
  const microsPerTeu = (best.ms * 1_000) / best.teu
  return {
    name,
    transactions: entries.length,
    approved: best.approved,
    teu: best.teu,
    microsPerTeu,
    worstTransactionMs: single.ms,
    isAbove: microsPerTeu > (one.isCommon === true ? COMMON_MICROS : WORST_MICROS),
  }
}

/** Run the search; the slowest inputs first. */
export async function benchWorst() {
  const cases = Object.entries(WORST_CASES).filter(
    ([name]) => ONLY_CASES === undefined || RegExp(ONLY_CASES).test(name),
  )
  const inputs: WorstFigure[] = []
  // The first one would pay for shared warm-up.
  for (const [name, one] of cases.slice(0, 1)) await measure(name, one)
  for (const [name, one] of cases) inputs.push(await measure(name, one))
  inputs.sort((a, b) => b.microsPerTeu - a.microsPerTeu)
  const worstTransactionMs = Math.max(...inputs.map((one) => one.worstTransactionMs))
  if (ONLY_CASES !== undefined) return { inputs, worstTransactionMs }
  return {
    inputs,
    worstTransactionMs,
    hooks: await benchHooks(),
    pairings: await benchPairings(),
    block: await benchBlock(),
    pages: await benchPages(),
  }
}
