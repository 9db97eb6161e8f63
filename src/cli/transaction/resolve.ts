/** Owns account arguments: addresses, and aliases resolved by a gateway, with a proof if the chain is pinned. */
import type { CausewayClient } from '../../client/index.js'
import { formatAddress, LedgerError } from '../../model/index.js'
import { getView, textOf } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { ResolvedAlias } from './review.js'

/** Address that a gateway gives for an alias, on its word. */
async function toldAddress(client: CausewayClient, alias: string): Promise<string> {
  const view = await getView(client, ({ accounts }) => accounts.account, { params: { id: alias } })
  return textOf(view.id) ?? ''
}

/** Address of an account given as an address or as an alias `label@domain`, for reads only. */
export const resolveAccount = async (client: CausewayClient, text: string): Promise<string> =>
  text.includes('@') ? toldAddress(client, text) : text

/** Resolve the names in content to be signed, and keep them for display. */
export class Names {
  readonly resolved = new Map<string, ResolvedAlias>()

  constructor(
    private readonly client: CausewayClient,
    private readonly settings: Pick<Settings, 'pin' | 'isLocal'>,
  ) {}

  /**
   * Address of an account that is written as an address or as an alias. Throws `unknown_account`, and `proof_invalid`
   * where the genesis is pinned and the gateway does not prove whose alias it is. A local network is taken at its word:
   * before its second block nothing can be proven.
   */
  async account(text: string): Promise<string> {
    if (!text.includes('@')) return text
    const known = this.resolved.get(text)
    if (known !== undefined) return known.address
    const { pin, isLocal } = this.settings
    const found =
      pin?.genesisHash === undefined || isLocal
        ? { address: await toldAddress(this.client, text), provenAt: undefined }
        : await this.proven(text)
    this.resolved.set(text, found)
    return found.address
  }

  /**
   * True where an alias that a gateway reports leads to this address: whoever is to sign is shown how that is known. The alias of a
   * contract leads to the account of its line, so that its address is taken from the gateway; other names are not of accounts.
   */
  async confirms(address: string, alias: string, isContract: boolean): Promise<boolean> {
    if (!alias.includes('@')) return true
    try {
      if (isContract && !this.resolved.has(alias)) this.resolved.set(alias, { address, provenAt: undefined })
      return (await this.account(alias)) === address
    } catch (error) {
      if (error instanceof LedgerError) return false
      throw error
    }
  }

  private async proven(alias: string): Promise<ResolvedAlias> {
    const at = alias.indexOf('@')
    const { account, height } = await this.client.provenAlias(alias.slice(0, at), alias.slice(at + 1))
    if (account === undefined) {
      throw new LedgerError('unknown_account', `account ${alias} does not exist, proven at height ${height}`)
    }
    return { address: formatAddress(account, (await this.client.chain()).addressPrefix), provenAt: height }
  }
}
