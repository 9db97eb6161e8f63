/** Owns the client of a gateway: methods for what programs do most, every route by its row; records checked by its schemas. */
import {
  type ApiVersions,
  apiVersions,
  apiVersionsRoute,
  type BlockMessage,
  type Capabilities,
  CODEC_MEDIA_TYPE,
  type ConsensusStatus,
  capabilities,
  capabilitiesRoute,
  consensusStatus,
  consensusStatusRoute,
  type Health,
  health,
  healthRoute,
  JSON_MEDIA_TYPE,
  type NodeStatus,
  nodeStatus,
  OPERATOR,
  type OperatorSession,
  operatorSession,
  type PeerList,
  peerList,
  peersRoute,
  type RbcSessionList,
  type RbcStatus,
  RECEIPT_FRAME,
  type RouteRow,
  rbcRoute,
  rbcSessionList,
  rbcSessionsRoute,
  rbcStatus,
  statusRoute,
  submitTransactionRoute,
  TRANSACTION_FRAME,
  transactionStatusRoute,
} from '../api/index.js'
import type { Page } from '../api/paging.js'
import type { CodecContext, Json, Schema } from '../codec/index.js'
import type { KeyPair } from '../crypto/index.js'
import { accountRoute } from '../features/accounts/schema/routes.js'
import type { AccountView } from '../features/accounts/schema/views.js'
import { definitionsRoute } from '../features/assets/schema/routes.js'
import type { DefinitionView } from '../features/assets/schema/views.js'
import { clientCodec } from '../features/composed.js'
import { domainsRoute } from '../features/domains/schema/routes.js'
import type { DomainView } from '../features/domains/schema/views.js'
import { blockProofRoute, stateProofRoute } from '../features/explorer/schema/routes.js'
import { ISO_ROUTES } from '../features/iso20022/schema/routes.js'
import { accountOfPair, ERRORS, instructionsOf, isErrorCode, LedgerError } from '../model/index.js'
import { decodedValue, notAGateway } from './decoded.js'
import type { ClientOptions, IsoFamily, PageRequest, RawRequest, Submission } from './options.js'
import { noProof, type ProvenAlias, type ProvenTransaction, unproven, Verifier } from './proven.js'
import { type ItemsRequest, Queries } from './query.js'
import { answerOf, pathOf, type RouteInput, requestOf } from './route-call.js'
import { routeOf } from './route-of.js'
import { type RequestToSign, signRequest } from './sign-request.js'
import { type ExplorerItem, type ExplorerList, type ExplorerRequest, readExplorer } from './streams/explorer.js'
import {
  type BlocksRequest,
  type EventItem,
  type EventsRequest,
  readBlocks,
  readEvents,
  readStatuses,
  type StreamTransport,
} from './streams/streams.js'
import { BLOCK_MESSAGE_MAX_BYTES, openSocket } from './streams/web-socket.js'
import { checkReceipt, idOfSigned } from './submission.js'
import { standsFor } from './superseded.js'
import { buildTransaction, signTransaction, type TransactionInput } from './transaction.js'
import { stateOf } from './transaction-state.js'
import { errorOfAnswer, type HttpAnswer, type HttpRequest, headerOf, isSuccess, Transport } from './transport.js'
import { type TransactionState, waitUntilFinal } from './wait.js'

/** Time of one call when the caller names none, in ms. */
const TIMEOUT_MS = 10_000
const RETRIES = 3
/** Time to wait for a block when the caller names none, in ms: a view change or two. */
const WAIT_MS = 30_000

/** A client of one node. Every failure is a thrown LedgerError: the node's own code, or `unreachable`. */
export class CausewayClient {
  private readonly transport: Transport
  private readonly verifier: Verifier | undefined
  private known: Promise<Capabilities> | undefined

  constructor(private readonly options: ClientOptions) {
    this.transport = new Transport({
      gateway: options.gateway,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      retries: options.retries ?? RETRIES,
      apiToken: options.apiToken,
      session: options.session,
      insecure: options.insecure ?? false,
      deadline: options.deadline,
    })
    const genesisHash = options.pin?.genesisHash
    this.verifier = genesisHash === undefined ? undefined : new Verifier(Buffer.from(genesisHash, 'hex'))
  }

  /** Ends the connections; the client may be used again. */
  async close(): Promise<void> {
    await this.transport.close()
    await this.verifier?.close()
  }

  /** True where the genesis hash is pinned, so that a gateway can be held to proofs. */
  get isPinned(): boolean {
    return this.verifier !== undefined
  }

  /** That the node lives; it says so while it starts too. */
  health(): Promise<Health> {
    return this.record(healthRoute.path, health)
  }

  /** The last committed height; throws `node_starting` while the node does not know it. */
  async height(): Promise<number> {
    const { status, height } = await this.health()
    if (status === 'starting') throw new LedgerError('node_starting', 'the node is starting')
    return height
  }

  status(): Promise<NodeStatus> {
    return this.record(statusRoute.path, nodeStatus)
  }

  peers(): Promise<PeerList> {
    return this.record(peersRoute.path, peerList)
  }

  versions(): Promise<ApiVersions> {
    return this.record(apiVersionsRoute.path, apiVersions)
  }

  consensusStatus(): Promise<ConsensusStatus> {
    return this.record(consensusStatusRoute.path, consensusStatus)
  }

  /** Reliable broadcast in numbers; a developer route. */
  rbc(): Promise<RbcStatus> {
    return this.record(rbcRoute.path, rbcStatus)
  }

  /** Sessions of reliable broadcast; a developer route. */
  rbcSessions(): Promise<RbcSessionList> {
    return this.record(rbcSessionsRoute.path, rbcSessionList)
  }

  capabilities(): Promise<Capabilities> {
    return this.record(capabilitiesRoute.path, capabilities)
  }

  /** What records of this chain are read and written with; asks the node once. */
  async codec(): Promise<CodecContext> {
    return clientCodec((await this.chain()).addressPrefix)
  }

  /** Capabilities as of the first call: the parts of them that never change while a chain lives. */
  chain(): Promise<Capabilities> {
    this.known ??= this.pinned().catch((error: unknown) => {
      this.known = undefined
      throw error
    })
    return this.known
  }

  /** Capabilities of the gateway. Throws `gateway_untrusted` where they are not those of the pinned chain. */
  private async pinned(): Promise<Capabilities> {
    const { body } = await this.sent({ method: 'GET', path: capabilitiesRoute.path, idempotent: true })
    const found = decodedValue(capabilities.parseJson(body))
    const { pin, gateway } = this.options
    const genesisHash = Buffer.from(found.genesisHash).toString('hex')
    const another = (what: string, is: string, pinned: string): LedgerError =>
      new LedgerError('gateway_untrusted', `${gateway} serves ${what} ${is}, not ${pinned}, which is pinned`, {
        hint: 'Is this the gateway that you mean? Only for another network: save a profile of its own for it.',
        details: { gateway, is, pinned },
      })
    if (pin?.chain !== undefined && pin.chain !== found.chain) throw another('the chain', found.chain, pin.chain)
    if (pin?.genesisHash !== undefined && pin.genesisHash !== genesisHash) {
      throw another('the genesis', genesisHash, pin.genesisHash)
    }
    return found
  }

  /**
   * Submits the canonical bytes of a signed transaction. Safe to call again with the same bytes: where the node finds it
   * queued or committed, an earlier submission got through, and there is no receipt.
   */
  async submitTransaction(signedBytes: Uint8Array): Promise<Submission> {
    const transactionHash = idOfSigned(signedBytes)
    await this.meet()
    const answer = await this.transport.send({
      method: submitTransactionRoute.method,
      path: submitTransactionRoute.path,
      body: TRANSACTION_FRAME.wrap(signedBytes),
      contentType: CODEC_MEDIA_TYPE,
      accept: CODEC_MEDIA_TYPE,
      idempotent: true,
    })
    if (answer.status === submitTransactionRoute.success) {
      const receipt = decodedValue(RECEIPT_FRAME.open(answer.body))
      checkReceipt(receipt, transactionHash)
      const lane = headerOf(answer, 'x-ledger-lane-id')
      const dataspace = headerOf(answer, 'x-ledger-dataspace-id')
      return {
        transactionHash,
        receipt,
        lane: lane === undefined ? undefined : Number(numberOf(lane)),
        dataspace: dataspace === undefined ? undefined : numberOf(dataspace),
      }
    }
    const error = errorOfAnswer(answer)
    const known = error.code === 'already_enqueued' || error.code === 'already_committed'
    if (!known) throw error
    return { transactionHash, receipt: undefined, lane: undefined, dataspace: undefined }
  }

  /** Where a transaction stands, by its id in hex; `unknown` when the node never heard of it. */
  transactionStatus(hashHex: string): Promise<TransactionState> {
    return this.lookUp(hashHex)
  }

  /**
   * Waits until a transaction is in a block or expired. Throws `pending` when the time is up before, and `proof_invalid`
   * where the genesis hash is pinned and the gateway does not prove what it says.
   * A rejected or expired transaction is an outcome, not an error. Where it was rejected because another transaction had
   * done what it asks for, the outcome is that of the other one, which `supersededBy` names.
   */
  async waitTransaction(
    hashHex: string,
    { timeoutMs = WAIT_MS }: { readonly until?: 'committed'; readonly timeoutMs?: number } = {},
  ): Promise<TransactionState> {
    const state = await waitUntilFinal((leftMs) => this.lookUp(hashHex, leftMs), hashHex, timeoutMs)
    return this.followed(await this.prove(hashHex, state))
  }

  /** The outcome of the transaction that superseded a rejected one; where a chain is pinned, only if that is proven. */
  private async followed(state: TransactionState): Promise<TransactionState> {
    const hash = state.state === 'rejected' ? state.rejection?.supersededBy : undefined
    if (hash === undefined) return state
    const other = await this.prove(hash, await this.lookUp(hash))
    if (other.state !== 'approved') return state
    if (this.isPinned && !standsFor(other, state, await this.codec())) return state
    return { ...other, supersededBy: hash }
  }

  /**
   * What a gateway says of a transaction, proven as far as can be: that it is in a block and with which outcome, where
   * the genesis hash is pinned. Throws `proof_invalid`.
   */
  async prove(hashHex: string, state: TransactionState): Promise<TransactionState> {
    const isInBlock = state.state === 'approved' || state.state === 'rejected'
    // That a transaction expired, or is not known, cannot be proven.
    if (this.verifier === undefined || !isInBlock) return { ...state, proof: 'unverified' }
    if (state.height === undefined) throw unproven(`that ${hashHex} is in a block`, 'it names no height')
    const id = Buffer.from(hashHex, 'hex')
    const { height, blockHash, index, outcome, transaction } = await this.proofOf(id, state.height)
    const place = { height, blockHash, index, transaction, proof: 'verified' } as const
    if (outcome.kind === 'approved') return { ...place, state: 'approved' }
    const { code = '', message = '', ...more } = state.rejection ?? {}
    if (isErrorCode(code) && ERRORS[code].number !== outcome.value.code) {
      throw unproven(`that ${hashHex} was rejected with ${code}`, 'its block has another error')
    }
    const rejection = { code, message, ...more, instruction: outcome.value.instruction }
    return { ...state, ...place, state: 'rejected', rejection }
  }

  /** The account of an alias, proven. Throws `proof_invalid`, and `usage` where no genesis hash is pinned. */
  async provenAlias(label: string, domain: string): Promise<ProvenAlias> {
    if (this.verifier === undefined) throw new LedgerError('usage', 'nothing is proven without a genesis hash')
    const query = { table: 'aliases', key: JSON.stringify({ domain, label }) }
    const proof = await this.route(stateProofRoute, { query }).catch(noProof(`whose alias ${label}@${domain} is`))
    return this.verifier.alias(proof, { domain, label })
  }

  domains(page: PageRequest = {}): Promise<Page<DomainView>> {
    return this.route(domainsRoute, { query: page })
  }

  assetDefinitions(page: PageRequest = {}): Promise<Page<DefinitionView>> {
    return this.route(definitionsRoute, { query: page })
  }

  /** An account by its address or its alias `label@domain`. */
  account(idOrAlias: string): Promise<AccountView> {
    return this.route(accountRoute, { params: { id: idOrAlias } })
  }

  /**
   * Submits a payment message, XML or `Key=Value` lines; answers its record as JSON (`replayed: true` when the node had it already). Safe to
   * call again with the same bytes: the same message never moves money twice.
   */
  async isoSubmit(
    family: IsoFamily,
    body: Uint8Array,
    {
      contentType = isXml(body) ? 'application/xml' : 'application/octet-stream',
    }: { readonly contentType?: string } = {},
  ): Promise<Json> {
    return this.json('POST', ISO_ROUTES[family].path, { body, contentType }, true)
  }

  /** The record of a payment message that was submitted. */
  async isoStatus(
    messageId: string,
    filter: { readonly family?: IsoFamily; readonly submitter?: string } = {},
  ): Promise<Json> {
    return this.json('GET', pathOf(ISO_ROUTES.status, { params: { msg_id: messageId }, query: { ...filter } }))
  }

  /** Output of a query of the ledger as JSON, asked with the client's key. */
  query(kind: string, input: Json = {}): Promise<Json> {
    return this.queries().one(kind, input)
  }

  /** Items of an iterable query that match, in order, asked with the client's key. */
  queryItems(kind: string, input: Json = {}, request: ItemsRequest = {}): AsyncGenerator<Json, void> {
    return this.queries().items(kind, input, request)
  }

  /** Events as they are committed; goes on after a break where it was. Throws when the node cannot be reached at first. */
  events(request: EventsRequest = {}): AsyncGenerator<EventItem, void> {
    return readEvents(this.streams(), request)
  }

  /** Committed blocks in order, from a height on; goes on after a break where it was. */
  blocks(request: BlocksRequest): AsyncGenerator<BlockMessage, void> {
    return readBlocks(this.streams(), request)
  }

  /** The consensus status, now and at every change. */
  consensusStatuses(request: { readonly signal?: AbortSignal } = {}): AsyncGenerator<ConsensusStatus, void> {
    return readStatuses(this.streams(), request)
  }

  /** Items of one of the explorer's lists as they are committed; goes on after a break where it was. */
  explorerItems<L extends ExplorerList>(list: L, request: ExplorerRequest = {}): AsyncGenerator<ExplorerItem<L>, void> {
    return readExplorer(this.streams(), () => this.height(), list, request)
  }

  /** Exchanges the signature of the client's key, which has to be an operator's, for a session: `session` of another client. */
  async openSession(): Promise<OperatorSession> {
    const { body } = await this.call('POST', OPERATOR.session.path, { signed: true, idempotent: false })
    return decodedValue(operatorSession.parseJson(body, await this.codec()))
  }

  /** Ends the session of this client or, with a key, all sessions of its operator. */
  async endSession(): Promise<void> {
    await this.call('POST', OPERATOR.end.path, { idempotent: true })
  }

  /**
   * Calls a route by its row (`routes`): the record that it answers with, or the text of one that has none. Signed with
   * the client's key where the route wants a caller or a telemetry profile may hide it.
   */
  async route<P, Q, B, R>(row: RouteRow<P, Q, B, R>, input: RouteInput<P, Q, B>): Promise<R> {
    const codec = await this.codec()
    const { path, ...request } = requestOf(row, input as object, codec)
    const isRead = row.method === 'GET'
    const signed = this.options.signer !== undefined && (row.access !== 'public' || row.profile !== undefined)
    return answerOf(row, await this.call(row.method, path, { ...request, signed, idempotent: isRead }), codec)
  }

  /**
   * Builds a transaction of instructions in their JSON twins, signs it with the client's key and submits it. It is
   * committed at most once however often it is sent; `waitTransaction` tells what became of it.
   */
  async transact(
    instructions: readonly Json[],
    draft: Partial<Omit<TransactionInput, 'chain' | 'codec' | 'instructions'>> = {},
  ): Promise<Submission> {
    const { signer } = this.options
    if (signer === undefined) throw new LedgerError('unauthorised', 'the client has no key to sign with')
    const { chain, addressPrefix } = await this.chain()
    const codec = clientCodec(addressPrefix)
    const authority = draft.authority ?? accountOfPair(signer)
    const input = { ...draft, authority, instructions: instructionsOf(instructions, codec), chain, codec }
    const { bytes } = await signTransaction(buildTransaction(input), signer)
    return this.submitTransaction(bytes)
  }

  /**
   * The JSON that a route answers, as it came, after a check by the schema of the route. Throws `not_a_gateway` for
   * another. `idempotent`: it may be repeated; GET always.
   */
  async json(method: string, path: string, request: RawRequest = {}, idempotent = method === 'GET'): Promise<Json> {
    const row = routeOf(method, path)
    if (row === undefined) throw new LedgerError('route_not_found', `${method} ${path}: no route of this release`)
    const codec = row.response === undefined ? undefined : await this.codec()
    const { body } = await this.call(method, path, { accept: JSON_MEDIA_TYPE, ...request, idempotent })
    if (row.response !== undefined) decodedValue(row.response.parseJson(body, codec))
    return jsonOf(body)
  }

  /** Sends a request to any route and gives what came back; throws for what is no success. GET and HEAD are repeated. */
  api(method: string, path: string, request: RawRequest = {}): Promise<HttpAnswer> {
    const name = method.toUpperCase()
    return this.call(name, path, { ...request, idempotent: name === 'GET' || name === 'HEAD' })
  }

  private async proofOf(id: Buffer, height: number): Promise<ProvenTransaction> {
    const verifier = this.verifier as Verifier
    const hash = id.toString('hex')
    const proof = await this.route(blockProofRoute, { params: { height, hash: id } }).catch(
      noProof(`that ${hash} is in block ${height}`),
    )
    return verifier.transaction(proof, id)
  }

  private queries(): Queries {
    const { signer } = this.options
    if (signer === undefined) throw new LedgerError('unauthorised', 'the client has no key to sign with')
    return new Queries(this.transport, signer, async () => {
      const { chain, addressPrefix } = await this.chain()
      return { chain, codec: clientCodec(addressPrefix) }
    })
  }

  /** Opens any stream of Server-Sent Events and gives its bytes as they come; it ends with an error unless `signal` ends it. */
  rawEvents(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.streams().events(path, {}, signal)
  }

  /** Opens any WebSocket with its first frame and gives the frames of the node; it ends with an error unless `signal` ends it. */
  async rawSocket(path: string, start: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const socket = await this.streams().socket(path)
    return openSocket({ ...socket, start, signal, maxBytes: BLOCK_MESSAGE_MAX_BYTES })
  }

  private streams(): StreamTransport {
    const { signer } = this.options
    const signed = async (path: string): Promise<Readonly<Record<string, string>>> => {
      await this.meet()
      if (signer === undefined) return {}
      return this.signature(signer, { method: 'GET', target: path })
    }
    return {
      codec: () => this.codec(),
      socket: async (path) => this.transport.socket(path, await signed(path)),
      events: async (path, headers, signal) =>
        this.transport.events(path, { ...headers, ...(await signed(path)) }, signal),
    }
  }

  private async call(
    method: string,
    path: string,
    request: RawRequest & { readonly idempotent: boolean },
  ): Promise<HttpAnswer> {
    const { signer } = this.options
    const { signed = signer !== undefined, body, ...rest } = request
    if (signed && signer === undefined) throw new LedgerError('unauthorised', 'the client has no key to sign with')
    await this.meet()
    return this.sent({
      ...rest,
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(signed && signer !== undefined
        ? { sign: () => this.signature(signer, { method, target: path, ...(body === undefined ? {} : { body }) }) }
        : {}),
    })
  }

  /** Headers of a request to this very node. */
  private async signature(
    signer: KeyPair,
    request: Pick<RequestToSign, 'method' | 'target' | 'body'>,
  ): Promise<Readonly<Record<string, string>>> {
    const { chain, networkKey } = await this.chain()
    const { pin, gateway } = this.options
    if (pin?.networkKey !== undefined && pin.networkKey !== networkKey) {
      throw new LedgerError(
        'gateway_untrusted',
        `${gateway} is the node ${networkKey}, not ${pin.networkKey}, which is pinned`,
        {
          hint: 'A signed request is valid on one node only. If this node has a new network key, `causeway profile pin NAME` pins it; otherwise check the address of the gateway.',
          details: { gateway, is: networkKey, pinned: pin.networkKey },
        },
      )
    }
    return signRequest({ ...request, chain, networkKey }, signer)
  }

  /** Meets the gateway before it is asked or told anything, where a chain is pinned. */
  private async meet(): Promise<void> {
    if (this.options.pin !== undefined) await this.chain()
  }

  private async sent(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await this.transport.send(request)
    if (!isSuccess(answer)) throw errorOfAnswer(answer)
    return answer
  }

  private async record<T>(path: string, schema: Schema<T>): Promise<T> {
    const answer = await this.call('GET', path, { idempotent: true, signed: false })
    return decodedValue(schema.parseJson(answer.body))
  }

  private async lookUp(hashHex: string, timeoutMs?: number): Promise<TransactionState> {
    await this.meet()
    const answer = await this.transport.send({
      method: 'GET',
      path: pathOf(transactionStatusRoute, { query: { hash: hashHex } }),
      idempotent: true,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
    if (!isSuccess(answer)) {
      const error = errorOfAnswer(answer)
      if (error.code === 'not_found') return { state: 'unknown' }
      throw error
    }
    return stateOf(answer.body, hashHex)
  }
}

function jsonOf(body: Buffer): Json {
  try {
    return JSON.parse(body.toString('utf8')) as Json
  } catch {
    throw notAGateway('the response is not JSON')
  }
}

/** The number of a header. */
function numberOf(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw notAGateway('a header of its response is not a number')
  return BigInt(text)
}

/** True when the first byte that is no space and no byte order mark is `<`. */
function isXml(body: Uint8Array): boolean {
  for (const byte of body) {
    if (byte === 0x3c) return true
    if (byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return false
  }
  return false
}
