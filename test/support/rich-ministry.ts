/** Owns random requests about agendas on a rich chain with a few hashes and policies, most of which succeed. */
import { agendas } from '../../src/features/ministry/ledger/tables.js'
import type { AccountId } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import * as ministry from './ministry.js'
import { keysIn } from './nodes.js'
import type { Asked } from './rich.js'

/** Chain state for the requests. */
export interface MinistryWorld {
  readonly random: Random
  readonly state: Overlay
  readonly admin: AccountId
  readonly people: readonly AccountId[]
}

const NAMES = ['a', 'b', 'c', 'd']

/** Generators by instruction kind. */
export function ministryMakers({ random, state, admin, people }: MinistryWorld) {
  const { pick } = random
  const content = () => {
    if (random.chance(0.3)) return ministry.amendment(pick(['content', 'appeals']), pick(NAMES))
    const targets = NAMES.filter(() => random.chance(0.5)).map((name) => ministry.target(name, pick(['cid', 'sha256'])))
    const action = random.chance(0.7) ? ('addToDenylist' as const) : ('removeFromDenylist' as const)
    return ministry.contentOf({ action, targets: targets.length === 0 ? [ministry.target('a')] : targets })
  }
  return {
    submitAgenda: (): Asked => [pick(people), ministry.submit(content())],
    applyAgenda: (): Asked | undefined => {
      const found = keysIn(state, agendas)
      const open = found.filter((id) => state.get(agendas, id)?.standing === 'open')
      const ids = open.length > 0 && random.chance(0.8) ? open : found
      return ids.length === 0 ? undefined : [admin, ministry.apply(state, pick(ids))]
    },
  }
}
