/**
 * Owns `npm run bench`: all benchmarks in one run, as text or with `--json`; `--only=codec,network` selects some, those
 * of `LONG` only so.
 */
import { execFile } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { promisify } from 'node:util'
import { benchCalls } from './calls.js'
import { benchCodec } from './codec.js'
import { benchComet } from './comet.js'
import { benchContractBlocks } from './contract-blocks.js'
import { benchContracts } from './contracts.js'
import { benchCost } from './cost.js'
import { benchEtcd } from './etcd.js'
import { benchExecutor } from './executor.js'
import { benchFinance } from './finance.js'
import { benchGateway } from './gateway.js'
import { benchGovernance } from './governance.js'
import { benchAccounts, benchSoak } from './growth.js'
import { benchIntegrations } from './integrations.js'
import { benchIso } from './iso.js'
import { benchLanes } from './lanes.js'
import { benchLedger } from './ledger.js'
import { benchNames } from './names.js'
import { benchNetwork } from './network.js'
import { benchPayments } from './payments.js'
import { benchProduction } from './production.js'
import { benchProofs } from './proofs.js'
import { benchReaders } from './readers.js'
import { benchSnapshots } from './snapshots.js'
import { benchStaking } from './staking.js'
import { benchState } from './state.js'
import { benchWorst } from './worst.js'

const run = promisify(execFile)
const BIN = new URL('../../../bin/run.js', import.meta.url).pathname
const START_ROUNDS = 15

async function benchStart(): Promise<{ readonly versionMedianMs: number; readonly rounds: number }> {
  const times: number[] = []
  for (let round = 0; round < START_ROUNDS; round++) {
    const started = performance.now()
    await run(process.execPath, [BIN, '--version'])
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return { versionMedianMs: times[START_ROUNDS >> 1] ?? Number.NaN, rounds: START_ROUNDS }
}

const parts: Readonly<Record<string, () => unknown>> = {
  start: benchStart,
  codec: benchCodec,
  iso: benchIso,
  state: benchState,
  executor: benchExecutor,
  contracts: benchContracts,
  'contract-blocks': benchContractBlocks,
  calls: benchCalls,
  ledger: benchLedger,
  gateway: benchGateway,
  governance: benchGovernance,
  network: benchNetwork,
  cost: benchCost,
  payments: benchPayments,
  etcd: benchEtcd,
  comet: benchComet,
  readers: benchReaders,
  lanes: benchLanes,
  proofs: benchProofs,
  names: benchNames,
  finance: benchFinance,
  worst: benchWorst,
  staking: benchStaking,
  integrations: benchIntegrations,
  snapshots: benchSnapshots,
  production: benchProduction,
  accounts: benchAccounts,
  soak: benchSoak,
}
/** Benchmarks of half an hour and more, or for changes of costs: only on request. */
const LONG: readonly string[] = [
  'accounts',
  'calls',
  'contract-blocks',
  'finance',
  'governance',
  'integrations',
  'ledger',
  'names',
  'payments',
  'production',
  'snapshots',
  'soak',
  'staking',
  'worst',
]

/** Parts given by `--only`; undefined: all except the long ones. Ends the process with 2 for any other argument. */
function partsOf(words: readonly string[]): readonly string[] | undefined {
  const flag = '--only='
  const unknown = words.filter((one) => one !== '--json' && !one.startsWith(flag))
  const only = words
    .find((one) => one.startsWith(flag))
    ?.slice(flag.length)
    .split(',')
  unknown.push(...(only ?? []).filter((name) => !Object.hasOwn(parts, name)))
  if (unknown.length === 0) return only
  process.stderr.write(
    `cannot run ${unknown.join(' ')}. Try --json, or --only=PART,.. of ${Object.keys(parts).join(' ')}\n`,
  )
  return process.exit(2)
}

const only = partsOf(process.argv.slice(2))
const results: Record<string, unknown> = {
  machine: { cores: cpus().length, model: cpus()[0]?.model, node: process.version, loadBefore: loadavg() },
}
for (const [name, part] of Object.entries(parts)) {
  if (only === undefined ? LONG.includes(name) : !only.includes(name)) continue
  process.stderr.write(`bench: ${name}\n`)
  results[name] = await part()
}
results['loadAfter'] = loadavg()
process.stdout.write(`${JSON.stringify(results, null, process.argv.includes('--json') ? 0 : 2)}\n`)
