/** Owns display names of validators: names of a local network, else their hosts, else the ends of their keys. */
import { shortId } from '../../base/ids.js'
import { isIpAddress, namesOfPlaces, placeOf } from '../../base/place-names.js'
import type { NodeIdentity, WatchEvent, WatchModel } from './model.js'
import { clean } from './text.js'

/** Replaces the middle of a key in its short form. */
const SHORTENED = '…'

/** Names of the peers of a model, made once for each list of them: frames ask again and again. */
const known = new WeakMap<WatchModel['peers'], ReadonlyMap<string, string>>()
function peerNames(peers: WatchModel['peers']): ReadonlyMap<string, string> {
  const found = known.get(peers) ?? namesOfPlaces(peers.map(({ address }) => address))
  known.set(peers, found)
  return found
}

/** Name of a validator by its key text. */
export function nameOf(model: Pick<WatchModel, 'node' | 'peers'>, key: string): string {
  const { node, peers } = model
  const own = key === node.validatorKey
  const address = own ? node.gateway : peers.find(({ id }) => id === key)?.address
  const local = node.names.get(key) ?? (address === undefined ? undefined : node.names.get(address))
  if (local !== undefined) return local
  // The gateway of the node may stand on another host than its links: it names the node only by a name of its own.
  if (address === undefined || (own && isIpAddress(placeOf(address).host))) return clean(shortId(key))
  return clean((own ? namesOfPlaces([address]) : peerNames(peers)).get(address) ?? address)
}

/** Explanation text with names in place of shortened keys. */
export function named(model: WatchModel, text: string): string {
  let told = clean(text)
  if (!told.includes(SHORTENED)) return told
  for (const key of model.consensus?.committee ?? []) {
    const short = shortId(key)
    if (told.includes(short)) told = told.replaceAll(short, nameOf(model, key))
  }
  return told
}

/** Event with current names, since it may have arrived before the peers were known. */
export function namedEvent(model: WatchModel, event: WatchEvent): WatchEvent {
  if (!event.text.includes(SHORTENED)) return event
  const fields = Object.entries(event.fields).map(([field, value]) => [field, namedValue(model, value)])
  return { ...event, text: named(model, event.text), fields: Object.fromEntries(fields) }
}

function namedValue(model: WatchModel, value: unknown): unknown {
  if (typeof value === 'string') return named(model, value)
  return Array.isArray(value) ? value.map((one: unknown) => namedValue(model, one)) : value
}

/** Names of a local network for the node itself and for the addresses of its peers. */
export function localNames(
  peers: readonly { readonly name: string; readonly gateway: string; readonly p2p: string }[],
  node: Pick<NodeIdentity, 'gateway' | 'validatorKey'>,
): ReadonlyMap<string, string> {
  const names = new Map(peers.map(({ name, p2p }) => [p2p, clean(name)]))
  const self = peers.find(({ gateway }) => gateway === node.gateway)
  if (self === undefined) return new Map()
  return names.set(node.validatorKey, clean(self.name))
}
