/** Owns the transaction of a message: the claim of its identity, then its one transfer (docs/design/iso20022.md 2). */

import type { BridgeSigner, NodeInfo } from '../../../api/services.js'
import type { Json } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { type Metadata, sealTransaction, type TransactionPayload } from '../../../model/index.js'
import { transfer } from '../../assets/schema/instructions.js'
import { claimKey, claimMessage } from '../schema/instructions.js'
import type { BridgeRecord } from './record.js'

/** Life of a bridge transaction, in ms: long enough for a view change, short enough to answer TM01 within a minute or two. */
const TTL_MS = 100_000

/** A signed transaction. */
export interface SignedPayment {
  readonly id: Buffer
  readonly bytes: Buffer
  readonly expiresAtMs: number
}

/** What explorers and statements show of the message; nothing on the ledger decides by it. */
function metadataOf(record: BridgeRecord): Metadata {
  const entries: [string, Json | undefined][] = [
    ['iso20022_end_to_end_id', record.endToEndId],
    ['iso20022_message_id', record.messageId],
    ['iso20022_settlement_date', record.settlementDate],
    ['iso20022_uetr', record.uetr],
  ]
  return new Map(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/** Builds and signs the transaction of a record whose parties are resolved. */
export function paymentTransaction(
  record: BridgeRecord,
  parties: { readonly source: string; readonly target: string; readonly definition: string },
  signer: BridgeSigner,
  { chain, codec }: NodeInfo,
  nowMs: number,
): SignedPayment {
  const { submitter, family, messageId, bodyHash, amount, attempt } = record
  const { source, target, definition } = parties
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
        { kind: claimMessage.kind, value: { submitter, family, messageId, idHash, bodyHash } },
        { kind: transfer.kind, value: { asset: { definition, account: source }, to: target, amount } },
      ],
    },
    metadata: metadataOf(record),
    dataspace: undefined,
  }
  const sealed = sealTransaction(payload, codec, signer.key, (id) => signer.sign(id))
  return { ...sealed, expiresAtMs: nowMs + TTL_MS }
}
