import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { INTERRUPTED, interruptible } from '../../src/cli/terminal/interrupt.js'
import type { Progressed } from '../../src/cli/terminal/meter.js'
import { table } from '../../src/cli/terminal/output.js'
import { count } from '../../src/cli/text/figures.js'
import { EXIT } from '../../src/model/errors.js'
import type { Exploration, Trace, WorldOptions } from '../../src/simulation/explore/index.js'

/** States between two checks of the bounds and of the terminal: some tens of ms of work. */
const STATES_PER_LOOK = 2_000
const MIB = 2 ** 20
const SECONDS_MAX = 7 * 86_400
const STATES_MAX = 2_000_000_000
const MEMORY_MAX_MIB = 1_048_576
/** Sizes beyond which no world ends. */
const MEMBERS_MAX = 7
const VIEWS_MAX = 8
const CRASHES_MAX = 4
/** Random walks of one run. */
const WALKS = 500

/** Reason why an exploration ended. */
type End = 'complete' | 'violation' | 'seconds' | 'states' | 'memory' | 'interrupted'

interface Bounds {
  readonly seconds: number
  readonly states: number
  readonly memoryMib: number
}

/** Figures of one world. */
interface Row {
  readonly world: string
  readonly end: End
  readonly complete: boolean
  readonly states: number
  readonly expanded: number
  readonly transitions: number
  readonly depth: number
  readonly seconds: number
  /** Distinct states of all nodes, and calls of `step`. */
  readonly local_states: number
  readonly steps: number
  readonly merges_checked: number
}

export default class SimExplore extends BaseCommand {
  static override description =
    `Explore small networks completely: every order of deliveries, expired timers and crashes of the production consensus state machine.
Invariants 1 to 9, 12, 13 and 18 of docs/design/consensus.md are checked in every state. A violation prints its shortest trace, writes
a file that --replay runs in the simulator, and exits 10. docs/concepts/how-consensus-is-checked.md describes the method and the worlds.`
  static override examples = [
    '<%= config.bin %> sim explore --world three',
    '<%= config.bin %> sim explore --world all --seconds 600',
    '<%= config.bin %> sim explore --world four --faulty 0 --crashes 1 --seconds 1800 --memory 8192',
    '<%= config.bin %> sim explore --replay explore-trace.json',
  ]
  static override flags = {
    world: Flags.string({
      description: 'name of a world; all: those that end within minutes; large: the others',
      default: 'three',
      exclusive: ['replay'],
    }),
    list: Flags.boolean({ description: 'print the worlds', exclusive: ['replay'] }),
    members: Flags.integer({ description: 'number of validators', min: 1, max: MEMBERS_MAX }),
    views: Flags.integer({ description: 'timers expire in views below this one', min: 0, max: VIEWS_MAX }),
    faulty: Flags.integer({
      description: 'position of the faulty member in the committee',
      min: 0,
      max: MEMBERS_MAX - 1,
    }),
    forges: Flags.boolean({
      description: 'the faulty member shows certificates and proposals that do not fit',
      allowNo: true,
    }),
    crashes: Flags.integer({ description: 'crashes of each node', min: 0, max: CRASHES_MAX }),
    split: Flags.boolean({ description: 'records become durable apart from sending', allowNo: true }),
    mode: Flags.string({ description: 'single messages, or quorums at once', options: ['full', 'reduced'] }),
    seconds: Flags.integer({
      description: 'maximum time of each world, in seconds',
      default: 900,
      min: 1,
      max: SECONDS_MAX,
    }),
    states: Flags.integer({
      description: 'maximum number of states of each world',
      default: STATES_MAX,
      min: 1,
      max: STATES_MAX,
    }),
    memory: Flags.integer({
      description: 'maximum memory of the process, in MiB',
      default: 8_192,
      min: 64,
      max: MEMORY_MAX_MIB,
    }),
    checks: Flags.boolean({
      description: 'check the reductions of the exploration itself',
      default: true,
      allowNo: true,
    }),
    out: Flags.string({
      description: 'file for the trace of a violation',
      default: 'explore-trace.json',
      helpValue: 'FILE',
    }),
    replay: Flags.string({ description: 'trace to replay in the simulator', helpValue: 'FILE' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SimExplore)
    if (flags.replay !== undefined) return this.replayed(flags.replay)
    const { COMPLETE_WORLDS, LARGE_WORLDS, WORLDS, faultOfOptions } = await import(
      '../../src/simulation/explore/index.js'
    )
    if (flags.list) return this.listed(WORLDS)
    const groups: Readonly<Record<string, readonly WorldOptions[]>> = { all: COMPLETE_WORLDS, large: LARGE_WORLDS }
    const named = groups[flags.world] ?? WORLDS.filter(({ name }) => name === flags.world)
    if (named.length === 0)
      throw usageError(`unknown world "${flags.world}"`, 'Run `causeway sim explore --list`, which lists the worlds.')
    const worlds = named.map((world): WorldOptions => ({ ...world, ...changesOf(flags) }))
    for (const world of worlds) {
      const fault = faultOfOptions(world)
      if (fault !== undefined)
        throw usageError(`world ${world.name}: ${fault}`, 'Run `causeway sim explore --list`, which lists the worlds.')
    }
    const bounds = { seconds: flags.seconds, states: flags.states, memoryMib: flags.memory }
    await interruptible(async (signal) => {
      const rows: Row[] = []
      let trace: Trace | undefined
      let difference: string | undefined
      for (const world of worlds) {
        const explored = await this.explore(world, bounds, flags.checks, signal)
        rows.push(explored.row)
        trace = explored.trace
        difference ??= explored.difference
        if (trace !== undefined || signal.aborted) break
      }
      if (flags.checks && trace === undefined && !signal.aborted) difference ??= await this.reductionFault(worlds)
      await this.report({ rows, trace, difference }, flags.out)
      if (trace !== undefined || difference !== undefined) this.exitWith(EXIT.checkFailed)
      else if (signal.aborted) this.exitWith(INTERRUPTED)
    })
  }

  /** Explore one world until it is complete, violates an invariant, or meets a bound. */
  private async explore(world: WorldOptions, bounds: Bounds, checks: boolean, signal: AbortSignal) {
    const { Exploration, MergeCheck, traceOf } = await import('../../src/simulation/explore/index.js')
    const startedAtMs = performance.now()
    const seconds = (): number => (performance.now() - startedAtMs) / 1_000
    return await this.withBar(`exploring ${world.name}`, 'states', async (report) => {
      const exploration = new Exploration(world)
      const merged = checks ? new MergeCheck(exploration) : undefined
      const end = await this.advance(exploration, { bounds, seconds, signal, report })
      const { violation, states, expanded, transitions, depth, work } = exploration
      const row: Row = {
        world: world.name,
        end,
        complete: end === 'complete',
        states: states.size,
        expanded,
        transitions,
        depth,
        seconds: Math.round(seconds() * 10) / 10,
        local_states: work.locals,
        steps: work.steps,
        merges_checked: merged?.checked ?? 0,
      }
      return { row, difference: merged?.difference, trace: violation && traceOf(exploration, violation) }
    })
  }

  private async advance(
    exploration: Exploration,
    by: {
      readonly bounds: Bounds
      readonly signal: AbortSignal
      readonly seconds: () => number
      readonly report: (now: Progressed) => void
    },
  ): Promise<End> {
    const { bounds, signal, seconds, report } = by
    while (exploration.advance(STATES_PER_LOOK)) {
      if (seconds() >= bounds.seconds) return 'seconds'
      if (exploration.states.size >= bounds.states) return 'states'
      if (process.memoryUsage.rss() >= bounds.memoryMib * MIB) return 'memory'
      report({ done: exploration.expanded, note: `${count(exploration.states.size)} found` })
      await new Promise((resolve) => setImmediate(resolve))
      if (signal.aborted) return 'interrupted'
    }
    return exploration.violation === undefined ? 'complete' : 'violation'
  }

  /** What the reduced mode misses in worlds that the full mode explores completely. */
  private async reductionFault(worlds: readonly WorldOptions[]): Promise<string | undefined> {
    if (worlds.every(({ mode }) => mode === 'full')) return undefined
    const { compareModes, namedWorld, walk } = await import('../../src/simulation/explore/index.js')
    const plain = { crashes: 0, split: false }
    return (
      compareModes({ ...namedWorld('two'), ...plain }).difference ??
      walk({ ...namedWorld('three'), ...plain }, WALKS).difference
    )
  }

  private listed(worlds: readonly WorldOptions[]): void {
    const rows = worlds.map((world) => [
      world.name,
      String(world.members),
      `0..${world.views}`,
      world.faulty === undefined ? '-' : String(world.faulty),
      String(world.crashes),
      world.split ? 'yes' : 'no',
      world.mode,
      featuresOf(world).join(', ') || '-',
    ])
    const head = ['WORLD', 'MEMBERS', 'VIEWS', 'FAULTY', 'CRASHES', 'SPLIT', 'MODE', 'MORE']
    this.out.result({ items: worlds, next_cursor: null }, table(head, rows))
  }

  private async report(
    { rows, trace, difference }: { rows: readonly Row[]; trace: Trace | undefined; difference: string | undefined },
    file: string,
  ): Promise<void> {
    const { textOfTrace, traceRecord } = await import('../../src/simulation/explore/index.js')
    const head = ['WORLD', 'STATES', 'TRANSITIONS', 'DEPTH', 'SECONDS', 'EXPLORED']
    const cells = rows.map((row) => [
      row.world,
      count(row.states),
      count(row.transitions),
      String(row.depth),
      row.seconds.toFixed(1),
      row.complete ? 'completely' : row.end === 'violation' ? 'to the violation' : `until the bound: ${row.end}`,
    ])
    const lines = [table(head, cells)]
    if (trace !== undefined) {
      const { replaceFile } = await import('../../src/files/write-file.js')
      await replaceFile(file, `${JSON.stringify(traceRecord.toJson(trace), null, 1)}\n`)
      lines.push(['VIOLATION', ...textOfTrace(trace)].join('\n'))
      lines.push(`replay: causeway sim explore --replay ${file}`)
    } else if (difference !== undefined) lines.push(`THE EXPLORATION IS WRONG: ${difference}`)
    else lines.push('Every invariant held in every explored state.')
    const violation = trace === undefined ? null : { text: trace.violation, steps: trace.steps.length, file }
    this.out.result({ items: rows, violation, difference: difference ?? null }, lines.join('\n\n'))
  }

  private async replayed(file: string): Promise<void> {
    const { readInput, inputName } = await import('../../src/cli/input/input.js')
    const { replay, textOfTrace, traceRecord } = await import('../../src/simulation/explore/index.js')
    const decoded = traceRecord.parseJson(await readInput(file))
    if (!decoded.ok) {
      throw usageError(`${inputName(file)}: ${decoded.fault.message}`, 'Give a file that `causeway sim explore` wrote.')
    }
    const { violation, steps, commits } = replay(decoded.value)
    const lines = textOfTrace(decoded.value).slice(0, steps + 1)
    lines.push(violation === undefined ? 'The simulator finds no violation.' : `VIOLATION ${violation}`)
    this.out.result({ violation: violation ?? null, steps, commits }, lines.join('\n'))
    if (violation !== undefined) this.exitWith(EXIT.checkFailed)
  }
}

/** Parts of a world beyond deliveries, timers and crashes. */
const featuresOf = ({ forges, late, signer, statuses, heights, change, behind, ...more }: WorldOptions): string[] => [
  ...(forges ? ['forged certificates'] : []),
  ...(late ? ['late answers'] : []),
  ...(signer ? ['signer'] : []),
  ...(statuses ? ['statuses'] : []),
  ...(heights > 1 ? [`${heights} heights`] : []),
  ...(change === undefined ? [] : [`a member ${change}s`]),
  ...(behind === undefined ? [] : [`node ${behind} is a height behind`]),
  ...(more.loser === undefined ? [] : [`node ${more.loser} loses its ${more.loses}`]),
  ...(more.opening === 'none' ? [] : [`view 0 ends with a ${more.opening} certificate`]),
]

/** Changes of a world by flags. */
function changesOf(flags: {
  readonly members: number | undefined
  readonly views: number | undefined
  readonly faulty: number | undefined
  readonly forges: boolean | undefined
  readonly crashes: number | undefined
  readonly split: boolean | undefined
  readonly mode: string | undefined
}): Partial<WorldOptions> {
  const { members, views, faulty, forges, crashes, split, mode } = flags
  return {
    ...(members === undefined ? {} : { members }),
    ...(views === undefined ? {} : { views }),
    ...(faulty === undefined ? {} : { faulty }),
    ...(forges === undefined ? {} : { forges }),
    ...(crashes === undefined ? {} : { crashes }),
    ...(split === undefined ? {} : { split }),
    ...(mode === 'full' || mode === 'reduced' ? { mode } : {}),
  }
}
