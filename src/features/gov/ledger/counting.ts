/** Owns the counting of votes: the recount over present electors, the quorum, the approval, the early end. */
import { type Ballot, BPS, CONVICTION_TENTHS, type Electorate } from '../schema/records.js'
import { countOf, unitsOf } from './amounts.js'
import { rosterPeers, type StateAt, sizeOf } from './electorates.js'
import { ballots, type Referendum, seals, type Tally } from './tables.js'

/** Weight of a vote without conviction on a track without an asset, in tenths. */
const MEMBER_TENTHS = 10
const MAX_TENTHS = Math.max(...CONVICTION_TENTHS)
/** Share of aye below which a deposit is forfeited, in basis points. */
const FORFEIT_BPS = 500

export const NO_VOTES: Tally = {
  aye: countOf(0),
  nay: countOf(0),
  ayes: countOf(0),
  nays: countOf(0),
  abstains: countOf(0),
}

/** Ids of the present electors of a track without an asset. */
function presentElectors(state: StateAt, { kind, value }: Electorate): ReadonlySet<string> {
  if (kind === 'role') return new Set(state.get(seals, value.role) ?? [])
  return new Set(rosterPeers(state, state.env.height))
}

/** Counts of ballots of one vote each; only present electors count. */
export function countBallots(cast: readonly Ballot[], present: ReadonlySet<string>): Tally {
  let [ayes, nays, abstains] = [0, 0, 0]
  for (const { elector, choice } of cast) {
    if (!present.has(elector.value)) continue
    if (choice === 'aye') ayes += 1
    else if (choice === 'nay') nays += 1
    else abstains += 1
  }
  return {
    aye: countOf(ayes * MEMBER_TENTHS),
    nay: countOf(nays * MEMBER_TENTHS),
    ayes: countOf(ayes),
    nays: countOf(nays),
    abstains: countOf(abstains),
  }
}

/** Counts of an open vote. Locks cannot be moved; ballots of members and validators are counted over the present electors. */
export function tallyOf(state: StateAt, number: number, { rules, tally }: Referendum): Tally {
  const { electorate } = rules
  if (electorate.kind === 'asset') return tally
  return countBallots(state.get(ballots, number) ?? [], presentElectors(state, electorate))
}

/** Rules and size of a vote. */
type VoteRules = Pick<Referendum, 'rules' | 'base'>

/** True if aye and abstain meet the quorum. */
export const isQuorate = ({ rules, base }: VoteRules, { ayes, abstains }: Tally): boolean =>
  (unitsOf(ayes) + unitsOf(abstains)) * BigInt(BPS) >= unitsOf(base) * BigInt(rules.quorumBps)

/** True if aye exceeds the required share of aye and nay, and the quorum is met. Without votes nothing is approved. */
export function isApproved(vote: VoteRules, tally: Tally): boolean {
  const [aye, nay] = [unitsOf(tally.aye), unitsOf(tally.nay)]
  return isQuorate(vote, tally) && aye * BigInt(BPS) > (aye + nay) * BigInt(vote.rules.approvalBps)
}

/**
 * True if aye exceeds the required share of the maximum weight of all electors, so that later ballots cannot change the
 * result.
 */
export function isDecidedEarly(state: StateAt, row: Referendum, tally: Tally): boolean {
  const { rules, base } = row
  if (!rules.early || !isQuorate(row, tally)) return false
  const isAsset = rules.electorate.kind === 'asset'
  const [before, now] = [unitsOf(base), unitsOf(sizeOf(state, rules.electorate))]
  const all = (before > now ? before : now) * BigInt(isAsset ? MAX_TENTHS : MEMBER_TENTHS)
  return unitsOf(tally.aye) * BigInt(BPS) > all * BigInt(rules.approvalBps)
}

/** True if so few electors support the proposal that it forfeits its deposit. */
export function isForfeit(tally: Tally): boolean {
  const [aye, nay] = [unitsOf(tally.aye), unitsOf(tally.nay)]
  return aye * BigInt(BPS) < (aye + nay) * BigInt(FORFEIT_BPS)
}
