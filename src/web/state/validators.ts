/** Owns the names of validators shown beside their keys: the hosts of peers known to the serving node. */
import type { Capabilities, PeerList } from '../../api/schema/node.js'
import { shortId } from '../../base/ids.js'
import { namesOfPlaces } from '../../base/place-names.js'
import type { JsonOf } from '../json.js'
import { get } from './api.js'
import { Store } from './store.js'

/** Minimum interval between reads of the peers, in ms, since they change with elections. */
const AGAIN_MS = 60_000

/** Names by key. */
export const validators = new Store<ReadonlyMap<string, string>>(new Map())

let askedMs = Number.NEGATIVE_INFINITY

/** Request the names unless they are known; `validators` changes when they arrive. */
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
    // If the node hides its peers, only keys are shown.
  }
}

/** Add names to the keys in a text of the node, where keys are in their short form. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  let named = text
  for (const [key, name] of names) named = named.replaceAll(shortId(key), `${name} (${shortId(key)})`)
  return named
}
