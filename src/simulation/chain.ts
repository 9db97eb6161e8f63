/**
 * Owns the modelled chain of one node: execution, state roots, balances, rosters two heights ahead, and demotion after
 * committed failures.
 */
import { sameBytes } from '../base/bytes.js'
import {
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
  sortRoster,
} from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import {
  type BlockHeader,
  type CommittedBlock,
  certificateHash,
  hashOfHeader,
  payloadHash,
  type QuorumCertificate,
  UNEXECUTED,
  type ValidatorKey,
  ZERO_HASH,
} from '../model/index.js'
import {
  ACCOUNTS,
  CHAIN,
  CHAIN_HASH,
  type ChainRules,
  type ChainState,
  committeeFor,
  entriesOf,
  GENESIS_HASH,
  rosterHashOf,
  SEED,
  type SimulatedBody,
  SUPPLY_PER_ACCOUNT,
  simulatedBody,
  transactionsAt,
} from './chain-rules.js'
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
import { genesisLanes, lanesAfter, lanesDigest, lanesFault, lanesRoot } from './lanes.js'

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

  /**
   * State that determines the roster of a height: the state two heights before, or after genesis for the first three
   * heights.
   */
  private fixing(height: number): ChainState {
    return this.stateAfter(Math.max(1, height - 2))
  }

  /** The epoch of a height; undefined if there are none. */
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

  /** Schedules of the keys that identify the peers of the next two heights. */
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

  /** Consensus context of the next height. */
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

  /** Build a block on top of this chain; its transactions are checked during execution. */
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
    const after = this.run(draft, body, { validated: false, certified: true })
    return { header: { ...draft, stateRoot: 'root' in after ? after.root : ZERO_HASH }, body }
  }

  /**
   * Copy of the block with another embedded certificate; its header contains the hash of the certificate and the
   * resulting state.
   */
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
    const after = this.run(header, body, { validated: false, certified: true })
    return { header: { ...header, stateRoot: 'root' in after ? after.root : ZERO_HASH }, body }
  }

  /**
   * Execute a block correctly: the body must match the header, be valid here, and result in the state root of the
   * header.
   */
  execute(header: BlockHeader, body: Uint8Array, certified: boolean): ExecutionResult {
    const after = this.run(header, body, { validated: true, certified })
    if ('detail' in after) return { ok: false, reason: 'validationReject', detail: after.detail }
    if (!sameBytes(after.root, header.stateRoot)) {
      return { ok: false, reason: 'stateMismatch', detail: 'another state root' }
    }
    return { ok: true }
  }

  /** Append a committed block; throws if it is invalid, because it has a commit certificate. */
  append(block: CommittedBlock): ChainState {
    const after = this.run(block.header, block.body, { validated: true, certified: true })
    if ('detail' in after) throw new Error(`a certified block does not apply: ${after.detail}`)
    this.blocks.push(block)
    this.states.push(after)
    return after
  }

  private run(
    header: BlockHeader,
    body: Uint8Array,
    { validated, certified }: { readonly validated: boolean; readonly certified: boolean },
  ): ChainState | { readonly detail: string } {
    const before = this.state
    if (header.height !== before.height + 1) return { detail: `height ${header.height} is not the next` }
    if (!sameBytes(payloadHash(body), header.payloadHash)) return { detail: 'another payload' }
    const decoded = simulatedBody.decode(body)
    if (!decoded.ok) return { detail: 'a malformed body' }
    const { parentCertificate, transactions, change, nonce } = decoded.value
    const fault = validated ? this.parentFault(header, parentCertificate, certified) : undefined
    if (fault !== undefined) return { detail: fault }
    const room = transactionsAt(header.originView, this.rules.lanes)
    if (transactions.length > room)
      return { detail: `${transactions.length} transactions, at most ${room} are allowed` }
    const laneFault = validated ? this.laneFault(before, header, decoded.value) : undefined
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
    // Peers elected when permissioned time is fixed are registered from then on.
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

  /** Fault of lanes, which determine the number and order of the transactions of a block. */
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

  /** Record for checking the embedded certificate of a block of this height. */
  parentRecord(height: number): ParentRecord | undefined {
    const parent = this.block(height - 1)
    if (parent === undefined) return undefined
    const committee = this.committeeAt(height - 1)
    const epoch = this.epochAt(height - 1)?.number ?? 0
    const domain = { chainHash: CHAIN_HASH, committeeHash: committee.hash, epoch, height: height - 1 }
    return { originView: parent.header.originView, committee, domain }
  }

  /** Fault of the embedded certificate, by the rule of the product; signatures affect only votes. */
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

  /**
   * Members that caused failed views: of the parent, by its embedded certificate, and of this height, by its origin
   * view.
   */
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
