/** Owns the verdicts about records: those of the ledger thread about what they say, those of the crypto threads about their signatures. */

import type { CryptoService } from '../../crypto/index.js'
import { signatureItems, verdictsOf } from '../../executor/index.js'
import type { LedgerPort, LedgerRequest, LedgerResponse } from '../ledger/protocol.js'
import type { Pending } from './records.js'

interface VerdictSources {
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly wallMs: () => number
}

/** What the ledger says of each record of a batch, and which of them are badly signed. */
interface Verdicts extends LedgerResponse<'admit'> {
  readonly forged: ReadonlySet<Pending>
}

/** Whether the signatures of a record are those of a shared account, which anybody can make up. */
const hasMany = ({ signed }: Pending): boolean => signed.signatures.length > 1

/**
 * The verdicts of the ledger about a batch, and those of the records whose signatures were not verified before that are badly signed. Of
 * many signatures the ledger is asked first: any stranger can make up an account of 32 keys, and to verify them takes as
 * long as hundreds of other records.
 */
export async function verdictsAbout(
  { ledger, crypto, wallMs }: VerdictSources,
  batch: readonly Pending[],
  items: LedgerRequest<'admit'>['items'],
  unvouched: readonly Pending[],
): Promise<Verdicts> {
  const asked = ledger.admit({ timeMs: wallMs(), items })
  const single = unvouched.filter((one) => !hasMany(one))
  const [forged, { verdicts }] = await Promise.all([forgedOf(crypto, single), asked])
  const shared = unvouched.filter(hasMany)
  if (shared.length === 0) return { verdicts, forged: new Set(forged) }
  const admitted = new Set(batch.filter((_, index) => verdicts[index]?.code === ''))
  const others = await forgedOf(
    crypto,
    shared.filter((one) => admitted.has(one)),
  )
  return { verdicts, forged: new Set([...forged, ...others]) }
}

/** Those of some records that are badly signed. */
async function forgedOf(crypto: CryptoService, records: readonly Pending[]): Promise<readonly Pending[]> {
  if (records.length === 0) return []
  const checked = await crypto.verifyBatch(records.flatMap(({ signed, id }) => signatureItems(signed, id)))
  const holding = verdictsOf(
    records.map(({ signed }) => signed),
    checked,
  )
  return records.filter((_, index) => holding[index] !== true)
}
