/** Owns the access of commands to a node: a client from the settings, and responses as JSON. */
import type { AnyRoute } from '../../api/index.js'
import type { CausewayClient, RouteTexts, routes, SharedPaymentState, TransactionState } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import type { KeyPair } from '../../crypto/keys.js'
import { isKeyPair, type SigningKey } from '../../crypto/signing-key.js'
import { type ErrorCode, EXIT, isErrorCode, LedgerError } from '../../model/errors.js'
import { signingKey } from '../settings/key.js'
import { LOCALNET_SOURCE, type Settings } from '../settings/settings.js'

/** Options of the client. */
export interface GatewayOptions {
  /** True to sign requests with the key of the settings. */
  readonly signed?: boolean | undefined
  /** Number of retries. */
  readonly retries?: number | undefined
  /** True for streams and batches of any duration: the timeout applies to each call, not to all together. */
  readonly endless?: boolean | undefined
}

/** Client of a gateway; the caller closes it. */
export async function clientOf(settings: Settings, options: GatewayOptions = {}): Promise<CausewayClient> {
  const { CausewayClient: Client } = await import('../../client/index.js')
  const { pin, deadline } = settings
  const apiToken = settings.tokenFor(settings.gateway)
  return new Client({
    gateway: settings.gateway,
    timeoutMs: settings.timeoutMs,
    insecure: settings.insecure,
    pin,
    deadline: options.endless === true ? undefined : deadline,
    apiToken,
    signer: options.signed === true ? await gatewayKey(settings) : undefined,
    retries: options.retries,
  })
}

/**
 * Signing key for the gateway of the settings. Throws `gateway_untrusted` if the key may not be used with it, and
 * before that `key_file_missing`, so that a mistyped path is not reported as a trust error.
 */
export async function gatewayKey(settings: Settings): Promise<SigningKey> {
  const { untrustedKey, keyFile } = settings
  if (untrustedKey === undefined) return signingKey(settings)
  if (keyFile !== undefined) {
    const { assertKeyFileExists } = await import('../../files/private-file.js')
    await assertKeyFileExists(keyFile)
  }
  throw untrustedKey
}

/** Signing key as a key pair, for computations with the secret. Throws `key_held_elsewhere` if a program holds it. */
export async function gatewayPair(settings: Settings): Promise<KeyPair> {
  const key = await gatewayKey(settings)
  if (isKeyPair(key)) return key
  throw new LedgerError('key_held_elsewhere', "computing a proof of membership requires the secret of the member's key")
}

/** True if requests are signed: a key was configured for it. Keys of a local network sign instructions only. */
export const signsRequests = (settings: Settings): boolean =>
  (settings.keyFile ?? settings.signerCommand) !== undefined && settings.keySource !== LOCALNET_SOURCE

/** Run `work` with a client of the gateway and close its connections. */
export async function withGateway<T>(
  settings: Settings,
  work: (client: CausewayClient) => Promise<T>,
  options: GatewayOptions = {},
): Promise<T> {
  const client = await clientOf(settings, options)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Like `withGateway`, for streams and batches of unlimited duration: the timeout applies to each call. */
export const withStreams: typeof withGateway = (settings, work, options = {}) =>
  withGateway(settings, work, { ...options, endless: true })

/** Function that selects a row of the route table. */
export type RoutePick = (all: typeof routes) => Pick<AnyRoute, 'method' | 'path'>

/** Every route with a response, by name. */
export const getRoutes = async (): Promise<typeof routes> => (await import('../../client/index.js')).routes

/** Path of a route with its parameters. */
export async function routePath(pick: RoutePick, texts?: RouteTexts): Promise<string> {
  const { pathOf, routes: all } = await import('../../client/index.js')
  return pathOf(pick(all), texts)
}

/** JSON response of a route to GET, validated by its schema. */
export async function getJson(client: CausewayClient, pick: RoutePick, texts?: RouteTexts): Promise<Json> {
  return client.json('GET', await routePath(pick, texts))
}

/** JSON response of a route to a record in its JSON form, validated by its schema. */
export async function postJson(
  client: CausewayClient,
  pick: RoutePick,
  record: Json,
  texts?: RouteTexts,
): Promise<Json> {
  const body = Buffer.from(JSON.stringify(record))
  return client.json('POST', await routePath(pick, texts), { body, contentType: 'application/json' })
}

/** Response as an object; throws `not_a_gateway` otherwise. */
export function answerView(answer: Json): View {
  if (isJsonObject(answer)) return answer
  throw new LedgerError('not_a_gateway', 'the response of the gateway is not a JSON object')
}

/** Object response of a route to GET. */
export const getView = async (...question: Parameters<typeof getJson>): Promise<View> =>
  answerView(await getJson(...question))

/** Object response of a route to a record. */
export const postView = async (...question: Parameters<typeof postJson>): Promise<View> =>
  answerView(await postJson(...question))

/** Response of one route, with a client of its own. */
export const askGateway = (settings: Settings, pick: RoutePick, texts?: RouteTexts): Promise<View> =>
  withGateway(settings, (client) => getView(client, pick, texts))

/** JSON response as an object with optional fields, for printing. */
export type View = Readonly<Record<string, Json | undefined>>

/** Field of a view as an object; undefined otherwise. */
export const optionalView = (value: Json | undefined): View | undefined => (isJsonObject(value) ? value : undefined)

/** Field of a view as an object; an empty one otherwise. */
export const viewOf = (value: Json | undefined): View => optionalView(value) ?? {}

/** Objects of a list field; empty if it is not a list. */
export const viewsOf = (value: Json | undefined): readonly View[] =>
  isJsonList(value) ? value.filter(isJsonObject) : []

/** Texts of a list field; empty if it is not a list. */
export const textsOf = (value: Json | undefined): readonly string[] =>
  isJsonList(value) ? value.filter((one) => typeof one === 'string') : []

/** Field of a view as text; undefined if absent or null. */
export const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Status of a transaction as JSON for commands. */
export const stateJson = (hash: string, state: TransactionState): Record<string, unknown> => ({
  hash,
  state: state.state,
  height: state.height,
  block_hash: state.blockHash === undefined ? undefined : Buffer.from(state.blockHash).toString('hex'),
  index: state.index,
  rejection: state.rejection === undefined ? undefined : rejectionJson(state.rejection),
  superseded_by: state.supersededBy,
  payments: state.payments?.map(paymentJson),
  proof: state.proof,
})

const paymentJson = ({ messageId, supersededBy, submitter: _, ...payment }: SharedPaymentState) => ({
  message_id: messageId,
  ...payment,
  ...(supersededBy === undefined ? {} : { superseded_by: supersededBy }),
})

const rejectionJson = ({ supersededBy, ...rejection }: NonNullable<TransactionState['rejection']>) =>
  supersededBy === undefined ? rejection : { ...rejection, superseded_by: supersededBy }

/** Text that states whether a result was proven. */
export const proofWords = ({ proof }: TransactionState): string =>
  proof === 'verified' ? 'proven' : 'unverified: reported by this gateway only'

/** Error of a transaction that was rejected in a block or has expired; undefined for others. */
export function stateError(hash: string, state: TransactionState): LedgerError | undefined {
  if (state.state === 'expired') {
    return new LedgerError('transaction_expired', `${hash} expired before it was committed, according to the gateway`, {
      hint: 'Ask another node before you send it again with another hash: an expiry cannot be proven.',
      details: { hash },
    })
  }
  if (state.state !== 'rejected') return undefined
  const { code = '', message = 'rejected' } = state.rejection ?? {}
  const known: ErrorCode = isErrorCode(code) ? code : 'not_permitted'
  return new RejectedError(known, message, { details: stateJson(hash, state) })
}

/** Rejection by the ledger; the command ends with the exit code of rejections, whatever the error code. */
export class RejectedError extends LedgerError {
  override get exit(): number {
    return EXIT.rejected
  }
}
