/** Owns the benchmark of submission: POST /transaction on one core with admission, and the same gateway without it. */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KeyPair } from '../../src/crypto/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { writeGenesisFile } from '../../src/node/genesis/file.js'
import { CHAIN, codec, DEFINITION, testGenesis, testPeer } from '../support/chain.js'
import type { LoadResult } from './gateway-load.js'
import type { NodeUsage } from './gateway-node.js'
import { accountsOf, type LoadAccount, type LoadAccounts, prepareTransfers } from './load.js'
import { writeRecords } from './records-file.js'

const ACCOUNTS = 1_000
/** Warm-up requests for compilers and caches. */
const WARM_UP = 10_000
const MEASURED = Number(process.env['BENCH_GATEWAY_REQUESTS'] ?? 40_000)
/** Alternating runs of each kind, so that drift of the machine affects both; the best of each counts. */
const ROUNDS = Number(process.env['BENCH_GATEWAY_ROUNDS'] ?? 2)
/** Persistent connections with one request in flight each, enough to fill a batch of admission. */
const CONNECTIONS = 256
const ACCEPTED = 202

/** Result of one gateway mode. */
export interface SubmissionFigures {
  /** Rate of the best round. */
  readonly perSecond: number
  readonly rounds: readonly number[]
  /** Processor time of the server process per request, all threads, in microseconds. */
  readonly cpuMicros: number
}

export interface GatewayFigures {
  readonly requests: number
  readonly connections: number
  /** True if the server was pinned to one core and the load to another. */
  readonly pinned: boolean
  /** Signature, ledger check, queue, queue log on disk, signed receipt. */
  readonly withAdmission: SubmissionFigures
  /** Every submission is answered at once. */
  readonly withoutAdmission: SubmissionFigures
  /** Rate with admission divided by the rate without. */
  readonly share: number
  readonly loadAverage: readonly number[]
}

const canPin = (): Promise<boolean> =>
  promisify(execFile)('taskset', ['-c', '0', 'true']).then(
    () => cpus().length > 1,
    () => false,
  )

/** Start a script, pinned to one core if possible. */
function start(script: string, words: readonly string[], core: number, pinned: boolean): ChildProcess {
  const path = new URL(script, import.meta.url).pathname
  const held = { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] }
  return fork(path, words, pinned ? held : {})
}

/** Next message of a process; rejects if it ends. */
const reply = <T>(child: ChildProcess, ask?: object | string): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`a process of the benchmark ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
    if (ask !== undefined) child.send(ask)
  })

interface Files {
  readonly folder: string
  readonly genesis: string
  readonly transactions: string
}

/** Measure one server after a warm-up. */
async function round(files: Files, name: string, admission: boolean, pinned: boolean) {
  const data = join(files.folder, name)
  await mkdir(data)
  const words = [data, files.genesis, admission ? 'on' : 'off']
  const node = start('./gateway-node.js', words, 0, pinned)
  try {
    const { port } = await reply<{ port: number }>(node)
    const load = start('./gateway-load.js', [files.transactions, String(port), String(CONNECTIONS)], 1, pinned)
    try {
      await reply(load)
      await reply<LoadResult>(load, { from: 0, to: WARM_UP })
      const before = await reply<NodeUsage>(node, 'usage')
      const { seconds, statuses } = await reply<LoadResult>(load, { from: WARM_UP, to: WARM_UP + MEASURED })
      const after = await reply<NodeUsage>(node, 'usage')
      const accepted = new Map(statuses).get(ACCEPTED) ?? 0
      if (accepted !== MEASURED) throw new Error(`not every transaction was accepted: ${JSON.stringify(statuses)}`)
      const queued = admission ? WARM_UP + MEASURED : 0
      if (after.queued !== queued) throw new Error(`${after.queued} transactions are in the queue, not ${queued}`)
      return {
        perSecond: MEASURED / seconds,
        cpuMicros: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / MEASURED,
      }
    } finally {
      load.kill('SIGKILL')
    }
  } finally {
    node.kill('SIGKILL')
  }
}

const best = (runs: readonly { readonly perSecond: number; readonly cpuMicros: number }[]): SubmissionFigures => ({
  perSecond: Math.max(...runs.map((run) => run.perSecond)),
  rounds: runs.map((run) => run.perSecond),
  cpuMicros: Math.min(...runs.map((run) => run.cpuMicros)),
})

/** Measure the real gateway with and without admission, from a process on another core. */
export async function benchGateway(): Promise<GatewayFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-gateway-'))
  try {
    const drawn = accountsOf(ACCOUNTS, 'gateway')
    const list: LoadAccount<KeyPair>[] = []
    for (let index = 0; index < ACCOUNTS; index += 1) list.push(await drawn.at(index))
    const accounts: LoadAccounts<KeyPair> = {
      count: ACCOUNTS,
      at: async (index) => list[index] as LoadAccount<KeyPair>,
    }
    const peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
    const { bytes, admin } = await testGenesis({ peers, accounts: list, abi: NEWEST_ABI })
    const files: Files = {
      folder,
      genesis: join(folder, 'genesis.signed'),
      transactions: join(folder, 'transactions.bin'),
    }
    await writeGenesisFile(files.genesis, bytes)
    const target = { gateways: [], chain: CHAIN, codec, definition: DEFINITION, domain: 'bank', admin: admin.pair }
    await writeRecords(files.transactions, await prepareTransfers(target, accounts, WARM_UP + MEASURED))
    const pinned = await canPin()
    const runs = { on: [] as Awaited<ReturnType<typeof round>>[], off: [] as Awaited<ReturnType<typeof round>>[] }
    for (let at = 0; at < ROUNDS; at += 1) {
      runs.off.push(await round(files, `off-${at}`, false, pinned))
      runs.on.push(await round(files, `on-${at}`, true, pinned))
    }
    const [withAdmission, withoutAdmission] = [best(runs.on), best(runs.off)]
    return {
      requests: MEASURED,
      connections: CONNECTIONS,
      pinned,
      withAdmission,
      withoutAdmission,
      share: withAdmission.perSecond / withoutAdmission.perSecond,
      loadAverage: loadavg(),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
