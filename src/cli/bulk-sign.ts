/** Owns the signing of many transactions with one key: chain and codec are asked for once. */
import { buildTransaction, type CausewayClient, type SignedBytes, signTransaction } from '../client/index.js'
import type { Json } from '../codec/index.js'
import { accountOfPair, instructionsOf } from '../model/index.js'
import { signingKey } from './key.js'
import type { Settings } from './settings.js'

/** Signs instructions given as JSON twins with the key of the settings, each list as a transaction of its own. */
export async function signerOf(
  client: CausewayClient,
  settings: Settings,
): Promise<(twins: readonly Json[]) => Promise<SignedBytes>> {
  const pair = await signingKey(settings)
  const { chain } = await client.chain()
  const codec = await client.codec()
  const authority = accountOfPair(pair)
  return (twins) => {
    const instructions = instructionsOf(twins, codec)
    return signTransaction(buildTransaction({ chain, authority, instructions, codec }), pair)
  }
}
