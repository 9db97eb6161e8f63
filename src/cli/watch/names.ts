/** Owns what validators are called on the screen: names of a local network, else the ends of their keys. */
import type { NodeIdentity, WatchModel } from './model.js'
import { clean } from './text.js'

/** A key text as nodes shorten it in the words of a stall. */
const shortKey = (key: string): string => (key.length > 16 ? `${key.slice(0, 8)}..${key.slice(-4)}` : key)

/** Name of a validator by its key text. */
export function nameOf(model: WatchModel, key: string): string {
  const { node, peers } = model
  const address = peers.find(({ id }) => id === key)?.address
  const known = node.names.get(key) ?? (address === undefined ? undefined : node.names.get(address))
  return known ?? clean(shortKey(key))
}

/** The explainer's words with names in place of shortened keys. */
export function named(model: WatchModel, text: string): string {
  let told = clean(text)
  for (const key of model.consensus?.committee ?? []) told = told.replaceAll(shortKey(key), nameOf(model, key))
  return told
}

/** Names that a local network gives to the node itself and to the addresses of its peers. */
export function localNames(
  peers: readonly { readonly name: string; readonly gateway: string; readonly p2p: string }[],
  node: Pick<NodeIdentity, 'gateway' | 'validatorKey'>,
): ReadonlyMap<string, string> {
  const names = new Map(peers.map(({ name, p2p }) => [p2p, clean(name)]))
  const self = peers.find(({ gateway }) => gateway === node.gateway)
  if (self === undefined) return new Map()
  return names.set(node.validatorKey, clean(self.name))
}
