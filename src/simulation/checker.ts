/** Owns the externally visible invariants (docs/design/consensus.md 12), each checked on every event. */
import {
  type ConsensusMessage,
  type ConsensusState,
  type DurableRecord,
  type FaultKind,
  hashKey,
  type ParentRecord,
  type ProvenFault,
  positionsOf,
  type Report,
  type SignatureCheck,
  type SignedRecord,
  type Vote,
  voteSignBytes,
} from '../consensus/index.js'
import type { CertifiedHeader, ValidatorKey } from '../model/index.js'
import { cachesWithinBounds, claim } from './cache-bounds.js'
import type { Chain } from './chain.js'
import { type ChainState, entriesOf, GENESIS_SUPPLY, simulatedBody, supplyOf } from './chain-rules.js'
import type { SimulatedDisk } from './disk.js'
import { LaneChecker } from './lane-checker.js'

/** State of the checker for one life of one node. */
interface Marks {
  height: number
  view: number
  high: number
  steps: number
}

/** State of the checker for the durable records of one node at one height. */
interface Ledgered {
  height: number
  timedOut: number
  high: number
}

/** Steps between two checks of cache sizes, a compromise between frequency and cost. */
const CACHE_CHECK_STEPS = 64
/** Checker of the invariants of one network. */
export class InvariantChecker {
  viewChanges = 0
  commits = 0
  /** Kinds of proven faults. */
  readonly faults = new Set<FaultKind>()
  /** Highest height committed by a correct node, and its time. */
  best = { height: 1, atMs: 0 }
  readonly lanes = new LaneChecker()
  private readonly chosen = new Map<number, { hash: string; view: number; root: string }>()
  private readonly certified = new Map<string, string>()
  private readonly signed = new Map<string, string>()
  private readonly orders = new Map<number, string>()
  private readonly marks = new Map<number, Marks>()
  private readonly ledgered = new Map<number, Ledgered>()

  /**
   * Invariant 7: view, highest certificate and height never decrease in one life. Invariant 13: caches stay within
   * bounds.
   */
  stepped(node: number, state: ConsensusState, faultyKeys: ReadonlySet<ValidatorKey>): void {
    const high = state.highPrepare?.certificate.view ?? -1
    const { height } = state.context
    const before = this.marks.get(node)
    if (before === undefined || before.height < height) {
      this.marks.set(node, { height, view: state.view, high, steps: before?.steps ?? 0 })
      return
    }
    claim(height >= before.height, () => `node ${node}: height fell from ${before.height} to ${height}`)
    claim(state.view >= before.view, () => `node ${node}: view fell from ${before.view} to ${state.view}`)
    claim(high >= before.high, () => `node ${node}: highest prepare certificate fell from ${before.high} to ${high}`)
    before.view = state.view
    before.high = high
    before.steps += 1
    if (state.index === undefined) this.onlyFollows(node, state)
    if (before.steps % CACHE_CHECK_STEPS !== 0) return
    cachesWithinBounds(node, state, faultyKeys)
  }

  /** Check that observers, standby members and abstaining nodes do not sign or collect anything. */
  private onlyFollows(node: number, state: ConsensusState): void {
    const signed = state.lastProposal ?? state.prepared ?? state.locked ?? state.timedOut
    claim(signed === undefined, () => `node ${node}: signed without being a member`)
    const collects = state.timeoutViewsAggregating.size > 0 || [...state.votes.values()].some((set) => set.aggregating)
    claim(!collects, () => `node ${node}: collects without being a member`)
  }

  /** Record a restart of a node; records that were not durable may be lost. */
  restarted(node: number): void {
    this.marks.delete(node)
  }

  /**
   * Invariants 3, 4, 5 and 6 over the durable records of a correct key; `lone` is false for twins, which share one key.
   */
  persisted(node: number, key: ValidatorKey, lone: boolean, records: readonly DurableRecord[]): void {
    for (const record of records) {
      const { height } = record.value
      let kept = this.ledgered.get(node)
      if (kept === undefined || kept.height !== height) {
        if (kept !== undefined && kept.height > height) continue
        kept = { height, timedOut: -1, high: -1 }
        this.ledgered.set(node, kept)
      }
      this.rules(node, kept, record)
      if (lone) this.once(key, record)
    }
  }

  /**
   * Invariants of `persisted` over the durable records of a signer, in the order of its signatures; its nodes receive
   * them later.
   */
  signedBy(signer: number, records: readonly SignedRecord[]): void {
    for (const record of records) {
      const { height } = record.value
      let kept = this.ledgered.get(signer)
      if (kept === undefined || kept.height !== height) {
        claim(kept === undefined || kept.height < height, () => `signer ${signer}: height fell to ${height}`)
        kept = { height, timedOut: -1, high: -1 }
        this.ledgered.set(signer, kept)
      }
      this.rules(signer, kept, record)
    }
  }

  /**
   * Invariant 3 over the durable records of a node with a signer: messages under one key never contradict each other.
   */
  claimed(key: ValidatorKey, records: readonly DurableRecord[]): void {
    for (const record of records) this.once(key, record)
  }

  private rules(node: number, kept: Ledgered, record: DurableRecord | SignedRecord): void {
    const name = `node ${node} height ${kept.height}`
    switch (record.kind) {
      case 'prepared':
      case 'locked': {
        const { vote } = record.value
        claim(vote.view > kept.timedOut, () => `${name}: ${vote.phase} vote in view ${vote.view} given up before`)
        if (record.kind !== 'locked') return
        const { certified } = record.value
        this.certificate(certified)
        claim(certified.certificate.view >= vote.view, () => `${name}: commit vote without its prepare certificate`)
        claim(
          hashKey(certified.certificate.blockHash) === hashKey(vote.blockHash),
          () => `${name}: commit vote for another block than its certificate`,
        )
        kept.high = Math.max(kept.high, certified.certificate.view)
        return
      }
      case 'timedOut': {
        const { timeout } = record.value
        const named = timeout.highPrepare?.certificate.view ?? -1
        if (timeout.highPrepare !== undefined) this.certificate(timeout.highPrepare)
        claim(named >= kept.high, () => `${name}: a timeout names certificate ${named}, ${kept.high} is durable`)
        kept.timedOut = Math.max(kept.timedOut, timeout.view)
        kept.high = Math.max(kept.high, named)
        return
      }
      case 'entered': {
        const { highPrepare, entry } = record.value
        for (const certified of [highPrepare, entry?.highPrepare]) {
          if (certified === undefined) continue
          this.certificate(certified)
          kept.high = Math.max(kept.high, certified.certificate.view)
        }
        return
      }
      default:
    }
  }

  /**
   * Invariant 2: at most one prepare-certified block per view. Invariant 8: above the view of the commit, no other
   * block than the committed one.
   */
  private certificate({ certificate }: CertifiedHeader): void {
    const { height, view } = certificate
    const slot = `${height}:${view}`
    const hash = hashKey(certificate.blockHash)
    const before = this.certified.get(slot)
    if (before === hash) return
    claim(before === undefined, () => `two prepare-certified blocks at height ${height} view ${view}`)
    this.certified.set(slot, hash)
    const chosen = this.chosen.get(height)
    claim(
      chosen === undefined || chosen.view > view || chosen.hash === hash,
      () => `another block is prepare-certified at height ${height} view ${view} after the commit`,
    )
  }

  /** Invariant 3: one prepare, commit, proposal and timeout per key, height and view, across restarts. */
  private once(key: ValidatorKey, record: DurableRecord): void {
    const seen = contentOf(record)
    if (seen === undefined) return
    const slot = `${key}:${record.value.height}:${seen.slot}`
    const before = this.signed.get(slot)
    claim(
      before === undefined || before === seen.content,
      () => `two different ${seen.slot} at height ${record.value.height}`,
    )
    this.signed.set(slot, seen.content)
  }

  /** Invariant 9: the basis of a signature is on disk before the signature is sent. */
  sent(node: number, disk: SimulatedDisk, message: ConsensusMessage): void {
    if (message.kind === 'vote') {
      const { phase, view, height, blockHash } = message.value
      const kind = phase === 'prepare' ? 'prepared' : 'locked'
      const safe = disk.holds(
        (record) =>
          record.kind === kind &&
          record.value.height === height &&
          record.value.vote.view === view &&
          hashKey(record.value.vote.blockHash) === hashKey(blockHash),
      )
      claim(safe, () => `node ${node}: a ${phase} vote of view ${view} left before it was durable`)
      if (phase === 'prepare') this.payloadOf(node, disk, message.value)
    } else if (message.kind === 'timeout') {
      const { view, height } = message.value
      const safe = disk.holds(
        (record) => record.kind === 'timedOut' && record.value.height === height && record.value.timeout.view === view,
      )
      claim(safe, () => `node ${node}: a timeout of view ${view} left before it was durable`)
    } else if (message.kind === 'proposal') {
      const { view, height } = message.value
      const safe = disk.holds(
        (record) => record.kind === 'proposed' && record.value.height === height && record.value.proposal.view === view,
      )
      claim(safe, () => `node ${node}: a proposal of view ${view} left before it was durable`)
      const { header } = message.value
      // A re-proposal contains only a reference; its payload is stored by the members that prepared it.
      if (header.originView !== view) return
      claim(
        disk.holdsPayload(header),
        () => `node ${node}: a proposal of view ${view} left before its payload was durable`,
      )
    }
  }

  /** Invariant 9: a prepare vote means that its signer has the payload, even after a power failure. */
  private payloadOf(node: number, disk: SimulatedDisk, { height, view, blockHash }: Vote): void {
    const safe = disk.holds(
      (record) =>
        record.kind === 'prepared' &&
        record.value.height === height &&
        hashKey(record.value.vote.blockHash) === hashKey(blockHash) &&
        disk.holdsPayload(record.value.header),
    )
    claim(safe, () => `node ${node}: a prepare vote of view ${view} left before its payload was durable`)
  }

  /** Invariants 1, 8 and 10: one block and one state root per height; the total of money is constant. */
  committed(certified: CertifiedHeader, after: ChainState, nowMs: number, body: Uint8Array): void {
    const { height, view, blockHash } = certified.certificate
    const hash = hashKey(blockHash)
    const root = hashKey(after.root)
    this.commits += 1
    claim(supplyOf(after) === GENESIS_SUPPLY, () => `supply is ${supplyOf(after)} after height ${height}`)
    claim(hashKey(certified.header.stateRoot) === root, () => `height ${height} is committed with a wrong state root`)
    if (after.lanes !== undefined) this.lanesOf(certified, body)
    if (height > this.best.height) this.best = { height, atMs: nowMs }
    const before = this.chosen.get(height)
    if (before === undefined) {
      this.chosen.set(height, { hash, view, root })
      for (const [slot, other] of this.certified) {
        const [at, inView] = slot.split(':').map(Number)
        claim(
          at !== height || (inView ?? 0) < view || other === hash,
          () => `another block is prepare-certified at height ${height} view ${inView}, committed in view ${view}`,
        )
      }
      return
    }
    claim(before.hash === hash, () => `FORK at height ${height}`)
    claim(before.root === root, () => `two state roots at height ${height}`)
    if (view < before.view) before.view = view
  }

  /**
   * Invariant 11: a committed block contains the signatures of a quorum of its parent's committee, counted here
   * independently.
   */
  embeds(
    { header }: CertifiedHeader,
    body: Uint8Array,
    parent: ParentRecord | undefined,
    holds: (check: SignatureCheck) => boolean,
  ): void {
    const decoded = simulatedBody.decode(body)
    const certificate = decoded.ok ? decoded.value.parentCertificate : undefined
    const name = `the certificate in height ${header.height}`
    if (parent === undefined) return claim(certificate === undefined, () => `${name} is of genesis`)
    if (certificate === undefined) return claim(false, () => `${name} is missing`)
    const { keys } = parent.committee
    const signers = (positionsOf(certificate.bitmap, keys.length) ?? []).map((position) => keys[position] ?? '')
    claim(certificate.height === header.height - 1, () => `${name} is of height ${certificate.height}`)
    claim(certificate.phase === 'commit', () => `${name} is a ${certificate.phase} certificate`)
    claim(hashKey(certificate.blockHash) === hashKey(header.parentHash), () => `${name} is of another block`)
    claim(certificate.view >= parent.originView, () => `${name} is of view ${certificate.view}, before its block`)
    claim(signers.length >= parent.committee.quorum, () => `${name} has ${signers.length} signers`)
    const message = voteSignBytes(parent.domain, 'commit', certificate.view, certificate.blockHash)
    const isSigned = holds({ kind: 'same', keys: signers, message, signature: certificate.aggregate })
    claim(isSigned, () => `${name} is not signed`)
  }

  /** Check that lanes take turns, and that the header contains the totals of each lane. */
  private lanesOf({ header }: CertifiedHeader, body: Uint8Array): void {
    const decoded = simulatedBody.decode(body)
    const fault = decoded.ok ? this.lanes.faultOf(header, entriesOf(decoded.value)) : 'a malformed body'
    claim(fault === undefined, () => fault ?? '')
  }

  /** Invariant 12: all nodes have the same committee and order at a height. */
  entered(chain: Chain): void {
    const { height, committee, order } = chain.nextContext()
    const text = `${hashKey(committee.hash)}:${order.join('')}`
    const before = this.orders.get(height)
    claim(before === undefined || before === text, () => `two proposer orders at height ${height}`)
    this.orders.set(height, text)
    claim(order.length === committee.keys.length, () => `an order of ${order.length} members at height ${height}`)
  }

  /**
   * Check that two signed messages prove a fault only of a faulty member; otherwise a correct member could be punished.
   */
  proven(fault: ProvenFault, faultyKeys: ReadonlySet<ValidatorKey>): void {
    claim(
      faultyKeys.has(fault.offender),
      () => `a correct member is proven guilty of ${fault.kind} at height ${fault.height}`,
    )
    this.faults.add(fault.kind)
  }

  /** Check that no correct node finds a fault in a message of a correct node; messages may be late, early or known. */
  foundFault(node: number, report: Report, faultyKeys: ReadonlySet<ValidatorKey>): void {
    if (report.kind !== 'dropped' || report.reason !== 'fault') return
    const { from, message, why } = report
    claim(faultyKeys.has(from), () => `node ${node}: a ${message} of a correct member is dropped as a fault: ${why}`)
  }

  observe(report: Report): void {
    if (report.kind === 'viewEntered' && report.view > 0) this.viewChanges += 1
  }
}

/** Slot of the signature that a record authorises, and its content. */
export function contentOf(record: DurableRecord): { slot: string; content: string } | undefined {
  switch (record.kind) {
    case 'proposed': {
      const { view, header } = record.value.proposal
      return { slot: `proposal in view ${view}`, content: `${hashKey(header.payloadHash)}:${header.originView}` }
    }
    case 'prepared':
    case 'locked': {
      const { phase, view, blockHash } = record.value.vote
      return { slot: `${phase} in view ${view}`, content: hashKey(blockHash) }
    }
    case 'timedOut': {
      const { view, highPrepare, reason } = record.value.timeout
      return { slot: `timeout in view ${view}`, content: `${highPrepare?.certificate.view ?? -1}:${reason}` }
    }
    default:
      return undefined
  }
}
