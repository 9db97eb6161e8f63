/**
 * Owns the client of a gateway: methods for common tasks, and every route by its row; responses are validated by its
 * schemas.
 */
import {
  type ApiVersions,
  apiVersionsRoute,
  type BlockMessage,
  type Capabilities,
  type ConsensusStatus,
  capabilitiesRoute,
  consensusStatusRoute,
  type Health,
  healthRoute,
  type NodeStatus,
  OPERATOR,
  type OperatorSession,
  operatorSession,
  type PeerList,
  peersRoute,
  type RbcSessionList,
  type RbcStatus,
  type RouteRow,
  rbcRoute,
  rbcSessionsRoute,
  type StoredBlockMessage,
  statusRoute,
} from '../api/index.js'
import type { Page } from '../api/paging.js'
import type { CodecContext, Json } from '../codec/index.js'
import { type AccountView, accountRoute } from '../features/accounts/schema.js'
import { definitionsRoute } from '../features/assets/schema/routes.js'
import type { DefinitionView } from '../features/assets/schema/views.js'
import { type DomainView, domainsRoute } from '../features/domains/schema.js'
import { LedgerError } from '../model/index.js'
import { Aliases } from './aliases.js'
import type { HttpAnswer } from './answer.js'
import { GatewayCalls } from './calls.js'
import { decodedValue } from './decoded.js'
import {
  type IsoFilter,
  IsoMessages,
  type IsoPageOptions,
  type IsoSubmitOptions,
  type IsoWaitOptions,
} from './iso-messages.js'
import type { IsoRecord } from './iso-proof.js'
import type { ClientOptions, IsoFamily, PageRequest, RawRequest, Submission } from './options.js'
import { Verifier } from './proven.js'
import { type ItemsRequest, Queries } from './query.js'
import { type ProvenRelease, provenRelease } from './releases.js'
import type { RouteInput } from './route-call.js'
import { type ProvenAlias, provenAlias } from './state-rows.js'
import { type ExplorerItem, type ExplorerList, type ExplorerRequest, readExplorer } from './streams/explorer.js'
import {
  type BlocksRequest,
  type EventItem,
  type EventsRequest,
  readBlocks,
  readEvents,
  readStatuses,
  readStoredBlocks,
} from './streams/streams.js'
import { readTelemetry, type TelemetryEvent } from './streams/telemetry.js'
import { BLOCK_MESSAGE_MAX_BYTES, openSocket } from './streams/web-socket.js'
import type { SignedBytes, TransactionDraft } from './transaction.js'
import {
  type GivenInstruction,
  type TransactionOutcome,
  Transactions,
  type TransactOptions,
  type WaitOptions,
} from './transactions.js'
import type { TransactionState } from './wait.js'

/** Client of one node. Every failure is a thrown LedgerError with the code of the node, or `unreachable`. */
export class CausewayClient {
  private readonly calls: GatewayCalls
  private readonly verifier: Verifier | undefined
  private readonly transactions: Transactions
  private readonly isoMessages: IsoMessages

  constructor(options: ClientOptions) {
    this.calls = new GatewayCalls(options)
    const genesisHash = options.pin?.genesisHash
    this.verifier = genesisHash === undefined ? undefined : new Verifier(Buffer.from(genesisHash, 'hex'))
    this.transactions = new Transactions(this.calls, this.verifier)
    this.isoMessages = new IsoMessages(this.calls, this.transactions)
  }

  /** Close the connections; the client may be used again. */
  async close(): Promise<void> {
    await this.calls.close()
    await this.verifier?.close()
  }

  /** True if the genesis hash is pinned, so that the client verifies proofs of the gateway. */
  get isPinned(): boolean {
    return this.transactions.isPinned
  }

  /** Liveness of the node, also while it starts. */
  health(): Promise<Health> {
    return this.calls.record(healthRoute)
  }

  /** Last committed height; throws `node_starting` while the node does not know it. */
  async height(): Promise<number> {
    const { status, height } = await this.health()
    if (status === 'starting') throw new LedgerError('node_starting', 'the node is starting')
    return height
  }

  status(): Promise<NodeStatus> {
    return this.calls.record(statusRoute)
  }

  peers(): Promise<PeerList> {
    return this.calls.record(peersRoute)
  }

  versions(): Promise<ApiVersions> {
    return this.calls.record(apiVersionsRoute)
  }

  consensusStatus(): Promise<ConsensusStatus> {
    return this.calls.record(consensusStatusRoute)
  }

  /** Counters of reliable broadcast; a developer route. */
  rbc(): Promise<RbcStatus> {
    return this.calls.record(rbcRoute)
  }

  /** Sessions of reliable broadcast; a developer route. */
  rbcSessions(): Promise<RbcSessionList> {
    return this.calls.record(rbcSessionsRoute)
  }

  capabilities(): Promise<Capabilities> {
    return this.calls.record(capabilitiesRoute)
  }

  /** Codec of the chain; requested from the node once. */
  codec(): Promise<CodecContext> {
    return this.calls.codec()
  }

  /** Capabilities as of the first call. Only the parts that never change during the life of a chain remain valid. */
  chain(): Promise<Capabilities> {
    return this.calls.chain()
  }

  /**
   * Draft a transaction from instructions in native or JSON form; its time to live starts now. Throws a codec error
   * with the position of a fault in the JSON form.
   */
  draft(instructions: readonly GivenInstruction[], options: TransactOptions = {}): Promise<TransactionDraft> {
    return this.transactions.draft(instructions, options)
  }

  /** Build and sign a transaction, with the client's key unless `signer` is given. */
  sign(instructions: readonly GivenInstruction[], options: TransactOptions = {}): Promise<SignedBytes> {
    return this.transactions.sign(instructions, options)
  }

  /**
   * Submit the canonical bytes of a signed transaction. Safe to repeat with the same bytes: if the node finds the
   * transaction queued or committed, an earlier submission succeeded, and the result has no receipt.
   */
  submitTransaction(signedBytes: Uint8Array): Promise<Submission> {
    return this.transactions.submit(signedBytes)
  }

  /**
   * Build a transaction from instructions in native or JSON form, sign it with the key of the client, and submit it. It
   * is committed at most once however often it is sent; `waitTransaction` returns its outcome.
   */
  async transact(instructions: readonly GivenInstruction[], options: TransactOptions = {}): Promise<Submission> {
    return this.submitTransaction((await this.sign(instructions, options)).bytes)
  }

  /** Build, sign and submit a transaction and wait for its outcome like `waitTransaction`. */
  transactAndWait(
    instructions: readonly GivenInstruction[],
    options: TransactOptions & Omit<WaitOptions, 'expiresAtMs'> = {},
  ): Promise<TransactionOutcome> {
    return this.transactions.transactAndWait(instructions, options)
  }

  /** State of a transaction by its id in hex; `unknown` if the node has no record of it. */
  transactionStatus(hashHex: string): Promise<TransactionState> {
    return this.transactions.status(hashHex)
  }

  /**
   * Wait until a transaction is in a block or expired. Throws `pending` at the timeout, `proof_invalid` if the genesis
   * hash is pinned and the proof of the gateway is invalid, and `not_a_gateway` if the gateway reports an expiry too
   * early. A rejected or expired transaction is an outcome, not an error. If it was rejected because another
   * transaction had the same effect, the result is the outcome of that transaction, named by `supersededBy`.
   */
  waitTransaction(hashHex: string, options: WaitOptions = {}): Promise<TransactionState> {
    return this.transactions.wait(hashHex, options)
  }

  /**
   * Prove the reported state of a transaction as far as possible: its inclusion in a block and its outcome, if the
   * genesis hash is pinned. Throws `proof_invalid`.
   */
  prove(hashHex: string, state: TransactionState): Promise<TransactionState> {
    return this.transactions.prove(hashHex, state)
  }

  /** Proven account of an alias. Throws `proof_invalid`, and `usage` without a pinned genesis hash. */
  provenAlias(label: string, domain: string): Promise<ProvenAlias> {
    return provenAlias(this.transactions.provenRow, { domain, label })
  }

  /** Proven release of a package version. Throws `proof_invalid`, and `usage` without a pinned genesis hash. */
  async provenRelease(id: string, version: string): Promise<ProvenRelease> {
    return provenRelease(this.transactions.provenRow, await this.transactions.codec(), { package: id, version })
  }

  /** Resolver of the aliases in one transaction or file; the transaction asserts what it returns. */
  aliases(): Aliases {
    return new Aliases(this.calls)
  }

  domains(page: PageRequest = {}): Promise<Page<DomainView>> {
    return this.route(domainsRoute, { query: page })
  }

  assetDefinitions(page: PageRequest = {}): Promise<Page<DefinitionView>> {
    return this.route(definitionsRoute, { query: page })
  }

  /** Account by its address or its alias `label@domain`. */
  account(idOrAlias: string): Promise<AccountView> {
    return this.route(accountRoute, { params: { id: idOrAlias } })
  }

  /**
   * Submit a payment message, XML or `Key=Value` lines; returns its record as JSON (`replayed: true` if the node
   * already had it). Safe to repeat with the same bytes: the same message never moves money twice.
   */
  isoSubmit(family: IsoFamily, body: Uint8Array, options: IsoSubmitOptions = {}): Promise<IsoRecord> {
    return this.isoMessages.submit(family, body, options)
  }

  /**
   * Submit a payment message and wait for its final status: ACSC, RJCT, held for an operator, or PART once none of its
   * payments waits for a block. Returns the last record at the timeout. If the genesis hash is pinned and the message
   * settled, the record has `proof: 'verified'`; for several payments this covers its counts. Throws `proof_invalid`
   * for a settlement that the gateway does not prove.
   */
  isoSubmitAndWait(
    family: IsoFamily,
    body: Uint8Array,
    options: IsoSubmitOptions & IsoWaitOptions = {},
  ): Promise<IsoRecord> {
    return this.isoMessages.submitAndWait(family, body, options)
  }

  /** Record of a submitted payment message. */
  isoStatus(messageId: string, filter: IsoFilter = {}): Promise<IsoRecord> {
    return this.isoMessages.status(messageId, filter)
  }

  /**
   * Page of the payments of a message with several payments, in message order: `items`, and `next_cursor` if there are
   * more.
   */
  isoPayments(messageId: string, options: IsoFilter & IsoPageOptions = {}): Promise<IsoRecord> {
    return this.isoMessages.payments(messageId, options)
  }

  /** Wait for the final status of a submitted message, like `isoSubmitAndWait`. */
  isoWait(messageId: string, options: IsoFilter & Omit<IsoWaitOptions, 'until'> = {}): Promise<IsoRecord> {
    return this.isoMessages.wait(messageId, options)
  }

  /** Output of a ledger query as JSON; signed with the client's key. */
  query(kind: string, input: Json = {}): Promise<Json> {
    return this.queries().one(kind, input)
  }

  /** Matching items of an iterable query, in order; signed with the client's key. */
  queryItems(kind: string, input: Json = {}, request: ItemsRequest = {}): AsyncGenerator<Json, void> {
    return this.queries().items(kind, input, request)
  }

  /** Events as they are committed; resumes after a lost connection. Throws if the first connection fails. */
  events(request: EventsRequest = {}): AsyncGenerator<EventItem, void> {
    return readEvents(this.calls.streams(), () => this.height(), request)
  }

  /** Committed blocks in order, from a height on; resumes after a lost connection. */
  blocks(request: BlocksRequest): AsyncGenerator<BlockMessage, void> {
    return readBlocks(this.calls.streams(), request)
  }

  /** Stored blocks, with the results and events of their entries. */
  storedBlocks(request: BlocksRequest): AsyncGenerator<StoredBlockMessage, void> {
    return readStoredBlocks(this.calls.streams(), request)
  }

  /** The consensus status, now and at every change. */
  consensusStatuses(request: { readonly signal?: AbortSignal } = {}): AsyncGenerator<ConsensusStatus, void> {
    return readStatuses(this.calls.streams(), request)
  }

  /** Live telemetry of the node: the full state first, then each change. */
  telemetry(request: { readonly signal?: AbortSignal } = {}): AsyncGenerator<TelemetryEvent, void> {
    return readTelemetry(this.calls.streams(), request)
  }

  /** Items of a list of the explorer as they are committed; resumes after a lost connection. */
  explorerItems<L extends ExplorerList>(list: L, request: ExplorerRequest = {}): AsyncGenerator<ExplorerItem<L>, void> {
    return readExplorer(this.calls.streams(), () => this.height(), list, request)
  }

  /**
   * Exchange a signature of the client's key, which must be an operator key, for a session, which another client can
   * use as its option `session`.
   */
  async openSession(): Promise<OperatorSession> {
    const { body } = await this.calls.call('POST', OPERATOR.session.path, { signed: true, idempotent: false })
    return decodedValue(operatorSession.parseJson(body, await this.codec()))
  }

  /** End the session of this client or, with a key, all sessions of its operator. */
  async endSession(): Promise<void> {
    await this.calls.call('POST', OPERATOR.end.path, { idempotent: true })
  }

  /**
   * Call a route by its row (`routes`), and return its response record, or its text if it has no schema. Signed with
   * the key of the client if the route requires a caller or a telemetry profile may hide it.
   */
  route<P, Q, B, R>(row: RouteRow<P, Q, B, R>, input: RouteInput<P, Q, B>): Promise<R> {
    return this.calls.route(row, input)
  }

  /**
   * Received JSON of a route, checked by its schema. Throws `not_a_gateway` if it does not match. GET is retried
   * without a response.
   */
  json(method: string, path: string, request: RawRequest = {}): Promise<Json> {
    return this.calls.json(method, path, request)
  }

  /** Send a request to any route and return the response; throws unless it succeeds. GET and HEAD are retried. */
  api(method: string, path: string, request: RawRequest = {}): Promise<HttpAnswer> {
    const name = method.toUpperCase()
    return this.calls.call(name, path, { ...request, idempotent: name === 'GET' || name === 'HEAD' })
  }

  /**
   * Open any stream of Server-Sent Events and return its bytes as they arrive; it ends with an error unless `signal`
   * ends it.
   */
  rawEvents(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.calls.streams().events(path, {}, signal)
  }

  /**
   * Open any WebSocket with its first frame and return the frames of the node; it ends with an error unless `signal`
   * ends it.
   */
  async rawSocket(path: string, start: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const socket = await this.calls.streams().socket(path)
    return openSocket({ ...socket, start, signal, maxBytes: BLOCK_MESSAGE_MAX_BYTES })
  }

  private queries(): Queries {
    const { signer } = this.calls
    return new Queries(this.calls.transport, signer, async () => {
      const { chain } = await this.chain()
      return { chain, codec: await this.codec() }
    })
  }
}
