/**
 * Owns the shared rules of a simulated network: its genesis, the content of blocks, the state after them, and
 * committees.
 */
import { type Infer, list, option, struct, u32 } from '../codec/index.js'
import { blockLimits, type Committee, keyListHash, selectCommittee } from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import { BODY_MAX_BYTES, type ConsensusParameters, quorumCertificate, type ValidatorKey } from '../model/index.js'
import type { Epochs } from './epochs.js'
import { type LaneEntry, type LaneState, laneChange } from './lanes.js'
import type { Signatures } from './signatures.js'

export const CHAIN = 'simulation'
export const SEED = hash('sim-genesis')
export const CHAIN_HASH = hash('sim-chain')
export const GENESIS_HASH = hash('sim-genesis-block')
/** Number of accounts between which blocks move money; their sum never changes. */
export const ACCOUNTS = 4
export const SUPPLY_PER_ACCOUNT = 1_000
/** Maximum transactions per block, few so that a run needs several heights. */
export const TRANSACTIONS_PER_BLOCK = 2

/** Content of a simulated block. */
export interface SimulatedBody extends Infer<typeof simulatedBody> {}
export const simulatedBody = struct('SimulatedBody', {
  parentCertificate: option(quorumCertificate),
  /** Numbers of transactions; ascending if there are no lanes. */
  transactions: list(u32, 64),
  /** Distinguishes blocks with equal content. */
  nonce: u32,
  /**
   * Index of the peer that joins the roster, or leaves it if it is a member; indexes from the number of peers on rotate
   * its key.
   */
  change: option(u32),
  /** Lanes of the transactions, in their order; empty if there are none. */
  lanes: list(u32, 64),
  laneChange: option(laneChange),
})

/** Maximum transactions per block with lanes, high enough for the capacities of lanes to be reached first. */
const TRANSACTIONS_PER_BLOCK_OF_LANES = 16

/** Maximum transactions of a block in this view, by the rule of the product. */
export const transactionsAt = (originView: number, hasLanes: boolean): number =>
  blockLimits(
    {
      blockMaxTransactions: hasLanes ? TRANSACTIONS_PER_BLOCK_OF_LANES : TRANSACTIONS_PER_BLOCK,
      blockTeu: 1,
      maxBlockBytes: BODY_MAX_BYTES,
      blockWorkMs: 1,
      proofWorkPerBlock: 0,
    },
    originView,
  ).transactions

/** The transactions of a body with their lanes. */
export const entriesOf = ({ transactions, lanes }: Pick<SimulatedBody, 'transactions' | 'lanes'>): LaneEntry[] =>
  transactions.map((transaction, at) => ({ transaction, lane: lanes[at] ?? 0 }))

/** Genesis rules of the whole network. */
export interface ChainRules {
  readonly signatures: Signatures
  /** All peers that may become validators, in order, each identified by its first key. */
  readonly universe: readonly ValidatorKey[]
  /** All keys of each peer, in the order of their rotations. */
  readonly keys: ReadonlyMap<ValidatorKey, readonly ValidatorKey[]>
  /** Number of initial validators. */
  readonly members: number
  /** Minimum number of validators after changes; the faulty ones must stay within the budget. */
  readonly membersMin: number
  /** True if transactions are routed to lanes, which are added and removed. */
  readonly lanes: boolean
  /** Keys of the faulty members that can choose among epoch seeds by withholding contributions. */
  readonly withholders: ReadonlySet<ValidatorKey>
  /** Heights per epoch, each with a newly drawn roster; undefined if blocks change the members. */
  readonly epochLength: number | undefined
  readonly parameters: ConsensusParameters
}

/** World state after a block. */
export interface ChainState {
  readonly height: number
  readonly root: Uint8Array
  readonly roster: readonly ValidatorKey[]
  /** Rotations of the keys of each peer; absent for none. */
  readonly rotations: ReadonlyMap<ValidatorKey, number>
  /** Last failures by peer, unaffected by rotations. */
  readonly failures: ReadonlyMap<ValidatorKey, number>
  readonly transactions: ReadonlySet<number>
  readonly balances: readonly number[]
  /** Lanes; undefined if there are none. */
  readonly lanes: LaneState | undefined
  /** Epochs; undefined if blocks change the members. */
  readonly epochs: Epochs | undefined
}

/**
 * Cache of committees: all networks with the same roster have the same committee at a height, and drawing one costs
 * more than a vote.
 */
const drawn = new Map<string, Committee>()
/** Maximum entries of that cache; more than one run needs. */
const DRAWN_MAX = 4_096

const rosterHashes = new WeakMap<readonly ValidatorKey[], Buffer>()

/** The hash of a roster, which many heights share. */
export function rosterHashOf(roster: readonly ValidatorKey[]): Buffer {
  const known = rosterHashes.get(roster)
  if (known !== undefined) return known
  const fresh = keyListHash(roster)
  rosterHashes.set(roster, fresh)
  return fresh
}

export function committeeFor(roster: readonly ValidatorKey[], height: number, seed: Uint8Array = SEED): Committee {
  const key = `${height}:${Buffer.from(seed).toString('latin1')}:${roster.join('')}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  if (drawn.size >= DRAWN_MAX) drawn.clear()
  const fresh = selectCommittee(roster, CHAIN_HASH, seed, height)
  drawn.set(key, fresh)
  return fresh
}

/** Money in all accounts of a state. */
export const supplyOf = (state: ChainState): number => state.balances.reduce((sum, one) => sum + one, 0)
export const GENESIS_SUPPLY = ACCOUNTS * SUPPLY_PER_ACCOUNT
