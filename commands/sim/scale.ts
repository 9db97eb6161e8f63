import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs, table } from '../../src/cli/terminal/output.js'
import type {
  Costs,
  ScaleReport,
  ScaleResult,
  ScaleRow,
  ScaleScenario,
  Variant,
} from '../../src/simulation/scale/index.js'

/** Validators of one run, at most: every pair of them is a link, and beyond it memory and time grow past use. */
const VALIDATORS_MAX = 200
/** Submissions a second, and those of one run, at most: the time of each is kept in memory, and blocks hold their bytes. */
const RATE_MAX = 20_000
const SUBMISSIONS_MAX = 1_000_000
const SUBMITTED_BYTES_MAX = 512 * 1024 * 1024
/** Longest virtual time of a run, in ms. */
const DURATION_MAX_MS = 10 * 60_000
/** Bounds of a transaction and of a block, in bytes: what nodes take. */
const TRANSACTION_BYTES = { min: 64, max: 16_384 } as const
const BLOCK_BYTES_MAX = 16 * 1024 * 1024
const MBIT_MAX = 400_000
/** Events between two looks at the terminal: some tens of ms of work. */
const EVENTS_PER_LOOK = 20_000

export default class SimScale extends BaseCommand {
  static override description =
    `Predict finality and load of larger networks: the production consensus state machine with modelled processors, disks and links.
Time is virtual, so that one core simulates all validators. The costs of signatures, hashes, encoding and connections are measured
on this machine before the first run; --costs reads them from a file or uses those of the documentation, so that the same seed
gives the same figures everywhere. docs/reference/scale.md describes the limits of the model.`
  static override examples = [
    '<%= config.bin %> sim scale --validators 4,16,64,128 --latency wan --rate 1000',
    '<%= config.bin %> sim scale --validators 100 --vary --costs default',
    '<%= config.bin %> sim scale --validators 64 --payload compact --bandwidth 100 --json',
  ]
  static override flags = {
    validators: Flags.string({ description: 'numbers of validators, such as 4,16,64', default: '4,16,64,128' }),
    latency: Flags.string({
      description: 'wan: validators in twelve regions of the world; lan: in one data centre',
      options: ['wan', 'lan'],
      default: 'wan',
    }),
    rate: Flags.integer({
      description: 'transactions per second, over all validators',
      default: 1_000,
      min: 1,
      max: RATE_MAX,
    }),
    'transaction-bytes': Flags.integer({ description: 'bytes of a transaction', default: 250, ...TRANSACTION_BYTES }),
    'block-bytes': Flags.integer({
      description: 'maximum bytes of a block',
      default: 4 * 1024 * 1024,
      min: 1_024,
      max: BLOCK_BYTES_MAX,
    }),
    'block-transactions': Flags.integer({
      description: 'maximum transactions of a block',
      default: 2_000,
      min: 1,
      max: 16_384,
    }),
    payload: Flags.string({
      description:
        'distribution of payloads: chosen by nodes, by the hashes of their records, or in chunks by reliable broadcast',
      options: ['auto', 'compact', 'chunks'],
      default: 'auto',
    }),
    collectors: Flags.string({ description: 'vote collectors: auto, all or a number', default: 'auto' }),
    'data-availability': Flags.boolean({ description: 'broadcast every payload with READY and DELIVER' }),
    'base-height-ms': Flags.integer({
      description: 'parameter base_height_ms of the chain',
      default: 50,
      min: 1,
      max: 10_000,
    }),
    bandwidth: Flags.integer({
      description: 'bandwidth of a node in Mbit/s, up and down',
      default: 1_000,
      min: 1,
      max: MBIT_MAX,
    }),
    'link-bandwidth': Flags.integer({
      description: 'maximum bandwidth of one connection in Mbit/s',
      default: 200,
      min: 1,
      max: MBIT_MAX,
    }),
    duration: Flags.string({ description: 'measured virtual time', default: '20s', helpValue: 'DURATION' }),
    'warm-up': Flags.string({ description: 'warm-up virtual time', default: '5s', helpValue: 'DURATION' }),
    seed: Flags.integer({ description: 'seed of clients and jitter', default: 1, min: 0 }),
    costs: Flags.string({ description: 'costs of work: a JSON file, or default for those of the documentation' }),
    vary: Flags.boolean({
      description: 'run each size also with all members collecting, compact, in chunks, and with data availability',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SimScale)
    const { asGiven, DEFAULT_COSTS, DEFAULT_SCENARIO, LATENCIES, measureCosts, PAYLOAD_WAYS, reportOf, variantsOf } =
      await import('../../src/simulation/scale/index.js')
    const { parseDuration } = await import('../../src/cli/input/duration.js')
    const collectors = collectorsOf(flags.collectors)
    const warmUpMs = parseDuration(flags['warm-up'], '--warm-up', DURATION_MAX_MS)
    const measuredMs = parseDuration(flags.duration, '--duration', DURATION_MAX_MS)
    const submissions = (flags.rate * (warmUpMs + measuredMs)) / 1_000
    if (submissions > SUBMISSIONS_MAX || submissions * flags['transaction-bytes'] > SUBMITTED_BYTES_MAX) {
      throw usageError(
        `${Math.round(submissions)} transactions of ${flags['transaction-bytes']} bytes exceed the memory of one run`,
        'Lower --rate, --duration or --transaction-bytes.',
      )
    }
    const scenarioOf = (validators: number): ScaleScenario => ({
      seed: flags.seed,
      validators,
      latency: LATENCIES.find((name) => name === flags.latency) ?? 'wan',
      bandwidth: {
        uplinkMbit: flags.bandwidth,
        downlinkMbit: flags.bandwidth,
        linkMbit: Math.min(flags.bandwidth, flags['link-bandwidth']),
      },
      rate: flags.rate,
      transactionBytes: flags['transaction-bytes'],
      blockTransactions: flags['block-transactions'],
      blockBytes: flags['block-bytes'],
      payload: PAYLOAD_WAYS.find((name) => name === flags.payload) ?? 'auto',
      parameters: {
        ...DEFAULT_SCENARIO.parameters,
        collectorsK: collectors ?? validators,
        dataAvailability: flags['data-availability'],
        baseHeightMs: flags['base-height-ms'],
      },
      warmUpMs,
      measuredMs,
    })
    const variants = numbersOf(flags.validators)
      .map(scenarioOf)
      .flatMap((scenario) => (flags.vary ? variantsOf(scenario) : [asGiven(scenario)]))
    const costs =
      flags.costs === undefined
        ? await measureCosts()
        : flags.costs === 'default'
          ? DEFAULT_COSTS
          : await costsFrom(flags.costs)
    const rows: ScaleRow[] = []
    for (const one of variants) rows.push({ ...one, result: await this.simulate(one, costs) })
    this.out.result(
      { costs, runs: rows.map(({ variant, scenario, result }) => ({ variant, ...result, scenario })) },
      textOf(reportOf(rows)),
    )
    if (rows.some(({ result }) => result.unfinished > 0)) {
      this.out.note('Open transactions mean that the rate exceeds the capacity of such a network.')
    }
  }

  private async simulate({ variant, scenario }: Variant, costs: Costs): Promise<ScaleResult> {
    const { ScaleRun } = await import('../../src/simulation/scale/index.js')
    const run = new ScaleRun(scenario, costs)
    const seconds = (scenario.warmUpMs + scenario.measuredMs) / 1_000
    return await this.withBar(`${scenario.validators} validators, ${variant}`, 'seconds', async (report) => {
      while (run.advance(EVENTS_PER_LOOK)) {
        report({ done: run.progress * seconds, total: seconds })
        await new Promise((resolve) => setImmediate(resolve))
      }
      return run.result()
    })
  }
}

/** Numbers of validators: `4,16,64`. */
function numbersOf(text: string): number[] {
  const numbers = text.split(',').map(Number)
  if (numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= VALIDATORS_MAX)) return numbers
  throw usageError(
    `--validators: "${text}" is not a list of numbers of validators`,
    `Write, for example, 4,16,64; each from 1 to ${VALIDATORS_MAX}.`,
  )
}

/** Parameter `collectors_k`, 0 for auto; undefined: all members. */
function collectorsOf(text: string): number | undefined {
  if (text === 'auto') return 0
  if (text === 'all') return undefined
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw usageError(`--collectors: "${text}" is not a number of members`, 'Write auto, all or a number such as 12.')
}

async function costsFrom(file: string): Promise<Costs> {
  const { readJsonInput } = await import('../../src/cli/input/json.js')
  const { costsFromJson } = await import('../../src/simulation/scale/index.js')
  return costsFromJson(await readJsonInput(file), file)
}

/** What it came to, then where the time of a block goes and what is busy meanwhile. */
function textOf({ head, figures, load }: ScaleReport): string {
  return [
    pairs(head),
    table(figures.head, figures.rows),
    'Messages and KB are sent per block and node; those of the proposer while it builds and decides one.',
    table(load.head, load.rows),
    'Phases are means over nodes and blocks; shares are those of the busiest node.',
  ].join('\n\n')
}
