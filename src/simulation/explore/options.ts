/** Owns the small worlds: what each of them contains, and the ones that have a name. */
import { quorumOf } from '../../consensus/index.js'

/** `full`: single messages. `reduced`: quorums of votes and timeouts arrive at once, and what no rule uses any more is forgotten. */
export const MODES = ['full', 'reduced'] as const
export type Mode = (typeof MODES)[number]

/** Content of one small world. Nodes are named by their position in the committee of the first height. */
export interface WorldOptions {
  readonly name: string
  /** Validators at genesis. */
  readonly members: number
  /** Timers expire in views below this one. */
  readonly views: number
  /** The faulty member; undefined: all are correct. */
  readonly faulty: number | undefined
  /** The faulty member also shows timeout certificates beside another prepare certificate, and proposals that they do not justify. */
  readonly forges: boolean
  /** Crashes of each node. */
  readonly crashes: number
  /** Records are durable only after a sync of their own, and a crash keeps a prefix of the others. */
  readonly split: boolean
  readonly mode: Mode
  /** Results of sign, verify and execute arrive later than other inputs, in any order. */
  readonly late: boolean
  /** Each node signs through a signer, whose record outlives crashes. */
  readonly signer: boolean
  /** Nodes send statuses, and a node that is behind fetches blocks. */
  readonly statuses: boolean
  /** Heights that are decided one after the other. */
  readonly heights: number
  /** A block below these heights whose change of the roster takes effect at the second of them: a member leaves, or one joins. */
  readonly change: 'leave' | 'join' | undefined
  /** The node that starts one height below the others; undefined: all start at the same height. */
  readonly behind: number | undefined
}

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
}

const world = (name: string, members: number, more: Partial<WorldOptions> = {}): WorldOptions => ({
  ...PLAIN,
  name,
  members,
  ...more,
})

/** Worlds that are explored completely within minutes: `npm run test:all` explores them. */
const SMALL_WORLDS: readonly WorldOptions[] = [
  world('one', 1, { views: 2, crashes: 1, split: true, mode: 'full' }),
  world('two', 2, { crashes: 1, split: true }),
  world('three', 3, { crashes: 1, split: true }),
  world('four', 4),
  world('four-faulty-first', 4, { faulty: 0 }),
  world('four-faulty-second', 4, { faulty: 1, forges: true }),
]

/** Worlds that go beyond one height and immediate answers, small enough to be explored completely. */
const WIDE_WORLDS: readonly WorldOptions[] = [
  world('two-late', 2, { views: 0, mode: 'full', late: true }),
  world('three-late', 3, { views: 0, mode: 'full', late: true }),
  world('three-signer', 3, { crashes: 1, split: true, signer: true }),
  world('two-statuses', 2, { views: 0, mode: 'full', statuses: true }),
  world('two-behind', 2, { views: 0, mode: 'full', statuses: true, behind: 1 }),
  world('one-joins', 1, { views: 0, mode: 'full', heights: 2, change: 'join' }),
  world('two-joins', 2, { views: 0, mode: 'full', heights: 2, change: 'join' }),
  world('two-leaves', 2, { views: 0, mode: 'full', heights: 2, change: 'leave' }),
]

/** Worlds for `npm run soak`: as far as time and memory go. */
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
]

/** Worlds that are explored completely. */
export const COMPLETE_WORLDS: readonly WorldOptions[] = [...SMALL_WORLDS, ...WIDE_WORLDS]

export const WORLDS: readonly WorldOptions[] = [...COMPLETE_WORLDS, ...LARGE_WORLDS]

/** World of a name. Throws if it does not exist. */
export function namedWorld(name: string): WorldOptions {
  const found = WORLDS.find((one) => one.name === name)
  if (found === undefined) throw new Error(`world ${name} does not exist`)
  return found
}

/** True for worlds beyond one height and immediate answers, whose members are not alike. */
const isWide = ({ heights, statuses, late, behind }: WorldOptions): boolean =>
  heights > 1 || statuses || late || behind !== undefined

/** Reason why a world cannot be explored, or undefined. */
export function faultOfOptions(options: WorldOptions): string | undefined {
  const { members, faulty, mode } = options
  if (faulty !== undefined && faulty >= members) return `member ${faulty} does not exist: there are ${members} members`
  if (faulty !== undefined && quorumOf(members) === members) return 'a faulty member needs at least 4 members'
  if (isWide(options) && mode === 'reduced') return 'several heights, statuses and late answers need the full mode'
  if (isWide(options) && faulty !== undefined)
    return 'several heights, statuses and late answers need correct members only'
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
