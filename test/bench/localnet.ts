/** Owns the network of a benchmark: four validators as processes, fsync on, mutual TLS, stopped at the end. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pidOf, startPeer } from '../../src/cli/localnet/process.js'
import { type LocalPeer, readLocalnet } from '../../src/cli/settings/localnet-record.js'
import { CausewayClient } from '../../src/client/index.js'
import { formatPublicKey } from '../../src/crypto/index.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { freePorts } from '../support/ports.js'
import type { LoadTarget } from './load.js'

const run = promisify(execFile)
/** Maximum peers of a network. */
const PEERS_MAX = 16
export const BIN = new URL('../../../bin/run.js', import.meta.url).pathname

/** Run a command of this program; resolves with its standard output. */
export async function causeway(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [BIN, ...args], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** Running network with the inputs of a load. */
export interface BenchNetwork {
  readonly folder: string
  readonly peers: readonly LocalPeer[]
  readonly target: LoadTarget
  readonly upMs: number
  /** Signed genesis, for a ledger without the network. */
  readonly genesisFile: string
}

/** Start four validators in a new folder; `words` are further flags. */
export async function startNetwork(...words: readonly string[]): Promise<BenchNetwork> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  const port = await freePorts(2 * PEERS_MAX)
  const ports = ['--gateway-port', String(port), '--p2p-port', String(port + PEERS_MAX)]
  const started = performance.now()
  await causeway('localnet', 'up', '--dir', folder, '--json', ...ports, ...words)
  const upMs = performance.now() - started
  const net = await readLocalnet(folder)
  const admin = net?.accounts.find((account) => account.name === 'admin')
  const first = net?.peers[0]
  if (net === undefined || admin === undefined || first === undefined) throw new Error('the local network is not whole')
  const client = new CausewayClient({ gateway: first.gateway })
  const codec = await client.codec()
  const { items } = await client.assetDefinitions({})
  await client.close()
  const definition = items.find((item) => item.scale === undefined || item.scale <= 2)?.id ?? ''
  const target: LoadTarget = {
    gateways: net.peers.map((peer) => peer.gateway),
    chain: net.chain,
    codec,
    definition,
    domain: definition.slice(definition.indexOf('#') + 1),
    admin: await readKeyFile(admin.keyFile),
  }
  return { folder, peers: net.peers, target, upMs, genesisFile: join(folder, 'genesis.signed') }
}

/** End every process and remove the folder. */
export async function stopNetwork(network: BenchNetwork): Promise<void> {
  await causeway('localnet', 'down', '--dir', network.folder).catch(() => undefined)
  await rm(network.folder, { recursive: true, force: true })
}

/** Public key of each peer in the text form of the status. */
export async function validatorKeys(network: BenchNetwork): Promise<Map<string, LocalPeer>> {
  const keys = new Map<string, LocalPeer>()
  for (const peer of network.peers) {
    const pair = await readKeyFile(join(peer.folder, 'keys', 'validator.json'))
    keys.set(formatPublicKey(pair.publicKey), peer)
  }
  return keys
}

/** Kill a peer like a power failure. */
export async function killPeer(peer: LocalPeer): Promise<void> {
  const pid = await pidOf(peer)
  if (pid === undefined) throw new Error(`${peer.name} does not run`)
  process.kill(pid, 'SIGKILL')
}

/** Restart a killed peer and wait until its gateway responds. */
export async function restartPeer(peer: LocalPeer): Promise<void> {
  const started = await startPeer(peer, BIN)
  started.release()
  const client = new CausewayClient({ gateway: peer.gateway })
  for (;;) {
    const up = await client.status().then(
      () => true,
      () => false,
    )
    if (up) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await client.close()
}

/** Memory of a process in MiB, and its processor time so far in seconds. */
export async function usageOf(peer: LocalPeer) {
  const pid = await pidOf(peer)
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kib = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // Fields 14 and 15 of proc(5), in ticks of 10 ms; two fields precede the split.
  const cpuSeconds = (Number(stat[11]) + Number(stat[12])) / 100
  return { rssMib: kib('VmRSS') / 1024, anonymousMib: kib('RssAnon') / 1024, cpuSeconds }
}
