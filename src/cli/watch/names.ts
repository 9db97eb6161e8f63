/** Owns what validators are called on the screen: names of a local network, else their hosts, else the ends of their keys. */
import { isIP } from 'node:net'
import type { NodeIdentity, WatchModel } from './model.js'
import { clean } from './text.js'

/** A key text as nodes shorten it in the words of a stall. */
const shortKey = (key: string): string => (key.length > 16 ? `${key.slice(0, 8)}..${key.slice(-4)}` : key)

/** Host of `host:port` or of a URL; undefined for what is no name. */
function hostOf(address: string): string | undefined {
  const host = /^(?:https?:\/\/)?\[?([^/\]]+?)\]?(?::\d+)?\/?$/.exec(address)?.[1]
  return host === undefined || host === 'localhost' || isIP(host) !== 0 ? undefined : host
}

/** The first label of a host, where no other peer has it: `bank-a` of `bank-a.example:7400`. */
function hostName(address: string, others: readonly string[]): string | undefined {
  const host = hostOf(address)
  const label = host?.split('.')[0]
  const isShared = others.some((other) => other !== address && hostOf(other)?.split('.')[0] === label)
  return isShared ? host : label
}

/** Name of a validator by its key text. */
export function nameOf(model: WatchModel, key: string): string {
  const { node, peers } = model
  const own = key === node.validatorKey
  const address = own ? node.gateway : peers.find(({ id }) => id === key)?.address
  const known = node.names.get(key) ?? (address === undefined ? undefined : node.names.get(address))
  if (known !== undefined) return known
  if (address === undefined) return clean(shortKey(key))
  const host = hostName(address, own ? [] : peers.map((one) => one.address))
  return clean(host ?? (own ? shortKey(key) : address))
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
