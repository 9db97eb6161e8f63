/**
 * Owns the composition root: one node from its configuration, started in order and stopped in reverse
 * (ARCHITECTURE.md).
 */
import { availableParallelism } from 'node:os'
import { collectFrom, metricsOf } from '../api/metrics.js'
import { errorMessage } from '../base/thrown.js'
import { ProofThread } from '../crypto/circuits/service.js'
import { CryptoPool } from '../crypto/index.js'
import { ABIS, NEWEST_ABI, startAbi } from '../features/abi.js'
import type { GatewayTls } from '../gateway/index.js'
import { GENESIS_HEIGHT, keyString, LedgerError } from '../model/index.js'
import { PeerLinks } from '../network/index.js'
import type { SignerLink } from '../signer/client.js'
import { AUDIT_LOG_FILE, AuditLog, type DataDir, failPoint, openDataDir, votedMarks } from '../storage/index.js'
import { formatHostPort, type NodeConfig } from './config/index.js'
import type { ConsensusSigner } from './consensus/signer.js'
import { NodeCore } from './core.js'
import { assertExpected } from './expected-chain.js'
import { openGateway, openStarting } from './gateway.js'
import { aheadText } from './genesis/ahead.js'
import { keyFilesOf, type NodeKeys, peerNameOf, readStartFiles } from './identity/identity.js'
import { type SnapshotStart, startFromSnapshot, startsFromSnapshot } from './joining/start.js'
import type { LedgerPort } from './ledger/protocol.js'
import { startLedger } from './ledger/remote.js'
import { Closers } from './process/closers.js'
import { FatalError } from './process/fatal.js'
import type { Logger } from './process/logger.js'
import { processLimits, warnOfFewFiles } from './process/open-files.js'
import type { Reloadable } from './reload/reload.js'
import { addRuntimeMetrics, collectProcess, collectStores } from './status/process.js'
import { TrialThread } from './trials/thread.js'

/** Number of cores that consensus and the ledger keep busy. */
const CORES_IN_USE = 2
/** Maximum crypto threads if the configuration says 0; with more, the other two threads limit a node. */
const CRYPTO_THREADS_DEFAULT_MAX = 4

/** Number of crypto threads if the configuration does not set it. */
const defaultCryptoThreads = (): number =>
  Math.max(1, Math.min(CRYPTO_THREADS_DEFAULT_MAX, availableParallelism() - CORES_IN_USE))

/** Options of a running node. */
export interface NodeOptions {
  readonly version: string
  readonly logger: Logger
  /** Number of lines that the log sink dropped. */
  readonly lostLogLines: () => number
  /** Set if the operator accepts that this node may have lost some of its votes (docs/design/consensus.md 8). */
  readonly acceptAmnesia: boolean
  /** Set if the operator declares that these keys never voted on this chain (docs/design/hardening.md 6). */
  readonly firstStart: boolean
  /** Signer for the consensus keys, under a lease; undefined: the node has their secrets. */
  readonly signer?: ConsensusSigner
  /** State of the connection to the signer, also for a standby; undefined: no signer. */
  readonly signerLink?: () => SignerLink
  /** Secret that decrypts what services have sealed; undefined for the secret of the network key. */
  readonly sealSecret?: Uint8Array
  /** Called if the node cannot continue: the process must end with a failure. */
  readonly onFatal: (error: FatalError) => void
  /** Called while stored blocks are executed again at the start. */
  readonly onReplay?: (height: number, target: number) => void
  /** Ends the replay of stored blocks, which may take minutes: the start then fails with `node_stopping`. */
  readonly signal?: AbortSignal
}

/** Parts of a node that tests replace. */
export interface NodeModules {
  readonly startLedger: typeof startLedger
  readonly processLimits: typeof processLimits
}

const MODULES: NodeModules = { startLedger, processLimits }

/** A running node. */
export interface RunningNode extends Reloadable {
  readonly gatewayUrl: string
  readonly peerAddress: string
  readonly chain: string
  readonly genesisHash: string
  /** Height at the start, after replay. */
  readonly height: number
  close(): Promise<void>
}

/** Start a node: identity, data directory, ledger, consensus, links, gateway. Throws a `LedgerError` with the fault. */
export async function startNode(
  config: NodeConfig,
  options: NodeOptions,
  modules: Partial<NodeModules> = {},
): Promise<RunningNode> {
  const closers = new Closers()
  try {
    return await assemble(config, options, { ...MODULES, ...modules }, closers)
  } catch (error) {
    await closeAll(closers, options.logger)
    throw error
  }
}

const closeAll = (closers: Closers, logger: Logger): Promise<void> =>
  closers.run((error) => logger.error({ error: errorMessage(error) }, 'a component did not stop cleanly'))

async function assemble(
  config: NodeConfig,
  options: NodeOptions,
  modules: NodeModules,
  closers: Closers,
): Promise<RunningNode> {
  const { logger } = options
  const { pinned, keys, tls } = await readStartFiles(config, NEWEST_ABI)
  const abi = startAbi(pinned.genesis.payload.value.abi)
  // Served nevertheless: clients decide whether to trust it.
  if (tls !== undefined && tls.expiresAtMs < Date.now()) {
    logger.warn({ file: config.gateway.tls?.certFile }, 'the certificate of the gateway has expired')
  }
  warnOfFewFiles(await modules.processLimits(), logger)
  const payload = pinned.genesis.payload.value
  const genesisHash = pinned.hash.toString('hex')
  if (await startsFromSnapshot(config)) {
    const place = { folder: config.dataDir, abi, abis: ABIS, pinned }
    await joinNetwork(config, { place, keys, logger, version: options.version, signal: options.signal }, tls)
  }
  const dataDir: DataDir = await openDataDir(config.dataDir, { chain: payload.chain, genesisHash: pinned.hash }, 'node')
  closers.add(() => dataDir.close())
  failPoint(400)
  let replayed = 0
  const starting = await openStarting(config, tls, { version: options.version, height: () => replayed })
  closers.add(() => starting.close())
  const audit = await openAudit(config.dataDir, options)
  closers.add(() => audit.close())

  const ledger = await openLedgerThread(config, options, modules, (height) => {
    replayed = height - 1
  })
  closers.add(() => ledger.close())
  failPoint(402)
  const { crypto, proofs, trials } = openThreads(config, abi.number, ledger, closers)
  const transport = new PeerLinks({
    seed: keys.network.secret,
    listen: formatHostPort(config.network.listen),
    logger,
  })
  const core = await NodeCore.open({
    ...givenTo(config, options),
    abi,
    abis: ABIS,
    keys,
    pinned,
    ledger,
    crypto,
    proofs,
    trials,
    transport,
    marks: votedMarks(keyFilesOf(config), pinned.chainHash),
  })
  closers.add(() => core.close())
  collectRuntime(core, config.dataDir, options.lostLogLines)
  assertExpected(config, core)
  warnWhenUnknown(core, keys, logger)
  if (core.height === GENESIS_HEIGHT) {
    const ahead = aheadText(payload.createdAtMs, Date.now())
    if (ahead !== undefined) logger.warn(ahead)
  }

  await transport.start(core)
  closers.add(() => transport.close())
  const { gateway, reload } = await openGateway(config, core.services, {
    audit,
    tls,
    sealSecret: options.sealSecret ?? keys.network.secret,
    keys: keys.features,
    logger,
    starting,
    onClose: (step) => closers.add(step),
  })
  closers.add(() => gateway.close())
  const { url } = await gateway.listen()
  await core.start()
  logger.info(
    {
      chain: payload.chain,
      genesis: genesisHash,
      height: core.height,
      gateway: url,
      peers: transport.address,
    },
    'node started',
  )
  return {
    gatewayUrl: url,
    peerAddress: transport.address,
    chain: payload.chain,
    genesisHash,
    height: core.height,
    reload: (next) => reload.take(next),
    close: () => closeAll(closers, logger),
  }
}

/** Core options taken from the configuration and the node options. */
const givenTo = (
  { dataDir, queue, payloads, snapshots, storage }: NodeConfig,
  { version, logger, signer, signerLink, acceptAmnesia, firstStart, onFatal }: NodeOptions,
) => ({
  dataDir,
  queue,
  payloads,
  snapshots,
  storage,
  version,
  logger,
  signer,
  signerLink,
  acceptAmnesia,
  firstStart,
  onFatal,
})

/** Start the ledger thread; `onReplay` gets the height of each stored block that it executes again. */
const openLedgerThread = (
  config: NodeConfig,
  options: NodeOptions,
  modules: NodeModules,
  onReplay: (height: number) => void,
): Promise<LedgerPort> =>
  modules.startLedger(
    {
      folder: config.dataDir,
      genesisFile: config.genesis.file,
      cacheBytes: config.state.cacheMib * 1024 * 1024,
      treeBits: config.state.treeBits,
    },
    {
      onReplay: (height, target) => {
        options.logger.info({ height, target }, 'replaying blocks')
        onReplay(height)
        options.onReplay?.(height, target)
      },
      onLost: (error) => options.onFatal(new FatalError('ledger', error)),
    },
    options.signal,
  )

/** Open the threads beside the ledger thread: signatures, proofs, and dry runs on the state of the last block. */
function openThreads(config: NodeConfig, genesisAbi: number, ledger: LedgerPort, closers: Closers) {
  const crypto = new CryptoPool({ threads: config.crypto.threads || defaultCryptoThreads() })
  closers.add(() => crypto.close())
  const proofs = new ProofThread()
  closers.add(() => proofs.close())
  const trials = new TrialThread({ folder: config.dataDir, genesisAbi }, ledger)
  closers.add(() => trials.close())
  return { crypto, proofs, trials }
}

/** Collect the metrics of the process and of its stores. */
function collectRuntime(core: NodeCore, dataDir: string, lostLogLines: () => number): void {
  const metrics = metricsOf(core.services.metrics)
  collectFrom(metrics.node.lostLogLines, lostLogLines)
  addRuntimeMetrics(core.services.metrics)
  collectProcess(metrics.process)
  collectStores(metrics.process, dataDir)
}

/** Bring a node without data to the state of a snapshot, while its gateway reports that it is starting. */
async function joinNetwork(
  config: NodeConfig,
  start: Omit<SnapshotStart, 'config' | 'crypto'>,
  tls: GatewayTls | undefined,
): Promise<void> {
  const starting = await openStarting(config, tls, { version: start.version, height: () => 0 })
  const crypto = new CryptoPool({ threads: config.crypto.threads || defaultCryptoThreads() })
  try {
    await startFromSnapshot({ ...start, config, crypto })
  } finally {
    await crypto.close()
    await starting.close()
  }
}

/** Open the audit log; a broken chain is logged and does not prevent the start. */
async function openAudit(
  folder: string,
  { logger, onFatal }: Pick<NodeOptions, 'logger' | 'onFatal'>,
): Promise<AuditLog> {
  const audit = await AuditLog.open(folder, { onFault: (error) => onFatal(new FatalError('audit_log', error)) })
  if (audit.broken !== undefined) {
    const { line, reason } = audit.broken
    logger.warn(
      { code: 'storage_corrupt', file: AUDIT_LOG_FILE, line, reason },
      'the hash chain of the audit log is broken; starting a new segment',
    )
  }
  return audit
}

/** Warn the operator if the key of this node is not registered: the node then only follows. */
function warnWhenUnknown(core: NodeCore, keys: NodeKeys, logger: Logger): void {
  const name = peerNameOf(keys, core.tip.peers)
  const registered = core.tip.peers.find((peer) => peer.key === name)
  if (registered === undefined) {
    logger.warn('the validator key of this node is not registered on the ledger: peers will refuse it')
  } else if (registered.networkKey !== keyString(keys.network.publicKey.bytes)) {
    throw new LedgerError(
      'key_file_invalid',
      'the network key differs from the one registered with the validator key',
      {
        hint: 'Use the network key of the same peer card, or register the new one.',
      },
    )
  }
}
