/** Owns four CometBFT validators with its key-value application on this machine, and a load of puts on them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool, WebSocket } from 'undici'
import { freePorts } from '../support/ports.js'
import { sleep, wallMs } from './measure.js'
import { quantile } from './quantile.js'

const run = promisify(execFile)
const VALIDATORS = 4
/** Size of a put, in bytes, as in published measurements; the transfers of this ledger have 270 and a signature. */
const PUT_BYTES = 200
const CONNECTIONS_PER_VALIDATOR = 16
/** Maximum pending puts without a given rate: below the capacity of its mempools. */
const UNDER_WAY = 8_000
const MEMPOOL_PUTS = 50_000
const READY_MS = 30_000
/** Time after the last put for its block, in ms. */
const DRAIN_MS = 5_000
/** Interval at which due puts are sent, in ms. */
const TICK_MS = 5

/** A running network. */
export interface CometNetwork {
  /** HTTP addresses of the validators, without a scheme. */
  readonly rpc: readonly string[]
  stop(): Promise<void>
}

/** Result of a load. */
export interface CometFigures {
  readonly committed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const freeAddress = async (): Promise<string> => `127.0.0.1:${await freePorts(1)}`

/**
 * Start a network. `timeoutCommit`: time for which a validator waits for more votes after a block; undefined: its
 * default.
 */
export async function startComet(binary: string, timeoutCommit: string | undefined): Promise<CometNetwork> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-comet-'))
  await run(binary, ['testnet', '--v', String(VALIDATORS), '--o', folder, '--populate-persistent-peers=false'])
  const nodes = await Promise.all(
    Array.from({ length: VALIDATORS }, async (_, index) => {
      const home = join(folder, `node${index}`)
      const { stdout } = await run(binary, ['show-node-id', '--home', home])
      return { home, id: stdout.trim(), p2p: await freeAddress(), rpc: await freeAddress() }
    }),
  )
  const peers = nodes.map(({ id, p2p }) => `${id}@${p2p}`).join(',')
  const env = {
    ...process.env,
    CMT_P2P_ALLOW_DUPLICATE_IP: 'true',
    CMT_P2P_ADDR_BOOK_STRICT: 'false',
    CMT_RPC_PPROF_LADDR: '',
    CMT_MEMPOOL_SIZE: String(MEMPOOL_PUTS),
    ...(timeoutCommit === undefined
      ? {}
      : { CMT_CONSENSUS_TIMEOUT_COMMIT: timeoutCommit, CMT_CONSENSUS_SKIP_TIMEOUT_COMMIT: 'true' }),
  }
  const children: ChildProcess[] = nodes.map(({ home, p2p, rpc }) => {
    const words = ['node', '--home', home, '--proxy_app=kvstore', '--log_level', 'error']
    const places = ['--p2p.laddr', `tcp://${p2p}`, '--rpc.laddr', `tcp://${rpc}`, '--p2p.persistent_peers', peers]
    return spawn(binary, [...words, ...places], { env, stdio: 'ignore' })
  })
  const network: CometNetwork = {
    rpc: nodes.map(({ rpc }) => rpc),
    async stop() {
      const ended = children.map((child) =>
        child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : undefined,
      )
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(ended)
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await Promise.all(network.rpc.map(hasBlocks))
  } catch (error) {
    await network.stop()
    throw error
  }
  return network
}

async function hasBlocks(rpc: string): Promise<void> {
  const deadline = performance.now() + READY_MS
  for (;;) {
    const height = await fetch(`http://${rpc}/status`)
      .then(async (answer) => (await answer.json()) as { result: { sync_info: { latest_block_height: string } } })
      .then(
        ({ result }) => Number(result.sync_info.latest_block_height),
        () => 0,
      )
    if (height >= 2) return
    if (performance.now() > deadline) throw new Error(`CometBFT at ${rpc} made no block within ${READY_MS} ms`)
    await sleep(100)
  }
}

interface NewBlock {
  readonly result?: { readonly data?: { readonly value?: { readonly block?: { readonly data: { txs: string[] } } } } }
}

/** Receive the transactions of each block through the subscription of one validator. */
async function subscribeBlocks(rpc: string, onBlock: (puts: readonly string[]) => void): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${rpc}/websocket`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  socket.addEventListener('message', ({ data }) => {
    const block = (JSON.parse(String(data)) as NewBlock).result?.data?.value?.block
    if (block !== undefined) onBlock(block.data.txs.map((put) => Buffer.from(put, 'base64').toString('latin1')))
  })
  const params = { query: "tm.event='NewBlock'" }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params }))
  return socket
}

/**
 * Send puts to all validators for some seconds, at a rate or as fast as they accept them; the first seconds are a
 * warm-up. A put is committed when a subscriber receives the block.
 */
export async function loadComet(
  { rpc }: CometNetwork,
  rate: number | undefined,
  seconds: { readonly warm: number; readonly measured: number },
): Promise<CometFigures> {
  const pools = rpc.map((place) => new Pool(`http://${place}`, { connections: CONNECTIONS_PER_VALIDATOR }))
  const sentMs = new Map<string, number>()
  const times: number[] = []
  const startedMs = wallMs()
  const measuredMs = startedMs + seconds.warm * 1_000
  const endMs = measuredMs + seconds.measured * 1_000
  let [committed, refused, sent] = [0, 0, 0]
  const socket = await subscribeBlocks(rpc[0] ?? '', (puts) => {
    const now = wallMs()
    if (now >= measuredMs && now < endMs) committed += puts.length
    for (const put of puts) {
      const at = sentMs.get(put)
      sentMs.delete(put)
      if (at !== undefined && at >= measuredMs) times.push(now - at)
    }
  })
  const send = async (): Promise<void> => {
    sent += 1
    const put = `${startedMs}-${sent}=`.padEnd(PUT_BYTES, 'x')
    sentMs.set(put, wallMs())
    const params = { tx: Buffer.from(put, 'latin1').toString('base64') }
    const body = JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'broadcast_tx_sync', params })
    const headers = { 'content-type': 'application/json' }
    const pool = pools[sent % pools.length] as Pool
    const answer = await pool.request({ path: '/', method: 'POST', headers, body })
    const { result } = (await answer.body.json()) as { result?: { code: number } }
    if (result?.code === 0) return
    refused += 1
    sentMs.delete(put)
  }
  if (rate === undefined) {
    const connections = pools.length * CONNECTIONS_PER_VALIDATOR
    const worker = async (): Promise<void> => {
      while (wallMs() < endMs) await (sentMs.size < UNDER_WAY ? send() : sleep(TICK_MS))
    }
    await Promise.all(Array.from({ length: connections }, worker))
  } else {
    const sending: Promise<void>[] = []
    while (wallMs() < endMs) {
      const due = ((wallMs() - startedMs) / 1_000) * rate
      while (sent < due) sending.push(send())
      await sleep(TICK_MS)
    }
    await Promise.all(sending)
  }
  await sleep(DRAIN_MS)
  socket.close()
  await Promise.all(pools.map((pool) => pool.close()))
  if (refused > 0) process.stderr.write(`bench: CometBFT refused ${refused} puts\n`)
  return {
    committed,
    perSecond: committed / seconds.measured,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  }
}
