/** Owns the configuration of staking on a node. */
import { defineConfig } from '../../../config/index.js'

export interface StakingConfig {
  /** Whether the node sends what its validator owes the chain. */
  readonly auto: boolean
}

export const stakingConfig = defineConfig<StakingConfig>({
  sections: { staking: 'The validator that this node may be, where stake elects them.' },
  keys: [
    {
      path: ['staking', 'auto'],
      kind: { type: 'boolean' },
      fallback: true,
      doc: [
        'Sends commitments, reveals and the proof of being in sync by itself, once an epoch and without a fee.',
        'A validator whose node does not is left out of the next roster.',
      ],
    },
  ],
  build: (values) => ({ auto: values.get<boolean>('staking.auto') }),
})
