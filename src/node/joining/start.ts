/**
 * Owns the start of a node without data from a snapshot: temporary links while it has no ledger, then a complete data
 * directory.
 */
import { readdir, rm } from 'node:fs/promises'
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import type { CryptoService } from '../../crypto/index.js'
import { abiScheduleOf } from '../../executor/index.js'
import type { Peer } from '../../model/index.js'
import { PeerLinks, type TransportHandler } from '../../network/index.js'
import { failPoint, joiningFolder, openDataDir } from '../../storage/index.js'
import { formatHostPort, type NodeConfig } from '../config/index.js'
import { type NodeKeys, peerNameOf } from '../identity/identity.js'
import type { OfflinePlace } from '../offline/offline.js'
import { buildFromSnapshot } from '../offline/restore-snapshot.js'
import { PEER_FAULTS, PeerConduct } from '../peers/conduct.js'
import { helloOf, infoOf } from '../peers/node-info.js'
import type { Logger } from '../process/logger.js'
import { SnapshotDownload } from './download.js'
import { SnapshotJoin } from './join.js'

/** Number of chunks of 1 MiB per log line. */
const CHUNKS_PER_LINE = 16

export interface SnapshotStart {
  readonly config: NodeConfig
  readonly place: OfflinePlace
  readonly keys: NodeKeys
  readonly version: string
  readonly crypto: CryptoService
  readonly logger: Logger
  readonly signal: AbortSignal | undefined
}

/**
 * True if a node with this configuration starts by requesting a snapshot from peers. Removes the remains of a used
 * download.
 */
export async function startsFromSnapshot({ sync, dataDir }: NodeConfig): Promise<boolean> {
  if (sync !== 'snapshot') return false
  const entries = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length > 0) await rm(joiningFolder(dataDir), { recursive: true, force: true })
  return entries.length === 0
}

/**
 * Fill the data directory from the best offered snapshot; without an offer it stays empty, and the node syncs blocks
 * from genesis. The peers are those of genesis; later peers connect to them.
 */
export async function startFromSnapshot(start: SnapshotStart): Promise<void> {
  const { config, place, keys, logger } = start
  const { pinned, folder } = place
  const { chain } = pinned.genesis.payload.value
  const joining = joiningFolder(folder)
  const held = await openDataDir(joining, { chain, genesisHash: pinned.hash }, 'node')
  const links = new PeerLinks({ seed: keys.network.secret, listen: formatHostPort(config.network.listen), logger })
  const { monotonicMs } = SYSTEM_CLOCKS
  const conduct = new PeerConduct({
    monotonicMs,
    isMember: ofGenesis,
    count: () => {},
    ban: (peer, kind) => links.ban(peer, PEER_FAULTS[kind].text),
  })
  try {
    const download = new SnapshotDownload(joining)
    const peers = pinned.genesis.payload.value.topology
    const own = peerNameOf(keys, peers)
    const join = new SnapshotJoin({
      pinned,
      peers: peers.filter(({ key }) => key !== own).length,
      transport: links,
      conduct,
      crypto: start.crypto,
      download,
      restore: (path) => restore(start, path),
      logger,
      monotonicMs,
      onProgress: (done, total) => {
        if (done % CHUNKS_PER_LINE === 0 || done === total) logger.info({ done, total }, 'snapshot download progress')
      },
      signal: start.signal,
    })
    await links.start(handlerOf(start, peers, join, conduct))
    const restored = await join.run()
    if (restored === undefined) logger.warn('no peer offers a snapshot: syncing blocks from genesis on')
    else logger.info({ height: restored.height, rows: restored.rows }, 'state restored from the snapshot of a peer')
  } finally {
    await links.close()
    await held.close()
  }
  await rm(joining, { recursive: true, force: true })
}

const restore = ({ config, place, crypto }: SnapshotStart, path: string) => {
  failPoint(411)
  const { treeBits } = config.state
  return buildFromSnapshot(place, { path, crypto, treeBits, trustedBlock: config.snapshots.trustBlock })
}

/** Membership check of a node with only genesis: it links to peers of genesis, all of which count as members. */
const ofGenesis = (): boolean => true

/** Message handler of a node that has only genesis. */
function handlerOf(
  { place, keys, version }: SnapshotStart,
  peers: readonly Peer[],
  join: SnapshotJoin,
  conduct: PeerConduct,
): TransportHandler {
  const identity = { version, keys, pinned: place.pinned }
  const schedule = abiScheduleOf(place)
  const info = infoOf(identity, schedule, () => place.pinned.genesis.payload.value.consensusMode)
  return {
    peers: () => peers,
    isMember: ofGenesis,
    hello: () => helloOf(identity, info, { height: 1, peers }),
    onMessage: (from, channel, body) => {
      if (conduct.allowsBytes(from, channel, body.length)) join.onMessage(from, channel, body)
    },
    onFault: (peer, kind) => conduct.fault(peer, kind),
    onUp: () => {},
    onDown: () => {},
  }
}
