// Compares the processor time of starts with that of another checkout, both built: `node scripts/starts.mjs ../other --pairs 12`.
// Each pair starts both, in turns first; time on the clock would follow what else the machine does. Linux: it reads /proc.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { secondsOf, secondsOfChildren } from './processor-time.mjs'

const HERE = dirname(dirname(fileURLToPath(import.meta.url)))
/** A node that is not ready within this time is taken for one that does not start, in ms. */
const READY_MS = 60_000
const POLL_MS = 20
/** Commands that one figure is the sum of: one takes a few ticks only. */
const COMMANDS = 5

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '12' } },
})
const [other] = positionals
if (other === undefined) {
  console.error('usage: node scripts/starts.mjs OTHER_CHECKOUT [--pairs N]')
  process.exit(2)
}
const before = resolve(other)
const pairs = Number(values.pairs)

const program = (root) => join(root, 'bin', 'run.js')
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

/** Runs a command to its end and gives what it printed. */
function causeway(root, ...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(root), ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`causeway ${words.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** Processor time of one `causeway status`, in ms. */
function statusTime(root, gateway) {
  const from = secondsOfChildren()
  for (let count = 0; count < COMMANDS; count++) causeway(root, 'status', '--gateway', gateway)
  return Math.round((1_000 * (secondsOfChildren() - from)) / COMMANDS)
}

/** Starts the node of a peer and waits until it answers that it is ready; gives the process and the time that it took. */
async function startNode(root, peer) {
  const words = [program(root), 'node', 'start', '--config', peer.config]
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  for (const end = Date.now() + READY_MS; ; await sleep(POLL_MS)) {
    const ready = await fetch(`${peer.gateway}/health`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return { child, used: Math.round(1_000 * secondsOf(child.pid)) }
    if (child.exitCode !== null || Date.now() > end) throw new Error(`the node of ${root} does not start`)
  }
}

async function stopNode(child) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function nodeTime(root, peer) {
  const { child, used } = await startNode(root, peer)
  await stopNode(child)
  return used
}

const median = (figures) => {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Measures in pairs, prints each and the median of their ratios. */
async function compare(what, measure) {
  const ratios = []
  for (let pair = 0; pair < pairs; pair++) {
    const first = pair % 2 === 0 ? before : HERE
    const one = await measure(first)
    const two = await measure(first === before ? HERE : before)
    const [was, is] = first === before ? [one, two] : [two, one]
    ratios.push(is / was)
    console.log(`${what} ${String(pair + 1).padStart(2)}: ${was} ms before, ${is} ms now, ${(is / was).toFixed(2)}`)
  }
  console.log(`${what}: median ratio ${median(ratios).toFixed(2)} of ${pairs} pairs`)
}

const folder = mkdtempSync(join(tmpdir(), 'causeway-starts-'))
try {
  causeway(HERE, 'localnet', 'up', '--peers', '1', '--dir', folder, '--json')
  causeway(HERE, 'localnet', 'down', '--dir', folder)
  const [peer] = JSON.parse(readFileSync(join(folder, 'localnet.json'), 'utf8')).peers.map(
    ({ folder: name, gateway }) => ({
      gateway,
      config: join(folder, name, 'node.toml'),
    }),
  )
  await compare('node', (root) => nodeTime(root, peer))
  const { child } = await startNode(HERE, peer)
  await compare('status', (root) => statusTime(root, peer.gateway))
  await stopNode(child)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
