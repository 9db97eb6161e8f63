/** Owns the set of members: peers that vote now or at the next height, and those that are registered to vote. */
import { peerOf } from '../../consensus/index.js'
import type { ValidatorKey } from '../../model/index.js'
import type { Tip } from '../ledger/protocol.js'

/** Fields of a tip that determine the members. */
type RosterTip = Pick<Tip, 'height' | 'schedule' | 'nextSchedule' | 'peers'>

/** Members as of the last block, whose messages have priority over all others. */
export class Members {
  private of: { readonly tip: RosterTip; readonly keys: ReadonlySet<ValidatorKey> } | undefined

  constructor(private readonly tip: () => RosterTip) {}

  /** True if the peer is a member, by its registered key. */
  has(peer: ValidatorKey): boolean {
    const tip = this.tip()
    if (this.of?.tip !== tip) this.of = { tip, keys: membersOf(tip) }
    return this.of.keys.has(peer)
  }
}

function membersOf(tip: RosterTip): ReadonlySet<ValidatorKey> {
  const voting = [...tip.schedule.roster, ...tip.nextSchedule.roster].map((key) => peerOf(tip, key))
  const registered = tip.peers.filter(({ role }) => role === 'validator').map(({ key }) => key)
  return new Set([...voting, ...registered])
}
