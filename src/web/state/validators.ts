/** Owns the names of validators that pages show beside their keys: the hosts of peers, as the node that serves the page knows them. */
import type { Capabilities, PeerList } from '../../api/schema/node.js'
import { shortId } from '../../base/ids.js'
import { namesOfPlaces } from '../../base/place-names.js'
import type { JsonOf } from '../json.js'
import { get } from './api.js'
import { Store } from './store.js'

/** Peers are read again at most this often, in ms: they come and go with elections. */
const AGAIN_MS = 60_000

/** Names by key. */
export const validators = new Store<ReadonlyMap<string, string>>(new Map())

let askedMs = Number.NEGATIVE_INFINITY

/** Asks for the names unless they are known; `validators` changes when they are there. */
export async function wantValidators(): Promise<void> {
  if (performance.now() - askedMs < AGAIN_MS) return
  askedMs = performance.now()
  try {
    const { items } = await get<JsonOf<PeerList>>('/peers')
    const { validator_key: own } = await get<JsonOf<Capabilities>>('/v1/node/capabilities')
    const names = namesOfPlaces(items.map(({ address }) => address))
    const found = items.map(({ id, address }) => [id, names.get(address) ?? address] as const)
    validators.set(new Map([...found, [own, 'this node']]))
  } catch {
    // A node that keeps its peers to itself has keys alone.
  }
}

/** A text of the node with names beside the keys in it, which it writes in their short form. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  let named = text
  for (const [key, name] of names) named = named.replaceAll(shortId(key), `${name} (${shortId(key)})`)
  return named
}
