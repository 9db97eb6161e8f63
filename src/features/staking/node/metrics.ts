/** Owns the metrics of epochs. */
import { defineMetrics } from '../../../api/metrics.js'
import type { NodeServices } from '../../../api/services.js'
import * as queries from '../schema/queries.js'

export const stakingMetrics = defineMetrics(({ gauge }) => ({
  epoch: gauge('consensus_epoch', 'Epoch that runs; 0 also in a network that never elected anybody'),
  blocksLeft: gauge('consensus_epoch_blocks_left', 'Blocks until the next epoch; 0 in permissioned time'),
  securityBps: gauge('consensus_election_security_bps', 'Share of stake that the last election secures, in bps'),
  kept: gauge('consensus_election_kept_total', 'Elections that left the roster as it was'),
  commits: gauge('consensus_randomness_commits', 'Commitments in the epoch that runs'),
  reveals: gauge('consensus_randomness_reveals', 'Reveals in the epoch that runs'),
  weak: gauge('consensus_randomness_weak_total', 'Epochs with a weak seed that this node saw begin'),
}))

/** Keeps them after each block; one look at a time. */
export function watchEpochs(services: NodeServices, metrics: ReturnType<typeof stakingMetrics>): { close(): void } {
  let isBusy = false
  let weakEpoch = 0
  const look = async (): Promise<void> => {
    const found = await services.query(queries.stakingEpoch, { epoch: undefined })
    if (found === undefined) return
    metrics.epoch.set(found.epoch)
    metrics.blocksLeft.set(found.blocksLeft ?? 0)
    metrics.securityBps.set(found.election?.securityBps ?? 0)
    metrics.kept.set(found.keptElections)
    metrics.commits.set(found.commits)
    metrics.reveals.set(found.reveals)
    if (found.record?.weak === 'weak' && found.epoch > weakEpoch) {
      weakEpoch = found.epoch
      metrics.weak.inc()
    }
  }
  const stop = services.onCommit(() => {
    if (isBusy || !services.queries.has(queries.stakingEpoch.kind)) return
    isBusy = true
    // A node that closes answers nothing any more: the next look, if there is one, says the same.
    look()
      .catch(() => undefined)
      .finally(() => {
        isBusy = false
      })
  })
  return { close: stop }
}
