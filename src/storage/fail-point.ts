/**
 * Owns the numbered fail points: positions around every write and every send where a test ends the process, or makes
 * the disk fail (docs/design/consensus.md 13; docs/reference/fail-points.md has the table).
 *
 * `CAUSEWAY_FAIL_POINT=NUMBER[@COUNT][:ACTION]`, several separated by commas: at the COUNT-th pass (default 1) of the
 * point the process kills itself (`kill`, the default: SIGKILL, nothing is flushed), or the write fails (`enospc`,
 * `eio`). Without the variable a point is a call of an empty function.
 */

/**
 * Points by number. Append only, since scripts refer to them. Even numbers are before the action, odd ones after it.
 */
export const FAIL_POINTS = {
  10: 'own proposal: before it is appended to the vote log',
  11: 'own proposal: on disk, not sent',
  20: 'prepare vote: before it is appended to the vote log',
  21: 'prepare vote: on disk, not sent',
  30: 'commit vote: before it is appended to the vote log',
  31: 'commit vote: on disk, not sent',
  40: 'own timeout: before it is appended to the vote log',
  41: 'own timeout: on disk, not sent',
  50: 'entered view: before it is appended to the vote log',
  51: 'entered view: on disk',
  60: 'commit certificate: before it is appended to the vote log',
  61: 'commit certificate: on disk',
  62: 'large payload: before it is appended to the staging segment',
  63: 'large payload: in the staging segment, no vote depends on it yet',
  70: 'votes.log: half of a frame is written',
  71: 'votes.log: a frame is on the disk, not yet reported',
  72: 'headers.log: half of a frame is written',
  73: 'headers.log: a frame is on the disk, not yet reported',
  74: 'queue.log: half of a frame is written',
  75: 'queue.log: a frame is on the disk, not yet reported',
  110: 'proposal: before it is sent',
  111: 'proposal: handed to the links',
  120: 'prepare vote: before it is sent',
  121: 'prepare vote: handed to the links',
  130: 'commit vote: before it is sent',
  131: 'commit vote: handed to the links',
  140: 'timeout: before it is sent',
  141: 'timeout: handed to the links',
  150: 'prepare certificate: before it is sent',
  151: 'prepare certificate: handed to the links',
  160: 'commit certificate: before it is sent',
  161: 'commit certificate: handed to the links',
  170: 'timeout certificate: before it is sent',
  171: 'timeout certificate: handed to the links',
  180: 'any other message of consensus: before it is sent',
  181: 'any other message of consensus: handed to the links',
  200: 'commit: before anything of the block is written',
  201: 'commit: payload segments synced, header record missing',
  202: 'commit: header record synced, state unchanged',
  204: 'commit: before the state batch is written',
  205: 'commit: the state batch is written',
  210: 'divergence report: before it is written',
  211: 'divergence report: written',
  220: 'lanes: before a folder or merge log of a lane is made or moved',
  221: 'lanes: a folder or merge log of a lane is made or moved',
  230: 'pruning: index entries of some blocks are gone, the blocks are not',
  231: 'pruning: the first height that is kept is on disk, the files before it are there',
  300: 'admission: before transactions are appended to the queue log',
  301: 'admission: on disk, receipts not given',
  400: 'start: data directory locked, nothing opened',
  402: 'start: ledger open, vote log not read',
  404: 'start: before the mark of an abstaining node is written',
  405: 'start: the mark of an abstaining node is written',
  410: 'start from a snapshot: a chunk of a peer is written, not synced',
  411: 'start from a snapshot: the file is whole, the state is not built',
} as const

/** Number of a fail point. */
export type FailPoint = keyof typeof FAIL_POINTS

type Action = 'kill' | 'enospc' | 'eio'
interface Armed {
  left: number
  readonly action: Action
}

/** Name of the variable that arms points. */
export const FAIL_POINT_VARIABLE = 'CAUSEWAY_FAIL_POINT'

/** Points armed by a value of the variable; throws for an unknown point. */
export function parseFailPoints(text: string): Map<FailPoint, Armed> {
  const armed = new Map<FailPoint, Armed>()
  for (const word of text.split(',')) {
    const found = /^(\d+)(?:@([1-9]\d*))?(?::(kill|enospc|eio))?$/.exec(word.trim())
    if (found === null || !Object.hasOwn(FAIL_POINTS, found[1] as string)) {
      throw new Error(`${FAIL_POINT_VARIABLE}: ${JSON.stringify(word)} is not a fail point`)
    }
    armed.set(Number(found[1]) as FailPoint, { left: Number(found[2] ?? 1), action: (found[3] ?? 'kill') as Action })
  }
  return armed
}

/** Points of this process; each thread counts its own passes, and each point is on one thread. */
const armed = process.env[FAIL_POINT_VARIABLE] ? parseFailPoints(process.env[FAIL_POINT_VARIABLE]) : undefined

/** Pass a point: count, and execute an armed action when due. */
export const failPoint: (point: FailPoint) => void = armed === undefined ? () => undefined : pass

/** True if the next pass of the point executes an action, for writes that must be interrupted half-way before it. */
export const isDue: (point: FailPoint) => boolean =
  armed === undefined ? () => false : (point) => armed.get(point)?.left === 1

function pass(point: FailPoint): void {
  const one = armed?.get(point)
  if (one === undefined) return
  one.left -= 1
  if (one.left !== 0) return
  if (one.action === 'kill') process.kill(process.pid, 'SIGKILL')
  const code = one.action.toUpperCase()
  throw Object.assign(new Error(`${code}: fail point ${point}, ${FAIL_POINTS[point]}`), { code })
}
