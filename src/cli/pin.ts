/** Owns the first meeting with a gateway: the chain that it serves is taken down, so that another one is noticed later. */
import { CausewayClient } from '../client/index.js'
import { LedgerError } from '../model/errors.js'
import type { Settings } from './settings.js'

/** What a profile pins. */
export interface Pinned {
  readonly chain: string | undefined
  readonly genesisHash: string | undefined
  /** What a person should know about it. */
  readonly note: string
}

/**
 * Chain and genesis hash of a gateway. A hash that the user knows has to be that of the gateway, and is enough where it
 * does not answer. Throws `gateway_untrusted`, `not_a_gateway`.
 */
export async function pinnedAt(
  settings: Settings,
  token: string | undefined,
  known: string | undefined,
): Promise<Pinned> {
  const { gateway, timeoutMs, insecure } = settings
  const client = new CausewayClient({
    gateway,
    timeoutMs,
    insecure,
    ...(token === undefined ? {} : { apiToken: token }),
    ...(known === undefined ? {} : { pin: { genesisHash: known } }),
  })
  try {
    const { chain, genesisHash } = await client.chain()
    const hash = Buffer.from(genesisHash).toString('hex')
    const advice = known === undefined ? ': compare it with one that you have from elsewhere' : ', as you said'
    return { chain, genesisHash: hash, note: `pinned chain ${chain} with genesis ${hash}${advice}` }
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'unreachable') throw error
    const note =
      known === undefined
        ? `not pinned: ${gateway} does not answer; add the profile again when it does, or give --genesis-hash`
        : `pinned genesis ${known}, as you said; ${gateway} does not answer`
    return { chain: undefined, genesisHash: known, note }
  } finally {
    await client.close()
  }
}
