/** Owns the signing of many transactions with one key; chain and codec are requested once. */
import type { CausewayClient, GivenInstruction, SignedBytes, TransactionDraft } from '../../client/index.js'
import type { CodecContext } from '../../codec/index.js'
import type { Instruction } from '../../model/index.js'
import { gatewayKey } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Review } from '../transaction/review.js'
import { addressOfKey } from '../transaction/submit.js'

/** Signer with one key for one chain. */
export interface BulkSigner {
  /** Account of the key. */
  readonly address: string
  /** Summary shown to the signer before the first transaction, since there are too many to show each. */
  readonly review: (what: string) => Review
  readonly codec: CodecContext
  /** Build an unsigned transaction from instructions. */
  readonly draft: (instructions: readonly Instruction[]) => Promise<TransactionDraft>
  /** Sign instructions, built or in JSON form, as a separate transaction. */
  readonly sign: (instructions: readonly GivenInstruction[]) => Promise<SignedBytes>
}

/** Signer with the key of the settings. */
export async function signerOf(client: CausewayClient, settings: Settings): Promise<BulkSigner> {
  const signer = await gatewayKey(settings)
  const { chain, addressPrefix } = await client.chain()
  const address = addressOfKey(signer, addressPrefix)
  return {
    address,
    review: (what) => ({ chain, authority: address, instructions: [], more: [what] }),
    codec: await client.codec(),
    draft: (instructions) => client.draft(instructions, { signer }),
    sign: (instructions) => client.sign(instructions, { signer }),
  }
}
