/**
 * Owns names beside ids in command output (aliases of accounts, names of validators), and the fraction digits of
 * assets.
 */

import type { AnyRoute } from '../../api/index.js'
import { withDigits } from '../../base/digits.js'
import { shortId } from '../../base/ids.js'
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'
import { type AssetDigits, definitionsIn, Readable, scaleOf } from '../text/readable.js'
import { getJson, getRoutes, type RoutePick, textOf, type View } from './gateway.js'

/** Maximum accounts and assets looked up for one response; further ones are printed as they are. */
const ACCOUNTS_MAX = 100
const ASSETS_MAX = 32
/** Maximum concurrent requests: a node gives one client one slot on its ledger. */
const AT_ONCE = 2

/** Multihash text of a validator key, or its short form in texts of nodes. */
const VALIDATOR_KEY = /\bea0130[0-9a-f]{96}\b/i
const SHORT_KEY = /\bea0130[0-9a-f]{2}…[0-9a-f]{6}\b/i
const addressForm = (prefix: string): RegExp => new RegExp(`\\b${prefix}1[02-9ac-hj-np-z]{38,}\\b`, 'g')

/** Form of an id beside its name: full on a separate line, short among other values. */
export type IdForm = 'whole' | 'short'

/** Names of ids and digits of assets, as a gateway reports them. */
export class Directory {
  private readonly ids: RegExp | undefined

  constructor(
    private readonly names: ReadonlyMap<string, string> = new Map(),
    readonly digits: AssetDigits = new Map(),
  ) {
    // Ids are letters, digits and an ellipsis, none of which is special in a pattern.
    const ids = [...names.keys()].sort((a, b) => b.length - a.length)
    this.ids = ids.length === 0 ? undefined : new RegExp(`(?<![0-9A-Za-z])(?:${ids.join('|')})(?![0-9A-Za-z])`, 'g')
  }

  /** Directory with additional names. */
  with(names: ReadonlyMap<string, string>): Directory {
    return new Directory(new Map([...this.names, ...names]), this.digits)
  }

  /** Directory with only the names accepted by `keeps`. */
  async filtered(keeps: (id: string, name: string) => Promise<boolean>): Promise<Directory> {
    const names = new Map<string, string>()
    for (const [id, name] of this.names) if (await keeps(id, name)) names.set(id, name)
    return new Directory(names, this.digits)
  }

  /** Text with the names of its ids: `alice@bank (cw1…)`. */
  named(text: string, form: IdForm = 'whole'): string {
    if (this.ids === undefined) return text
    return text.replaceAll(this.ids, (id) => `${this.names.get(id)} (${form === 'whole' ? id : shortId(id)})`)
  }

  /** Amount with the digits of its asset, and the asset: `10.00 eur#bank`; undefined without an amount. */
  amount(amount: Json | undefined, definition: Json | undefined): string | undefined {
    const asset = textOf(definition)
    const text = textOf(amount)
    if (text === undefined || asset === undefined) return text
    return `${withDigits(text, this.digits.get(asset) ?? 0)} ${asset}`
  }
}

/** Directory without lookups. */
export const NO_NAMES = new Directory()

/** Run `read` for each item, a few at a time. */
async function forEach<T>(items: Iterable<T>, read: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await read(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Result of an optional lookup for output; undefined if the gateway refuses it. */
export async function optional<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof LedgerError) return undefined
    throw error
  }
}

/** Alias of an account reported by the gateway; undefined without one. */
export async function aliasOf(client: CausewayClient, address: string): Promise<string | undefined> {
  const view = await optional(getJson(client, ({ accounts }) => accounts.account, { params: { id: address } }))
  const { label, domain } = (view ?? {}) as View
  return typeof label === 'string' ? `${label}@${String(domain)}` : undefined
}

/** Digits of the assets named in a record. */
export async function digitsOf(client: CausewayClient, record: Json): Promise<AssetDigits> {
  const digits = new Map<string, number>()
  await forEach([...definitionsIn(record)].slice(0, ASSETS_MAX), async (id) => {
    const view = await optional(getJson(client, ({ assets }) => assets.definition, { params: { id } }))
    const scale = scaleOf((view ?? {}) as View)
    if (scale !== undefined) digits.set(id, scale)
  })
  return digits
}

/** Directory with the digits of the assets in a record, without names. */
export const amountsOf = async (client: CausewayClient, record: Json): Promise<Directory> =>
  new Directory(undefined, await digitsOf(client, record))

/** Names of validators by key, full and short: names of a local network, else hosts. */
async function validatorNames(client: CausewayClient, gateway: string): Promise<Map<string, string>> {
  const { identityOf } = await import('./node-names.js')
  const { nameOf } = await import('./node-names.js')
  const node = await identityOf(client, gateway, undefined)
  const peers = (await optional(client.peers()))?.items ?? []
  const names = new Map<string, string>()
  for (const key of [node.validatorKey, ...peers.map(({ id }) => id)]) {
    if (!VALIDATOR_KEY.test(key)) continue
    const name = nameOf({ node, peers }, key)
    if (name !== shortId(key)) names.set(key, name).set(shortId(key), name)
  }
  return names
}

/** Addresses in a record. */
async function addressesIn(client: CausewayClient, record: Json): Promise<readonly string[]> {
  const { addressPrefix } = await client.chain()
  return [...new Set(JSON.stringify(record).match(addressForm(addressPrefix)) ?? [])]
}

/**
 * Names and digits for the ids and assets in a record. `shown`: the printed part; ids outside of it are not looked up.
 */
export async function directoryOf(
  client: CausewayClient,
  gateway: string,
  record: Json,
  shown: Json = record,
): Promise<Directory> {
  const text = JSON.stringify(shown)
  const hasKeys = VALIDATOR_KEY.test(text) || SHORT_KEY.test(text)
  const names = hasKeys ? await validatorNames(client, gateway) : new Map<string, string>()
  const addresses = await addressesIn(client, shown)
  await forEach(addresses.slice(0, ACCOUNTS_MAX), async (address) => {
    const alias = await aliasOf(client, address)
    if (alias !== undefined) names.set(address, alias)
  })
  return new Directory(names, await digitsOf(client, record))
}

/** Response of a route with its bytes and amounts as readable texts. */
export async function readableAnswer(
  client: CausewayClient,
  pick: RoutePick,
  view: View,
  { digits }: Directory,
): Promise<View> {
  const { response } = pick(await getRoutes()) as Pick<AnyRoute, 'response'>
  if (response === undefined) return view
  const { registries } = await client.codec()
  return new Readable(response, digits, registries).of(view as Json) as View
}
