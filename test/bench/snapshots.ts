/**
 * Owns the benchmark of snapshots: latency of payments while every node creates one after another, and the start of a
 * node from one.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CausewayClient } from '../../src/client/index.js'
import { formatPublicKey } from '../../src/crypto/index.js'
import { accountsOf, fundAccounts, prepareTransfers } from './load.js'
import { type BenchNetwork, causeway, killPeer, restartPeer, startNetwork, stopNetwork } from './localnet.js'
import { sleep, wallMs } from './measure.js'
import { latency } from './network.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 100_000)
/** Transfers per second: half of the machine's saturation in `--only=network`. */
const RATE = Number(process.env['BENCH_RATE'] ?? 1_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60)
/** Warm-up seconds of a load. */
const WARM_SECONDS = 10

/** Latency without and with snapshots, and seconds until a node without data is in sync from one. */
export async function benchSnapshots() {
  const network = await startNetwork()
  try {
    const { target } = network
    await admitOperator(network)
    const accounts = accountsOf(ACCOUNTS, 'load')
    await fundAccounts(target, accounts)
    const transfers = (): ReturnType<typeof prepareTransfers> =>
      prepareTransfers(target, accounts, RATE * (WARM_SECONDS + SECONDS))
    const without = await latency(network, await transfers(), RATE, WARM_SECONDS)
    const prepared = await transfers()
    const making = makeUntilStopped(network)
    const beside = await latency(network, prepared, RATE, WARM_SECONDS)
    const made = await making.stop()
    return {
      accounts: ACCOUNTS,
      without,
      beside,
      ratioP99: beside.p99Ms / without.p99Ms,
      made,
      start: await startFromSnapshot(network),
    }
  } finally {
    await stopNetwork(network)
  }
}

const adminKey = ({ folder }: BenchNetwork): string => join(folder, 'dev-only-keys', 'admin.json')

/** Make the administrator an operator of every node. */
export async function admitOperator(network: BenchNetwork): Promise<void> {
  const key = formatPublicKey(network.target.admin.publicKey)
  for (const { folder } of network.peers) {
    const file = join(folder, 'node.toml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/^operator_keys = \[\]/m, `operator_keys = ["${key}"]`))
    await causeway('node', 'reload', '--peer-dir', folder)
  }
}

/** Have a node create a snapshot; returns the seconds until it exists, and its size. */
export async function makeSnapshot(network: BenchNetwork, gateway: string) {
  const started = wallMs()
  const words = ['snapshot', 'create', '--gateway', gateway, '--key-file', adminKey(network)]
  const status = JSON.parse(await causeway(...words, '--timeout', '10m', '--json')) as { items: { bytes: number }[] }
  return { seconds: (wallMs() - started) / 1_000, bytes: status.items[0]?.bytes ?? 0 }
}

/** Have all nodes create snapshots continuously; `stop` returns their times and sizes. */
function makeUntilStopped(network: BenchNetwork) {
  let running = true
  const seconds: number[] = []
  let bytes = 0
  const one = async (gateway: string): Promise<void> => {
    while (running) {
      const made = await makeSnapshot(network, gateway)
      seconds.push(made.seconds)
      bytes = made.bytes
    }
  }
  const all = Promise.all(network.peers.map(({ gateway }) => one(gateway)))
  return {
    stop: async () => {
      running = false
      await all
      return { count: seconds.length, seconds, bytes }
    },
  }
}

/**
 * Delete the data of a node and start it from a snapshot; returns the seconds from its start to its first response, and
 * to the height of the others.
 */
export async function startFromSnapshot(network: BenchNetwork) {
  const [first, , , late] = network.peers
  if (first === undefined || late === undefined) throw new Error('a network of four')
  await killPeer(late)
  await sleep(500)
  await rm(join(late.folder, 'data'), { recursive: true })
  const file = join(late.folder, 'node.toml')
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^sync = .*$/m, 'sync = "snapshot"'))
  const others = new CausewayClient({ gateway: first.gateway })
  const { blocks } = await others.status()
  await others.close()
  const started = wallMs()
  await restartPeer(late)
  const answersSeconds = (wallMs() - started) / 1_000
  const client = new CausewayClient({ gateway: late.gateway })
  while ((await client.status()).blocks < blocks) await sleep(50)
  await client.close()
  const log = await readFile(join(late.folder, 'node.log'), 'utf8')
  return {
    blocks,
    answersSeconds,
    inSyncSeconds: (wallMs() - started) / 1_000,
    fromSnapshot: log.includes('state restored from the snapshot of a peer'),
  }
}
