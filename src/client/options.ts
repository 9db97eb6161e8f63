/** Owns option and result types of the client. */
import type { SigningKey } from '../crypto/index.js'
import type { Receipt } from '../model/index.js'
import type { Deadline } from './deadline.js'

/** Environment variable with a token for the gateway, since a flag would be visible to every user of the machine. */
export const API_TOKEN_ENV = 'CAUSEWAY_API_TOKEN'

/** Token of an environment; an empty variable counts as absent. */
export const apiTokenOf = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env[API_TOKEN_ENV] || undefined

/** Options of a client. */
export interface ClientOptions {
  /** Base address of the gateway, for example `http://127.0.0.1:8080`. */
  readonly gateway: string
  /** Timeout of one call with its retries, in ms; default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Number of retries for requests that may be repeated; default 3. */
  readonly retries?: number | undefined
  readonly apiToken?: string | undefined
  /** Token of an operator session, used instead of a signature. */
  readonly session?: string | undefined
  /** Signing key for requests to routes that require a caller. */
  readonly signer?: SigningKey | undefined
  /** Send a token over plain HTTP to another machine; default: refused. */
  readonly insecure?: boolean | undefined
  /** PEM of the only accepted TLS certificate, whatever its names; used by a node for requests to itself. */
  readonly certificate?: string | undefined
  /** Expected chain of the gateway; for a gateway of another chain, every call fails with `gateway_untrusted`. */
  readonly pin?: ChainPin | undefined
  /** Common deadline of all calls, instead of a timeout for each. */
  readonly deadline?: Deadline | undefined
  /** Maximum response size, in bytes; default 64 MiB. A server that calls an untrusted gateway should set much less. */
  readonly answerMaxBytes?: number | undefined
}

/** Chain properties known before the first request. */
export interface ChainPin {
  readonly chain?: string | undefined
  /** Hash of the genesis block, in hex, which allows the client to verify proofs of the gateway. */
  readonly genesisHash?: string | undefined
  /** Multihash text of the network key of the node: requests are signed for this node only. */
  readonly networkKey?: string | undefined
}

/** Outcome of a submission. */
export interface Submission {
  /** Transaction id. */
  readonly transactionHash: Buffer
  /** Signed receipt of the node; undefined if an earlier submission succeeded. */
  readonly receipt: Receipt | undefined
  readonly lane: number | undefined
  readonly dataspace: bigint | undefined
}

/** Selection of a page. */
export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly offset?: number | undefined
}

/** Families of payment messages with an endpoint. */
export type IsoFamily = 'pacs008' | 'pacs009'

/** Request to any route. */
export interface RawRequest {
  readonly body?: Uint8Array | undefined
  readonly accept?: string | undefined
  readonly contentType?: string | undefined
  /** True to sign with the client's key; default: if it has one. */
  readonly signed?: boolean | undefined
}
