/** Staking on a node: reads beyond queries, and the duties of a validator node. */
import { defineService } from '../../service.js'
import { stakingSchema } from '../schema/index.js'
import { type StakingConfig, stakingConfig } from './config.js'
import { epochMetrics, stakingMetrics } from './metrics.js'

export const stakingService = defineService<StakingConfig>(stakingSchema, {
  config: stakingConfig,
  metrics: stakingMetrics,
  open: async ({ services, logger }, { auto }) => {
    const [{ stakingHandlers }, { ValidatorDuties }] = await Promise.all([
      import('./handlers.js'),
      import('./duties.js'),
    ])
    epochMetrics(services, logger)
    let duties: { close(): void } | undefined
    return {
      handlers: stakingHandlers,
      // Only once the node responds: its signed duties need verified keys.
      resume: async () => {
        if (auto) duties = new ValidatorDuties(services, logger)
      },
      close: async () => {
        duties?.close()
      },
    }
  },
})
