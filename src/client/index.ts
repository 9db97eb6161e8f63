/** The TypeScript SDK: a client of a gateway, and what builds and signs transactions. */
export {
  CausewayClient,
  type ClientOptions,
  type IsoFamily,
  type PageRequest,
  type RawRequest,
  type Submission,
} from './client.js'
export { type Verdict, verifyFinality, verifyStateRecord, verifyTransaction } from './proofs.js'
export { type ItemsRequest, signQuery } from './query.js'
export { type RequestToSign, signRequest } from './sign-request.js'
export type { ExplorerItem, ExplorerList, ExplorerRequest } from './streams/explorer.js'
export type { BlocksRequest, EventFilterInput, EventItem, EventsRequest } from './streams/streams.js'
export {
  buildTransaction,
  DEFAULT_TTL_MS,
  type SignedBytes,
  sealMultisig,
  signAsMember,
  signMessage,
  signTransaction,
  type TransactionDraft,
  type TransactionInput,
} from './transaction.js'
export { type HttpAnswer, headerOf } from './transport.js'
export type { TransactionState } from './wait.js'
