/** Owns the rules of peers that differ between ABIs. */
import type { Rule } from '../../../executor/rules.js'

export const PEER_RULES = {
  ownNetworkKeys: {
    since: 2,
    text: 'no two peers have one network key',
  },
  onlyKeys: {
    since: 2,
    text: 'a peer whose only key is disabled leaves under the rules of membership',
  },
} as const satisfies Record<string, Rule>
