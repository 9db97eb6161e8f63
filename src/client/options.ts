/** Owns option and result types of the client. */
import type { SigningKey } from '../crypto/index.js'
import type { Receipt } from '../model/index.js'
import type { Deadline } from './deadline.js'

/** Environment variable with a token for the gateway: a flag would show it to every user of the machine. */
export const API_TOKEN_ENV = 'CAUSEWAY_API_TOKEN'

/** The token of an environment; a variable that is set and empty has none. */
export const apiTokenOf = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env[API_TOKEN_ENV] || undefined

/** Options of a client. */
export interface ClientOptions {
  /** Base address of the gateway, for example `http://127.0.0.1:8080`. */
  readonly gateway: string
  /** Longest time of one call, retries included, in ms; default 10 000. */
  readonly timeoutMs?: number | undefined
  /** Tries after the first one, for requests that may be repeated; default 3. */
  readonly retries?: number | undefined
  readonly apiToken?: string | undefined
  /** Token of an operator session: replaces the signature of its operator. */
  readonly session?: string | undefined
  /** Signs requests to the routes that want a caller. */
  readonly signer?: SigningKey | undefined
  /** Send a token over plain HTTP to another machine; default: refused. */
  readonly insecure?: boolean | undefined
  /** PEM of the only accepted TLS certificate, whatever its names; used by a node for requests to itself. */
  readonly certificate?: string | undefined
  /** The chain that the gateway has to serve; another one ends every call with `gateway_untrusted`. */
  readonly pin?: ChainPin | undefined
  /** End of all calls together, in place of a time for each. */
  readonly deadline?: Deadline | undefined
  /** Longest answer that is read, in bytes; default 64 MiB. Far less where a server asks a gateway that it does not trust. */
  readonly answerMaxBytes?: number | undefined
}

/** Chain properties known before the first request. */
export interface ChainPin {
  readonly chain?: string | undefined
  /** Hash of the genesis block, in hex: with it a gateway can be held to proofs. */
  readonly genesisHash?: string | undefined
  /** Multihash text of the network key of the node behind the gateway: requests are signed for no other node. */
  readonly networkKey?: string | undefined
}

/** Outcome of a submission. */
export interface Submission {
  /** Transaction id. */
  readonly transactionHash: Buffer
  /** The node's signed word; undefined when an earlier submission got through. */
  readonly receipt: Receipt | undefined
  readonly lane: number | undefined
  readonly dataspace: bigint | undefined
}

/** Which page of a list. */
export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly offset?: number | undefined
}

/** Families of payment messages with an endpoint. */
export type IsoFamily = 'pacs008' | 'pacs009'

/** A request to any route. */
export interface RawRequest {
  readonly body?: Uint8Array | undefined
  readonly accept?: string | undefined
  readonly contentType?: string | undefined
  /** Sign with the client's key; default: when it has one. */
  readonly signed?: boolean | undefined
}
