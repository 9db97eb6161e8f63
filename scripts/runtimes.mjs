// Runs the program and the unit tests under Node 22 and 24, as the npm packages that test/heavy/runtimes pins for this platform.
//   npm run test:runtimes                   both
//   npm run test:runtimes -- --only 24      one of them
//   npm run test:runtimes -- --report FILE  also writes what passed, failed and was skipped to a file, as JSON
// A warning of the runtime is a failure. A runtime whose package is not installed is skipped; if CI is true, that is a failure.
// The last line is `N passed, N failed`.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installRuntimes, RUNTIMES_FOLDER } from './heavy.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const EXECUTABLE = join(ROOT, 'bin', 'run.js')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

/** Major versions that are tested. */
const RUNTIMES = ['22', '24']
/** Packages with compiled code. The program works without the last two, so a command does not show whether they load. */
const ADDONS = ['classic-level', 'libsql', 'sodium-native', '@chainsafe/blst']
/** A warning of the runtime, on standard error or in the log of a node. */
const WARNING = /^.*(\(node:\d+\) |\b(Deprecation|Experimental)Warning\b).*$/m

/** Peers of the network of the quickstart. */
const PEERS = 4
/** Commands on the network of the quickstart; `{dir}` is a folder for files, `{net}` the folder of the network. */
const COMMANDS = `
status
doctor --config {net}/val-0/node.toml
consensus status
watch --once --dir {net}
block show 2
account show bob@bank
asset transfer --to bob@bank --asset eur#bank --amount 1.50 --key-file {net}/dev-only-keys/alice.json
account statement alice@bank --since 2026-01-01 --format camt053 --key-file {net}/dev-only-keys/alice.json
iso validate templates/iso/pacs008.xml
iso submit pacs008 templates/iso/pacs008.xml
sink sqlite {dir}/ledger.db --once
sink verify --file {dir}/ledger.db
webhook list --key-file {net}/dev-only-keys/alice.json
rpc ledger.domains {"limit":1}
genesis verify {net}/genesis.signed
key generate --algorithm bls --out {dir}/bls.json
key pop create --key-file {dir}/bls.json
contract create {dir}/token --template token
contract test {dir}/token
codec schema Transfer
bench bls --each 5ms
sim run --seeds 1..3
localnet fault kill val-3 --dir {net}
snapshot create {dir}/state.snapshot --peer-dir {net}/val-3
localnet status --dir {net}
`
  .trim()
  .split('\n')

/** The one allocator of ports of tests; the build compiles it for the benchmarks. */
const { freePorts } = await import('../dist/test/support/ports.js')

/** Runs a program to its end; with `shown` its output is passed on. */
function run(program, args, { env = {}, shown = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text
        if (shown) process[name].write(text)
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
}

/** Why a run counts as failed; undefined if it does not. */
function faultOf({ code, stdout, stderr }) {
  if (code !== 0) return `exit code ${code}\n${stdout.slice(-2_000)}${stderr.slice(-2_000)}`
  return WARNING.exec(stderr)?.[0]
}

/** One runtime: its program, and what passed and failed under it. */
class Runtime {
  passed = 0
  failed = []

  constructor(major) {
    this.major = major
    this.package = `node-${major}-${process.platform}-${process.arch}`
    this.node = join(RUNTIMES_FOLDER, 'node_modules', this.package, 'bin', 'node')
  }

  /** Counts one check; `fault` says why it failed. */
  note(name, fault) {
    if (fault === undefined) {
      this.passed += 1
      return
    }
    this.failed.push(`Node ${this.major}: ${name}`)
    console.error(`FAILED under Node ${this.major}: ${name}: ${fault}`)
  }

  async loadAddons() {
    for (const name of ADDONS)
      this.note(`import of ${name}`, faultOf(await run(this.node, ['-e', `import('${name}')`])))
    return `${ADDONS.length} native addons`
  }

  /** Runs test files and counts their tests; a warning on the way is one failure more. */
  async runTests(what, folder, ...words) {
    const path = join(folder, 'report.json')
    const args = [VITEST, 'run', ...words, '--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
    const done = await run(this.node, args, { shown: true })
    if (!existsSync(path)) {
      this.note(what, `the test runner wrote no report, exit code ${done.code}`)
      return `no ${what}`
    }
    const { numPassedTests, testResults } = JSON.parse(readFileSync(path, 'utf8'))
    rmSync(path)
    this.passed += numPassedTests
    for (const { name, status, assertionResults } of testResults) {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      // The file itself did not load.
      if (status === 'failed' && failed.length === 0) this.note(relative(ROOT, name), 'it failed outside of its tests')
      for (const test of failed) this.note(`${relative(ROOT, name)}: ${test.fullName}`, test.failureMessages[0])
    }
    const warning = WARNING.exec(done.stdout + done.stderr)?.[0]
    if (warning !== undefined) this.note(what, warning)
    return `${numPassedTests} ${what}`
  }

  /** Runs the quickstart (four processes and a payment) and the commands on its network, and reads the logs of its nodes. */
  async runProgram(folder) {
    const net = join(folder, 'net')
    // Nothing of the machine's own settings.
    const env = { HOME: folder, NODE_OPTIONS: '', NO_COLOR: '1' }
    const causeway = (words) => run(this.node, [EXECUTABLE, ...words], { env })
    try {
      const base = await freePorts(2 * PEERS)
      const ports = ['--gateway-port', String(base), '--p2p-port', String(base + PEERS)]
      this.note('localnet up', faultOf(await causeway(['localnet', 'up', '--dir', net, ...ports])))
      const started = await causeway(['quickstart', '--dir', net, '--json'])
      this.note('quickstart', faultOf(started))
      if (started.code !== 0) return 'no commands'
      env.CAUSEWAY_GATEWAY = JSON.parse(started.stdout).status.peers[0].gateway
      for (const line of COMMANDS) {
        const words = line.split(' ').map((word) => word.replace('{dir}', folder).replace('{net}', net))
        this.note(line, faultOf(await causeway(words)))
      }
    } finally {
      this.note('localnet down', faultOf(await causeway(['localnet', 'down', '--dir', net])))
    }
    for (const peer of readdirSync(net).filter((name) => name.startsWith('val-'))) {
      this.note(`log of ${peer}`, WARNING.exec(readFileSync(join(net, peer, 'node.log'), 'utf8'))?.[0])
    }
    return `quickstart, ${COMMANDS.length} commands`
  }

  /** Runs everything; gives a line that says what ran. */
  async runAll() {
    const folder = mkdtempSync(join(tmpdir(), `causeway-node-${this.major}-`))
    try {
      const { stdout } = await run(this.node, ['--version'])
      const ran = [
        await this.loadAddons(),
        await this.runProgram(folder),
        await this.runTests('tests of first light', folder, 'test/e2e/first-light.test.ts'),
        await this.runTests('unit tests', folder, '--project', 'unit'),
      ]
      return `Node ${stdout.trim().slice(1)}: ${ran.join(', ')}; ${this.failed.length} failed`
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const { values } = parseArgs({ options: { only: { type: 'string' }, report: { type: 'string' } } })
try {
  installRuntimes()
} catch (error) {
  console.error(`test/heavy/runtimes is not installed: ${error.message}`)
}
const result = { passed: 0, failed: [], skipped: [] }
const lines = []
for (const major of RUNTIMES.filter((one) => values.only === undefined || values.only === one)) {
  const runtime = new Runtime(major)
  if (existsSync(runtime.node)) lines.push(await runtime.runAll())
  else {
    const reason = `test/heavy/runtimes has no package ${runtime.package}`
    lines.push(`Node ${major}: skipped, ${reason}`)
    if (process.env.CI === 'true') runtime.failed.push(`Node ${major}: ${reason}`)
    else result.skipped.push({ name: `Node ${major}`, reason })
  }
  result.passed += runtime.passed
  result.failed.push(...runtime.failed)
}
if (values.report !== undefined) {
  mkdirSync(dirname(values.report), { recursive: true })
  writeFileSync(values.report, `${JSON.stringify(result, null, 2)}\n`)
}
for (const line of lines) console.log(line)
console.log(`${result.passed} passed, ${result.failed.length} failed`)
process.exitCode = result.failed.length > 0 ? 1 : 0
