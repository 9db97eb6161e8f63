/** Owns the state of a local network: the status of each peer, and whether all agree. */
import { join } from 'node:path'
import { shortId } from '../../base/ids.js'
import { sleep } from '../../base/sleep.js'
import { CausewayClient } from '../../client/index.js'
import { LedgerError } from '../../model/errors.js'
import { DEFAULT_ADDRESS_PREFIX } from '../../model/index.js'
import type { Localnet, LocalPeer } from '../settings/localnet-record.js'
import { faultText, type LinkFaults, readFaults } from './links/faults.js'
import { pidOf } from './process.js'

/** Timeout of a request to a local peer, in ms. */
const ANSWER_MS = 2_000

/** Status of one peer; fields that need a running peer are null if it does not respond. */
export interface PeerStatus {
  readonly name: string
  readonly gateway: string
  readonly p2p: string
  readonly pid: number | null
  readonly running: boolean
  readonly height: number | null
  readonly block_hash: string | null
  readonly state_root: string | null
  /** Faults of its links from `localnet fault`: partitioned, delayed; null without faults. */
  readonly links: string | null
  /** Reason why a running peer returns no state, or a note that it does not advance. */
  readonly note: string | null
}

/** State of a local network. */
export interface LocalnetStatus {
  readonly chain: string
  readonly genesis_hash: string
  readonly folder: string
  readonly running: number
  /** Highest height of any peer. */
  readonly height: number | null
  /** True if all running peers have the same block hash and state root; null if none responds. */
  readonly agreed: boolean | null
  readonly peers: readonly PeerStatus[]
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Status of one peer. */
export async function peerStatus(peer: LocalPeer, faults: LinkFaults): Promise<PeerStatus> {
  const pid = (await pidOf(peer)) ?? null
  const links = faultText(faults, peer.name) ?? null
  const base = { name: peer.name, gateway: peer.gateway, p2p: peer.p2p, pid, running: pid !== null, links }
  const silent = { ...base, height: null, block_hash: null, state_root: null }
  if (pid === null) return { ...silent, note: null }
  const client = new CausewayClient({ gateway: peer.gateway, timeoutMs: ANSWER_MS, retries: 0 })
  try {
    const { height, blockHash, stateRoot, halted, stall } = await client.consensusStatus()
    const note = halted ?? stall?.text ?? null
    return { ...base, height, block_hash: hex(blockHash), state_root: hex(stateRoot), note }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return { ...silent, note: error.message }
  } finally {
    await client.close()
  }
}

/** Names of the peers by shortened key, without peers in folders that this user cannot read. */
async function namesOf(net: Localnet): Promise<ReadonlyMap<string, string>> {
  const { keysOfFolder } = await import('../settings/key-view.js')
  const names = new Map<string, string>()
  for (const { name, folder } of net.peers) {
    const keys = await keysOfFolder(join(folder, 'keys'), DEFAULT_ADDRESS_PREFIX).catch(() => [])
    for (const key of keys) names.set(shortId(key.public_key), name)
  }
  return names
}

const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  [...names].reduce((statuses, [short, name]) => statuses.replaceAll(short, name), text)

/** Status of all peers of a network. */
export async function localnetStatus(net: Localnet): Promise<LocalnetStatus> {
  const faults = await readFaults(net.folder)
  const statuses = await Promise.all(net.peers.map((peer) => peerStatus(peer, faults)))
  const names = statuses.some(({ note }) => note !== null) ? await namesOf(net) : new Map<string, string>()
  const peers = statuses.map((one) => (one.note === null ? one : { ...one, note: withNames(one.note, names) }))
  const answering = peers.filter((one) => one.height !== null)
  const first = answering[0]
  const same = answering.every((one) => one.block_hash === first?.block_hash && one.state_root === first?.state_root)
  return {
    chain: net.chain,
    genesis_hash: net.genesisHash,
    folder: net.folder,
    running: peers.filter((one) => one.running).length,
    height: first === undefined ? null : Math.max(...answering.map((one) => one.height ?? 0)),
    agreed: first === undefined ? null : same,
    peers,
  }
}

/**
 * Poll until all running peers have the same height, block hash and state root, or the time is up; between blocks,
 * peers are polled at slightly different times.
 */
export async function settledStatus(net: Localnet, timeoutMs: number): Promise<LocalnetStatus> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const status = await localnetStatus(net)
    const whole = status.agreed === true && status.peers.every((one) => !one.running || one.height !== null)
    if (whole || performance.now() > deadlineMs) return status
    await sleep(100)
  }
}
