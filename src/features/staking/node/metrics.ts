/** Owns the metrics of epochs. */

import type { Logger } from 'pino'
import { collectAwaited, defineMetrics } from '../../../api/metrics.js'
import { ScrapedFigures } from '../../../api/scraped-figures.js'
import type { NodeServices } from '../../../api/services.js'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import type { StakingEpochView } from '../schema/views.js'
import { queries } from '../schema/views.js'

export const stakingMetrics = defineMetrics(({ gauge }) => ({
  epoch: gauge('consensus_epoch', 'Current epoch; 0 also in a network that never held an election'),
  blocksLeft: gauge('consensus_epoch_blocks_left', 'Blocks until the next epoch; 0 in permissioned mode'),
  securityBps: gauge('consensus_election_security_bps', 'Share of stake that the last election secures, in bps'),
  kept: gauge('consensus_elections_kept', 'Elections that kept the previous roster'),
  commits: gauge('consensus_randomness_commits', 'Commitments in the current epoch'),
  reveals: gauge('consensus_randomness_reveals', 'Reveals in the current epoch'),
  weak: gauge('consensus_weak_epochs', 'Epochs with a weak seed that began while this node was running'),
}))

/** Maximum epochs between two scrapes that are read individually: one hour of the shortest epochs. */
const EPOCHS_BETWEEN_MAX = 256

/** Values of a scrape. */
interface EpochFigures {
  readonly running: StakingEpochView | undefined
  /** Number of epochs with a weak seed that began on this node. */
  readonly weak: number
}

const isWeak = (found: EpochFigures['running']): boolean => found?.record?.weak === 'weak'

/** Compute the values on a read. */
export function epochMetrics(services: NodeServices, logger: Logger): void {
  const metrics = stakingMetrics(services.metrics)
  let [lastEpoch, weak] = [0, 0]
  const epochAt = (epoch: number | undefined) => services.query(queries.stakingEpoch, { epoch })
  const read = async (): Promise<EpochFigures> => {
    if (!services.queries().has(queries.stakingEpoch.kind)) return { running: undefined, weak }
    const running = await epochAt(undefined)
    const epoch = running?.epoch ?? 0
    // Before its first scrape, the node counts only the current epoch.
    const from = lastEpoch === 0 ? epoch : Math.max(lastEpoch + 1, epoch - EPOCHS_BETWEEN_MAX)
    let found = 0
    for (let at = from; at < epoch; at++) if (isWeak(await epochAt(at))) found += 1
    if (epoch > lastEpoch && isWeak(running)) found += 1
    lastEpoch = epoch
    weak += found
    return { running, weak }
  }
  const parts = { read, height: () => services.height(), monotonicMs: SYSTEM_CLOCKS.monotonicMs, logger }
  const { current } = new ScrapedFigures<EpochFigures>({ running: undefined, weak }, parts)
  collectAwaited(metrics.epoch, current, ({ running }) => running?.epoch ?? 0)
  collectAwaited(metrics.blocksLeft, current, ({ running }) => running?.blocksLeft ?? 0)
  collectAwaited(metrics.securityBps, current, ({ running }) => running?.election?.securityBps ?? 0)
  collectAwaited(metrics.kept, current, ({ running }) => running?.keptElections ?? 0)
  collectAwaited(metrics.commits, current, ({ running }) => running?.commits ?? 0)
  collectAwaited(metrics.reveals, current, ({ running }) => running?.reveals ?? 0)
  collectAwaited(metrics.weak, current, (figures) => figures.weak)
}
