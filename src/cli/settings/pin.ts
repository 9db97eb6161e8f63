/** Owns the first contact with a gateway: chain and node are recorded, so that a later change is detected. */
import { CausewayClient } from '../../client/index.js'
import type { ChainPin } from '../../client/options.js'
import { LedgerError } from '../../model/errors.js'
import type { Settings } from './settings.js'

/** Pinned properties of a profile. */
export type Pinned = Pick<ChainPin, 'chain' | 'genesisHash' | 'networkKey'>

type Known = Pick<ChainPin, 'chain' | 'genesisHash'>

/**
 * Chain, genesis hash and network key of a gateway. They must match the pinned values, and the genesis must belong to
 * the chain. Throws `gateway_untrusted`, `not_a_gateway`, `unreachable`.
 */
export async function shownBy(settings: Settings, token: string | undefined, known: Known): Promise<Required<Pinned>> {
  return confirmed(settings, token, await shownTo(settings, token, known))
}

/** Values confirmed by the genesis, which names the chain; a gateway of another chain could report the hash alone. */
async function confirmed(
  settings: Settings,
  token: string | undefined,
  { chain, genesisHash }: Required<Pinned>,
): Promise<Required<Pinned>> {
  const shown = await shownTo(settings, token, { genesisHash })
  if (shown.chain === chain) return shown
  throw new LedgerError('gateway_untrusted', `${settings.gateway} served the chain ${chain}, then ${shown.chain}`)
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
 * Pins of a new profile, with a note for the user. A hash given by the user must match the gateway, and is sufficient
 * if the gateway does not respond. Throws `gateway_untrusted`, `not_a_gateway`, and `unreachable` if a gateway reports
 * its chain and then stops responding.
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
        ? `not pinned: ${settings.gateway} does not respond; run \`causeway profile pin\` later, or give --genesis-hash`
        : `pinned genesis ${known} as given; ${settings.gateway} does not respond`
    return { genesisHash: known, note }
  }
  const shown = await confirmed(settings, token, first)
  const advice = known === undefined ? ': compare them with values from another source' : ', the genesis as given'
  const { chain, genesisHash, networkKey } = shown
  return { ...shown, note: `pinned chain ${chain} with genesis ${genesisHash} and node ${networkKey}${advice}` }
}
