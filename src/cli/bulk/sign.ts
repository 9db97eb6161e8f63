/** Owns the signing of many transactions with one key: chain and codec are asked for once. */
import { buildTransaction, type CausewayClient, type SignedBytes, signTransaction } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { accountOfPair, formatAddress, instructionsOf } from '../../model/index.js'
import { gatewayKey } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Review } from '../transaction/review.js'

/** Signs with one key for one chain. */
export interface BulkSigner {
  /** Account of the key. */
  readonly address: string
  /** What a signer is shown before the first of them: they are too many to show. */
  readonly review: (what: string) => Review
  /** Signs instructions given as JSON twins as a transaction of its own. */
  readonly sign: (twins: readonly Json[]) => Promise<SignedBytes>
}

/** A signer with the key of the settings. */
export async function signerOf(client: CausewayClient, settings: Settings): Promise<BulkSigner> {
  const pair = await gatewayKey(settings)
  const { chain, addressPrefix } = await client.chain()
  const codec = await client.codec()
  const authority = accountOfPair(pair)
  const address = formatAddress(authority, addressPrefix)
  return {
    address,
    review: (what) => ({ chain, authority: address, instructions: [], more: [what] }),
    sign: (twins) => {
      const instructions = instructionsOf(twins, codec)
      return signTransaction(buildTransaction({ chain, authority, instructions, codec }), pair)
    },
  }
}
