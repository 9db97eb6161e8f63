/** Owns the modelled ledger: bodies, execution, state roots, balances, rosters two heights ahead, demotion from committed failures. */
import { sameBytes } from '../base/bytes.js'
import { type Infer, list, option, struct, u32 } from '../codec/index.js'
import {
  blockLimits,
  type Committee,
  checkParentCertificate,
  demotedAt,
  type ExecutionResult,
  type HeaderTemplate,
  type HeightContext,
  type KeySchedule,
  type KeySchedules,
  keyListHash,
  type ParentRecord,
  peerOf,
  proposerOrder,
  selectCommittee,
  sortRoster,
} from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import {
  type BlockHeader,
  BODY_MAX_BYTES,
  type CommittedBlock,
  type ConsensusParameters,
  certificateHash,
  hashOfHeader,
  payloadHash,
  type QuorumCertificate,
  quorumCertificate,
  UNEXECUTED,
  type ValidatorKey,
  ZERO_HASH,
} from '../model/index.js'
import {
  type EpochRules,
  type Epochs,
  epochAt,
  epochsAfter,
  epochsDigest,
  firstEpochs,
  isOpenTime,
  type SimulatedEpoch,
} from './epochs.js'
import {
  genesisLanes,
  type LaneEntry,
  type LaneState,
  laneChange,
  lanesAfter,
  lanesDigest,
  lanesFault,
  lanesRoot,
} from './lanes.js'
import type { Signatures } from './signatures.js'

const CHAIN = 'simulation'
export const SEED = hash('sim-genesis')
export const CHAIN_HASH = hash('sim-chain')
export const GENESIS_HASH = hash('sim-genesis-block')
/** Accounts between which blocks move money; their sum never changes. */
const ACCOUNTS = 4
const SUPPLY_PER_ACCOUNT = 1_000
/** Transactions per block: few, so that a run needs several heights. */
export const TRANSACTIONS_PER_BLOCK = 2

/** What a simulated block carries. */
export interface SimulatedBody extends Infer<typeof simulatedBody> {}
export const simulatedBody = struct('SimulatedBody', {
  parentCertificate: option(quorumCertificate),
  /** Numbers of transactions; ascending where there are no lanes. */
  transactions: list(u32, 64),
  /** Makes equal contents different blocks. */
  nonce: u32,
  /** Index of the peer that joins the roster (if it is absent) or leaves it; from the number of peers on: that rotates its key. */
  change: option(u32),
  /** Lanes of the transactions, in their order; empty where there are none. */
  lanes: list(u32, 64),
  laneChange: option(laneChange),
})

/** The same where there are lanes, whose capacities shall be what fills first. */
const TRANSACTIONS_PER_BLOCK_OF_LANES = 16

/** Transactions that a block made in this view may hold, by the rule of the product. */
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

/** What the whole network agreed on at its genesis. */
export interface ChainRules {
  readonly signatures: Signatures
  /** Peers that may ever be validators, in the order of their numbers: each named by its first key. */
  readonly universe: readonly ValidatorKey[]
  /** All keys of each of them, in the order of their rotations. */
  readonly keys: ReadonlyMap<ValidatorKey, readonly ValidatorKey[]>
  /** How many of them start as validators. */
  readonly members: number
  /** Fewest validators that changes may leave: the faulty ones must stay within the budget. */
  readonly membersMin: number
  /** Transactions are routed to lanes, which come and go. */
  readonly lanes: boolean
  /** Keys of the faulty members: they choose among seeds of epochs by withholding. */
  readonly withholders: ReadonlySet<ValidatorKey>
  /** Heights of an epoch, whose roster is drawn anew; undefined: members come and go by changes. */
  readonly epochLength: number | undefined
  readonly parameters: ConsensusParameters
}

/** World state after a block. */
export interface ChainState {
  readonly height: number
  readonly root: Uint8Array
  readonly roster: readonly ValidatorKey[]
  /** Rotations of the keys of each peer; absent: none. */
  readonly rotations: ReadonlyMap<ValidatorKey, number>
  /** By peer: a rotation sheds nothing. */
  readonly failures: ReadonlyMap<ValidatorKey, number>
  readonly transactions: ReadonlySet<number>
  readonly balances: readonly number[]
  /** Undefined where there are no lanes. */
  readonly lanes: LaneState | undefined
  /** Undefined where members come and go by changes. */
  readonly epochs: Epochs | undefined
}

/** Committees of all networks with the same roster and height are the same; drawing one costs more than a vote. */
const drawn = new Map<string, Committee>()
/** Bound of that memory: more than one run needs, few enough to stay small. */
const DRAWN_MAX = 4_096

const rosterHashes = new WeakMap<readonly ValidatorKey[], Buffer>()

/** The hash of a roster, which many heights share. */
function rosterHashOf(roster: readonly ValidatorKey[]): Buffer {
  const known = rosterHashes.get(roster)
  if (known !== undefined) return known
  const fresh = keyListHash(roster)
  rosterHashes.set(roster, fresh)
  return fresh
}

function committeeFor(roster: readonly ValidatorKey[], height: number, seed: Uint8Array = SEED): Committee {
  const key = `${height}:${Buffer.from(seed).toString('latin1')}:${roster.join('')}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  if (drawn.size >= DRAWN_MAX) drawn.clear()
  const fresh = selectCommittee(roster, CHAIN_HASH, seed, height)
  drawn.set(key, fresh)
  return fresh
}

/** The committed chain of one node, with the state after each of its blocks. */
export class Chain {
  readonly blocks: CommittedBlock[] = []
  private readonly states: ChainState[]

  constructor(private readonly rules: ChainRules) {
    const first = rules.universe.slice(0, rules.members)
    this.states = [
      {
        height: 1,
        root: SEED,
        roster: sortRoster(first),
        epochs: rules.epochLength === undefined ? undefined : firstEpochs(first, SEED),
        rotations: new Map(),
        failures: new Map(),
        transactions: new Set(),
        balances: Array.from({ length: ACCOUNTS }, () => SUPPLY_PER_ACCOUNT),
        lanes: rules.lanes ? genesisLanes() : undefined,
      },
    ]
  }

  /** Height of the last block; genesis is 1. */
  get height(): number {
    return this.blocks.length + 1
  }
  get state(): ChainState {
    return this.stateAfter(this.height)
  }
  block(height: number): CommittedBlock | undefined {
    return this.blocks[height - 2]
  }
  private stateAfter(height: number): ChainState {
    const found = this.states[Math.max(0, height - 1)]
    if (found === undefined) throw new Error(`no state after height ${height}`)
    return found
  }

  /** The state that fixes the roster of a height: the one two heights before; after genesis for the first three. */
  private fixing(height: number): ChainState {
    return this.stateAfter(Math.max(1, height - 2))
  }

  /** The epoch of a height; undefined where there are none. */
  private epochAt(height: number): SimulatedEpoch | undefined {
    const { epochs } = this.fixing(height)
    return epochs && epochAt(epochs, height)
  }

  private committeeAt(height: number): Committee {
    return committeeFor(this.scheduleAt(height).roster, height, this.epochAt(height)?.seed)
  }

  private scheduleAt(height: number): KeySchedule {
    const epoch = this.epochAt(height)
    if (epoch?.isOpen === false) return epoch
    const { roster, rotations } = this.fixing(height)
    const rotated = new Map<ValidatorKey, ValidatorKey>()
    for (const peer of rotations.keys()) {
      const key = this.keyOf(peer, rotations)
      if (roster.includes(key)) rotated.set(key, peer)
    }
    return { roster, rotated }
  }

  /** What names the peers of the next two heights. */
  get schedules(): KeySchedules {
    const { height } = this
    return { height, schedule: this.scheduleAt(height + 1), nextSchedule: this.scheduleAt(height + 2) }
  }

  private keyOf(peer: ValidatorKey, rotations: ChainState['rotations']): ValidatorKey {
    return this.rules.keys.get(peer)?.[rotations.get(peer) ?? 0] ?? peer
  }

  private orderAt(height: number): readonly ValidatorKey[] {
    const { failures } = this.fixing(height)
    const { roster, rotated } = this.scheduleAt(height)
    const failed = new Map<ValidatorKey, number>()
    for (const key of roster) {
      const failedAt = failures.get(rotated.get(key) ?? key)
      if (failedAt !== undefined) failed.set(key, failedAt)
    }
    return proposerOrder(this.committeeAt(height), demotedAt(roster, failed, height))
  }

  /** What consensus needs to decide the next height. */
  nextContext(): HeightContext {
    const height = this.height + 1
    const parent = this.block(height - 1)
    const { schedules } = this
    const { roster, rotated } = schedules.schedule
    return {
      height,
      chain: CHAIN,
      chainHash: CHAIN_HASH,
      epoch: this.epochAt(height)?.number ?? 0,
      parentHash: parent === undefined ? GENESIS_HASH : hashOfHeader(parent.header),
      parentTimeMs: parent?.header.timeMs ?? 1,
      parentCertificate: parent?.certificate,
      parent: this.parentRecord(height),
      rosterHash: rosterHashOf(roster),
      rosterPeers: roster.map((key) => rotated.get(key) ?? key),
      peerOf: (key) => peerOf(schedules, key),
      committee: this.committeeAt(height),
      order: this.orderAt(height),
      nextCommittee: this.committeeAt(height + 1),
      parameters: this.rules.parameters,
    }
  }

  /** A block on top of ours; whether its transactions may be in it is for those who execute it. */
  build(
    template: HeaderTemplate,
    content: Omit<SimulatedBody, 'parentCertificate'>,
  ): { readonly header: BlockHeader; readonly body: Uint8Array } {
    const parentCertificate = this.block(template.height - 1)?.certificate
    const body = simulatedBody.encode({ ...content, parentCertificate })
    const { parentTimeMs, ...fields } = template
    const draft: BlockHeader = {
      ...fields,
      ...UNEXECUTED,
      timeMs: parentTimeMs + 1,
      transactionCount: content.transactions.length,
      payloadHash: payloadHash(body),
      payloadBytes: body.length,
      laneCommitmentRoot: this.rules.lanes ? lanesRoot(template.height, entriesOf(content)) : ZERO_HASH,
      parentCertificateHash: parentCertificate === undefined ? ZERO_HASH : certificateHash(parentCertificate),
    }
    const after = this.run(draft, body, { judged: false, certified: true })
    return { header: { ...draft, stateRoot: 'root' in after ? after.root : ZERO_HASH }, body }
  }

  /** The block with another embedded certificate; its header names it, and the state that the lie leads to. */
  withParent(
    block: { readonly header: BlockHeader; readonly body: Uint8Array },
    certificate: QuorumCertificate,
  ): { readonly header: BlockHeader; readonly body: Uint8Array } {
    const decoded = simulatedBody.decode(block.body)
    if (!decoded.ok) return block
    const body = simulatedBody.encode({ ...decoded.value, parentCertificate: certificate })
    const header: BlockHeader = {
      ...block.header,
      payloadHash: payloadHash(body),
      payloadBytes: body.length,
      parentCertificateHash: certificateHash(certificate),
    }
    const after = this.run(header, body, { judged: false, certified: true })
    return { header: { ...header, stateRoot: 'root' in after ? after.root : ZERO_HASH }, body }
  }

  /** Honest execution: the body must be the header's, valid here, and lead to the header's state root. */
  execute(header: BlockHeader, body: Uint8Array, certified: boolean): ExecutionResult {
    const after = this.run(header, body, { judged: true, certified })
    if ('detail' in after) return { ok: false, reason: 'validationReject', detail: after.detail }
    if (!sameBytes(after.root, header.stateRoot)) {
      return { ok: false, reason: 'stateMismatch', detail: 'another state root' }
    }
    return { ok: true }
  }

  /** Appends a committed block; throws when it is none, because it carries a commit certificate. */
  append(block: CommittedBlock): ChainState {
    const after = this.run(block.header, block.body, { judged: true, certified: true })
    if ('detail' in after) throw new Error(`a certified block does not apply: ${after.detail}`)
    this.blocks.push(block)
    this.states.push(after)
    return after
  }

  private run(
    header: BlockHeader,
    body: Uint8Array,
    { judged, certified }: { readonly judged: boolean; readonly certified: boolean },
  ): ChainState | { readonly detail: string } {
    const before = this.state
    if (header.height !== before.height + 1) return { detail: `height ${header.height} is not the next` }
    if (!sameBytes(payloadHash(body), header.payloadHash)) return { detail: 'another payload' }
    const decoded = simulatedBody.decode(body)
    if (!decoded.ok) return { detail: 'a malformed body' }
    const { parentCertificate, transactions, change, nonce } = decoded.value
    const fault = judged ? this.parentFault(header, parentCertificate, certified) : undefined
    if (fault !== undefined) return { detail: fault }
    const room = transactionsAt(header.originView, this.rules.lanes)
    if (transactions.length > room)
      return { detail: `${transactions.length} transactions, at most ${room} are allowed` }
    const laneFault = judged ? this.laneFault(before, header, decoded.value) : undefined
    if (laneFault !== undefined) return { detail: laneFault }
    if (transactions.some((one) => before.transactions.has(one))) return { detail: 'a transaction of an earlier block' }
    const balances = [...before.balances]
    const amount = nonce % 7
    balances[nonce % ACCOUNTS] = (balances[nonce % ACCOUNTS] ?? 0) - amount
    balances[(nonce + 1) % ACCOUNTS] = (balances[(nonce + 1) % ACCOUNTS] ?? 0) + amount
    const changed = this.changed(before, change)
    const { rotations } = changed
    const lanes =
      before.lanes && lanesAfter(before.lanes, header.height, entriesOf(decoded.value), decoded.value.laneChange)
    const epochs = this.epochsAfter(before, header, body, rotations)
    // Who is elected when permissioned time is fixed is registered from then on.
    const opens = epochs?.next?.isOpen === true && before.epochs?.next === undefined
    const roster = opens ? epochs.next.roster : changed.roster
    const digest = [
      ...(lanes === undefined ? [] : [lanesDigest(lanes)]),
      ...(epochs === undefined ? [] : [epochsDigest(epochs)]),
    ]
    const failures = this.failuresAfter(before, header, parentCertificate)
    const failed = [...failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, height]) => `${key}:${height}`)
    return {
      height: header.height,
      root: hash('sim-state', before.root, body, keyListHash(roster), Buffer.from(failed.join(), 'latin1'), ...digest),
      roster,
      rotations,
      failures,
      transactions: new Set([...before.transactions, ...transactions]),
      balances,
      lanes,
      epochs,
    }
  }

  private epochsAfter(
    { epochs }: ChainState,
    { height }: BlockHeader,
    body: Uint8Array,
    rotations: ChainState['rotations'],
  ): Epochs | undefined {
    const { epochLength: length, universe, membersMin, withholders } = this.rules
    if (epochs === undefined || length === undefined) return undefined
    const keyOf = (peer: ValidatorKey): ValidatorKey => this.keyOf(peer, rotations)
    const rules: EpochRules = { length, universe, membersMin, withholders, chainHash: CHAIN_HASH, keyOf }
    return epochsAfter(epochs, height, payloadHash(body), rules)
  }

  /** Where there are lanes, their rules say how many transactions a block holds, and in which order. */
  private laneFault(before: ChainState, header: BlockHeader, body: SimulatedBody): string | undefined {
    const { transactions, lanes } = body
    if (before.lanes === undefined) {
      if (lanes.length > 0 || body.laneChange !== undefined) return 'lanes where there are none'
      return undefined
    }
    if (lanes.length !== transactions.length) return 'a lane for every transaction'
    const entries = entriesOf(body)
    if (!sameBytes(lanesRoot(header.height, entries), header.laneCommitmentRoot)) return 'other lane totals'
    return lanesFault(before.lanes, header.height, entries)
  }

  /** What the embedded certificate of a block of this height is checked with. */
  parentRecord(height: number): ParentRecord | undefined {
    const parent = this.block(height - 1)
    if (parent === undefined) return undefined
    const committee = this.committeeAt(height - 1)
    const epoch = this.epochAt(height - 1)?.number ?? 0
    const domain = { chainHash: CHAIN_HASH, committeeHash: committee.hash, epoch, height: height - 1 }
    return { originView: parent.header.originView, committee, domain }
  }

  /** What is wrong with the embedded certificate, by the rule of the product; signatures only decide a vote. */
  private parentFault(
    header: BlockHeader,
    certificate: QuorumCertificate | undefined,
    certified: boolean,
  ): string | undefined {
    const checked = checkParentCertificate(header, certificate, this.parentRecord(header.height))
    if ('fault' in checked) return checked.fault
    if (certified || checked.checks.every(this.rules.signatures.verify)) return undefined
    return 'a parent certificate with a bad signature'
  }

  private changed(before: ChainState, change: number | undefined): Pick<ChainState, 'roster' | 'rotations'> {
    const { roster, rotations } = before
    const { universe, keys, membersMin } = this.rules
    const peer = change === undefined ? undefined : universe[change % universe.length]
    if (change === undefined || peer === undefined) return before
    const isElected = before.epochs !== undefined && !isOpenTime(before.epochs)
    const key = this.keyOf(peer, rotations)
    const others = roster.filter((one) => one !== key)
    if (change >= universe.length) {
      const count = (rotations.get(peer) ?? 0) + 1
      const next = keys.get(peer)?.[count]
      if (next === undefined) return before
      if (isElected) return { roster, rotations: new Map(rotations).set(peer, count) }
      if (others.length === roster.length) return before
      return { roster: sortRoster([...others, next]), rotations: new Map(rotations).set(peer, count) }
    }
    if (isElected) return before
    if (others.length === roster.length) return { roster: sortRoster([...roster, key]), rotations }
    return { roster: roster.length > membersMin ? others : roster, rotations }
  }

  /** Members that let a view fail: of the parent by its embedded certificate, of this height by its origin view. */
  private failuresAfter(
    before: ChainState,
    header: BlockHeader,
    parentCertificate: QuorumCertificate | undefined,
  ): ReadonlyMap<ValidatorKey, number> {
    const noted = new Map(before.failures)
    const note = (height: number, failedViews: number): void => {
      const { rotated } = this.scheduleAt(height)
      for (const key of this.orderAt(height).slice(0, failedViews)) noted.set(rotated.get(key) ?? key, height)
    }
    note(header.height - 1, parentCertificate?.view ?? 0)
    note(header.height, header.originView)
    return noted
  }
}

/** Money in all accounts of a state. */
export const supplyOf = (state: ChainState): number => state.balances.reduce((sum, one) => sum + one, 0)
export const GENESIS_SUPPLY = ACCOUNTS * SUPPLY_PER_ACCOUNT
