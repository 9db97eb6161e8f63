import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { counted } from '../../src/cli/terminal/output.js'
import { withBar } from '../../src/cli/terminal/progress-bar.js'
import { EXIT, LedgerError } from '../../src/model/errors.js'

/** What one scheduler did in this run. */
interface Tally {
  seeds: number
  commits: number
  viewChanges: number
  elapsedMs: number
}

/** Seeds between two looks at the terminal, in ms of work: progress stays alive and costs nothing. */
const YIELD_EVERY_MS = 200
const SCHEDULERS = ['uniform', 'cuts', 'hidden-commit'] as const
const SLICES = ['full', 'single-height', 'lanes', 'epochs', 'signer'] as const

export default class SimRun extends BaseCommand {
  static override description =
    `Run the consensus simulator: whole networks with faults, each from one seed, under every scheduler.
The production state machine runs under a virtual clock, network and disk, with Byzantine members, crashes and partitions; every
invariant is checked. It stops at the first failure, prints the command that reproduces it, and exits 10.`
  static override examples = [
    '<%= config.bin %> sim run --seeds 1..1000',
    '<%= config.bin %> sim run --seed 218 --scheduler cuts --trace',
    '<%= config.bin %> sim run --seeds 1..100000 --slice single-height',
    '<%= config.bin %> sim run --seeds 1..1000 --slice lanes',
    '<%= config.bin %> sim run --seeds 1..1000 --slice epochs',
  ]
  static override flags = {
    seeds: Flags.string({ description: 'first and last seed, such as 1..1000', exactlyOne: ['seed', 'seeds'] }),
    seed: Flags.string({ description: 'one seed' }),
    scheduler: Flags.string({ description: 'one scheduler (default: all)', options: [...SCHEDULERS] }),
    slice: Flags.string({ description: 'share of each run that is drawn', options: [...SLICES], default: 'full' }),
    trace: Flags.boolean({ description: 'print the trace to standard error, with --seed only' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SimRun)
    const { first, last } = rangeOf(flags.seed ?? flags.seeds ?? '')
    const { reproduceCommand, scenarioOf, simulate } = await import('../../src/simulation/index.js')
    const schedulers = SCHEDULERS.filter((name) => flags.scheduler === undefined || flags.scheduler === name)
    const slice = SLICES.find((name) => name === flags.slice) ?? 'full'
    const trace = flags.trace ? (line: string) => void process.stderr.write(`${line}\n`) : undefined
    const tallies = Object.fromEntries(
      schedulers.map((name): [string, Tally] => [name, { seeds: 0, commits: 0, viewChanges: 0, elapsedMs: 0 }]),
    )
    const silent = this.silent || this.out.json || flags.trace
    const failure = await withBar({ label: 'simulating', unit: 'seeds', silent }, async (report) => {
      let shownAtMs = performance.now()
      for (let seed = first; seed <= last; seed++) {
        for (const scheduler of schedulers) {
          const startedAtMs = performance.now()
          const scenario = scenarioOf(scheduler, seed, slice)
          const result = simulate(scenario, trace)
          const tally = tallies[scheduler] as Tally
          tally.seeds += 1
          tally.commits += result.commits
          tally.viewChanges += result.viewChanges
          tally.elapsedMs += performance.now() - startedAtMs
          if (result.fault !== undefined) {
            return {
              scheduler,
              seed,
              fault: result.fault,
              scenario,
              reproduce: reproduceCommand(scheduler, seed, slice),
            }
          }
        }
        if (performance.now() - shownAtMs < YIELD_EVERY_MS) continue
        report({ done: seed - first + 1, total: last - first + 1 })
        await new Promise((resolve) => setImmediate(resolve))
        shownAtMs = performance.now()
      }
      return undefined
    })
    const lines = Object.entries(tallies).map(
      ([name, tally]) =>
        `${name}: ${counted(tally.seeds, 'seed')}, ${counted(tally.commits, 'commit')}, ${counted(tally.viewChanges, 'view change')}, ${(tally.elapsedMs / Math.max(1, tally.seeds)).toFixed(1)} ms per seed`,
    )
    if (failure !== undefined) {
      lines.push(`FAILED: seed ${failure.seed} under ${failure.scheduler}: ${failure.fault}`)
      lines.push(`reproduce: ${failure.reproduce}`)
    } else lines.push(`seeds ${first}..${last}: every invariant held`)
    this.out.result({ first, last, ok: failure === undefined, schedulers: tallies, failure }, lines.join('\n'))
    if (failure !== undefined) this.exitWith(EXIT.checkFailed)
  }
}

/** `A..B` or `A`. */
function rangeOf(text: string): { readonly first: number; readonly last: number } {
  const found = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/.exec(text)
  const first = Number(found?.[1])
  const last = found?.[2] === undefined ? first : Number(found[2])
  if (found === null || last < first) {
    throw new LedgerError('usage', `"${text}" is not a range of seeds`, { hint: 'Write --seeds 1..1000.' })
  }
  return { first, last }
}
