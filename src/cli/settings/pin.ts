/** Owns the first meeting with a gateway: chain and node are taken down, so that another one is noticed later. */
import { CausewayClient } from '../../client/index.js'
import type { ChainPin } from '../../client/options.js'
import { LedgerError } from '../../model/errors.js'
import type { Settings } from './settings.js'

/** What a profile pins. */
export type Pinned = Pick<ChainPin, 'chain' | 'genesisHash' | 'networkKey'>

type Known = Pick<ChainPin, 'chain' | 'genesisHash'>

/**
 * Chain, genesis hash and network key that a gateway shows; what is known of the chain has to be what it shows, and the
 * genesis has to name the chain. Throws `gateway_untrusted`, `not_a_gateway`, `unreachable`.
 */
export async function shownBy(settings: Settings, token: string | undefined, known: Known): Promise<Required<Pinned>> {
  return confirmed(settings, token, await shownTo(settings, token, known))
}

/** What is shown where the genesis itself names the chain: the hash alone may be shown by a gateway of another one. */
async function confirmed(
  settings: Settings,
  token: string | undefined,
  { chain, genesisHash }: Required<Pinned>,
): Promise<Required<Pinned>> {
  const shown = await shownTo(settings, token, { genesisHash })
  if (shown.chain === chain) return shown
  throw new LedgerError('gateway_untrusted', `${settings.gateway} serves the chain ${chain}, then ${shown.chain}`)
}

async function shownTo(
  { gateway, timeoutMs, insecure }: Settings,
  token: string | undefined,
  known: Known,
): Promise<Required<Pinned>> {
  const client = new CausewayClient({ gateway, timeoutMs, insecure, apiToken: token, pin: known })
  try {
    const { chain, genesisHash, networkKey } = await client.chain()
    return { chain, genesisHash: Buffer.from(genesisHash).toString('hex'), networkKey }
  } finally {
    await client.close()
  }
}

/**
 * What a new profile pins, with what a person should know about it. A hash that the user knows has to be that of the
 * gateway, and is enough where it does not answer. Throws `gateway_untrusted`, `not_a_gateway`, and `unreachable` where a
 * gateway names its chain and then falls silent.
 */
export async function pinnedAt(
  settings: Settings,
  token: string | undefined,
  known: string | undefined,
): Promise<Pinned & { readonly note: string }> {
  let first: Required<Pinned>
  try {
    first = await shownTo(settings, token, { genesisHash: known })
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'unreachable') throw error
    const note =
      known === undefined
        ? `not pinned: ${settings.gateway} does not answer; \`causeway profile pin\` does it later, or give --genesis-hash`
        : `pinned genesis ${known}, as you said; ${settings.gateway} does not answer`
    return { genesisHash: known, note }
  }
  const shown = await confirmed(settings, token, first)
  const advice = known === undefined ? ': compare them with what you have from elsewhere' : ', the genesis as you said'
  const { chain, genesisHash, networkKey } = shown
  return { ...shown, note: `pinned chain ${chain} with genesis ${genesisHash} and node ${networkKey}${advice}` }
}
