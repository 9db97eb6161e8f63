/** Owns the status parts of a core: consensus, its payloads, its lanes, the node. */
import type { Metrics } from '../../api/metrics.js'
import type { TransactionQueue } from '../../queue/index.js'
import type { SignerLink } from '../../signer/client.js'
import type { ConsensusDriver } from '../consensus/driver.js'
import { ConsensusStatus, type ConsensusStatusModules } from './consensus.js'
import type { LaneTelemetry } from './lane-telemetry.js'
import { LaneStatus } from './lanes.js'
import { NodeStatus, type NodeStatusModules } from './node.js'
import { RbcStatus } from './rbc.js'
import { SignerStatus } from './signer.js'

type StatusModules = Omit<ConsensusStatusModules & NodeStatusModules, 'lanes' | 'rbc' | 'signer'> & {
  readonly driver: ConsensusDriver
  readonly queue: TransactionQueue
  readonly laneTelemetry: LaneTelemetry
  readonly signerLink: (() => SignerLink) | undefined
}

export class StatusParts {
  readonly rbc: RbcStatus
  readonly consensus: ConsensusStatus
  readonly node: NodeStatus

  constructor(modules: StatusModules, metrics: Metrics) {
    const { info, driver, queue, laneTelemetry: telemetry, monotonicMs, wallMs } = modules
    const { chainHash } = info
    const lanes = new LaneStatus({ tip: () => driver.tip, queue, telemetry, chainHash }, metrics.consensus)
    this.rbc = new RbcStatus(() => driver.state, monotonicMs, metrics.consensus)
    const signer = new SignerStatus(modules.signerLink, wallMs, metrics.signer)
    this.consensus = new ConsensusStatus({ ...modules, lanes, rbc: this.rbc, signer }, metrics.consensus)
    this.node = new NodeStatus({ ...modules, lanes }, metrics)
  }
}
