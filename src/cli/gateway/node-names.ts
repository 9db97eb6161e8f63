/** Owns display names of validators: names of a local network, else their hosts, else the ends of their keys. */
import type { PeerRecord } from '../../api/index.js'
import { shortId } from '../../base/ids.js'
import { isIpAddress, namesOfPlaces, placeOf } from '../../base/place-names.js'
import type { CausewayClient } from '../../client/index.js'
import { LedgerError } from '../../model/errors.js'
import { localnetFolder, readLocalnet } from '../settings/localnet-record.js'
import { clean } from '../text/escape.js'

/** Identity of a node at the first contact, and the local names of its peers. */
export interface NodeIdentity {
  readonly gateway: string
  readonly chain: string
  readonly version: string
  readonly mode: string
  readonly validatorKey: string
  /** Name by key text, and by address of the links. */
  readonly names: ReadonlyMap<string, string>
}

/** Node with its list of peers. */
export interface NamedNetwork {
  readonly node: NodeIdentity
  readonly peers: readonly PeerRecord[]
}

/** Identity of the node, with the names of its local network. */
export async function identityOf(
  client: CausewayClient,
  gateway: string,
  dir: string | undefined,
): Promise<NodeIdentity> {
  const { chain, version, consensusMode, validatorKey } = await client.chain()
  const node = { gateway, chain, version, mode: consensusMode, validatorKey }
  return { ...node, names: await namesOf(node, dir) }
}

async function namesOf(
  node: Pick<NodeIdentity, 'gateway' | 'validatorKey'>,
  dir: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  try {
    const net = await readLocalnet(localnetFolder(dir))
    return net === undefined ? new Map() : localNames(net.peers, node)
  } catch (error) {
    // Names are optional: a node is shown even if the record of the local network cannot be read.
    if (error instanceof LedgerError && dir === undefined) return new Map()
    throw error
  }
}

/** Names of the peers of a network, computed once per list: every frame of the dashboard needs them. */
const known = new WeakMap<NamedNetwork['peers'], ReadonlyMap<string, string>>()
function peerNames(peers: NamedNetwork['peers']): ReadonlyMap<string, string> {
  const found = known.get(peers) ?? namesOfPlaces(peers.map(({ address }) => address))
  known.set(peers, found)
  return found
}

/** Name of a validator by its key text. */
export function nameOf(network: NamedNetwork, key: string): string {
  const { node, peers } = network
  const own = key === node.validatorKey
  const address = own ? node.gateway : peers.find(({ id }) => id === key)?.address
  const local = node.names.get(key) ?? (address === undefined ? undefined : node.names.get(address))
  if (local !== undefined) return local
  // The gateway of the node may have another host than its links: it names the node only if it is a host name.
  if (address === undefined || (own && isIpAddress(placeOf(address).host))) return clean(shortId(key))
  return clean((own ? namesOfPlaces([address]) : peerNames(peers)).get(address) ?? address)
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
