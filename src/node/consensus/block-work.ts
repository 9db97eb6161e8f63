/**
 * Owns a node's work on blocks: building from the queue, signature verification, execution, and commit through the
 * ledger.
 */

import type { DivergenceRecord } from '../../api/index.js'
import { BoundedMap } from '../../base/bounded.js'
import type { CodecContext } from '../../codec/index.js'
import {
  type AnswerOf,
  type BlockLimits,
  blockLimits,
  type ChainLimits,
  checkParentCertificate,
  type EffectOf,
  type ExecutionResult,
  type FreshBlock,
  headerLoadFault,
  type ParentRecord,
  type PlacedRecord,
  type ViewPlace,
  verifyAll,
  viewPassed,
} from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import { signatureItems, TEU_PER_SIGNATURE, validSignatures } from '../../executor/index.js'
import { type LaneSlot, SINGLE_LANE } from '../../lanes/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  composeBody,
  type Evidence,
  hashOfHeader,
  keyString,
  openEnvelope,
  type QuorumCertificate,
  signedTransaction,
  UNEXECUTED,
} from '../../model/index.js'
import {
  type Deferrals,
  drawBlock,
  EARLY_MAX_MS,
  type QueuedTransaction,
  type TransactionQueue,
} from '../../queue/index.js'
import type { EarlyProofs } from '../admission/early-proofs.js'
import type { VerifiedTransactions } from '../admission/verified.js'
import type { ProofQuestion } from '../ledger/claims.js'
import type { LedgerPort, ReportFault, Tip } from '../ledger/protocol.js'
import { flatHashes, type SignedSlice, signedSlices } from '../ledger/slices.js'
import { BLOCK_ENDS, MISROUTED } from '../ledger/validity.js'
import { type ExecutionTime, SLOW_MS } from '../ledger/watch.js'
import type { LaneRouting } from '../queue/lane-routing.js'
import { DrawUnits } from './draw-units.js'
import {
  compactFormOf,
  type PayloadContent,
  payloadContent,
  type Rebuilt,
  rebuild,
  recordsAt,
  sharesOf,
} from './payloads.js'
import { type SameCheck, signedTogether, verifyTogether } from './signatures.js'

/** Lane slots while lanes are off. */
const SINGLE_SLOT: readonly LaneSlot[] = [{ lane: SINGLE_LANE, teuCapacity: 0 }]
/** Code of an entry whose time is in the future. */
const EARLY = 'transaction_in_future'
/** Number of payloads whose content is kept between execution and commit. */
const CONTENTS_KEPT = 8

export interface BlockWorkModules {
  readonly ledger: Pick<LedgerPort, 'build' | 'execute' | 'commit' | 'commitBody' | 'evidence' | 'enterView'>
  readonly crypto: CryptoService
  readonly proofs: Pick<EarlyProofs, 'ofBlock'>
  readonly queue: TransactionQueue
  readonly verified: VerifiedTransactions
  /** Evidence for the next block, validated against its parent state. */
  readonly evidenceForBlock: () => Promise<readonly Evidence[]>
  readonly codec: CodecContext
  readonly routing: Pick<LaneRouting, 'ready' | 'reroute'>
  /** Revalidate waiting transactions under the rules of the next block; earlier routes and costs may be invalid. */
  readonly reconsider: (transactions: readonly QueuedTransaction[]) => Promise<void>
  /** True if an empty block is needed so that the chain time advances. */
  readonly mustPass: () => boolean
  /** Wall clock, ms since the Unix epoch. */
  readonly wallMs: () => number
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  /** Called if this node computed other roots than the block has. `fault`: why its report could not be written. */
  readonly onDivergence: (divergence: DivergenceRecord, fault: ReportFault | undefined) => void
  /** Called for each built block with the transactions that its lanes deferred. */
  readonly onDeferred: (deferrals: ReadonlyMap<number, Deferrals>) => void
  /** Called for transactions that left the queue because no block can hold them. */
  readonly onDropped: (dropped: readonly { readonly transaction: QueuedTransaction; readonly code: string }[]) => void
}

/** Transaction of a block with the fields that its commit needs. */
export interface BlockContent {
  readonly id: Buffer
}

/** Properties of the chain below a block. */
export interface ChainFacts {
  /** Parent for the check of the embedded certificate; undefined above genesis. */
  readonly parent: ParentRecord | undefined
  /** Limits of the next block. */
  readonly limits: ChainLimits
  /** True if the signature of the certificate with this hash was verified before. */
  readonly isVerified: (certificateHash: Uint8Array) => boolean
}

export class BlockWork {
  /** Transactions of the payloads that were built or executed, by block, for commits. */
  private readonly contents = new BoundedMap<string, readonly BlockContent[]>(CONTENTS_KEPT)

  private rebuilt: Rebuilt | undefined
  /** Height at which the queue was last validated again because nothing could be drawn from it. */
  private reconsideredHeight = 0
  private place: ViewPlace | undefined
  private readonly units = new DrawUnits()

  constructor(private readonly modules: BlockWorkModules) {}

  /** Report that consensus entered another view, or may decide another block. */
  enterView(place: ViewPlace): void {
    this.place = place
    this.modules.ledger.enterView(place)
  }

  /**
   * Exclude transactions that took too long from the next blocks of this node: the slow ones, or all if none was slow
   * but the execution took longer than its view. A late block or late votes do not exclude any.
   */
  private passOver(
    header: Pick<BlockHeader, 'height' | 'originView'>,
    blockHash: Uint8Array | undefined,
    content: readonly BlockContent[],
    { ms, slow }: ExecutionTime,
  ): void {
    const { queue, monotonicMs } = this.modules
    for (const index of slow) {
      const one = content[index]
      if (one !== undefined) queue.pause(one.id, monotonicMs(), 'slow')
    }
    const outlasted = ms > SLOW_MS && this.place !== undefined && viewPassed(this.place, header, blockHash)
    if (slow.length === 0 && outlasted) for (const { id } of content) queue.pause(id, monotonicMs(), 'shared')
  }

  /** Build a block: draw from the queue and execute; transactions that no block can hold leave the queue. */
  async build(
    effect: Omit<EffectOf<'build'>, 'job'>,
    parentCertificate: QuorumCertificate | undefined,
    { limits, lanes, nextDueMs = Number.POSITIVE_INFINITY }: Pick<Tip, 'limits' | 'lanes' | 'nextDueMs'>,
  ): Promise<FreshBlock | undefined> {
    const { ledger, queue, routing, wallMs, monotonicMs, onDropped, mustPass } = this.modules
    const { parentTimeMs, ...fields } = effect.template
    const allowed = blockLimits(limits, effect.template.originView)
    const evidence = (await this.modules.evidenceForBlock()).slice(0, allowed.evidence)
    const bodyBytes = composeBody(parentCertificate, evidence, []).length
    await routing.ready
    // Maximum number of transactions of the block; lower if the units ran out before the last of them.
    let { transactions } = allowed
    for (;;) {
      const timeMs = Math.max(wallMs(), parentTimeMs + 1)
      const { drawn, deferrals } = drawBlock(queue, lanes?.slots ?? SINGLE_SLOT, {
        limits: { ...allowed, transactions, teu: this.units.within(allowed.teu) },
        timeMs,
        monotonicMs: monotonicMs(),
        evidence: evidence.length,
        bodyBytes,
      })
      if (drawn.length === 0) {
        // All remaining ones have expired and are removed; otherwise the machine would ask again at once.
        onDropped(queue.expire(timeMs).map((transaction) => ({ transaction, code: 'transaction_expired' })))
        if (!effect.allowEmpty && evidence.length === 0 && nextDueMs > timeMs && !mustPass()) {
          await this.reconsider(effect.template.height)
          return undefined
        }
      }
      const body = composeBody(
        parentCertificate,
        evidence,
        drawn.map((one) => ({ ...one.route, bytes: one.bytes })),
      )
      const header: BlockHeader = { ...fields, ...UNEXECUTED, timeMs }
      const answer = await this.askProven((proofs) => ledger.build({ header, body, hashes: flatHashes(drawn), proofs }))
      this.passOver(header, undefined, drawn, answer.took)
      if (answer.header !== undefined) {
        this.units.fitted()
        this.store(hashOfHeader(answer.header), drawn)
        this.modules.onDeferred(deferrals)
        const isLarge = body.length > effect.directBytes
        return {
          header: answer.header,
          body,
          compact: isLarge ? compactFormOf(parentCertificate, evidence, drawn) : undefined,
          shares: isLarge || limits.dataAvailability ? sharesOf(drawn) : [],
        }
      }
      if (answer.isUnreadable) {
        if (this.dropUnreadable(drawn) > 0) continue
        return undefined
      }
      if (answer.invalid.length === 0) return undefined
      const end = answer.invalid.find(({ code }) => code === BLOCK_ENDS)
      if (end !== undefined && drawn.length === 0) return undefined
      if (end !== undefined) {
        transactions = end.index
        this.units.ranOutAt(end.index, drawn)
      }
      const invalid = answer.invalid.flatMap(({ index, code }) => {
        const transaction = drawn[index]
        return transaction === undefined || code === BLOCK_ENDS ? [] : [{ transaction, code }]
      })
      // The state that a route depends on has changed: the same transaction may belong to another lane.
      const misrouted = invalid.filter(({ code }) => code === MISROUTED).map(({ transaction }) => transaction)
      if (misrouted.length > 0) await routing.reroute(misrouted)
      const early = invalid.filter(({ code }) => code === EARLY)
      for (const { transaction } of early) this.holdEarly(transaction, timeMs + limits.maxClockDriftMs)
      const dropped = invalid.filter(({ code }) => code !== MISROUTED && code !== EARLY)
      for (const { transaction } of dropped) queue.remove(transaction.id)
      onDropped(dropped)
    }
  }

  /**
   * Hold a transaction that arrived before the clock of this node was set back, until its time is at most `latestMs`.
   */
  private holdEarly({ id, bytes }: QueuedTransaction, latestMs: number): void {
    const { queue, monotonicMs } = this.modules
    const opened = openEnvelope(bytes)
    const aheadMs = opened.ok ? opened.value.payload.value.createdAtMs - latestMs : 0
    queue.hold(id, monotonicMs() + Math.min(Math.max(1, aheadMs), EARLY_MAX_MS))
  }

  /**
   * Validate the whole queue under the rules of the next block, once per height, if transactions wait but no block
   * includes them.
   */
  private async reconsider(height: number): Promise<void> {
    const { queue, monotonicMs, reconsider } = this.modules
    if (this.reconsideredHeight === height || !queue.readyAt(monotonicMs()).pending) return
    this.reconsideredHeight = height
    await reconsider([...queue.all()])
  }

  /**
   * Remove records that the active ABI cannot read from the queue, since no block can hold them. Returns their number.
   */
  private dropUnreadable(drawn: readonly QueuedTransaction[]): number {
    const { queue, codec, onDropped } = this.modules
    const dropped = drawn.flatMap((transaction) => {
      const decoded = signedTransaction.decode(transaction.bytes, codec)
      return decoded.ok ? [] : [{ transaction, code: decoded.fault.code }]
    })
    for (const { transaction } of dropped) queue.remove(transaction.id)
    onDropped(dropped)
    return dropped.length
  }

  /**
   * Verify the parts not verified before, and execute again. At least f + 1 members have checked the signatures of a
   * certified block.
   */
  async execute(effect: Omit<EffectOf<'execute'>, 'job'>, known: ChainFacts): Promise<ExecutionResult> {
    const { ledger, crypto } = this.modules
    const { certified } = effect
    // Before decoding: a payload beyond the limits could cost the main thread any amount of time.
    const allowed = blockLimits(known.limits, effect.header.originView)
    const tooLarge = certified ? undefined : headerLoadFault(allowed, effect.header)
    if (tooLarge !== undefined) return refused(tooLarge)
    const content = this.contentOf(effect)
    if (content === undefined) return refused('the payload does not decode, or exceeds its header')
    const { slices, unverified, evidence } = content
    let parentHolds = Promise.resolve(true)
    if (!certified) {
      const parent = checkParentCertificate(effect.header, content.parentCertificate, known.parent)
      if ('fault' in parent) return refused(parent.fault)
      const unproven = await this.unprovenEvidence(evidence)
      if (unproven !== undefined) return refused(unproven)
      const unsigned = await this.unsigned(effect, allowed, unverified)
      if (unsigned !== undefined) return unsigned
      // Concurrent with the execution: only our vote depends on it, not the state.
      if (parent.checks.length > 0 && !known.isVerified(effect.header.parentCertificateHash))
        parentHolds = verifyAll(crypto, parent.checks)
    }
    const { header, body, blockHash } = effect
    const [answer, isSigned] = await Promise.all([
      this.askProven((proofs) =>
        ledger.execute({ blockHash, header, body, hashes: flatHashes(slices), certified, proofs }),
      ),
      parentHolds,
    ])
    this.store(blockHash, slices)
    if (!certified) this.passOver(header, blockHash, slices, answer.took)
    if (!isSigned) return refused('the embedded parent certificate is not signed by its committee')
    if (answer.ok) return { ok: true }
    const { mismatch, detail, report, reportFault, isEnded } = answer
    if (isEnded) return { ok: false, reason: 'viewPassed' }
    // Without a report nothing was computed, because the block arrived after its height was decided.
    if (mismatch || report !== undefined || reportFault !== undefined)
      this.modules.onDivergence({ height: header.height, blockHash, certified, detail, report }, reportFault)
    return { ok: false, reason: answer.mismatch ? 'stateMismatch' : 'validationReject', detail: answer.detail }
  }

  /**
   * Reason to refuse a block because of invalid signatures in its transactions, or because it is no longer needed.
   * Signatures are verified in slices between votes, and only as many as the units of the block cover: the signatures
   * of 512 shared accounts take ten seconds.
   */
  private async unsigned(
    { header, blockHash }: Pick<EffectOf<'execute'>, 'header' | 'blockHash'>,
    { teu }: Pick<BlockLimits, 'teu'>,
    unverified: readonly SignedSlice[],
  ): Promise<ExecutionResult | undefined> {
    const { crypto, verified } = this.modules
    const cost = TEU_PER_SIGNATURE * unverified.reduce((sum, { signed }) => sum + signed.signatures.length, 0)
    // The first transaction of a block is always admitted, whatever its cost.
    if (unverified.length > 1 && cost > teu)
      return refused(`signatures of ${cost} execution units exceed the limit of ${teu}`)
    const fresh = unverified.filter((slice) => !verified.has(slice.signedHash))
    for (let from = 0; from < fresh.length; ) {
      if (this.place !== undefined && viewPassed(this.place, header, blockHash))
        return { ok: false, reason: 'viewPassed' }
      const some = fresh.slice(from, from + signedTogether(fresh, from))
      const checked = await crypto.verifyBatch(some.flatMap(({ signed, id }) => signatureItems(signed, id)))
      const results = validSignatures(
        some.map(({ signed }) => signed),
        checked,
      )
      const bad = some[results.findIndex((result) => result !== true)]
      if (bad !== undefined) return refused(`transaction ${bad.id.toString('hex')} has an invalid signature`)
      for (const { signedHash } of some) verified.add(signedHash)
      from += some.length
    }
    return undefined
  }

  /** Send a request about a block once, or twice if it has proofs that were not verified before. */
  private async askProven<A extends { readonly claims: readonly Uint8Array[] }>(
    ask: (proofs: ProofQuestion) => Promise<A>,
  ): Promise<A> {
    const answer = await ask({ kind: 'ask', value: undefined })
    if (answer.claims.length === 0) return answer
    return ask({ kind: 'known', value: await this.modules.proofs.ofBlock(answer.claims) })
  }

  /** Content of a payload, rebuilt from the queue or decoded; undefined if the bytes do not match the header. */
  private contentOf({ body, header, certified }: Omit<EffectOf<'execute'>, 'job'>): PayloadContent | undefined {
    if (this.rebuilt?.body === body && this.rebuilt.queued !== undefined) {
      // Each record was decoded and verified when it was queued.
      const { queued, parentCertificate, evidence } = this.rebuilt
      return { slices: queued, unverified: [], parentCertificate, evidence }
    }
    const count = certified ? undefined : header.transactionCount
    return payloadContent(body, this.modules.queue, this.modules.codec, count)
  }

  /** Rebuild the payload of a compact proposal from the queue and from records sent by peers. */
  rebuild(effect: Omit<EffectOf<'rebuild'>, 'job'>): Pick<AnswerOf<'rebuilt'>, 'body' | 'missing'> {
    const result = rebuild(effect, this.modules.queue)
    // Only one payload is executed at a time; its body identifies it.
    if (result.body !== undefined) this.rebuilt = result
    return { body: result.body, missing: result.missing }
  }

  /** Records of a payload that a peer lacks. */
  recordsFor({ body, places }: EffectOf<'serveRecords'>): PlacedRecord[] {
    return recordsAt(body, places)
  }

  /** Reason why the evidence of a payload is invalid, or undefined; verifies all its signatures. */
  private async unprovenEvidence(records: readonly Evidence[]): Promise<string | undefined> {
    if (records.length === 0) return undefined
    const { results } = await this.modules.ledger.evidence({ records })
    const all: SameCheck[] = []
    for (const [index, result] of results.entries()) {
      if (result.kind === 'refused') return `evidence ${index}: ${result.value.detail}`
      const { checks } = result.value
      all.push(...checks)
    }
    // One check for all: the aggregate is invalid if any signature was never made.
    return (await verifyTogether(this.modules.crypto, all)) ? undefined : 'a signature of the evidence is invalid'
  }

  /**
   * Commit through the ledger by the block hash; the body is sent again only if the ledger has evicted the candidate.
   */
  async commit(
    certified: CertifiedHeader,
    body: Uint8Array,
  ): Promise<{ readonly tip: Tip; readonly content: readonly BlockContent[] }> {
    const { ledger, codec } = this.modules
    const content = this.contents.get(keyString(certified.certificate.blockHash)) ?? signedSlices(body, codec).slices
    const { tip = await ledger.commitBody({ certified, body }) } = await ledger.commit({ certified })
    this.contents.clear()
    this.rebuilt = undefined
    return { tip, content }
  }

  private store(blockHash: Uint8Array, content: readonly BlockContent[]): void {
    this.contents.set(keyString(blockHash), content)
  }
}

const refused = (detail: string): ExecutionResult => ({ ok: false, reason: 'validationReject', detail })
