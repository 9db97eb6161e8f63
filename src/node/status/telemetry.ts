/** Owns consensus telemetry: phases, view changes with their reasons, the time of the last commit. */
import type { Report } from '../../consensus/index.js'
import type { ValidatorKey } from '../../model/index.js'

/** Weight of the newest sample in the moving averages (docs/design/consensus.md 6). */
const ALPHA = 0.2

/** Last value and moving average of one phase, in ms. */
export interface PhaseSample {
  readonly lastMs: number
  readonly emaMs: number
}

export class ConsensusTelemetry {
  /** Times when the links to absent peers ended, monotonic ms. */
  readonly downSinceMs = new Map<ValidatorKey, number>()
  readonly phases = new Map<string, PhaseSample>()
  readonly viewChangeReasons = new Map<string, number>()
  viewChanges = 0
  /** Time of the last commit, or of the start, monotonic ms. */
  lastCommitMs: number
  readonly badSignatures = new Map<string, number>()
  /** Number of invalid block ranges by the peer that served them. */
  readonly badRanges = new Map<string, number>()

  constructor(monotonicMs: number) {
    this.lastCommitMs = monotonicMs
  }

  take(report: Report): void {
    switch (report.kind) {
      case 'phase': {
        const before = this.phases.get(report.phase)
        const emaMs = before === undefined ? report.elapsedMs : before.emaMs + ALPHA * (report.elapsedMs - before.emaMs)
        this.phases.set(report.phase, { lastMs: report.elapsedMs, emaMs })
        return
      }
      case 'viewEntered':
        if (report.view === 0) return
        this.viewChanges += 1
        this.viewChangeReasons.set(report.cause, (this.viewChangeReasons.get(report.cause) ?? 0) + 1)
        return
      case 'badSignature':
        this.badSignatures.set(report.peer, (this.badSignatures.get(report.peer) ?? 0) + 1)
        return
      case 'badSync':
        this.badRanges.set(report.peer, (this.badRanges.get(report.peer) ?? 0) + 1)
        return
      default:
    }
  }
}
