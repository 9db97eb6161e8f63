/**
 * Owns the ledger of one node: state database, executor, block store, candidates; runs on its own thread
 * (ARCHITECTURE.md, "Threads of one node").
 */

import { Mutex } from '../../base/mutex.js'
import type { CodecContext } from '../../codec/index.js'
import type { ViewPlace } from '../../consensus/index.js'
import { cacheOutcome } from '../../crypto/circuits/proof-outcomes.js'
import {
  type Abi,
  type AbiSchedule,
  abiNeededAt,
  type BlockRun,
  chainInfo,
  EXECUTIONS,
  parentRecordOf,
  routesAt,
  SINGLETON_KEY,
  scheduleOf,
  transactionLimitsOf,
  validateRecords,
} from '../../executor/index.js'
import { type LaneSlot, lanesInServiceOrder, routeOfFacts } from '../../lanes/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  chainHashOf,
  LedgerError,
  type SignedGenesis,
} from '../../model/index.js'
import type { HeightState, StateCandidate, StateReader, WorldState } from '../../state/index.js'
import type { BlockStore } from '../../storage/index.js'
import { admissionResults } from './admit.js'
import { buildBlock, NOT_BUILT } from './build-block.js'
import { Candidates, type ExecutionContext, type LedgerCandidate } from './candidate.js'
import type { ProofQuestion } from './claims.js'
import { CommittedChain } from './committed-chain.js'
import { CurrentView } from './current-view.js'
import { readBlocks, readHistory } from './history.js'
import type { LedgerPort, LedgerRequest, LedgerResponse, Tip } from './protocol.js'
import { Pruning } from './pruning.js'
import { ledgerSources, runQuery } from './query.js'
import { runSelfChecks } from './self-checks.js'
import { signedSlices } from './slices.js'
import { LiveSnapshots } from './snapshots.js'
import { ENDED, type Refusal, refused, reportRefusal, type ValidationContext, validateBlock } from './validate-block.js'
import type { ValidityContext } from './validity.js'
import { ExecutionWatch, NO_TIME } from './watch.js'

/** Lane slots at a height, from the state after the previous height. */
const slotsAt = (state: StateReader, height: number): LaneSlot[] =>
  lanesInServiceOrder(state, height).map(({ id, teuCapacity }) => ({ lane: id, teuCapacity }))

/** Refusal of a block whose proofs must be verified before it runs. */
const UNPROVEN: Refusal = { mismatch: false, detail: 'its proofs are not verified yet' }

/** Reason why the execution of an unrequested block failed. */
const refusalOf = (outcome: Exclude<ReturnType<typeof validateBlock>, { candidate: unknown }>): string =>
  'detail' in outcome ? outcome.detail : UNPROVEN.detail

/** Effects of a replayed block. */
export interface Replayed {
  readonly results: BlockRun['results']
  readonly rows: StateCandidate['rows']
}

/** Ledger thread; runs the methods of the port one after another. */
export class Ledger implements LedgerPort {
  private readonly candidates = new Candidates()
  private readonly abi: Abi
  private readonly codec: CodecContext
  private readonly chain: string
  private readonly chainHash: Buffer
  private readonly committed: CommittedChain
  private readonly snapshots = new LiveSnapshots()
  private readonly pruning: Pruning
  /** Height whose last refusal was explained. */
  private explainedHeight = 0
  /** Serialises commits, whatever requests them. */
  private readonly mutex = new Mutex()

  constructor(
    private readonly world: WorldState,
    private readonly store: BlockStore,
    line: AbiSchedule,
    /** Folder of divergence reports; without it none are written. */
    private readonly reports?: string,
    private readonly view = new CurrentView(),
    /** Genesis of the network; without it the ledger creates no snapshots. */
    private readonly genesis?: SignedGenesis,
  ) {
    const info = world.reader.get(chainInfo, SINGLETON_KEY)
    if (info === undefined) throw new Error('the world state has no chain record: genesis was not applied')
    this.chain = info.chain
    line.switchTo(abiNeededAt(world.reader, world.height + 1), world.height + 1)
    this.abi = line.abi
    runSelfChecks(this.abi)
    this.codec = this.abi.codec(info.addressPrefix)
    this.chainHash = chainHashOf(info.chain, info.genesisSeed)
    world.setContext(this.codec)
    this.committed = new CommittedChain(world, store, line, this.codec)
    this.pruning = new Pruning({ world, store, abi: this.abi, codec: this.codec })
  }

  tip(): Promise<Tip> {
    return this.committed.tip()
  }

  /** Execute a body for a proposal and fill in the roots of the header, or return the invalid entries. */
  async build(request: LedgerRequest<'build'>): Promise<LedgerResponse<'build'>> {
    return this.mutex.run(async () => {
      const { header } = request
      // The height was decided meanwhile: no block can be built on it.
      if (header.height !== this.world.height + 1) return { header: undefined, ...NOT_BUILT, claims: [], took: NO_TIME }
      const watch = this.watch(header, undefined)
      const built = buildBlock(this.context(), this.validityAt(header.timeMs), request, watch)
      const { took } = watch
      if ('claims' in built) return { header: undefined, ...NOT_BUILT, claims: built.claims, took }
      if (!('candidate' in built)) return { header: undefined, ...built, claims: [], took }
      this.keep(built.candidate)
      return { header: built.candidate.header, invalid: [], isUnreadable: false, claims: [], took }
    })
  }

  /** Execute a block again and compare every root; its signatures were verified before. */
  async execute(request: LedgerRequest<'execute'>): Promise<LedgerResponse<'execute'>> {
    return this.mutex.run(async () => {
      if (request.header.height !== this.world.height + 1) {
        return refused({ mismatch: false, detail: `expected the next height, got ${request.header.height}` })
      }
      const held = { ...refused({ mismatch: false, detail: '' }), ok: true }
      if (this.candidates.get(request.blockHash) !== undefined) return held
      const { header, blockHash, certified } = request
      if (!certified && this.view.hasPassed(header, blockHash)) return refused(ENDED)
      const watch = this.watch(header, certified ? 'certified' : blockHash)
      const outcome = await this.validate(header, request.body, request.hashes, watch, request.proofs)
      const { took } = watch
      if ('claims' in outcome) return { ...refused(UNPROVEN), claims: outcome.claims }
      if ('detail' in outcome) return { ...(await this.withDivergenceReport(request, outcome)), took }
      this.keep(outcome.candidate)
      return { ...held, took }
    })
  }

  enterView(place: ViewPlace): void {
    this.view.enter(place)
  }

  /** Watch an execution and end it once its view has passed; the execution of a certified block never ends early. */
  private watch(header: BlockHeader, block: Uint8Array | 'certified' | undefined): ExecutionWatch {
    return new ExecutionWatch(() => block === 'certified' || !this.view.hasPassed(header, block))
  }

  private keep(candidate: LedgerCandidate): void {
    this.candidates.keep(candidate, this.view.read()?.kept)
  }

  /**
   * Commit a certified block through its candidate: make it durable, then its state. No tip if the candidate was
   * evicted.
   */
  async commit({ certified }: LedgerRequest<'commit'>): Promise<LedgerResponse<'commit'>> {
    return this.mutex.run(async () => {
      const candidate = this.candidates.get(certified.certificate.blockHash)
      if (candidate === undefined) return { tip: undefined }
      return { tip: await this.apply(candidate, certified) }
    })
  }

  /** Execute a certified block whose candidate was evicted, and commit it. Throws `state_divergence` on other roots. */
  async commitBody({ certified, body }: LedgerRequest<'commitBody'>): Promise<Tip> {
    return this.mutex.run(async () => this.apply(await this.reexecute(certified, body), certified))
  }

  private async apply(candidate: LedgerCandidate, certified: CertifiedHeader): Promise<Tip> {
    await this.committed.apply(candidate, certified)
    this.candidates.clear()
    this.prepareNext()
    return this.tip()
  }

  /**
   * Prepare the next blocks while the thread is idle; a failure is ignored here and occurs again in their execution.
   */
  private prepareNext(): void {
    const { election } = this.abi.policies
    if (election === undefined) return
    setImmediate(() => {
      this.mutex.run(async () => election.prepare(this.world.reader)).catch(() => undefined)
    })
  }

  /** Load the transactions of the replay window. */
  readReplayWindow(): Promise<void> {
    return this.committed.readReplayWindow()
  }

  /** Store header and certificate of the last block with the state. */
  keepHead(): Promise<void> {
    return this.committed.keepHead()
  }

  arrangeLanes(): Promise<void> {
    return this.committed.arrangeLanes()
  }

  /** Validate transactions whose records are decoded and whose signatures are verified elsewhere. */
  async admit(request: LedgerRequest<'admit'>): Promise<LedgerResponse<'admit'>> {
    return { results: admissionResults(this.context(), this.committed.isCommitted, request) }
  }

  /** Store results of proofs that were verified elsewhere. */
  async cacheProofs({ outcomes }: LedgerRequest<'cacheProofs'>): Promise<LedgerResponse<'cacheProofs'>> {
    for (const one of outcomes) cacheOutcome(one)
    return {}
  }

  /** Route waiting transactions under the rules of the next height. */
  async route(request: LedgerRequest<'route'>): Promise<LedgerResponse<'route'>> {
    const routes = routesAt(this.abi.policies, this.world.reader, this.world.height + 1)
    return { routes: request.facts.map((facts) => routeOfFacts(facts, routes)) }
  }

  async query(request: LedgerRequest<'query'>): Promise<LedgerResponse<'query'>> {
    // Index and records must be of the same height, so a pending batch is completed first.
    await this.committed.flushed()
    const sources = ledgerSources(this.world, this.store, this.abi, this.codec)
    return { output: await runQuery(EXECUTIONS.query, sources, request.kind, request.input) }
  }

  /** Resolves once the state of the last block can be read from disk. */
  async written(): Promise<LedgerResponse<'written'>> {
    await this.committed.flushed()
    return {}
  }

  /** State of the last block, unaffected by later commits; the caller closes it before the ledger. */
  heightState(cacheBytes: number): Promise<HeightState> {
    return this.world.heightState(cacheBytes)
  }

  /** Committed blocks in canonical bytes, at most `maxBytes` of them but at least one. */
  blocks(request: LedgerRequest<'blocks'>): Promise<LedgerResponse<'blocks'>> {
    return readBlocks(this.store, request, this.world)
  }

  history(request: LedgerRequest<'history'>): Promise<LedgerResponse<'history'>> {
    return readHistory(this.store, request, this.world.height)
  }

  /** Write the state of the last block to a new file while blocks continue; resolves when the file is complete. */
  async snapshot({ file }: LedgerRequest<'snapshot'>): Promise<LedgerResponse<'snapshot'>> {
    const { genesis, store, codec, abi: records } = this
    if (genesis === undefined) throw new Error('the ledger was opened without its genesis')
    const state = await this.mutex.run(async () => {
      await this.committed.flushed()
      return this.world.frozen()
    })
    return { manifest: await this.snapshots.make(file, { state, store, genesis, codec, records }) }
  }

  /** Prune the oldest blocks while blocks continue; resolves when they are removed. */
  async prune({ below }: LedgerRequest<'prune'>): Promise<LedgerResponse<'prune'>> {
    await this.committed.flushed()
    await this.pruning.run(below)
    return { firstHeight: this.store.firstHeight }
  }

  async certificate(request: LedgerRequest<'certificate'>): Promise<LedgerResponse<'certificate'>> {
    return { certified: await this.store.readCertificate(request.height) }
  }

  /** Validate evidence for the next block; its signatures are verified elsewhere. */
  async evidence(request: LedgerRequest<'evidence'>): Promise<LedgerResponse<'evidence'>> {
    const place = { chainHash: this.chainHash, height: this.world.height + 1 }
    const results = validateRecords(this.world.reader, place, request.records).map((checked) => {
      if ('fault' in checked) {
        const { fault: detail, known = false, early = false } = checked
        return { kind: 'refused' as const, value: { detail, known, early } }
      }
      const { key, kind, offender, height, view, checks } = checked
      return { kind: 'admissible' as const, value: { key, kind, offender, height, view, checks } }
    })
    return { results }
  }

  async close(): Promise<void> {
    await Promise.all([this.snapshots.close(), this.pruning.close()])
    await this.mutex.idle
    await this.committed.flushed()
    await this.world.close()
    await this.store.close()
  }

  /**
   * Apply a stored block again after a crash between block store and state database, checking every root. Returns the
   * results of its transactions and the rows that it changed.
   */
  async replay(height: number): Promise<Replayed> {
    const block = await this.store.read(height)
    const certificate = block?.certificate
    if (block === undefined || certificate === undefined) throw new Error(`block ${height} is not in the store`)
    const outcome = await this.validate(block.header, block.body, signedSlices(block.body, this.codec).hashes)
    if (!('candidate' in outcome)) {
      throw new LedgerError('state_divergence', `cannot replay block ${height}: ${refusalOf(outcome)}`, {
        hint: 'The data directory is corrupt or was written by another release; restore it from a backup or from peers.',
      })
    }
    this.committed.applyState(outcome.candidate, certificate)
    this.candidates.clear()
    await this.committed.flushed()
    return { results: outcome.candidate.run.results, rows: outcome.candidate.state.rows }
  }

  /** Execute a certified block whose candidate was evicted. */
  private async reexecute(certified: CertifiedHeader, body: Uint8Array): Promise<LedgerCandidate> {
    const outcome = await this.validate(certified.header, body, signedSlices(body, this.codec).hashes)
    if (!('candidate' in outcome)) throw new LedgerError('state_divergence', refusalOf(outcome))
    return outcome.candidate
  }

  private validityAt(timeMs: number): ValidityContext {
    const { reader, height } = this.world
    const limits = transactionLimitsOf(reader)
    const route = routesAt(this.abi.policies, reader, height + 1)
    const lanes = route && { route, slots: slotsAt(reader, height + 1) }
    return { abi: this.abi, chain: this.chain, limits, timeMs, isCommitted: this.committed.isCommitted, lanes }
  }

  private context(): ExecutionContext {
    return { abi: this.abi, codec: this.codec, chain: this.chain, chainHash: this.chainHash, world: this.world }
  }

  private async validate(
    header: BlockHeader,
    bytes: Uint8Array,
    hashes: Uint8Array,
    watch?: ExecutionWatch,
    proofs?: ProofQuestion,
  ): Promise<ReturnType<typeof validateBlock>> {
    const validity = this.validityAt(header.timeMs)
    return validateBlock(await this.validationContext(), validity, header, bytes, hashes, watch, proofs)
  }

  private async validationContext(): Promise<ValidationContext> {
    const { height, reader } = this.world
    const { header, certificate } = await this.committed.headAt(height)
    const parent = certificate && parentRecordOf(scheduleOf(reader, height), this.chainHash, header)
    return { ...this.context(), parent }
  }

  /** Refusal of a block, with a report if it has another result or a certificate. */
  private async withDivergenceReport(
    request: LedgerRequest<'execute'>,
    outcome: Refusal,
  ): Promise<LedgerResponse<'execute'>> {
    if (this.reports === undefined || (!outcome.mismatch && !request.certified)) return refused(outcome)
    // An explanation costs a second execution, and a faulty proposer could cause one per view.
    const { height } = request.header
    if (!request.certified && this.explainedHeight === height) return refused(outcome)
    this.explainedHeight = height
    // The report reads rows from disk, so the last batch must be written.
    await this.committed.flushed()
    return reportRefusal(await this.validationContext(), this.reports, request, outcome)
  }
}
