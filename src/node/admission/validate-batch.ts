/** Owns the validation results of records: content from the ledger thread, signatures from the crypto threads. */

import type { CryptoService } from '../../crypto/index.js'
import { signatureItems, validSignatures } from '../../executor/index.js'
import type { LedgerPort, LedgerRequest, LedgerResponse } from '../ledger/protocol.js'
import type { Pending } from './records.js'

interface ValidationServices {
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly wallMs: () => number
}

/** Ledger results for the records of a batch, and the records with invalid signatures. */
interface ValidatedBatch extends LedgerResponse<'admit'> {
  readonly forged: ReadonlySet<Pending>
}

/** True for a record with the signatures of a shared account, which any client can create. */
const hasMany = ({ signed }: Pending): boolean => signed.signatures.length > 1

/**
 * Validate a batch: the ledger results, and the records with invalid signatures among those not verified before. For
 * records with many signatures the ledger is asked first: anyone can create an account with 32 keys, whose verification
 * costs as much as hundreds of other records.
 */
export async function validateBatch(
  { ledger, crypto, wallMs }: ValidationServices,
  batch: readonly Pending[],
  items: LedgerRequest<'admit'>['items'],
  unverified: readonly Pending[],
): Promise<ValidatedBatch> {
  const asked = ledger.admit({ timeMs: wallMs(), items })
  const single = unverified.filter((one) => !hasMany(one))
  const [forged, { results }] = await Promise.all([forgedOf(crypto, single), asked])
  const shared = unverified.filter(hasMany)
  if (shared.length === 0) return { results, forged: new Set(forged) }
  const admitted = new Set(batch.filter((_, index) => results[index]?.code === ''))
  const others = await forgedOf(
    crypto,
    shared.filter((one) => admitted.has(one)),
  )
  return { results, forged: new Set([...forged, ...others]) }
}

/** Records with invalid signatures among the given ones. */
async function forgedOf(crypto: CryptoService, records: readonly Pending[]): Promise<readonly Pending[]> {
  if (records.length === 0) return []
  const checked = await crypto.verifyBatch(records.flatMap(({ signed, id }) => signatureItems(signed, id)))
  const holding = validSignatures(
    records.map(({ signed }) => signed),
    checked,
  )
  return records.filter((_, index) => holding[index] !== true)
}
