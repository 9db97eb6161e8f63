/**
 * Owns the modelled epochs: who votes is drawn anew for each, fixed two heights before it begins, with keys that change at
 * its boundary only. How they are elected is not the machine's matter: any draw within the budget of faults must do.
 */
import { keyListHash, sortRoster } from '../consensus/index.js'
import { hash, prfStream } from '../crypto/index.js'
import type { ValidatorKey } from '../model/index.js'

/** Blocks between the record of an epoch and its first height. */
const RECORD_LEAD = 2
/** One draw in so many keeps the roster as it is, one in so many replaces as many members as there are others. */
const KEPT_DIVISOR = 5
const SWAP_DIVISOR = 4

/** An epoch as blocks fix it. */
export interface SimulatedEpoch {
  readonly number: number
  readonly start: number
  readonly seed: Uint8Array
  readonly peers: readonly ValidatorKey[]
  readonly roster: readonly ValidatorKey[]
  /** Peers of keys that are not their first ones. */
  readonly rotated: ReadonlyMap<ValidatorKey, ValidatorKey>
}

/** The epoch that runs, and the next one once it is fixed. */
export interface Epochs {
  readonly current: SimulatedEpoch
  readonly next: SimulatedEpoch | undefined
}

/** What epochs are drawn from. */
export interface EpochRules {
  readonly length: number
  readonly universe: readonly ValidatorKey[]
  readonly membersMin: number
  /** Key that a peer votes with from the next boundary on. */
  readonly keyOf: (peer: ValidatorKey) => ValidatorKey
}

const epochOf = (
  place: Pick<SimulatedEpoch, 'number' | 'start' | 'seed'>,
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

/** The first epoch: who is a member at genesis. */
export const firstEpochs = (peers: readonly ValidatorKey[], seed: Uint8Array): Epochs => ({
  current: epochOf({ number: 0, start: 1, seed }, peers, (peer) => peer),
  next: undefined,
})

/** Peers of the next roster: never fewer than the faults of the run allow. */
function drawPeers(before: SimulatedEpoch, seed: Uint8Array, { universe, membersMin }: EpochRules): ValidatorKey[] {
  const draw = prfStream(hash('sim-epoch-draw', seed))
  const [choice = 0, size = 0] = hash('sim-epoch-size', seed)
  if (choice % KEPT_DIVISOR === 0) return [...before.peers]
  const least = Math.max(1, membersMin)
  const count = least + (size % (universe.length - least + 1))
  if (choice % SWAP_DIVISOR !== 0) return draw.shuffle([...universe]).slice(0, count)
  const others = universe.filter((peer) => !before.peers.includes(peer))
  return [...draw.shuffle(others), ...draw.shuffle([...before.peers])].slice(0, count)
}

/** Epochs after a block of a height whose content gave this root. */
export function epochsAfter({ current, next }: Epochs, height: number, root: Uint8Array, rules: EpochRules): Epochs {
  const begun = next !== undefined && height >= next.start ? { current: next, next: undefined } : { current, next }
  if (begun.next !== undefined || height < begun.current.start + rules.length - RECORD_LEAD) return begun
  const number = begun.current.number + 1
  const seed = hash('sim-epoch-seed', begun.current.seed, root)
  const peers = drawPeers(begun.current, seed, rules)
  return { ...begun, next: epochOf({ number, start: height + RECORD_LEAD, seed }, peers, rules.keyOf) }
}

/** The epoch of a height, from the state that fixes it. */
export const epochAt = ({ current, next }: Epochs, height: number): SimulatedEpoch =>
  next !== undefined && height >= next.start ? next : current

/** What of epochs is under the modelled state root. */
export const epochsDigest = ({ current, next }: Epochs): Buffer =>
  hash(
    'sim-epochs',
    keyListHash(current.roster),
    Buffer.from(String(current.number)),
    ...(next === undefined ? [] : [keyListHash(next.roster), next.seed]),
  )
