/** Owns the command line's way to a node: a client from the settings, and its answers as JSON. */
import type { CausewayClient, TransactionState } from '../client/index.js'
import type { Json } from '../codec/index.js'
import { type ErrorCode, EXIT, isErrorCode, LedgerError } from '../model/errors.js'
import { signingKey } from './key.js'
import type { Settings } from './settings.js'

/** Environment variable with a token for the gateway: a flag would show it to every user of the machine. */
export const API_TOKEN_ENV = 'CAUSEWAY_API_TOKEN'

/** How a command reaches its node. */
export interface GatewayOptions {
  /** Sign requests with the key of the settings. */
  readonly signed?: boolean
  /** Keep the token of the environment: this is another node than the one that it is for. */
  readonly anonymous?: boolean
  /** Tries after the first one. */
  readonly retries?: number
}

/** A client of a gateway, to be closed by whoever takes it. */
export async function clientOf(settings: Settings, options: GatewayOptions = {}): Promise<CausewayClient> {
  const { CausewayClient: Client } = await import('../client/index.js')
  const apiToken = options.anonymous === true ? undefined : process.env[API_TOKEN_ENV]
  return new Client({
    gateway: settings.gateway,
    timeoutMs: settings.timeoutMs,
    ...(apiToken === undefined ? {} : { apiToken }),
    ...(options.signed === true ? { signer: await signingKey(settings) } : {}),
    ...(options.retries === undefined ? {} : { retries: options.retries }),
  })
}

/** True when requests are signed: somebody named a key for it; that of a local network is for instructions only. */
export const signsRequests = (settings: Settings): boolean =>
  settings.keyFile !== undefined && !settings.keySource.startsWith('local network')

/** Runs `work` with a client of the gateway and closes the client's connections. */
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

/** The JSON that a GET answers. */
export async function getJson(client: CausewayClient, path: string): Promise<Json> {
  const answer = await client.api('GET', path, { accept: 'application/json' })
  return JSON.parse(answer.body.toString('utf8')) as Json
}

/** The JSON of an answer as an object with optional fields, for printing. */
export type View = Readonly<Record<string, Json | undefined>>

/** A field of a view as text; undefined when it is absent or null. */
export const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Where a transaction stands, as the commands print it. */
export const stateJson = (hash: string, state: TransactionState): Record<string, unknown> => ({
  hash,
  state: state.state,
  ...(state.height === undefined ? {} : { height: state.height }),
  ...(state.blockHash === undefined ? {} : { block_hash: Buffer.from(state.blockHash).toString('hex') }),
  ...(state.index === undefined ? {} : { index: state.index }),
  ...(state.rejection === undefined ? {} : { rejection: state.rejection }),
})

/** The error of a transaction that is in a block as rejected, or expired; undefined for the others. */
export function stateError(hash: string, state: TransactionState): LedgerError | undefined {
  if (state.state === 'expired') {
    return new LedgerError('transaction_expired', `${hash} expired before it was in a block`, { details: { hash } })
  }
  if (state.state !== 'rejected') return undefined
  const { code = '', message = 'rejected' } = state.rejection ?? {}
  const known: ErrorCode = isErrorCode(code) ? code : 'not_permitted'
  return new RejectedError(known, message, { details: stateJson(hash, state) })
}

/** A rejection by the ledger: whatever its code, the command ends with the exit code of rejections. */
export class RejectedError extends LedgerError {
  override get exit(): number {
    return EXIT.rejected
  }
}
