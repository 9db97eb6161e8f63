/** Owns the parts of a core that show what it does: consensus, its payloads, its lanes, the node. */
import type { Metrics } from '../../api/metrics.js'
import type { TransactionQueue } from '../../queue/index.js'
import type { ConsensusDriver } from '../driver.js'
import { ConsensusStatus, type ConsensusStatusModules } from './consensus.js'
import type { LaneTelemetry } from './lane-telemetry.js'
import { LaneStatus } from './lanes.js'
import { NodeStatus, type NodeStatusModules } from './node.js'
import { RbcStatus } from './rbc.js'

type StatusModules = Omit<ConsensusStatusModules & NodeStatusModules, 'lanes' | 'rbc'> & {
  readonly driver: ConsensusDriver
  readonly queue: TransactionQueue
  readonly laneTelemetry: LaneTelemetry
}

export class StatusParts {
  readonly rbc: RbcStatus
  readonly consensus: ConsensusStatus
  readonly node: NodeStatus

  constructor(modules: StatusModules, metrics: Metrics) {
    const { info, driver, queue, laneTelemetry: telemetry, monotonicMs } = modules
    const { chainHash } = info
    const lanes = new LaneStatus({ tip: () => driver.tip, queue, telemetry, chainHash }, metrics.consensus)
    this.rbc = new RbcStatus(() => driver.state, monotonicMs, metrics.consensus)
    this.consensus = new ConsensusStatus({ ...modules, lanes, rbc: this.rbc }, metrics.consensus)
    this.node = new NodeStatus({ ...modules, lanes }, metrics)
  }
}
