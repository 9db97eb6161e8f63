/** Owns the transaction of a message: the claim of its identity, then its one transfer (docs/design/iso20022.md 2). */

import type { NodeInfo } from '../../../api/services.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  type AccountSigner,
  instruction,
  type Metadata,
  NO_METADATA,
  sealTransaction,
  type TransactionPayload,
} from '../../../model/index.js'
import { instructions as assets } from '../../assets/schema/instructions.js'
import { REFERENCE_KEY } from '../../explorer/schema/statement.js'
import { claimKey, instructions } from '../schema/instructions.js'
import type { BridgeRecord } from './record.js'

/** Life of a bridge transaction, in ms: long enough for a view change, short enough to answer TM01 within a minute or two. */
const TTL_MS = 100_000

/** A signed transaction. */
export interface SignedPayment {
  readonly id: Buffer
  readonly bytes: Buffer
  readonly expiresAtMs: number
}

/** The end-to-end id as the reference that statements show; nothing on the ledger decides by it. */
const metadataOf = ({ details: { endToEndId } }: BridgeRecord): Metadata =>
  endToEndId === undefined ? NO_METADATA : new Map([[REFERENCE_KEY, endToEndId]])

/** Accounts of a payment, and what moves between them. */
export interface Parties {
  readonly source: AccountId
  readonly target: AccountId
  readonly definition: string
}

/** Builds and signs the transaction of a record whose parties are resolved. */
export function paymentTransaction(
  record: BridgeRecord,
  { source, target, definition }: Parties,
  signer: AccountSigner,
  { chain, codec }: NodeInfo,
  nowMs: number,
): SignedPayment {
  const { submitter, family, messageId, bodyHash, details, amount, attempt } = record
  const idHash = claimKey(submitter, family, messageId)
  const payload: TransactionPayload = {
    chain,
    authority: signer.account,
    createdAtMs: nowMs,
    ttlMs: TTL_MS,
    nonce: hash('iso-nonce', idHash, Buffer.of(attempt & 0xff)).readUInt32LE(0),
    executable: {
      kind: 'instructions',
      value: [
        instruction(instructions.claimMessage, { submitter, family, messageId, idHash, bodyHash, details }),
        instruction(assets.transfer, { asset: { definition, account: source }, to: target, amount }),
      ],
    },
    metadata: metadataOf(record),
    dataspace: undefined,
  }
  const sealed = sealTransaction(payload, codec, signer.key, (id) => signer.sign(id))
  return { ...sealed, expiresAtMs: nowMs + TTL_MS }
}
