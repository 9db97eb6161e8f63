/** Owns one row per lane: its load in the last block and its backlog. */

import { clean } from '../text/escape.js'
import type { WatchModel } from './model.js'

export interface LaneRow {
  readonly lane: number
  readonly alias: string
  readonly dataspace: string
  /** Maximum units of one block; 0: no separate limit. */
  readonly capacity: number
  readonly committed: number
  readonly transactions: number
  readonly backlog: number
  readonly ageBlocks: number
  readonly capExceeded: number
  readonly blockFull: number
  readonly starvationBound: number
}

/** Lanes of the last status; none while lanes are off. */
export function laneRows({ status, consensus }: WatchModel): readonly LaneRow[] {
  const backlogs = new Map(status?.teuDataspaceBacklog?.map((one) => [one.laneId, one]))
  const commitments = new Map(consensus?.laneCommitments?.map((one) => [one.laneId, one]))
  return (status?.teuLaneCommit ?? []).map(({ laneId, alias, capacity, committed, deferrals, starvationBound }) => {
    const waiting = backlogs.get(laneId)
    const commitment = commitments.get(laneId)
    return {
      lane: laneId,
      alias: clean(alias),
      dataspace: String(waiting?.dataspaceId ?? commitment?.dataspaceId ?? '-'),
      capacity,
      committed,
      transactions: commitment?.txCount ?? 0,
      backlog: waiting?.backlog ?? 0,
      ageBlocks: waiting?.ageBlocks ?? 0,
      capExceeded: deferrals.capExceeded,
      blockFull: deferrals.blockFull,
      starvationBound,
    }
  })
}
