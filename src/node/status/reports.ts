/** Owns the handling of consensus reports: telemetry, metrics, log lines, and the counting of peer faults. */
import type { Metrics } from '../../api/metrics.js'
import { errorMessage } from '../../base/thrown.js'
import { type KeySchedules, peerOf, type Report } from '../../consensus/index.js'
import type { ValidatorKey } from '../../model/index.js'
import type { PeerConduct, PeerFaultKind } from '../peers/conduct.js'
import { PeerLog } from '../peers/log.js'
import { shortName } from '../peers/names.js'
import type { Logger } from '../process/logger.js'
import type { ConsensusTelemetry } from './telemetry.js'

export interface ReportModules {
  readonly telemetry: ConsensusTelemetry
  readonly metrics: Metrics['consensus']
  readonly conduct: Pick<PeerConduct, 'fault'>
  readonly logger: Logger
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  /** Keys of this height, which map the member in a report to the peer of its link. */
  readonly keys: () => KeySchedules
}

export class ConsensusReports {
  private readonly peerLog: PeerLog

  constructor(private readonly modules: ReportModules) {
    this.peerLog = new PeerLog(modules.logger, modules.monotonicMs)
  }

  take(report: Report): void {
    const { telemetry, metrics, conduct, logger, keys } = this.modules
    telemetry.take(report)
    switch (report.kind) {
      case 'phase':
        metrics.phaseLatency.observe({ phase: report.phase }, report.elapsedMs / 1000)
        return
      case 'viewEntered':
        if (report.view === 0) return
        logger.info({ height: report.height, view: report.view, cause: report.cause }, 'view entered')
        return
      case 'refused':
        logger.debug({ height: report.height, view: report.view, why: report.why }, 'block refused')
        return
      case 'dropped':
        metrics.dropped.inc({ message: report.message, reason: report.reason })
        this.logDropped(report)
        return
      case 'badSignature':
        conduct.fault(peerOf(keys(), report.peer), 'bad_signature')
        this.peerLog.warn(report.peer, 'bad signature', { what: report.what })
        return
      case 'lacksBlock':
        this.peerLog.warn(report.peer, 'peer does not have the next block of this node', {
          height: report.height,
        })
        return
      case 'badSync':
        conduct.fault(peerOf(keys(), report.peer), 'bad_blocks')
        this.peerLog.warn(report.peer, 'peer serves invalid blocks; not used for sync for a while', {
          height: report.height,
          what: report.what,
        })
        return
    }
  }

  private logDropped({ from, ...where }: Extract<Report, { kind: 'dropped' }>): void {
    const { logger, keys } = this.modules
    // Peers determine the number of these lines: without their level none is built.
    if (!logger.isLevelEnabled('debug')) return
    logger.debug({ ...where, kind: undefined, peer: shortName(peerOf(keys(), from)) }, 'message dropped')
  }

  /** Count a fault that no correct peer commits, or a failed response to the peer. */
  peerFault(peer: ValidatorKey, kind: PeerFaultKind, error: unknown): void {
    this.modules.conduct.fault(peer, kind)
    if (error === undefined) return
    const why = errorMessage(error)
    this.modules.logger.debug({ peer: shortName(peer), kind, why }, 'cannot answer a message of a peer')
  }
}
