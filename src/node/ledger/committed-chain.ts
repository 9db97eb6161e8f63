/**
 * Owns the committed chain of one node: its last block, and the commit of the next one, block store first, then one
 * state batch.
 */
import { sameBytes } from '../../base/bytes.js'
import type { CodecContext } from '../../codec/index.js'
import {
  type AbiSchedule,
  abiNeededAt,
  type BlockRun,
  chainInfo,
  consensusParametersOf,
  LANES_ENABLED,
  nextOwnRunMs,
  parameterAt,
  registeredPeers,
  SINGLETON_KEY,
  scheduleOf,
  transactionLimitsOf,
} from '../../executor/index.js'
import { type Lane, type LaneRecords, type LanesView, laneRecordsOf, lanesAt, lanesViewAt } from '../../lanes/index.js'
import { rosterEntries } from '../../ledger/roster-index.js'
import {
  type BlockOutcome,
  blockOutcome,
  type CertifiedHeader,
  clipText,
  FIRST_VOTED_HEIGHT,
  keyString,
  type QuorumCertificate,
  REJECTION_TEXT_MAX_BYTES,
  rejectionOf,
} from '../../model/index.js'
import type { RowKey, StateReader, WorldState } from '../../state/index.js'
import { type BlockStore, failPoint } from '../../storage/index.js'
import { blockIndexes, replayBlockKey, replayBlocks, replayIdKey } from '../chain/indexes.js'
import type { LedgerCandidate } from './candidate.js'
import { HEAD_RECORD, type Head, headRecord } from './head-record.js'
import type { Tip } from './protocol.js'
import { ReplayFilter } from './replay-filter.js'
import { runSelfChecks } from './self-checks.js'

/**
 * First ABI with packed header records. Below it the node can be downgraded to release 0.1.0, which reads only unpacked
 * records.
 */
const PACKED_FROM_ABI = 2

/** The chain; the owning ledger applies blocks one after another. */
export class CommittedChain {
  private approved = 0
  private rejected = 0
  private readonly triggerRuns = { approved: 0, rejected: 0 }
  /**
   * Pending state batch of the last block. The block store is the commit point, so the next height does not wait for
   * the batch. A failure ends the process.
   */
  private written: Promise<void> = Promise.resolve()
  /** Transactions of that block, whose index entries may not be readable yet. */
  private writtenIds: ReadonlySet<string> = new Set()
  /** Filter that avoids most reads for replay ids of earlier blocks. */
  private readonly replayFilter = new ReplayFilter()
  /** Lane catalogue for which the files were arranged. */
  private arranged: { readonly lanes: readonly Lane[]; readonly names: string } | undefined
  /** Lane totals of the last block. */
  private laneRecords: LaneRecords | undefined
  private head: Head | undefined

  constructor(
    private readonly world: WorldState,
    private readonly store: BlockStore,
    private readonly line: AbiSchedule,
    private readonly codec: CodecContext,
  ) {
    const counters = world.meta('counters')
    if (counters !== undefined) {
      this.approved = counters.readUIntBE(0, 6)
      this.rejected = counters.readUIntBE(6, 6)
    }
  }

  /** Header and certificate of the last block, from its commit or, after a start, from the store. */
  async headAt(height: number): Promise<Head> {
    if (this.head?.header.height === height) return this.head
    const header = await this.store.readHeader(height)
    if (header === undefined) throw new Error(`the block store has no header of height ${height}`)
    const certificate = (await this.store.readCertificate(height))?.certificate
    this.head = { header, certificate }
    return this.head
  }

  /** Store header and certificate of the last block with the state, if it was not committed by this process. */
  async keepHead(): Promise<void> {
    const record = headRecord.encode(await this.headAt(this.world.height))
    const kept = this.world.meta(HEAD_RECORD)
    if (kept === undefined || !sameBytes(kept, record)) await this.world.keepMeta(HEAD_RECORD, record)
  }

  /** Last block, with the parameters of the heights after it. */
  async tip(): Promise<Tip> {
    const { height } = this.world
    this.laneRecords ??= await this.laneRecordsAt(height)
    const { header, certificate } = await this.headAt(height)
    const reader = this.world.reader
    const { election } = this.line.abi.policies
    const phases = election?.phaseTimes(reader)
    return {
      height,
      header,
      certificate,
      stateRoot: this.world.root,
      parentSchedule: scheduleOf(reader, height),
      schedule: scheduleOf(reader, height + 1),
      nextSchedule: scheduleOf(reader, height + 2),
      limits: { ...transactionLimitsOf(reader), ...consensusParametersOf(reader), phases },
      peers: registeredPeers(reader),
      approved: this.approved,
      rejected: this.rejected,
      triggerRuns: { ...this.triggerRuns },
      lanes: this.lanesOf(reader, height),
      nextDueMs: nextOwnRunMs(reader),
      epoch: election?.epochFacts(reader, height + 1),
      mode: reader.get(chainInfo, SINGLETON_KEY)?.consensusMode ?? '',
      stagedMode: election?.stagedMode(reader),
      cancelledMode: election?.cancelledMode(reader),
      firstHeight: this.store.firstHeight,
      abi: abiNeededAt(reader, height + 1),
    }
  }

  /** Lane records of a stored block, for a start. */
  private async laneRecordsAt(height: number): Promise<LaneRecords | undefined> {
    if (height < FIRST_VOTED_HEIGHT) return undefined
    const [block, bytes] = [await this.store.read(height), await this.store.readOutcome(height)]
    const outcome = bytes === undefined ? undefined : blockOutcome.decode(bytes, this.codec)
    if (block === undefined || outcome?.ok !== true) return undefined
    return laneRecordsOf(height, block.body, outcome.value, this.codec)
  }

  /** Lanes for the next height with the totals of this one; undefined while lanes are off. */
  private lanesOf(reader: StateReader, height: number): LanesView | undefined {
    if (!parameterAt(reader, LANES_ENABLED, height + 1)) return undefined
    return lanesViewAt(reader, height + 1, this.laneRecords ?? { commitments: [], settlements: [] })
  }

  /** True if a block within the replay window has this transaction. */
  readonly isCommitted = (id: Uint8Array): boolean =>
    this.replayFilter.mayHold(id) &&
    (this.writtenIds.has(keyString(id)) || this.world.indexGet(replayIdKey(id)) !== undefined)

  /** Load the transactions of the replay window; until then each lookup reads the store. */
  async readReplayWindow(): Promise<void> {
    for await (const { height, ids } of replayBlocks(this.world)) this.replayFilter.add(height, ids)
    this.replayFilter.complete()
  }

  /** Resolves when the last state batch is on disk. */
  flushed(): Promise<void> {
    return this.written
  }

  /** Arrange the files of lanes for the catalogue of the next height; no effect if it is unchanged. */
  async arrangeLanes(): Promise<void> {
    const lanes = lanesAt(this.world.reader, this.world.height + 1)
    if (lanes === this.arranged?.lanes) return
    const active = lanes.filter((lane) => lane.state === 'active')
    const names = active.map(({ id, alias }) => `${id} ${alias}`).join(',')
    if (names !== this.arranged?.names) await this.store.setLanes(active)
    this.arranged = { lanes, names }
  }

  /**
   * Commit a block: block store first, synced, which is the commit point; then the one atomic state batch
   * (docs/design/consensus.md 8).
   */
  async apply(candidate: LedgerCandidate, certified: CertifiedHeader): Promise<void> {
    const { run, bytes, entries } = candidate
    const { results, events } = run
    await this.arrangeLanes()
    failPoint(200)
    const outcome = blockOutcome.encode({ results, events, texts: textsOf(run) }, this.codec)
    const appended = this.store.append({
      header: candidate.header,
      certificate: certified.certificate,
      body: bytes,
      entries: entries.map((entry) => {
        const start = entry.signedBytes.byteOffset - bytes.byteOffset
        return { lane: entry.lane, start, end: start + entry.signedBytes.length }
      }),
      outcome,
      isPacked: abiNeededAt(this.world.reader, candidate.header.height).number >= PACKED_FROM_ABI,
    })
    await Promise.all([appended, this.written])
    this.applyState(candidate, certified.certificate)
    this.head = { header: candidate.header, certificate: certified.certificate }
  }

  /** Switch the in-memory state to the state after the block, while its batch is written. */
  applyState(candidate: LedgerCandidate, certificate: QuorumCertificate): void {
    const { header, run, entries } = candidate
    const expired = run.expiredReplayHeights.map((height) => ({
      height,
      ids: this.world.indexGet(replayBlockKey(height)) ?? Buffer.alloc(0),
    }))
    this.count(run.results, entries.length)
    const counters = Buffer.alloc(12)
    counters.writeUIntBE(this.approved, 0, 6)
    counters.writeUIntBE(this.rejected, 6, 6)
    const { timeMs, height, payloadBytes } = header
    const { world } = this
    const before = {
      hasRow: (row: RowKey): boolean => world.reader.hasRow(row),
      rowBytes: (row: RowKey): Uint8Array | undefined => world.rowBytes(row),
      indexGet: (key: Uint8Array): Buffer | undefined => world.indexGet(key),
    }
    const { results, events } = run
    const { rows } = candidate.state
    const block = { height, timeMs, payloadBytes, entries, results, events, rows, before }
    const indexes = blockIndexes(this.line.abi, block, expired)
    const put = [...indexes.put, ...rosterEntries(this.world.reader, height)]
    this.laneRecords = { commitments: run.laneCommitments, settlements: run.settlements }
    for (const { height: ended } of expired) this.replayFilter.expire(ended)
    this.recordIds(height, entries)
    failPoint(204)
    this.written = this.world.commit(candidate.state, {
      height: header.height,
      indexes: { ...indexes, put },
      meta: [
        ['counters', counters],
        [HEAD_RECORD, headRecord.encode({ header, certificate })],
      ],
    })
    this.written.then(
      () => failPoint(205),
      () => undefined,
    )
    this.written.catch((error: unknown) => {
      // Memory is ahead of the disk and must not be built on. On the ledger thread this ends the node.
      setImmediate(() => {
        throw error
      })
    })
    // A release without the ABI of the next height stops here: this block is complete, and the next is not begun.
    this.line.switchTo(abiNeededAt(this.world.reader, height + 1), height + 1)
    runSelfChecks(this.line.abi)
  }

  /** Count the outcomes of the transactions of a block, which come first, and of its trigger runs. */
  private count(results: BlockRun['results'], transactions: number): void {
    for (let at = 0; at < results.length; at += 1) {
      const isApproved = rejectionOf(results[at]!.outcome) === undefined
      if (at >= transactions) this.triggerRuns[isApproved ? 'approved' : 'rejected'] += 1
      else if (isApproved) this.approved += 1
      else this.rejected += 1
    }
  }

  /** Record the transactions of a block for replay protection. */
  private recordIds(height: number, entries: LedgerCandidate['entries']): void {
    const ids = new Set<string>()
    for (let at = 0; at < entries.length; at += 1) {
      const { id } = entries[at]!
      ids.add(keyString(id))
      this.replayFilter.add(height, id)
    }
    this.writtenIds = ids
  }
}

/** Texts of the rejections of a block, stored beside its results. */
const textsOf = ({ rejections }: BlockRun): BlockOutcome['texts'] =>
  [...rejections].map(([entry, { message }]) => ({ entry, text: clipText(message, REJECTION_TEXT_MAX_BYTES) }))
