/** Owns the signing of many transactions with one key: chain and codec are asked for once. */
import type { CausewayClient, SignedBytes, TransactionDraft } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { gatewayKey } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Review } from '../transaction/review.js'
import { addressOfKey } from '../transaction/submit.js'

/** Signs with one key for one chain. */
export interface BulkSigner {
  /** Account of the key. */
  readonly address: string
  /** What a signer is shown before the first of them: they are too many to show. */
  readonly review: (what: string) => Review
  /** Lays instructions given as JSON twins out as a transaction, unsigned. */
  readonly draft: (twins: readonly Json[]) => Promise<TransactionDraft>
  /** Signs instructions given as JSON twins as a transaction of its own. */
  readonly sign: (twins: readonly Json[]) => Promise<SignedBytes>
}

/** A signer with the key of the settings. */
export async function signerOf(client: CausewayClient, settings: Settings): Promise<BulkSigner> {
  const signer = await gatewayKey(settings)
  const { chain, addressPrefix } = await client.chain()
  const address = addressOfKey(signer, addressPrefix)
  return {
    address,
    review: (what) => ({ chain, authority: address, instructions: [], more: [what] }),
    draft: (twins) => client.draft(twins, { signer }),
    sign: (twins) => client.sign(twins, { signer }),
  }
}
