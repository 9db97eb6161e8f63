/** Owns the ledger of one node: state database, executor, block store, candidates; lives on its own thread (ARCHITECTURE.md, "Threads of one node"). */

import type { CodecContext } from '../../codec/index.js'
import type { ViewPlace } from '../../consensus/index.js'
import {
  type Abi,
  type AbiSchedule,
  abiNeededAt,
  type BlockRun,
  chainInfo,
  consensusParametersOf,
  evidenceFault,
  type InvalidTransaction,
  LANES_ENABLED,
  nextOwnRunMs,
  parameterAt,
  parentRecordOf,
  registeredPeers,
  SINGLETON_KEY,
  scheduleOf,
  transactionLimitsOf,
  validateRecords,
} from '../../executor/index.js'
import {
  type Lane,
  type LaneRecords,
  type LaneSlot,
  type LanesView,
  laneRecordsOf,
  lanesAt,
  lanesInServiceOrder,
  lanesViewAt,
  routeOfFacts,
} from '../../lanes/index.js'
import { blockKey, numberValue } from '../../ledger/indexes.js'
import { rosterEntries } from '../../ledger/roster-index.js'
import {
  type BlockHeader,
  type BlockOutcome,
  blockOutcome,
  type CertifiedHeader,
  chainHashOf,
  clipText,
  committedBlock,
  FIRST_VOTED_HEIGHT,
  hashOfHeader,
  keyString,
  LedgerError,
  REJECTION_TEXT_MAX_BYTES,
} from '../../model/index.js'
import { type RowKey, type StateCandidate, StateFault, type StateReader, type WorldState } from '../../state/index.js'
import { type BlockStore, failPoint } from '../../storage/index.js'
import { admissionVerdicts } from './admit.js'
import { bisectFailingTransaction } from './bisect.js'
import {
  Candidates,
  type ExecutionContext,
  executeCandidate,
  type LedgerCandidate,
  type OpenedBody,
} from './candidate.js'
import { CurrentView } from './current-view.js'
import { tryPayload } from './dry-run.js'
import { openBody } from './entries.js'
import { readHistory } from './history.js'
import { blockIndexes, replayBlockKey, replayIdKey } from './indexes.js'
import type { LedgerPort, LedgerRequest, LedgerResponse, Tip } from './protocol.js'
import { runQuery } from './query.js'
import { signedSlices } from './slices.js'
import { ENDED, type Refusal, refused, reportRefusal, type ValidationContext, validateBlock } from './validate-block.js'
import { BLOCK_ENDS, blockFault, endOf, type InvalidEntry, invalidEntries, type ValidityContext } from './validity.js'
import { ExecutionWatch, NO_TIME } from './watch.js'

/** Turns of the lanes at a height, from the state after the height below. */
const slotsAt = (state: StateReader, height: number): LaneSlot[] =>
  lanesInServiceOrder(state, height).map(({ id, teuCapacity }) => ({ lane: id, teuCapacity }))

/** An invalid transaction, as reported to the builder. */
const invalidOf = ({ endsBlock, code, ...one }: InvalidTransaction): InvalidEntry => ({
  ...one,
  code: endsBlock ? BLOCK_ENDS : code,
})

/** No block: what stands in its way, nothing where its view has passed. */
const unbuilt = (invalid: InvalidEntry[], took = NO_TIME): LedgerResponse<'build'> => ({
  header: undefined,
  invalid,
  isUnreadable: false,
  took,
})

/** What a block did when it was applied again. */
export interface Replayed {
  readonly results: BlockRun['results']
  readonly rows: StateCandidate['rows']
}

/** The ledger; its methods are those of the port, run one after another. */
export class Ledger implements LedgerPort {
  private readonly candidates = new Candidates()
  private readonly abi: Abi
  private readonly codec: CodecContext
  private readonly chain: string
  private readonly chainHash: Buffer
  private approved = 0
  private rejected = 0
  private readonly triggerRuns = { approved: 0, rejected: 0 }
  /**
   * The state batch of the last block, which may still be on its way to the disk: the block store is the commit point,
   * so the next height need not wait for it. A failure ends the process.
   */
  private written: Promise<void> = Promise.resolve()
  /** Transactions of that block: their index entries may not be readable yet. */
  private writtenIds: ReadonlySet<string> = new Set()
  /** Catalogue that the files were arranged for. */
  private arranged: { readonly lanes: readonly Lane[]; readonly names: string } | undefined
  /** Lane totals of the last block. */
  private laneRecords: LaneRecords | undefined
  private head: Pick<Tip, 'header' | 'certificate'> | undefined
  /** Height whose last refusal was explained. */
  private explainedHeight = 0
  /** Blocks are committed one after another, whatever asks for them. */
  private tail: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly world: WorldState,
    private readonly store: BlockStore,
    private readonly line: AbiSchedule,
    /** Folder of divergence reports; none are written without it. */
    private readonly reports?: string,
    private readonly view = new CurrentView(),
  ) {
    const info = world.reader.get(chainInfo, SINGLETON_KEY)
    if (info === undefined) throw new Error('the world state has no chain record: genesis was not applied')
    this.chain = info.chain
    line.switchTo(abiNeededAt(world.reader, world.height + 1), world.height + 1)
    this.abi = line.abi
    this.codec = this.abi.codec(info.addressPrefix)
    this.chainHash = chainHashOf(info.chain, info.genesisSeed)
    world.setContext(this.codec)
    const counters = world.meta('counters')
    if (counters !== undefined) {
      this.approved = counters.readUIntBE(0, 6)
      this.rejected = counters.readUIntBE(6, 6)
    }
  }

  /** Header and certificate of the last block: what was just committed, or what the store holds after a start. */
  private async headAt(height: number): Promise<Pick<Tip, 'header' | 'certificate'>> {
    if (this.head?.header.height === height) return this.head
    const header = await this.store.readHeader(height)
    if (header === undefined) throw new Error(`the block store has no header of height ${height}`)
    const certificate = (await this.store.readCertificate(height))?.certificate
    this.head = { header, certificate }
    return this.head
  }

  async tip(): Promise<Tip> {
    const { height } = this.world
    this.laneRecords ??= await this.laneRecordsAt(height)
    const { header, certificate } = await this.headAt(height)
    const reader = this.world.reader
    return {
      height,
      header,
      certificate,
      stateRoot: this.world.root,
      parentSchedule: scheduleOf(reader, height),
      schedule: scheduleOf(reader, height + 1),
      nextSchedule: scheduleOf(reader, height + 2),
      limits: { ...transactionLimitsOf(reader), ...consensusParametersOf(reader) },
      peers: registeredPeers(reader),
      approved: this.approved,
      rejected: this.rejected,
      triggerRuns: { ...this.triggerRuns },
      lanes: this.lanesOf(reader, height),
      nextDueMs: nextOwnRunMs(reader),
      abi: abiNeededAt(reader, height + 1),
    }
  }

  /** Lane records of a stored block: what a start knows of the last one. */
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

  /** Executes a body for a proposal and fills the header's roots; or says which entries may not be in it. */
  async build(request: LedgerRequest<'build'>): Promise<LedgerResponse<'build'>> {
    return this.serialize(async () => {
      // The height was decided meanwhile: nothing can be built on it any more.
      if (request.header.height !== this.world.height + 1) return unbuilt([])
      const opened = openBody(request.body, request.hashes, this.codec)
      // The ABI changed under records that waited: the builder, who has them one by one, finds out which.
      if (!opened.ok) return { ...unbuilt([]), isUnreadable: true }
      // As voters would: nothing that a peer proved late or twice may end this node.
      const place = { chainHash: this.chainHash, height: request.header.height }
      if (evidenceFault(this.world.reader, place, opened.body.evidence) !== undefined) return unbuilt([])
      const validity = this.validityAt(request.header.timeMs)
      const invalid = invalidEntries(validity, opened.entries)
      if (invalid.length > 0) return unbuilt(invalid)
      const { entries, body } = opened
      const judged = { entries, evidence: body.evidence.length, bytes: request.body.length }
      const fault = blockFault(validity, request.header.originView, judged)
      // Costs or limits changed since the builder counted: it takes fewer, and the rest waits.
      if (fault !== undefined) return unbuilt([endOf(validity, request.header.originView, judged, fault)])
      const watch = this.watch(request.header, undefined)
      const candidate = this.tryExecute(request, opened, watch)
      const { took } = watch
      if (candidate === undefined) return unbuilt([], took)
      if ('index' in candidate) return unbuilt([invalidOf(candidate)], took)
      const { invalidTransactions } = candidate.run
      if (invalidTransactions.length > 0) return unbuilt(invalidTransactions.map(invalidOf), took)
      this.keep(candidate)
      return { header: candidate.header, invalid: [], isUnreadable: false, took }
    })
  }

  /** Executes an own block, unless `watch` ends it; the entry without which it can be, where a fault of this program lets it throw. */
  private tryExecute(
    { header, body }: LedgerRequest<'build'>,
    opened: OpenedBody,
    watch: ExecutionWatch,
  ): LedgerCandidate | InvalidTransaction | undefined {
    try {
      return executeCandidate(this.context(), header, body, opened, watch.between)
    } catch (error) {
      if (error instanceof StateFault) throw error
      const { entries } = opened
      const index = bisectFailingTransaction(entries.length, (count) =>
        executeCandidate(this.context(), header, body, { ...opened, entries: entries.slice(0, count) }),
      )
      if (index === undefined) throw error
      return {
        index,
        endsBlock: false,
        code: 'executor_fault',
        message: error instanceof Error ? error.message : String(error),
      }
    }
  }

  /** Re-executes a block and compares every root; signatures were verified before. */
  async execute(request: LedgerRequest<'execute'>): Promise<LedgerResponse<'execute'>> {
    return this.serialize(async () => {
      if (request.header.height !== this.world.height + 1) {
        return refused({ mismatch: false, detail: `height ${request.header.height} is not the next` })
      }
      const held = { ...refused({ mismatch: false, detail: '' }), ok: true }
      if (this.candidates.get(request.blockHash) !== undefined) return held
      const { header, blockHash, certified } = request
      if (!certified && this.view.hasPassed(header, blockHash)) return refused(ENDED)
      const watch = this.watch(header, certified ? 'certified' : blockHash)
      const outcome = await this.validate(header, request.body, request.hashes, watch)
      const { took } = watch
      if ('detail' in outcome) return { ...(await this.withDivergenceReport(request, outcome)), took }
      this.keep(outcome.candidate)
      return { ...held, took }
    })
  }

  enterView(place: ViewPlace): void {
    this.view.enter(place)
  }

  /** Watches an execution, which ends when its view has passed; what is certified never does. */
  private watch(header: BlockHeader, block: Uint8Array | 'certified' | undefined): ExecutionWatch {
    return new ExecutionWatch(() => block === 'certified' || !this.view.hasPassed(header, block))
  }

  private keep(candidate: LedgerCandidate): void {
    this.candidates.keep(candidate, this.view.read()?.kept)
  }

  /** Makes a certified block durable by its candidate, then its state; without a tip where the candidate was evicted. */
  async commit({ certified }: LedgerRequest<'commit'>): Promise<LedgerResponse<'commit'>> {
    return this.serialize(async () => {
      const candidate = this.candidates.get(certified.certificate.blockHash)
      if (candidate === undefined) return { tip: undefined }
      await this.apply(candidate, certified)
      return { tip: await this.tip() }
    })
  }

  /** Executes a certified block whose candidate was evicted, and commits it. Throws `state_divergence` on other roots. */
  async commitBody({ certified, body }: LedgerRequest<'commitBody'>): Promise<Tip> {
    return this.serialize(async () => {
      await this.apply(await this.reexecute(certified, body), certified)
      return this.tip()
    })
  }

  /** Verdicts for transactions whose records decoded and whose signatures are being verified elsewhere. */
  async admit(request: LedgerRequest<'admit'>): Promise<LedgerResponse<'admit'>> {
    return { verdicts: admissionVerdicts(this.context(), this.isCommitted, request) }
  }

  /** Routes of transactions that wait, under what acts at the next height. */
  async route(request: LedgerRequest<'route'>): Promise<LedgerResponse<'route'>> {
    const routes = this.abi.policies.routeSource?.(this.world.reader, this.world.height + 1)
    return { routes: request.facts.map((facts) => routeOfFacts(facts, routes)) }
  }

  async query(request: LedgerRequest<'query'>): Promise<LedgerResponse<'query'>> {
    // Indexes and records of one height: never those of a batch that is half on its way.
    await this.written
    const context = { world: this.world, blocks: this.store, abi: this.abi, codec: this.codec }
    return { output: await runQuery(context, request.kind, request.input) }
  }

  /** Runs a payload on a copy of the state that is dropped; throws what admission would refuse it with. */
  async dryRun({ payload, timeMs }: LedgerRequest<'dryRun'>): Promise<LedgerResponse<'dryRun'>> {
    const { abi, codec, world, chainHash } = this
    const { header, certificate } = await this.headAt(world.height)
    const validity = this.validityAt(Math.max(timeMs, header.timeMs + 1))
    return { output: tryPayload({ abi, codec, world, chainHash, certificate, validity }, payload) }
  }

  /** Committed blocks in their canonical bytes, at most `maxBytes` of them but at least one. */
  async blocks(request: LedgerRequest<'blocks'>): Promise<LedgerResponse<'blocks'>> {
    const { from, count, maxBytes } = request
    const found: Uint8Array[] = []
    let total = 0
    for (let height = from; height < from + count && height <= this.world.height; height++) {
      const block = await this.store.read(height)
      if (block === undefined) break
      const bytes = committedBlock.encode(block)
      total += bytes.length
      if (found.length > 0 && total > maxBytes) break
      found.push(bytes)
    }
    return { blocks: found }
  }

  history(request: LedgerRequest<'history'>): Promise<LedgerResponse<'history'>> {
    return readHistory(this.store, request, this.world.height)
  }

  async certificate(request: LedgerRequest<'certificate'>): Promise<LedgerResponse<'certificate'>> {
    return { certified: await this.store.readCertificate(request.height) }
  }

  /** Judges evidence for the next block; its signatures are verified elsewhere. */
  async evidence(request: LedgerRequest<'evidence'>): Promise<LedgerResponse<'evidence'>> {
    const place = { chainHash: this.chainHash, height: this.world.height + 1 }
    const verdicts = validateRecords(this.world.reader, place, request.records).map((judged) => {
      if ('fault' in judged) {
        return { kind: 'refused' as const, value: { detail: judged.fault, known: judged.known === true } }
      }
      const { key, kind, offender, height, view, checks } = judged
      return { kind: 'admissible' as const, value: { key, kind, offender, height, view, checks } }
    })
    return { verdicts }
  }

  async close(): Promise<void> {
    await this.tail.catch(() => undefined)
    await this.written
    await this.world.close()
    await this.store.close()
  }

  /**
   * Re-applies a stored block after a crash between block store and state database; every root is checked.
   * Gives the results of its transactions and the rows that it changed.
   */
  async replay(height: number): Promise<Replayed> {
    const block = await this.store.read(height)
    const certificate = block?.certificate
    if (block === undefined || certificate === undefined) throw new Error(`block ${height} is not in the store`)
    const outcome = await this.validate(block.header, block.body, signedSlices(block.body, this.codec).hashes)
    if ('detail' in outcome) {
      throw new LedgerError('state_divergence', `block ${height} does not replay: ${outcome.detail}`, {
        hint: 'The data directory is damaged or was written by another release; restore it from a backup or from peers.',
      })
    }
    this.applyState(outcome.candidate)
    await this.written
    return { results: outcome.candidate.run.results, rows: outcome.candidate.state.rows }
  }

  /** Executes a certified block whose candidate was evicted. */
  private async reexecute(certified: CertifiedHeader, body: Uint8Array): Promise<LedgerCandidate> {
    const outcome = await this.validate(certified.header, body, signedSlices(body, this.codec).hashes)
    if ('detail' in outcome) throw new LedgerError('state_divergence', outcome.detail)
    return outcome.candidate
  }

  private serialize<T>(work: () => Promise<T>): Promise<T> {
    const next = this.tail.then(work, work)
    this.tail = next.catch(() => undefined)
    return next
  }

  private isCommitted = (id: Uint8Array): boolean =>
    this.writtenIds.has(keyString(id)) || this.world.indexGet(replayIdKey(id)) !== undefined

  private validityAt(timeMs: number): ValidityContext {
    const { reader, height } = this.world
    const limits = transactionLimitsOf(reader)
    const route = this.abi.policies.routeSource?.(reader, height + 1)
    const lanes = route && { route, slots: slotsAt(reader, height + 1) }
    return { abi: this.abi, chain: this.chain, limits, timeMs, isCommitted: this.isCommitted, lanes }
  }

  private context(): ExecutionContext & { readonly codec: CodecContext } {
    return { abi: this.abi, codec: this.codec, chain: this.chain, chainHash: this.chainHash, world: this.world }
  }

  private async validate(
    header: BlockHeader,
    bytes: Uint8Array,
    hashes: Uint8Array,
    watch?: ExecutionWatch,
  ): Promise<ReturnType<typeof validateBlock>> {
    return validateBlock(await this.validationContext(), this.validityAt(header.timeMs), header, bytes, hashes, watch)
  }

  private async validationContext(): Promise<ValidationContext> {
    const { height, reader } = this.world
    const { header, certificate } = await this.headAt(height)
    const parent = certificate && parentRecordOf(scheduleOf(reader, height), this.chainHash, header)
    return { ...this.context(), parent }
  }

  /** The refusal of a block with its report, where another result or a certificate calls for one. */
  private async withDivergenceReport(
    request: LedgerRequest<'execute'>,
    outcome: Refusal,
  ): Promise<LedgerResponse<'execute'>> {
    if (this.reports === undefined || (!outcome.mismatch && !request.certified)) return refused(outcome)
    // Explaining costs a second execution: a liar may have every view of a height propose what nobody reproduces.
    const { height } = request.header
    if (!request.certified && this.explainedHeight === height) return refused(outcome)
    this.explainedHeight = height
    // The rows on disk are looked at: the last batch must be there.
    await this.written
    return reportRefusal(await this.validationContext(), this.reports, request, outcome)
  }

  /** Brings the files of lanes to the catalogue of the next height; nothing happens while it stays the same. */
  async arrangeLanes(): Promise<void> {
    const lanes = lanesAt(this.world.reader, this.world.height + 1)
    if (lanes === this.arranged?.lanes) return
    const active = lanes.filter((lane) => lane.state === 'active')
    const names = active.map(({ id, alias }) => `${id} ${alias}`).join(',')
    if (names !== this.arranged?.names) await this.store.setLanes(active)
    this.arranged = { lanes, names }
  }

  /** Block store first, synced: the commit point; then the one atomic state batch (docs/design/consensus.md 8). */
  private async apply(candidate: LedgerCandidate, certified: CertifiedHeader): Promise<void> {
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
    })
    await Promise.all([appended, this.written])
    this.applyState(candidate)
    this.head = { header: candidate.header, certificate: certified.certificate }
  }

  /** Switches the state to after the block at once; its batch goes to the disk meanwhile. */
  private applyState(candidate: LedgerCandidate): void {
    const { header, run, entries } = candidate
    const expired = run.expiredReplayHeights.map((height) => ({
      height,
      ids: this.world.indexGet(replayBlockKey(height)) ?? Buffer.alloc(0),
    }))
    // Runs of triggers follow the transactions.
    for (const result of run.results.slice(0, entries.length)) {
      if (result.outcome.kind === 'approved') this.approved += 1
      else this.rejected += 1
    }
    for (const { outcome } of run.results.slice(entries.length)) this.triggerRuns[outcome.kind] += 1
    const counters = Buffer.alloc(12)
    counters.writeUIntBE(this.approved, 0, 6)
    counters.writeUIntBE(this.rejected, 6, 6)
    const { timeMs, height } = header
    const { world } = this
    const before = {
      hasRow: (row: RowKey): boolean => world.reader.hasRow(row),
      indexGet: (key: Uint8Array): Buffer | undefined => world.indexGet(key),
    }
    const { results, events } = run
    const { rows } = candidate.state
    const indexes = blockIndexes(this.abi, { height, timeMs, entries, results, events, rows, before }, expired)
    const place = [blockKey(hashOfHeader(header)), numberValue(height)] as const
    const put = [...indexes.put, place, ...rosterEntries(this.world.reader, height)]
    this.candidates.clear()
    this.laneRecords = { commitments: run.laneCommitments, settlements: run.settlements }
    this.writtenIds = new Set(entries.map((entry) => keyString(entry.id)))
    failPoint(204)
    this.written = this.world.commit(candidate.state, {
      height: header.height,
      indexes: { ...indexes, put },
      meta: [['counters', counters]],
    })
    this.written.then(
      () => failPoint(205),
      () => undefined,
    )
    this.written.catch((error: unknown) => {
      // Memory is ahead of the disk: nothing may be built on it. On the ledger thread this ends the node.
      setImmediate(() => {
        throw error
      })
    })
    // A release that lacks the ABI of the next height ends here: this block is whole, the next one is not begun.
    this.line.switchTo(abiNeededAt(this.world.reader, height + 1), height + 1)
  }
}

/** What the rejections of a block say, to be stored beside its results. */
const textsOf = ({ rejections }: BlockRun): BlockOutcome['texts'] =>
  [...rejections].map(([entry, { message }]) => ({ entry, text: clipText(message, REJECTION_TEXT_MAX_BYTES) }))
