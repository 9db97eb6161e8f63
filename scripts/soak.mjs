// The long counts: every scheduler of the simulator over many seeds. `npm run soak -- --seeds 200000 --from 1`,
// `npm run soak -- --seeds 350000 --slice single-height`. `--record FILE` notes each range of seeds that was run, so that the same command
// goes on where an earlier one ended; a range that fails is noted too, and the others are run. `npm run soak -- --kills 200 --seed 1`: real processes instead.
// `npm run soak -- --iso-fuzz 500000`: inputs for the message reader; `npm run soak -- --iso-crash 1000`: payments while all
// nodes die; `npm run soak -- --bulk-crash 5000`: the same in bulk messages. `npm run soak -- --webhook-kills 10`: webhooks while their node dies. `npm run soak -- --lanes 100000`: routers, turns and lane lifecycles.
// `npm run soak -- --staking 1000`: histories of stakes.
// `npm run soak -- --vm-modules 100000 --from 1`: random modules of contracts in both engines; with `--v8 FLAG` the second one compiles in
// another way: `--liftoff-only`, `--no-liftoff`, `--wasm-tiering-budget=1`.
// `npm run soak -- --contract-histories 1000`: histories of contracts by both executors.
// `npm run soak -- --names 10000`: histories of names by the ledger and a naive registry.
// `npm run soak -- --finance 1000`: histories of assets, repos and subscriptions by the ledger and naive models, and 131,073 charges of one
// provider in one hour.
// `npm run soak -- --governance 1000`: histories of governance by the ledger and a naive model, random lists after which proposals still work,
// up to 100 kills of validators at closes and
// enactments, and a vote on each extreme value of each parameter.
// `npm run soak -- --boundaries 10000 --seed 1`: blocks of instructions with values at the ends of their ranges, on several nodes.
// `npm run soak -- --proof-fuzz 100000`: proofs and instructions about calls of any bytes.
// `npm run soak -- --explore 1800`: large worlds of the exploration, each for so many seconds; `--world NAME` for one of them.
// `npm run soak -- --gateway-fuzz 30000 --seed 1`: malformed requests of each of five kinds.
// `npm run soak -- --byzantine-instructions 500000`, `npm run soak -- --byzantine-messages 1000000`,
// `npm run soak -- --byzantine-requests 500000`: hostile accounts, peers and clients.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const word = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}
const option = (name, fallback) => Number(word(name, fallback))
const seeds = option('seeds', 200_000)
const first = option('from', 1)
const jobs = option('jobs', availableParallelism())
// One process per slice, so that a failure names a small range and memory starts anew.
const SLICE = option('part', 2_000)
const slice = word('slice', 'full')

const record = word('record')
/** Ranges that an earlier run noted, each with its slice. */
const ran = new Set(
  record !== undefined && existsSync(record)
    ? readFileSync(record, 'utf8')
        .split('\n')
        .map((line) => line.split(' ').slice(0, 2).join(' '))
    : [],
)

let next = first
const running = new Set()
function runSlice() {
  if (next >= first + seeds) return
  const from = next
  const to = Math.min(from + SLICE, first + seeds) - 1
  next = to + 1
  const range = `${slice} ${from}..${to}`
  if (ran.has(range)) return runSlice()
  const args = [join(root, 'bin', 'run.js'), 'sim', 'run', '--quiet', '--slice', slice, '--seeds', `${from}..${to}`]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  child.on('close', (code) => {
    running.delete(child)
    process.stdout.write(text)
    if (record !== undefined) {
      appendFileSync(record, `${range} ${code === 0 ? 'ok' : 'FAILED'}\n`)
      if (code !== 0) process.exitCode = code ?? 1
    } else if (code !== 0) {
      for (const other of running) other.kill()
      process.exit(code ?? 1)
    }
    runSlice()
  })
}

/** A test file, or several, with a count raised. */
function runTest(file, variable, count, more = {}, flags = []) {
  const env = { ...process.env, [variable]: String(count), ...more }
  const args = [...flags, join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...[file].flat()]
  spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).on('close', (code) => process.exit(code ?? 1))
}

const kills = option('kills', 0)
const histories = option('histories', 0)
const fuzz = option('iso-fuzz', 0)
const crash = option('iso-crash', 0)
const bulkCrash = option('bulk-crash', 0)
const webhookKills = option('webhook-kills', 0)
const lanes = option('lanes', 0)
const staking = option('staking', 0)
const proofs = option('proof-fuzz', 0)
const gatewayFuzz = option('gateway-fuzz', 0)
const instructions = option('byzantine-instructions', 0)
const messages = option('byzantine-messages', 0)
const requests = option('byzantine-requests', 0)
const boundaries = option('boundaries', 0)
const vmModules = option('vm-modules', 0)
const contracts = option('contract-histories', 0)
const nameHistories = option('names', 0)
const finance = option('finance', 0)
const explore = option('explore', 0)
const governance = option('governance', 0)
const byzantineSeed = { BYZANTINE_SEED: String(option('seed', 1)) }
if (governance > 0) {
  const more = { GOVERNANCE_KILLS: String(Math.min(governance, 100)), GOVERNANCE_PARAMETERS: 'each' }
  const files = [
    'test/unit/gov/model.test.ts',
    'test/unit/gov/liveness.test.ts',
    'test/e2e/governance.test.ts',
    'test/e2e/governance-parameters.test.ts',
  ]
  runTest(files, 'GOV_HISTORIES', governance, more)
} else if (histories > 0) runTest('test/property/executor/', 'CAUSEWAY_HISTORIES', histories)
else if (gatewayFuzz > 0) {
  const seed = String(option('seed', 20_260_101))
  runTest('test/unit/gateway/fuzz', 'CAUSEWAY_GATEWAY_FUZZ', gatewayFuzz, { CAUSEWAY_GATEWAY_FUZZ_SEED: seed })
} else if (instructions > 0) {
  runTest('test/byzantine/account.test.ts', 'BYZANTINE_INSTRUCTIONS', instructions, byzantineSeed)
} else if (messages > 0) {
  runTest('test/byzantine/messages.test.ts', 'BYZANTINE_MESSAGES', messages, byzantineSeed)
} else if (requests > 0) {
  runTest('test/byzantine/untrusted-client.test.ts', 'BYZANTINE_REQUESTS', requests, byzantineSeed)
} else if (fuzz > 0) runTest('test/property/iso20022/fuzz.test.ts', 'CAUSEWAY_FUZZ_INPUTS', fuzz)
else if (proofs > 0) runTest('test/unit/conference/hostile.test.ts', 'CAUSEWAY_FUZZ', proofs)
else if (staking > 0) {
  runTest('test/property/npos/histories.test.ts', 'NPOS_HISTORIES', staking, { NPOS_FIRST: String(first) })
} else if (boundaries > 0) {
  const seed = { BOUNDARY_SEED: String(option('seed', 1)) }
  runTest('test/property/executor/boundaries.test.ts', 'BOUNDARY_BLOCKS', boundaries, seed)
} else if (vmModules > 0) {
  const flag = word('v8')
  const flags = flag === undefined ? [] : [flag]
  const from = { CAUSEWAY_VM_SEED: String(first) }
  runTest('test/property/vm/differential.test.ts', 'CAUSEWAY_VM_MODULES', vmModules, from, flags)
} else if (contracts > 0) runTest('test/property/contracts/histories.test.ts', 'CAUSEWAY_HISTORIES', contracts)
else if (nameHistories > 0) runTest('test/property/names', 'CAUSEWAY_NAME_HISTORIES', nameHistories)
else if (finance > 0)
  runTest(
    [
      ...['rwas', 'repo', 'subscriptions'].map((feature) => `test/unit/${feature}/model.test.ts`),
      'test/unit/subscriptions/full-hour.test.ts',
    ],
    'SUBSCRIPTION_HISTORIES',
    finance,
    { RWA_HISTORIES: String(finance), REPO_HISTORIES: String(finance), SUBSCRIPTIONS_OF_AN_HOUR: '131073' },
  )
else if (explore > 0) {
  const args = ['sim', 'explore', '--world', word('world', 'large'), '--seconds', String(explore)]
  const child = spawn(process.execPath, [join(root, 'bin', 'run.js'), ...args], { cwd: root, stdio: 'inherit' })
  child.on('close', (code) => process.exit(code ?? 1))
} else if (lanes > 0) runTest('test/property/lanes', 'CAUSEWAY_LANE_RUNS', lanes)
else if (crash > 0) runTest('test/e2e/iso-crash.test.ts', 'CAUSEWAY_CRASH_MESSAGES', crash)
else if (bulkCrash > 0) runTest('test/e2e/bulk-crash.test.ts', 'CAUSEWAY_CRASH_PAYMENTS', bulkCrash)
else if (webhookKills > 0) runTest('test/e2e/webhooks.test.ts', 'CAUSEWAY_WEBHOOK_KILLS', webhookKills)
else if (kills > 0) {
  const args = [join(root, 'dist', 'test', 'chaos', 'soak.js'), String(option('seed', 1)), String(kills)]
  spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }).on('close', (code) => process.exit(code ?? 1))
} else for (let job = 0; job < jobs; job++) runSlice()
