/** Owns account and asset arguments: addresses, ids, and aliases that a gateway resolves and the transaction asserts. */
import { isAliasText, keyOf, type WantedText } from '../../api/alias-ids.js'
import type { Aliases, CausewayClient } from '../../client/index.js'
import type { CodecContext, Json } from '../../codec/index.js'
import { assetDefinitionFault, formatAddress, type Instruction, LedgerError } from '../../model/index.js'
import { getView, textOf } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { cautionOf, type ResolvedAlias } from '../transaction/review.js'

/** Address that a gateway reports for an alias, without proof. */
async function aliasAddress(client: CausewayClient, alias: string): Promise<string> {
  const view = await getView(client, ({ accounts }) => accounts.account, { params: { id: alias } })
  return textOf(view.id) ?? ''
}

/** Address of an account given as an address or as an alias, for reads only. */
export const resolveAccount = async (client: CausewayClient, text: string): Promise<string> =>
  isAliasText(text) ? aliasAddress(client, text) : text

/** Id of an asset definition given as its id or as an alias, for reads only. */
export const resolveAsset = async (client: CausewayClient, text: string): Promise<string> =>
  isAliasText(text)
    ? (textOf((await getView(client, ({ assets }) => assets.definition, { params: { id: text } })).id) ?? '')
    : text

/**
 * Resolver of aliases in content to be signed: keeps them for display, and creates the instruction that asserts them.
 */
export class Names {
  /** Aliases shown before signing. */
  readonly resolved = new Map<string, ResolvedAlias>()
  private readonly aliases: Aliases
  /** Aliases on which the transaction depends. */
  private readonly used = new Map<string, WantedText>()

  constructor(
    private readonly client: CausewayClient,
    private readonly settings: Pick<Settings, 'pin' | 'isLocal'>,
  ) {
    this.aliases = client.aliases()
  }

  /** Codec for JSON with aliases; `settled` resolves them. */
  codec(codec: CodecContext): CodecContext {
    return { ...codec, aliases: this.aliases.texts.reader(this.used) }
  }

  /** Instructions of JSON forms; lists in them assert their own aliases. */
  instruction(jsonForm: Json, index: number, codec: CodecContext): Instruction {
    return this.aliases.read(jsonForm, index, codec, this.used)
  }

  /** Repeat a build until every alias in the result is resolved. */
  async settled<T>(build: () => T | Promise<T>): Promise<T> {
    const built = await this.aliases.settled(build)
    for (const wanted of this.needed()) await this.show(wanted)
    return built
  }

  /** Instructions, preceded by the assertion of the aliases that they depend on. */
  asserted(instructions: readonly Instruction[]): readonly Instruction[] {
    return this.aliases.asserted(instructions, this.used.values())
  }

  /** Warnings to confirm on a terminal or with `--yes` before an alias of this transaction is paid. */
  get cautions(): readonly string[] {
    return this.needed().flatMap((wanted) => {
      const answer = this.aliases.get(wanted)?.answer
      return answer === undefined ? [] : (cautionOf(answer, Date.now()) ?? [])
    })
  }

  /**
   * Address of an account given as an address or an alias. Throws `alias_unknown`, and `proof_invalid` if the genesis
   * is pinned and the gateway does not prove the alias. A local network is trusted: before its second block nothing can
   * be proven.
   */
  async account(text: string): Promise<string> {
    if (!isAliasText(text)) return text
    const wanted: WantedText = { text, want: 'account' }
    const { address } = await this.show(wanted)
    this.used.set(keyOf(wanted), wanted)
    return address
  }

  /** Definition of an asset given as its id or an alias. */
  async asset(text: string): Promise<string> {
    if (!isAliasText(text)) {
      const wrong = assetDefinitionFault(text)
      if (wrong !== undefined) throw usageError(`asset ${text}: ${wrong}`)
      return text
    }
    const wanted: WantedText = { text, want: 'asset' }
    const { address } = await this.show(wanted)
    this.used.set(keyOf(wanted), wanted)
    return address
  }

  /**
   * True if an alias from the gateway resolves to this address; the review shows how this was verified. For the alias
   * of a contract, the address reported by the gateway is trusted; a name without `@` does not name an account and is
   * accepted.
   */
  async confirms(address: string, alias: string, isContract: boolean): Promise<boolean> {
    if (!alias.includes('@')) return true
    try {
      if (isContract && !this.resolved.has(alias)) this.resolved.set(alias, { address, provenAt: undefined })
      return (await this.show({ text: alias, want: 'account' })).address === address
    } catch (error) {
      if (error instanceof LedgerError) return false
      throw error
    }
  }

  /** Aliases on which the transaction and the lists in it depend. */
  private needed(): readonly WantedText[] {
    return [...this.used.values(), ...this.aliases.stored.values()]
  }

  /** Resolve an alias, and show it before signing. */
  private async show(wanted: WantedText): Promise<ResolvedAlias> {
    const name = wanted.want === 'asset' ? `asset ${wanted.text}` : wanted.text
    const known = this.resolved.get(name)
    if (known !== undefined) return known
    const found = await this.find(wanted)
    this.resolved.set(name, found)
    return found
  }

  private async find(wanted: WantedText): Promise<ResolvedAlias> {
    const { pin, isLocal } = this.settings
    const isProven = pin?.genesisHash !== undefined && !isLocal
    if (!(await this.aliases.canAssert()) && (isLocal || isProven) && wanted.want === 'account') {
      return isProven
        ? this.proven(wanted.text)
        : { address: await aliasAddress(this.client, wanted.text), provenAt: undefined }
    }
    const { id, canonical, answer } = await this.aliases.one(wanted)
    if (wanted.want === 'asset') return { address: id, provenAt: undefined, answer }
    const address = formatAddress(id, (await this.client.chain()).addressPrefix)
    if (!isProven || !canonical.includes('@')) return { address, provenAt: undefined, answer }
    const proven = await this.proven(canonical)
    if (proven.address === address) return { ...proven, answer }
    throw new LedgerError('proof_invalid', `the gateway proves another account of ${canonical} than it returned`, {
      hint: 'Ask another node; nothing was signed.',
      details: { alias: canonical },
    })
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
