/** Owns the calls of one gateway: the expected chain, signed requests, routes by their rows. */

import { type Capabilities, capabilities, capabilitiesRoute, JSON_MEDIA_TYPE, type RouteRow } from '../api/index.js'
import { headerList } from '../api/schema/proof.js'
import { sameBytes } from '../base/bytes.js'
import type { CodecContext, Json } from '../codec/index.js'
import { parseJson } from '../codec/json-text.js'
import type { SigningKey } from '../crypto/index.js'
import { clientCodec } from '../features/composed.js'
import { headersRoute } from '../features/explorer/schema/routes.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  GENESIS_HEIGHT,
  hashOfHeader,
  LedgerError,
} from '../model/index.js'
import { errorOfAnswer, type HttpAnswer, isSuccess } from './answer.js'
import { decodedValue, notAGateway } from './decoded.js'
import type { ClientOptions, RawRequest } from './options.js'
import { answerOf, pathOf, type RouteInput, requestOf } from './route-call.js'
import { routeOf } from './route-of.js'
import { type RequestToSign, signRequest } from './sign-request.js'
import type { StreamTransport } from './streams/streams.js'
import { type HttpRequest, Transport } from './transport.js'

/** Default timeout of one call, in ms. */
const TIMEOUT_MS = 10_000
const RETRIES = 3

/** Calls to one gateway with the credentials of its client. Every failure is a thrown LedgerError. */
export class GatewayCalls {
  readonly transport: Transport
  private known: Promise<Capabilities> | undefined

  constructor(private readonly options: ClientOptions) {
    this.transport = new Transport({
      gateway: options.gateway,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      retries: options.retries ?? RETRIES,
      apiToken: options.apiToken,
      session: options.session,
      insecure: options.insecure ?? false,
      certificate: options.certificate,
      deadline: options.deadline,
      answerMaxBytes: options.answerMaxBytes,
    })
  }

  close(): Promise<void> {
    return this.transport.close()
  }

  /** Capabilities as of the first call. Only the parts that never change during the life of a chain remain valid. */
  chain(): Promise<Capabilities> {
    this.known ??= this.pinned().catch((error: unknown) => {
      this.known = undefined
      throw error
    })
    return this.known
  }

  /** Codec of the chain; requested from the node once. */
  async codec(): Promise<CodecContext> {
    return clientCodec((await this.chain()).addressPrefix)
  }

  /** Verify the gateway before any other request if a chain is pinned. */
  async meet(): Promise<void> {
    if (this.options.pin !== undefined) await this.chain()
  }

  /** Key of the client. Throws `unauthorised` if it has none. */
  get signer(): SigningKey {
    const { signer } = this.options
    if (signer === undefined) throw new LedgerError('unauthorised', 'the client has no key to sign with')
    return signer
  }

  /** Account that the client signs for; undefined without a key. */
  get account(): AccountId | undefined {
    const { algorithm, bytes } = this.options.signer?.publicKey ?? {}
    if (algorithm === undefined || bytes === undefined || algorithm === 'bls') return undefined
    return accountOfKey(accountKeyOf(algorithm, bytes))
  }

  /** Response record of a public route, before the chain is known. */
  async record<R>(row: RouteRow<undefined, undefined, undefined, R>): Promise<R> {
    const { body } = await this.call(row.method, row.path, { idempotent: true, signed: false })
    if (row.response === undefined) throw new Error(`${row.path} returns no record`)
    return decodedValue(row.response.parseJson(body))
  }

  /** Call a route by its row; see `CausewayClient.route`. */
  async route<P, Q, B, R>(row: RouteRow<P, Q, B, R>, input: RouteInput<P, Q, B>): Promise<R> {
    const codec = await this.codec()
    const { path, ...request } = requestOf(row, input as object, codec)
    const isRead = row.method === 'GET'
    const signed = this.options.signer !== undefined && (row.access !== 'public' || row.profile !== undefined)
    return answerOf(row, await this.call(row.method, path, { ...request, signed, idempotent: isRead }), codec)
  }

  /** JSON response of a route; see `CausewayClient.json`. */
  async json(method: string, path: string, request: RawRequest = {}, idempotent = method === 'GET'): Promise<Json> {
    const row = routeOf(method, path)
    if (row === undefined) throw new LedgerError('route_not_found', `${method} ${path}: not a route of this release`)
    const codec = row.response === undefined ? undefined : await this.codec()
    const { body } = await this.call(method, path, { accept: JSON_MEDIA_TYPE, ...request, idempotent })
    if (row.response !== undefined) decodedValue(row.response.parseJson(body, codec))
    return jsonOf(body)
  }

  /**
   * Send a request and return the response; throws unless it succeeds. Signed if the client has a key and `signed` is
   * not false.
   */
  async call(
    method: string,
    path: string,
    request: RawRequest & { readonly idempotent: boolean },
  ): Promise<HttpAnswer> {
    const { signed = this.options.signer !== undefined, body, ...rest } = request
    const signer = signed ? this.signer : undefined
    await this.meet()
    const sent = { ...rest, method, path, body }
    if (signer === undefined) return this.sent(sent)
    const target = { method, target: path, body }
    return this.sent({ ...sent, sign: () => this.signature(signer, target) })
  }

  /** Transport for opening streams. */
  streams(): StreamTransport {
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

  /** Capabilities of the gateway. Throws `gateway_untrusted` if they differ from the pinned chain. */
  private async pinned(): Promise<Capabilities> {
    const { body } = await this.sent({ method: 'GET', path: capabilitiesRoute.path, idempotent: true })
    const found = decodedValue(capabilities.parseJson(body))
    const { pin, gateway } = this.options
    const genesisHash = Buffer.from(found.genesisHash).toString('hex')
    const another = (what: string, is: string, pinned: string): LedgerError =>
      new LedgerError('gateway_untrusted', `${gateway} serves ${what} ${is}, but ${pinned} is pinned`, {
        hint: 'Is this the gateway that you intended? Use a separate profile for another network.',
        details: { gateway, is, pinned },
      })
    if (pin?.chain !== undefined && pin.chain !== found.chain) throw another('the chain', found.chain, pin.chain)
    if (pin?.genesisHash !== undefined && pin.genesisHash !== genesisHash) {
      throw another('the genesis', genesisHash, pin.genesisHash)
    }
    if (pin?.genesisHash !== undefined && pin.chain === undefined) await this.checkGenesis(found)
    return found
  }

  /**
   * Check the genesis header against the pinned hash. Signed records contain the chain id, and the genesis hash covers
   * it: without the header, a gateway with the pinned hash could obtain transactions for another network. Throws
   * `gateway_untrusted`.
   */
  private async checkGenesis({ chain, genesisHash }: Capabilities): Promise<void> {
    const path = pathOf(headersRoute, { query: { from: GENESIS_HEIGHT, limit: 1 } })
    const { body } = await this.sent({ method: 'GET', path, idempotent: true })
    const [genesis] = decodedValue(headerList.parseJson(body)).items
    const isOfChain = genesis?.header.chain === chain && sameBytes(hashOfHeader(genesis.header), genesisHash)
    if (isOfChain) return
    const hash = Buffer.from(genesisHash).toString('hex')
    throw new LedgerError(
      'gateway_untrusted',
      `${this.options.gateway} does not prove that the pinned genesis ${hash} belongs to the chain ${chain}`,
      { hint: 'Ask another node; nothing was signed.', details: { gateway: this.options.gateway, chain } },
    )
  }

  /** Headers of a request signed for this node. */
  private async signature(
    signer: SigningKey,
    request: Pick<RequestToSign, 'method' | 'target' | 'body'>,
  ): Promise<Readonly<Record<string, string>>> {
    const { chain, networkKey } = await this.chain()
    const { pin, gateway } = this.options
    if (pin?.networkKey !== undefined && pin.networkKey !== networkKey) {
      throw new LedgerError(
        'gateway_untrusted',
        `${gateway} is the node ${networkKey}, but ${pin.networkKey} is pinned`,
        {
          hint: 'A signed request is valid on one node only. If this node has a new network key, `causeway profile pin NAME` pins it; otherwise check the address of the gateway.',
          details: { gateway, is: networkKey, pinned: pin.networkKey },
        },
      )
    }
    return signRequest({ ...request, chain, networkKey }, signer)
  }

  private async sent(request: HttpRequest): Promise<HttpAnswer> {
    const answer = await this.transport.send(request)
    if (!isSuccess(answer)) throw errorOfAnswer(answer)
    return answer
  }
}

function jsonOf(body: Buffer): Json {
  try {
    return parseJson(body.toString('utf8')) as Json
  } catch {
    throw notAGateway('the response is not JSON')
  }
}
