/** Owns the small worlds: their parameters, and the named worlds. */
import { quorumOf } from '../../consensus/index.js'

/**
 * `full`: single messages. `reduced`: quorums of votes and timeouts arrive at once, and data no longer used by any rule
 * is discarded.
 */
export const MODES = ['full', 'reduced'] as const
export type Mode = (typeof MODES)[number]

/** Parameters of one small world. Nodes are identified by their position in the committee of the first height. */
export interface WorldOptions {
  readonly name: string
  /** Validators at genesis. */
  readonly members: number
  /** Timers expire in views below this one. */
  readonly views: number
  /** Faulty member; undefined if all are correct. */
  readonly faulty: number | undefined
  /**
   * True if the faulty member also sends timeout certificates with another prepare certificate, and proposals that they
   * do not justify.
   */
  readonly forges: boolean
  /** Maximum crashes of each node. */
  readonly crashes: number
  /** True if records are durable only after a separate sync; a crash keeps a prefix of the others. */
  readonly split: boolean
  readonly mode: Mode
  /** True if the results of sign, verify and execute arrive later than other inputs, in any order. */
  readonly late: boolean
  /** True if each node signs through a signer, whose record survives crashes. */
  readonly signer: boolean
  /** True if nodes send statuses, and a lagging node fetches blocks. */
  readonly statuses: boolean
  /** Number of heights that are decided in sequence. */
  readonly heights: number
  /** Change of the roster in a block below these heights, in effect at the second of them: a member leaves or joins. */
  readonly change: 'leave' | 'join' | undefined
  /** Node that starts one height below the others; undefined if all start at the same height. */
  readonly behind: number | undefined
  /** Node that loses its records once and returns abstaining; undefined for none. */
  readonly loser: number | undefined
  /** Lost data: the vote log, or the data directory with the blocks. */
  readonly loses: Loss
  /** First actions of all runs of the world. */
  readonly opening: Opening
}

/** Loss after which a node abstains. */
type Loss = 'votes' | 'data'

/**
 * `none`: the first state is the state of genesis. `hidden`: the block of view 0 is prepared with the vote of the
 * faulty member, no correct member has the certificate, and all their timers have expired.
 */
type Opening = 'none' | 'hidden'

const PLAIN: Omit<WorldOptions, 'name' | 'members'> = {
  views: 1,
  faulty: undefined,
  forges: false,
  crashes: 0,
  split: false,
  mode: 'reduced',
  late: false,
  signer: false,
  statuses: false,
  heights: 1,
  change: undefined,
  behind: undefined,
  loser: undefined,
  loses: 'votes',
  opening: 'none',
}

const world = (name: string, members: number, more: Partial<WorldOptions> = {}): WorldOptions => ({
  ...PLAIN,
  name,
  members,
  ...more,
})

/** Worlds that are explored completely within minutes, by `npm run test:all`. */
const SMALL_WORLDS: readonly WorldOptions[] = [
  world('one', 1, { views: 2, crashes: 1, split: true, mode: 'full' }),
  world('two', 2, { crashes: 1, split: true }),
  world('three', 3, { crashes: 1, split: true }),
  world('four', 4),
  world('four-faulty-first', 4, { faulty: 0 }),
  world('four-faulty-second', 4, { faulty: 1, forges: true }),
]

/** Worlds beyond one height and immediate results, small enough to be explored completely. */
const WIDE_WORLDS: readonly WorldOptions[] = [
  world('two-late', 2, { views: 0, mode: 'full', late: true }),
  world('three-late', 3, { views: 0, mode: 'full', late: true }),
  world('three-signer', 3, { crashes: 1, split: true, signer: true }),
  world('two-statuses', 2, { views: 0, mode: 'full', statuses: true }),
  world('two-behind', 2, { views: 0, mode: 'full', statuses: true, behind: 1 }),
  world('one-joins', 1, { views: 0, mode: 'full', heights: 2, change: 'join' }),
  world('two-joins', 2, { views: 0, mode: 'full', heights: 2, change: 'join' }),
  world('two-leaves', 2, { views: 0, mode: 'full', heights: 2, change: 'leave' }),
  world('four-faulty-heights', 4, { views: 0, faulty: 0, forges: true, heights: 2 }),
  world('four-faulty-late', 4, { views: 0, faulty: 0, late: true }),
  world('four-loses-votes', 4, { views: 0, faulty: 0, loser: 1 }),
]

/** Worlds for `npm run soak`, explored as far as time and memory allow. */
export const LARGE_WORLDS: readonly WorldOptions[] = [
  world('two-full', 2, { crashes: 1, split: true, mode: 'full' }),
  world('two-signer', 2, { crashes: 1, split: true, mode: 'full', signer: true }),
  world('two-late-views', 2, { mode: 'full', late: true }),
  world('two-statuses-views', 2, { mode: 'full', statuses: true }),
  world('three-behind', 3, { views: 0, mode: 'full', statuses: true, behind: 2 }),
  world('three-leaves', 3, { views: 0, mode: 'full', heights: 2, change: 'leave' }),
  world('four-faulty-first-crash', 4, { faulty: 0, forges: true, crashes: 1 }),
  world('four-faulty-first-split', 4, { faulty: 0, crashes: 1, split: true }),
  world('four-faulty-second-crash', 4, { faulty: 1, forges: true, crashes: 1 }),
  world('four-faulty-first-views', 4, { faulty: 0, views: 2 }),
  world('four-faulty-first-split-views', 4, { faulty: 0, crashes: 1, split: true, views: 2 }),
  world('four-faulty-third-hidden', 4, { faulty: 2, forges: true, views: 2, opening: 'hidden' }),
  world('four-loses-votes-views', 4, { faulty: 0, loser: 1 }),
  world('four-loses-data', 4, { views: 0, faulty: 2, heights: 3, loser: 1, loses: 'data' }),
  world('four-faulty-heights-views', 4, { faulty: 0, heights: 2 }),
  world('four-faulty-late-views', 4, { faulty: 0, late: true }),
  world('four-faulty-late-full', 4, { views: 0, faulty: 0, mode: 'full', late: true }),
]

/** Worlds that are explored completely. */
export const COMPLETE_WORLDS: readonly WorldOptions[] = [...SMALL_WORLDS, ...WIDE_WORLDS]

export const WORLDS: readonly WorldOptions[] = [...COMPLETE_WORLDS, ...LARGE_WORLDS]

/** World of a name. Throws for an unknown name. */
export function namedWorld(name: string): WorldOptions {
  const found = WORLDS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`world ${name} does not exist`)
  return found
}

/** True for worlds whose members differ: they have other positions at the next height, or one of them lags. */
const isWide = ({ heights, statuses, late, behind, loser }: WorldOptions): boolean =>
  heights > 1 || statuses || late || behind !== undefined || loser !== undefined

/** Reason why a world cannot be explored, or undefined. */
export function faultOfOptions(options: WorldOptions): string | undefined {
  const { members, faulty, mode, statuses, behind, loser, opening, signer } = options
  for (const [what, member] of [
    ['member', faulty],
    ['node', loser],
  ] as const) {
    if (member !== undefined && member >= members)
      return `${what} ${member} does not exist: there are ${members} members`
  }
  if (faulty !== undefined && quorumOf(members) === members) return 'a faulty member needs at least 4 members'
  const isSyncing = statuses || behind !== undefined
  if (isSyncing && mode === 'reduced') return 'statuses and a node that is behind need the full mode'
  if (isSyncing && faulty !== undefined) return 'statuses and a node that is behind need correct members only'
  if (options.change !== undefined && mode === 'reduced') return 'a changed roster needs the full mode'
  if (loser !== undefined && (mode === 'full' || isSyncing))
    return 'a node that loses its records needs the reduced mode'
  if (loser !== undefined && loser === faulty) return 'the faulty member loses no records'
  if (loser !== undefined && signer) return 'a node whose signer keeps a record does not abstain'
  if (opening === 'hidden' && (faulty === undefined || faulty === 0))
    return 'the opening needs a faulty member that does not propose view 0'
  return undefined
}

/**
 * Two correct members that no rule distinguishes within the views of a world: neither proposes, and all members collect votes.
 * Undefined if there are none.
 */
export function symmetricPair(options: WorldOptions): readonly [number, number] | undefined {
  const { members, views, faulty } = options
  if (isWide(options)) return undefined
  const alike = Array.from({ length: members }, (_, at) => at).filter((at) => at > views && at !== faulty)
  const [first, second] = alike
  return first === undefined || second === undefined ? undefined : [first, second]
}

/** An action of the opening of a world. */
interface OpeningAction {
  readonly node: number
  /** Text of the message that the node receives; undefined if its view timer expires. */
  readonly message: string | undefined
}

/** Initial actions of all runs of a world. */
export function openingOf({ opening, members, faulty }: WorldOptions): OpeningAction[] {
  if (opening === 'none') return []
  const correct = Array.from({ length: members }, (_, at) => at).filter((at) => at !== faulty)
  // The proposer has voted for its block; with the faulty member these are a quorum.
  const voters = correct.slice(1, quorumOf(members) - 1)
  return [
    ...voters.map((node) => ({ node, message: 'P0:A0:genesis:b' })),
    ...correct.map((node) => ({ node, message: undefined })),
  ]
}
