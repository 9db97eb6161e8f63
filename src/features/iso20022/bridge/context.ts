/** Owns the context of the stages of the bridge, created when the bridge opens. */
import type { Logger } from 'pino'
import type { NodeServices } from '../../../api/services.js'
import type { AccountId, AccountSigner, AuditTrail } from '../../../model/index.js'
import type { ParseOptions } from '../message/index.js'
import type { MessageReader } from '../reader/reader.js'
import type { ReferenceData } from '../refdata/service.js'
import type { Batches } from './batches.js'
import type { MessageMutex } from './message-mutex.js'
import type { PinMode } from './resolve.js'
import type { HoldRule } from './stages/hold.js'
import type { RecordStore } from './store.js'
import type { Submitters } from './submitters.js'

/** Handling of a payment whose UETR was used before: `warn` accepts the payment and logs it, `refuse` refuses it. */
export type DuplicateUetr = 'warn' | 'refuse'

/** Days before and after today within which a settlement date is accepted; undefined: no bound. */
export type SettlementDays = Omit<NonNullable<ParseOptions['settlementWindow']>, 'today'>

/** The bridge of one node. */
export interface BridgeContext {
  readonly services: NodeServices
  readonly store: RecordStore
  readonly signer: AccountSigner
  /** Account that anonymous submissions are attributed to; localnet only. */
  readonly anonymousSubmitter: AccountId | undefined
  readonly settlementWindow: SettlementDays
  readonly duplicateUetr: DuplicateUetr
  /** Replaced when the configuration is reloaded. */
  holds: readonly HoldRule[]
  readonly pins: PinMode
  readonly reference: ReferenceData
  /** Closed by its creator. */
  readonly reader: MessageReader
  /** Batching of payments into transactions. */
  readonly batches: Batches
  /** Run work on one message after earlier work on it. */
  readonly mutex: MessageMutex
  /** Accounts whose messages are read. */
  readonly submitters: Submitters
  readonly wallMs: () => number
  /** Receives one line per submission and per decision, before the response. */
  readonly audit: AuditTrail
  readonly logger: Pick<Logger, 'warn'>
}
