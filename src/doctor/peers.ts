/** Owns the check of the ways to the other peers: each address of the genesis topology takes a connection. */
import { connect } from 'node:net'
import { readKey } from '../cli/key.js'
import { keyString, type Peer } from '../model/index.js'
import { parseHostPort } from '../node/config/index.js'
import { type Finding, ok, type Patient, skip, warn } from './check.js'

/** Longest wait for one connection, in ms: longer is a wall that drops packets. */
const CONNECT_TIMEOUT_MS = 2_000
const HEX_SHOWN = 12

/** undefined when a connection was taken; otherwise why not. */
function reach(address: string): Promise<string | undefined> {
  const at = parseHostPort(address)
  if (at === undefined) return Promise.resolve('not host:port')
  return new Promise((resolve) => {
    const socket = connect({ host: at.host, port: at.port, timeout: CONNECT_TIMEOUT_MS })
    const end = (why: string | undefined): void => {
      socket.destroy()
      resolve(why)
    }
    socket.once('connect', () => end(undefined))
    socket.once('timeout', () => end(`no answer within ${CONNECT_TIMEOUT_MS} ms`))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

async function peerFinding(peer: Peer): Promise<Finding> {
  const name = `${Buffer.from(peer.key, 'latin1').toString('hex').slice(0, HEX_SHOWN)}…`
  const whys: string[] = []
  for (const address of peer.addresses) {
    const why = await reach(address)
    if (why === undefined) return ok('peers', `${address} (${name}) takes connections`)
    whys.push(`${address}: ${why}`)
  }
  return warn(
    'peers',
    `peer ${name} is not reached: ${whys.join(', ')}`,
    'Does it run, and is its port open to this host?',
  )
}

/** The other peers of the genesis. Those that do not run yet are warnings: somebody is the first. */
export async function checkPeers({ config, genesis }: Patient): Promise<Finding[]> {
  if (config === undefined || genesis === undefined) return [skip('peers', 'needs configuration and genesis')]
  const own = await readKey(config.keys.validator).then(
    (pair) => keyString(pair.publicKey.bytes),
    () => undefined,
  )
  return Promise.all(genesis.topology.filter((one) => one.key !== own).map(peerFinding))
}
