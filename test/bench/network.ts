/** Owns the benchmark of a local network: first commit, latency at a fixed load, throughput at saturation, memory per node. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CausewayClient } from '../../src/client/index.js'
import { readKeyFile } from '../../src/model/key-file.js'
import { fundAccounts, type LoadTarget, prepareTransfers, send } from './load.js'

const run = promisify(execFile)
const BIN = new URL('../../../bin/run.js', import.meta.url).pathname

/** Steady load of the latency figure, and how long it lasts. */
const LATENCY_RATE = 50
const LATENCY_SECONDS = 20
const ACCOUNTS = 1_000
/** Transfers of the saturation figure; what counts is read from committed blocks. */
const SATURATION_TRANSFERS = 30_000
/** How often the height is asked for: the resolution of the latency figures, in ms. */
const WATCH_MS = 4

export interface NetworkFigures {
  readonly localnetUpMs: number
  readonly firstCommitMs: number
  readonly latency: { readonly rate: number; readonly count: number; readonly p50Ms: number; readonly p99Ms: number }
  readonly saturation: { readonly committed: number; readonly perSecond: number; readonly blocks: number }
  readonly nodes: readonly { readonly name: string; readonly rssMib: number; readonly anonymousMib: number }[]
}

async function causeway(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [BIN, ...args], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** Records when each height was first seen committed at one gateway. */
function watchHeights(gateway: string): { readonly seen: Map<number, number>; stop(): Promise<void> } {
  const client = new CausewayClient({ gateway })
  const seen = new Map<number, number>()
  let last = 0
  let running = true
  const loop = (async () => {
    while (running) {
      const { blocks } = await client.status()
      const now = performance.now()
      for (let height = last + 1; height <= blocks; height++) seen.set(height, now)
      last = Math.max(last, blocks)
      await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
    }
  })()
  return {
    seen,
    async stop() {
      running = false
      await loop
      await client.close()
    },
  }
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN

async function latency(target: LoadTarget, accounts: Awaited<ReturnType<typeof fundAccounts>>) {
  const prepared = await prepareTransfers(target, accounts, LATENCY_RATE * LATENCY_SECONDS)
  const watch = watchHeights(target.gateways[1] ?? target.gateways[0] ?? '')
  const sent = await send(target, prepared, LATENCY_RATE)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await watch.stop()
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  const times: number[] = []
  for (const { id } of prepared) {
    const state = await client.transactionStatus(id)
    const seen = state.state === 'approved' && state.height !== undefined ? watch.seen.get(state.height) : undefined
    if (seen !== undefined) times.push(seen - (sent.atMs.get(id) ?? seen))
  }
  await client.close()
  times.sort((a, b) => a - b)
  return { rate: LATENCY_RATE, count: times.length, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) }
}

async function saturation(target: LoadTarget, accounts: Awaited<ReturnType<typeof fundAccounts>>) {
  const prepared = await prepareTransfers(target, accounts, SATURATION_TRANSFERS)
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  const before = await client.status()
  const samples: { atMs: number; approved: number }[] = []
  let sending = true
  const watch = (async () => {
    for (;;) {
      const status = await client.status()
      samples.push({ atMs: performance.now(), approved: status.txsApproved })
      if (!sending && status.queueSize === 0) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  await send(target, prepared, 0)
  sending = false
  await watch
  const after = await client.status()
  await client.close()
  const committed = after.txsApproved - before.txsApproved
  // From the first to the last sample at which the count moved: neither the ramp before nor the wait after.
  const moving = samples.filter((one) => one.approved > before.txsApproved)
  const first = samples.filter((one) => one.approved === before.txsApproved).at(-1) ?? samples[0]
  const last = moving.find((one) => one.approved === after.txsApproved) ?? moving.at(-1)
  const seconds = ((last?.atMs ?? 0) - (first?.atMs ?? 0)) / 1_000
  return { committed, perSecond: committed / seconds, blocks: after.blocks - before.blocks }
}

async function memoryOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kib = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return { rssMib: kib('VmRSS') / 1024, anonymousMib: kib('RssAnon') / 1024 }
}

/** Brings a network of four up, measures it and takes it down. */
export async function benchNetwork(): Promise<NetworkFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  try {
    const started = performance.now()
    await causeway('localnet', 'up', '--dir', dir, '--json')
    const localnetUpMs = performance.now() - started
    const record = JSON.parse(await readFile(join(dir, 'localnet.json'), 'utf8')) as {
      chain: string
      accounts: { name: string; key_file: string }[]
      peers: { name: string; gateway: string }[]
    }
    const gateways = record.peers.map((peer) => peer.gateway)
    const admin = record.accounts.find((account) => account.name === 'admin')
    if (admin === undefined) throw new Error('the local network has no admin account')
    const client = new CausewayClient({ gateway: gateways[0] ?? '' })
    const codec = await client.codec()
    const { items } = await client.assetDefinitions({})
    const definition = items.find((item) => item.scale === undefined || item.scale <= 2)?.id ?? ''
    const target: LoadTarget = {
      gateways,
      chain: record.chain,
      codec,
      definition,
      domain: definition.slice(definition.indexOf('#') + 1),
      admin: await readKeyFile(join(dir, admin.key_file)),
    }
    const warm = await fundAccounts(target, 1, 'warm')
    const firstCommitMs = performance.now() - started
    if (warm.length === 0) throw new Error('no account was funded')
    const accounts = await fundAccounts(target, ACCOUNTS)
    const figures = { latency: await latency(target, accounts), saturation: await saturation(target, accounts) }
    const status = JSON.parse(await causeway('localnet', 'status', '--dir', dir, '--json')) as {
      peers: { name: string; pid: number }[]
    }
    const nodes = await Promise.all(
      status.peers.map(async (peer) => ({ name: peer.name, ...(await memoryOf(peer.pid)) })),
    )
    await client.close()
    return { localnetUpMs, firstCommitMs, ...figures, nodes }
  } finally {
    await causeway('localnet', 'down', '--dir', dir).catch(() => undefined)
    await rm(dir, { recursive: true, force: true })
  }
}
