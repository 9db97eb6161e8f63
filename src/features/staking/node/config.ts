/** Owns the configuration of staking on a node. */
import { defineConfig } from '../../../config/index.js'

export interface StakingConfig {
  /** True if the node sends the duties of its validator. */
  readonly auto: boolean
}

export const stakingConfig = defineConfig<StakingConfig>({
  sections: { staking: 'The validator of this node, in a network that elects validators by stake.' },
  keys: [
    {
      path: ['staking', 'auto'],
      kind: { type: 'boolean' },
      fallback: true,
      doc: [
        'Send commitments, reveals and the proof of being in sync automatically, once an epoch and without a fee.',
        'A validator whose node does not send them is left out of the next roster.',
      ],
    },
  ],
  build: (values) => ({ auto: values.get<boolean>('staking.auto') }),
})
