/**
 * Owns the check of connections to other peers. A running node knows its peers and the state of each link; for a
 * stopped one, each address of the genesis topology is dialled, up to the proof of its identity.
 */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { PeerRecord } from '../api/index.js'
import { shortId } from '../base/ids.js'
import { readKey } from '../cli/settings/key.js'
import { formatPublicKey, type KeyPair } from '../crypto/index.js'
import { keyString, type Peer } from '../model/index.js'
import { authenticate, clientOptions, linkIdentity, STANDBY_ACTIVE } from '../network/index.js'
import { type HostPort, type NodeConfig, parseHostPort } from '../node/config/index.js'
import { keyText } from '../node/peers/names.js'
import { type DiagnosticContext, type Finding, fail, ok, skip, warn } from './check.js'
import { validatorKeyOf } from './identity.js'
import type { Live } from './live.js'

/** Maximum wait for one connection, in ms: a longer wait indicates a firewall that drops packets. */
const CONNECT_TIMEOUT_MS = 2_000
const HINT = 'Is it running, and is its port reachable from this host?'

/**
 * Result of dialling an address: the peer itself, its standby or the validator it is a standby of, no node, or another
 * node.
 */
type Met =
  | { readonly kind: 'peer' }
  | { readonly kind: 'standby' }
  | { readonly kind: 'unreachable' | 'foreign'; readonly why: string }

const reasonOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message

/** A connection, or the reason why there is none. */
function reach({ host, port }: HostPort): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port })
    const end = (why: string): void => {
      socket.destroy()
      resolve(why)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => end(`no response within ${CONNECT_TIMEOUT_MS} ms`))
    socket.once('error', (error) => end(reasonOf(error)))
    socket.once('connect', () => {
      socket.removeAllListeners()
      resolve(socket)
    })
  })
}

/** Identify the remote end by the proof of its key; the link ends before its first frame. */
function meet(socket: Socket, network: KeyPair, peer: Peer, topology: readonly Peer[]): Promise<Met> {
  return new Promise((resolve) => {
    const link = connectTls({ socket, ...clientOptions(linkIdentity(network.secret)) })
    const end = (met: Met): void => {
      link.destroy()
      socket.destroy()
      resolve(met)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => end({ kind: 'foreign', why: 'sends nothing' }))
    link.once('secureConnect', () => {
      const seen = authenticate(link)
      if (!seen.ok) end({ kind: 'foreign', why: seen.why })
      else if (seen.key === peer.networkKey) end({ kind: 'peer' })
      else if (topology.some(({ networkKey, role }) => networkKey === seen.key && role !== peer.role))
        end({ kind: 'standby' })
      else end({ kind: 'foreign', why: 'its network key differs from the topology' })
    })
    link.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') end({ kind: 'unreachable', why: 'closed the connection' })
      else end({ kind: 'foreign', why: `it does not use the peer protocol (${reasonOf(error)})` })
    })
  })
}

/** Dial an address as the node would. */
async function dial(address: string, network: KeyPair, peer: Peer, topology: readonly Peer[]): Promise<Met> {
  const at = parseHostPort(address)
  if (at === undefined) return { kind: 'unreachable', why: 'not host:port' }
  const socket = await reach(at)
  return typeof socket === 'string' ? { kind: 'unreachable', why: socket } : meet(socket, network, peer, topology)
}

async function dialed(peer: Peer, network: KeyPair, topology: readonly Peer[]): Promise<Finding> {
  const name = shortId(keyText(peer.key))
  const whys: string[] = []
  for (const address of peer.addresses) {
    const met = await dial(address, network, peer, topology)
    if (met.kind === 'peer') return ok('peers', `${address} is peer ${name}`)
    if (met.kind === 'standby')
      return ok('peers', `${address} is a validator and its standby, one of them peer ${name}`)
    if (met.kind === 'foreign') {
      return fail(
        'peers',
        `${address} is not peer ${name}: ${met.why}`,
        'Compare its peer card and its listen address.',
      )
    }
    whys.push(`${address}: ${met.why}`)
  }
  return warn('peers', `cannot reach peer ${name}: ${whys.join(', ')}`, HINT)
}

function linked({ id, address, connected, height, lastError }: PeerRecord): Finding {
  const name = shortId(id)
  if (connected) {
    return ok('peers', `${address} (${name}) is linked${height === undefined ? '' : `, at height ${height}`}`)
  }
  if (lastError?.includes(STANDBY_ACTIVE)) return ok('peers', `peer ${name} at ${address}: ${lastError}`)
  const text = `peer ${name} at ${address} is not linked: ${lastError ?? 'no contact yet'}`
  // A peer that refuses this node is running.
  return warn('peers', text, lastError?.includes(' refuses this node') ? undefined : HINT)
}

/** Check the links of a running node. While it acts for its validator, its own observer is not a peer to link with. */
async function linkedPeers({ peers }: Live, standby: NodeConfig['standby']): Promise<Finding[]> {
  const own = standby && (await readKey(standby.validator).catch(() => undefined))?.publicKey
  const ownId = own && formatPublicKey(own)
  return peers.items.map((peer) =>
    peer.id === ownId && !peer.connected
      ? ok('peers', `${peer.address} (${shortId(peer.id)}) is this node as a standby`)
      : linked(peer),
  )
}

/** Check the other peers. Peers that are not running yet are warnings. */
export async function checkPeers({ config, genesis, live }: DiagnosticContext): Promise<Finding[]> {
  if (live !== undefined && !(live instanceof Error)) return linkedPeers(live, config?.standby)
  if (config === undefined || genesis === undefined) return [skip('peers', 'needs configuration and genesis')]
  const keys = await Promise.all([validatorKeyOf(config), readKey(config.keys.network)]).catch(() => undefined)
  if (keys === undefined) return [skip('peers', 'needs the key files')]
  const [validator, network] = keys
  const own = keyString(validator.bytes)
  return Promise.all(
    genesis.topology.filter((one) => one.key !== own).map((peer) => dialed(peer, network, genesis.topology)),
  )
}
