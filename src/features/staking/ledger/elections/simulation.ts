/** Owns the simulation of an election on the current state, optionally with an additional nomination. */

import type { Elected } from '../../../../consensus/npos/index.js'
import type { QueryRun } from '../../../../executor/reads.js'
import type { StateReader } from '../../../../state/index.js'
import type * as views from '../../schema/views.js'
import { calendarOf } from '../epochs/calendar.js'
import { stakeOf } from '../stake/bonds.js'
import { amountOf, knownPool, unitsOf } from '../stake/pool.js'
import { NO_AMOUNT, type Pool } from '../stake/tables.js'
import { listedVoters } from '../validators/lists.js'
import type { VoterEntry } from '../validators/tables.js'
import { electAmong } from './elections.js'
import { candidatesNow, inSyncOf, rulesNow } from './snapshot.js'
import type { Snapshot, SnapshotCandidate } from './tables.js'

/** Election on the current state, with its inputs. */
interface Plain {
  readonly height: number
  readonly candidates: readonly SnapshotCandidate[]
  readonly voters: readonly VoterEntry[]
  readonly rules: Snapshot['rules']
  readonly elected: Elected | undefined
}

/** Cached election of the most recently requested height, by state. */
const plains = new WeakMap<StateReader, Plain>()

function plainOf(state: StateReader, pool: Pool, height: number): Plain {
  const known = plains.get(state)
  if (known?.height === height) return known
  const calendar = calendarOf(state)
  const isInSync = calendar === undefined ? () => true : inSyncOf(state, calendar, height)
  // Candidates that are not in sync yet may become so until the snapshot.
  const candidates = candidatesNow(state, height, isInSync).map((one) =>
    one.refused === 'notInSync' ? { ...one, refused: undefined } : one,
  )
  const rules = rulesNow(state)
  const voters = [...listedVoters(state)].map(([, entry]) => entry)
  const plain = { height, candidates, voters, rules, elected: electAmong(pool, candidates, voters, rules) }
  plains.set(state, plain)
  return plain
}

/** Voter that results from a nomination, which replaces the current nominations of the account. */
function voterOf(state: StateReader, pool: Pool, query: views.SimulationQuery, nominatedHeight: number): VoterEntry {
  const held = query.account === undefined ? NO_AMOUNT : stakeOf(state, query.account).bonded
  const wanted = query.amount === undefined ? held : query.amount
  const bonded = amountOf(unitsOf(wanted, pool) ?? 0n, pool)
  return { account: query.account ?? '', bonded, targets: query.targets, nominatedHeight }
}

export const stakingSimulationQuery: QueryRun<views.SimulationQuery, views.SimulationView> = async (
  { reader, height },
  query,
) => {
  const pool = knownPool(reader)
  if (pool === undefined) return undefined
  const { candidates, voters, rules, elected: before } = plainOf(reader, pool, height)
  const own = query.targets.length === 0 ? undefined : voterOf(reader, pool, query, height)
  const after =
    own === undefined
      ? before
      : electAmong(pool, candidates, [...voters.filter((one) => one.account !== own.account), own], rules)
  const supports = new Map(before?.seats.map(({ id, support }) => [id, support]))
  const seats = (after?.seats ?? []).map(({ id, support }) => {
    const held = supports.get(id)
    return {
      validator: id,
      support: amountOf(support, pool),
      before: held === undefined ? undefined : amountOf(held, pool),
    }
  })
  const kept = new Set(seats.map(({ validator }) => validator))
  return {
    eligible: candidates.filter(({ refused }) => refused === undefined).length,
    seats,
    securityBps: after?.securityBps ?? 0,
    securityBpsBefore: before?.securityBps ?? 0,
    lost: [...supports.keys()].filter((id) => !kept.has(id)),
    height,
  }
}
