/** Owns the shape of a payment, independent of the form of its message. */
import type { FaultStage, IsoFault } from './fault.js'
import type { Amount } from './values/amount.js'
import type { SettlementWindow } from './values/window.js'

/** Message families that become a transfer. */
export type PaymentFamilyName = 'pacs.008' | 'pacs.009'

/** Settings in supplementary data that fix parties and asset (specification 4.4, rule 5). Texts as written, trimmed. */
export interface Pins {
  /** Chain id of the intended ledger. */
  readonly ledgerId?: string
  /** Account to debit: its id, or its address if only the address is given. */
  readonly sourceAccount?: string
  /** Address of the account to debit if both id and address are given; both must identify the same account. */
  readonly sourceAddress?: string
  /** Account to credit: its id, or its address if only the address is given. */
  readonly targetAccount?: string
  /** Address of the account to credit if both id and address are given. */
  readonly targetAddress?: string
  /** Asset definition to transfer, instead of the definition bound to the currency. */
  readonly assetDefinition?: string
}

interface PaymentBase {
  /** Message definition, such as pacs.008.001.08. */
  readonly definition: string
  /** Identity of the message per sender: GrpHdr/MsgId for pacs.008, AppHdr/BizMsgIdr for pacs.009. */
  readonly messageId: string
  /** Date and time as written; optional in flat bodies of pacs.008. */
  readonly creationTime?: string | undefined
  /** Date, YYYY-MM-DD. */
  readonly settlementDate: string
  /** ISO 4217 code. */
  readonly currency: string
  /** Amount above zero in minor units; its scale is the scale of the currency. */
  readonly amount: Amount
  /** IBAN in canonical form, upper case. */
  readonly debtorIban: string
  readonly creditorIban: string
  readonly endToEndId?: string | undefined
  readonly instructionId?: string | undefined
  /** PmtId/TxId: the sender's id of the transaction, not a ledger hash. */
  readonly transactionId?: string | undefined
  readonly uetr?: string | undefined
  /** Purpose code or proprietary purpose. */
  readonly purpose?: string | undefined
  /** SttlmInf/SttlmMtd; the bridge ignores it. */
  readonly settlementMethod?: string | undefined
  /** Codes of instructions for the agent of the creditor, in order. */
  readonly creditorInstructions?: readonly string[] | undefined
  /** Unstructured remittance lines in order. */
  readonly remittance?: readonly string[] | undefined
  readonly pins: Pins
}

/** A customer credit transfer. BICs are canonical: without the branch code XXX. */
export interface CustomerPayment extends PaymentBase {
  readonly family: 'pacs.008'
  readonly debtorBic: string
  readonly creditorBic: string
  readonly chargeBearer?: string | undefined
  readonly debtorName?: string | undefined
  readonly creditorName?: string | undefined
  readonly instructingBic?: string | undefined
  readonly instructedBic?: string | undefined
}

/** A credit transfer between financial institutions. BICs are canonical: without the branch code XXX. */
export interface InstitutionPayment extends PaymentBase {
  readonly family: 'pacs.009'
  readonly instructingBic: string
  readonly instructedBic: string
  readonly debtorBic?: string | undefined
  readonly creditorBic?: string | undefined
}

/** A validated payment. */
export type Payment = CustomerPayment | InstitutionPayment

/** Settings of the operator that affect validity. */
export interface ParseOptions {
  /** Only accepted family; also the family of a flat body that names none. */
  readonly family?: PaymentFamilyName | undefined
  readonly settlementWindow?: SettlementWindow | undefined
}

/** Options for reading a message of several payments. */
export interface PaymentsOptions extends ParseOptions {
  /**
   * Maximum number of payments in a message; 1: messages with several payments are refused. Default: `PAYMENTS_MAX`.
   */
  readonly maxPayments?: number | undefined
}

/** A payment with remarks, or the stage that refused the body, with all faults of that stage. */
export type ParseResult =
  | {
      readonly ok: true
      readonly payment: Payment
      /**
       * Tagged hash of the received body, which distinguishes a repeated submission from a different message with the
       * same id.
       */
      readonly bodyHash: Uint8Array
      readonly warnings: readonly IsoFault[]
      /** Reason why the settlement date is refused today, if the message is valid on other days. */
      readonly untimely?: IsoFault | undefined
    }
  | { readonly ok: false; readonly stage: FaultStage; readonly faults: readonly IsoFault[] }

/** Readable fields of a refused payment, which identify it to its sender. */
export interface PaymentReferences {
  readonly instructionId: string | undefined
  readonly endToEndId: string | undefined
  readonly transactionId: string | undefined
  readonly uetr: string | undefined
  /** undefined: the amount or its currency is faulty. */
  readonly amount: { readonly value: Amount; readonly currency: string } | undefined
}

/** A refused payment of a message. */
export interface FaultyPayment {
  readonly ok: false
  /** In document order; empty for a sound payment in a message that was refused as a whole. */
  readonly faults: readonly IsoFault[]
  readonly references: PaymentReferences
}

/** A payment of a message. */
export type ReadPayment =
  | { readonly ok: true; readonly payment: Payment; readonly untimely: IsoFault | undefined }
  | FaultyPayment

/** A message of one or more payments, of which at least one is sound. */
export interface PaymentMessage {
  readonly family: PaymentFamilyName
  /** Message definition, such as pacs.008.001.08. */
  readonly definition: string
  readonly messageId: string
  /** GrpHdr/BtchBookg: statements show the payments as one entry. */
  readonly batchBooking: boolean
  /** Tagged hash of the received body. */
  readonly bodyHash: Uint8Array
  /** Payments in the order of the message; the only payment of a message is always sound. */
  readonly payments: readonly ReadPayment[]
}

/**
 * A message with remarks, or the stage that refused the body with its faults. If a message has several payments, only
 * the first fault of each faulty payment is listed.
 */
export type PaymentsResult =
  | { readonly ok: true; readonly message: PaymentMessage; readonly warnings: readonly IsoFault[] }
  | {
      readonly ok: false
      readonly stage: FaultStage
      readonly faults: readonly IsoFault[]
      /**
       * Payments of a message with several payments, by place. A refused message has sound payments if the fault is
       * outside them.
       */
      readonly payments?: readonly ReadPayment[]
    }
