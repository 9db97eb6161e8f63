/** The TypeScript SDK: a client of a gateway, keys and addresses, and building and signing of transactions. */
export type { CodecContext, Json } from '../codec/index.js'
export { type ExternalKey, generateKeyPair, type KeyPair, keyPairFromSecret, type SigningKey } from '../crypto/index.js'
export { clientCodec } from '../features/composed.js'
export { readKeyFile, readSigningKey, writeKeyFile } from '../files/key-file.js'
export { openKeyProgram } from '../files/key-program.js'
export {
  type AccountId,
  accountOfPair,
  type ErrorCode,
  formatAddress,
  type Instruction,
  instructionsOf,
  LedgerError,
  parseAddress,
  type Receipt,
} from '../model/index.js'
export { Aliases, type ResolvedText } from './aliases.js'
export { type HttpAnswer, headerOf } from './answer.js'
export { CausewayClient } from './client.js'
export { ConferenceProver, type Proven, verifyConference } from './conference.js'
export { Deadline } from './deadline.js'
export type { IsoFilter, IsoPageOptions, IsoSubmitOptions, IsoWaitOptions } from './iso-messages.js'
export type { IsoRecord } from './iso-proof.js'
export type { ChainPin, ClientOptions, IsoFamily, PageRequest, RawRequest, Submission } from './options.js'
export { API_TOKEN_ENV } from './options.js'
export { type ProofResult, verifyFinality, verifyStateRecord, verifyTransaction } from './proofs.js'
export { type ItemsRequest, signQuery } from './query.js'
export { pathOf, type RouteInput, type RouteTexts } from './route-call.js'
export { routes } from './routes.js'
export { type RequestToSign, signRequest } from './sign-request.js'
export type { ProvenAlias } from './state-rows.js'
export type { ExplorerItem, ExplorerList, ExplorerRequest } from './streams/explorer.js'
export type { BlocksRequest, EventFilterInput, EventItem, EventsRequest } from './streams/streams.js'
export type { TelemetryEvent } from './streams/telemetry.js'
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
export type { GivenInstruction, TransactionOutcome, TransactOptions, WaitOptions } from './transactions.js'
export { mayHaveArrived } from './unanswered.js'
export type { SharedPaymentState, TransactionState, WaitUntil } from './wait.js'
