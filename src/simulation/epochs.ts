/**
 * Owns the modelled epochs. The roster of each epoch is drawn and fixed two heights before it begins, and keys change
 * only at its boundary. The election itself is not modelled: any draw within the fault budget must work. Some epochs
 * are open: permissioned time, in which blocks change members and keys. Faulty members may withhold parts of the seed,
 * so they can choose among several seeds.
 */
import { keyListHash, selectCommittee, sortRoster } from '../consensus/index.js'
import { hash, prfStream } from '../crypto/index.js'
import type { ValidatorKey } from '../model/index.js'

/** Blocks between the record of an epoch and its first height. */
const RECORD_LEAD = 2
/**
 * Divisors of draws: one in this many keeps the roster unchanged, one in this many replaces as many members as
 * possible.
 */
const KEPT_DIVISOR = 5
const SWAP_DIVISOR = 4
/** Divisor of draws that begin permissioned time; afterwards members are elected again. */
const OPEN_DIVISOR = 6
/** Heights of an epoch whose first proposers withholders take into account. */
const GRIND_HEIGHTS = 4

/** Epoch as determined by blocks. */
export interface SimulatedEpoch {
  readonly number: number
  readonly start: number
  readonly seed: Uint8Array
  /** True if blocks change the members; `roster` is the initial roster. */
  readonly isOpen: boolean
  readonly peers: readonly ValidatorKey[]
  readonly roster: readonly ValidatorKey[]
  /** Peers by their current key, where it is not their first key. */
  readonly rotated: ReadonlyMap<ValidatorKey, ValidatorKey>
}

/** Current epoch, and the next one once it is determined. */
export interface Epochs {
  readonly current: SimulatedEpoch
  readonly next: SimulatedEpoch | undefined
}

/** Parameters of epochs. */
export interface EpochRules {
  readonly length: number
  readonly universe: readonly ValidatorKey[]
  readonly membersMin: number
  readonly chainHash: Uint8Array
  /** Keys of the members that withhold. */
  readonly withholders: ReadonlySet<ValidatorKey>
  /** Key with which a peer votes from the next boundary on. */
  readonly keyOf: (peer: ValidatorKey) => ValidatorKey
}

const epochOf = (
  place: Pick<SimulatedEpoch, 'number' | 'start' | 'seed' | 'isOpen'>,
  peers: readonly ValidatorKey[],
  keyOf: EpochRules['keyOf'],
): SimulatedEpoch => {
  const keys = peers.map((peer) => [keyOf(peer), peer] as const)
  return {
    ...place,
    peers,
    roster: sortRoster(keys.map(([key]) => key)),
    rotated: new Map(keys.filter(([key, peer]) => key !== peer)),
  }
}

/** First epoch: the members at genesis. */
export const firstEpochs = (peers: readonly ValidatorKey[], seed: Uint8Array): Epochs => ({
  current: epochOf({ number: 0, start: 1, seed, isOpen: false }, peers, (peer) => peer),
  next: undefined,
})

/** Peers of the next roster, and whether they begin permissioned time; never fewer than the faults of the run allow. */
function drawPeers(
  before: SimulatedEpoch,
  root: Uint8Array,
  { universe, membersMin }: EpochRules,
): Pick<SimulatedEpoch, 'peers' | 'isOpen'> {
  const draw = prfStream(hash('sim-epoch-draw', before.seed, root))
  const [choice = 0, size = 0, mode = 0] = hash('sim-epoch-size', before.seed, root)
  const least = Math.max(1, membersMin)
  if (before.peers.length >= least) {
    if (!before.isOpen && mode % OPEN_DIVISOR === 0) return { peers: before.peers, isOpen: true }
    if (choice % KEPT_DIVISOR === 0) return { peers: before.peers, isOpen: false }
  }
  const count = least + (size % (universe.length - least + 1))
  const others = universe.filter((peer) => !before.peers.includes(peer))
  if (choice % SWAP_DIVISOR !== 0) return { peers: draw.shuffle([...universe]).slice(0, count), isOpen: false }
  // All of them new, if there are as many others.
  const swapped = Math.min(count, Math.max(least, others.length))
  const peers = [...draw.shuffle(others), ...draw.shuffle([...before.peers])].slice(0, swapped)
  return { peers, isOpen: false }
}

/** Seed chosen by withholders among the seeds that they can produce: the one with which most of them propose first. */
function chosenSeed(base: Uint8Array, roster: readonly ValidatorKey[], start: number, rules: EpochRules): Uint8Array {
  const { withholders, chainHash } = rules
  const own = roster.filter((key) => withholders.has(key)).length
  let best: { readonly seed: Uint8Array; readonly led: number } = { seed: base, led: -1 }
  for (let withheld = 0; withheld < 2 ** own && own > 0; withheld += 1) {
    const seed = hash('sim-epoch-withheld', base, Buffer.of(withheld))
    let led = 0
    for (let height = start; height < start + GRIND_HEIGHTS; height += 1) {
      if (withholders.has(selectCommittee(roster, chainHash, seed, height).keys[0] ?? '')) led += 1
    }
    if (led > best.led) best = { seed, led }
  }
  return best.seed
}

/** Epochs after a block of a height whose content has this root. */
export function epochsAfter({ current, next }: Epochs, height: number, root: Uint8Array, rules: EpochRules): Epochs {
  const begun = next !== undefined && height >= next.start ? { current: next, next: undefined } : { current, next }
  if (begun.next !== undefined || height < begun.current.start + rules.length - RECORD_LEAD) return begun
  const number = begun.current.number + 1
  const start = height + RECORD_LEAD
  // Voters are drawn before the seed is known, as in elections.
  const { peers, isOpen } = drawPeers(begun.current, root, rules)
  const base = hash('sim-epoch-seed', begun.current.seed, root)
  const drafted = epochOf({ number, start, seed: base, isOpen }, peers, rules.keyOf)
  return { ...begun, next: { ...drafted, seed: chosenSeed(base, drafted.roster, start, rules) } }
}

/** True while blocks change the roster: in permissioned time, from its record to the record of the next epoch. */
export const isOpenTime = ({ current, next }: Epochs): boolean => (next ?? current).isOpen

/** The epoch of a height, from the state that determines it. */
export const epochAt = ({ current, next }: Epochs, height: number): SimulatedEpoch =>
  next !== undefined && height >= next.start ? next : current

/** Digest of epochs under the modelled state root. */
export const epochsDigest = ({ current, next }: Epochs): Buffer =>
  hash(
    'sim-epochs',
    keyListHash(current.roster),
    Buffer.from(String(current.number)),
    ...(next === undefined ? [] : [keyListHash(next.roster), next.seed]),
  )
