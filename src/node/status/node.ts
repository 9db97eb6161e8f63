/** Owns the status of the node and of its peers: their records and metrics. */
import type { MissingAbi, NodeStatus as NodeStatusRecord, PeerList } from '../../api/index.js'
import { collectFrom, type Metrics, oncePerScrape } from '../../api/metrics.js'
import type { NodeInfo } from '../../api/services.js'
import { isSyncing, peerOf } from '../../consensus/index.js'
import { clipText, GENESIS_HEIGHT } from '../../model/index.js'
import type { LinkStates } from '../../network/index.js'
import type { ConsensusDriver } from '../consensus/driver.js'
import type { Failures } from '../consensus/failures.js'
import { waitsUntilMs } from '../genesis/ahead.js'
import { keyText } from '../peers/names.js'
import type { LaneStatus } from './lanes.js'

/** Maximum length of texts in the records, in bytes. */
const TEXT_MAX_BYTES = 1024

export interface NodeStatusModules {
  readonly info: NodeInfo
  readonly driver: Pick<ConsensusDriver, 'tip' | 'state' | 'peerHeights'>
  /** Link states by the keys of this height. */
  readonly links: LinkStates
  readonly queue: { readonly size: number }
  readonly failures: Failures
  readonly lanes: LaneStatus
  /** Scheduled upgrade that this release cannot run. */
  readonly missingAbi: () => MissingAbi | undefined
  readonly monotonicMs: () => number
  readonly wallMs: () => number
}

export class NodeStatus {
  /** Monotonic, so that uptime does not depend on changes of the wall clock. */
  private readonly startedMs: number

  constructor(
    private readonly modules: NodeStatusModules,
    metrics: Metrics,
  ) {
    this.startedMs = modules.monotonicMs()
    this.collect(metrics)
  }

  /** Record of `GET /status`; restricted lanes are included only for operators. */
  status(operator: boolean): NodeStatusRecord {
    const { driver, queue, links, info, lanes, failures, missingAbi, monotonicMs, wallMs } = this.modules
    const { halted } = failures
    const { tip, state } = driver
    const connected = new Set(links.connected())
    const { committee } = state.context
    const reachable = committee.keys.filter((key) => key === state.self || connected.has(key)).length
    return {
      blocks: tip.height,
      txsApproved: tip.approved,
      txsRejected: tip.rejected,
      queueSize: queue.size,
      peers: connected.size,
      uptimeMs: Math.round(monotonicMs() - this.startedMs),
      synced: halted === undefined && !isSyncing(state.sync, state.context),
      inQuorum: halted === undefined && reachable >= committee.quorum,
      chain: info.chain,
      version: info.version,
      ...lanes.load(operator),
      missingAbi: missingAbi(),
      halted: halted && clipText(halted.reason, TEXT_MAX_BYTES),
      firstHeight: tip.firstHeight === GENESIS_HEIGHT ? undefined : tip.firstHeight,
      cancelledMode: tip.cancelledMode,
      waitsUntilMs:
        tip.height === GENESIS_HEIGHT
          ? waitsUntilMs(tip.header.timeMs, wallMs(), tip.limits.maxClockDriftMs)
          : undefined,
    }
  }

  /** Record of `GET /v1/peers`: all registered peers except this node. */
  peers(): PeerList {
    const { driver, links } = this.modules
    const own = peerOf(driver.tip, driver.state.self)
    const items = driver.tip.peers
      .filter((peer) => peer.key !== own)
      .map((peer) => {
        const lastError = links.lastError(peer.key)
        return {
          id: keyText(peer.key),
          address: peer.addresses[0] ?? '',
          role: peer.role,
          connected: links.isConnected(peer.key),
          height: driver.peerHeights.get(peer.key),
          lastError: lastError && clipText(lastError, TEXT_MAX_BYTES),
        }
      })
    return { items, total: items.length }
  }

  private collect({ node, consensus }: Metrics): void {
    const { info, driver, failures } = this.modules
    const status = oncePerScrape(() => this.status(true))
    collectFrom(node.info, () => [
      [{ version: info.version, chain: info.chain, consensus_mode: info.consensusMode }, 1],
    ])
    collectFrom(node.startTime, () => info.startedAtMs / 1000)
    collectFrom(node.blockHeight, () => status().blocks)
    collectFrom(node.firstHeight, () => driver.tip.firstHeight)
    collectFrom(node.triggerRuns, () => {
      const { approved, rejected } = driver.tip.triggerRuns
      return [
        [{ result: 'approved' }, approved],
        [{ result: 'rejected' }, rejected],
      ]
    })
    collectFrom(node.transactions, () => [
      [{ outcome: 'approved' }, status().txsApproved],
      [{ outcome: 'rejected' }, status().txsRejected],
    ])
    collectFrom(node.queueSize, () => status().queueSize)
    collectFrom(node.connectedPeers, () => status().peers)
    collectFrom(node.synced, () => Number(status().synced))
    collectFrom(node.inQuorum, () => Number(status().inQuorum))
    collectFrom(node.halted, () => Number(failures.halted !== undefined))
    collectFrom(consensus.peers, () => {
      const { items } = this.peers()
      return (['validator', 'observer'] as const).flatMap((role) =>
        (['connected', 'disconnected'] as const).map((state) => {
          const isConnected = state === 'connected'
          return [{ role, state }, items.filter((one) => one.role === role && one.connected === isConnected).length]
        }),
      )
    })
  }
}
