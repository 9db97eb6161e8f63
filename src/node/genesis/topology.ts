/** Owns the topology file: the initial peers of a network, and all its offline checks. */
import type { Json } from '../../codec/index.js'
import { committeeSize, faultBudget, quorumOf } from '../../consensus/index.js'
import { isAcceptableEd25519Key, parsePublicKey } from '../../crypto/index.js'
import {
  BLS_SIGNATURE_BYTES,
  keyBytes,
  keyString,
  nameFault,
  PEER_ADDRESSES_MAX,
  type Peer,
  type PeerRole,
  ROSTER_MAX,
} from '../../model/index.js'
import { formatHostPort, parseHostPort } from '../config/index.js'
import { Faults, fieldsOf, type JsonFile, parseJsonFile, readJsonFile } from './json-file.js'

/** Peer with its display name; the ledger contains only keys. */
export interface TopologyPeer {
  readonly name: string
  readonly peer: Peer
}

/** Quorum and fault tolerance of a number of validators (specification 1.5). */
export interface QuorumRow {
  readonly validators: number
  /** Number of faulty validators that the network tolerates. */
  readonly faults: number
  readonly committee: number
  readonly quorum: number
  readonly spare: number
}

/** Quorum row of `n` validators. */
export const quorumRow = (n: number): QuorumRow => ({
  validators: n,
  faults: faultBudget(n),
  committee: committeeSize(n),
  quorum: quorumOf(n),
  spare: n - committeeSize(n),
})

/** Advice about a number of validators; undefined for sizes without a drawback. */
export function sizeAdvice(n: number): string | undefined {
  if (n === 1) return 'one validator is for tests only: when it stops, the network stops'
  if (n === 2 || n === 3) return `with ${n} validators any failure stops the network; 4 survive one`
  const { spare, faults } = quorumRow(n)
  if (spare === 0) return undefined
  return `${n} validators tolerate ${faults} fault${faults === 1 ? '' : 's'}, like ${n - spare}: useful sizes are 4, 7, 10; ${spare} ${spare === 1 ? 'is' : 'are'} on standby`
}

const PEER_FIELDS = ['name', 'key', 'pop', 'network_key', 'addresses', 'role']
const POP = new RegExp(`^[0-9a-f]{${2 * BLS_SIGNATURE_BYTES}}$`)

function keyOf(
  value: Json | undefined,
  algorithm: 'bls' | 'ed25519',
  path: string,
  faults: Faults,
): string | undefined {
  const key = typeof value === 'string' ? parsePublicKey(value) : undefined
  if (key === undefined || key.algorithm !== algorithm) {
    const prefix = algorithm === 'bls' ? 'ea0130' : 'ed0120'
    faults.add(path, `expected a ${algorithm} public key (${prefix}...)`)
    return undefined
  }
  if (algorithm === 'ed25519' && !isAcceptableEd25519Key(key.bytes)) {
    faults.add(path, 'the bytes are not a valid Ed25519 key')
    return undefined
  }
  return keyString(key.bytes)
}

function addressesOf(value: Json | undefined, path: string, faults: Faults): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > PEER_ADDRESSES_MAX) {
    faults.add(path, `expected 1 to ${PEER_ADDRESSES_MAX} addresses host:port`)
    return []
  }
  return value.flatMap((item: Json, index) => {
    const address = typeof item === 'string' ? parseHostPort(item) : undefined
    if (address === undefined) faults.add(`${path}[${index}]`, 'expected host:port, for example "val-0.example:7400"')
    return address === undefined ? [] : [formatHostPort(address)]
  })
}

function popOf(value: Json | undefined, role: PeerRole, path: string, faults: Faults): Buffer | undefined {
  if (value === undefined || value === '') {
    faults.add(path, `${role === 'validator' ? 'every validator' : 'every peer'} must prove possession of its BLS key`)
    return undefined
  }
  if (typeof value === 'string' && POP.test(value)) return Buffer.from(value, 'hex')
  faults.add(path, `expected a proof of possession: ${2 * BLS_SIGNATURE_BYTES} lower-case hex digits`)
  return undefined
}

function peerOf(value: Json, path: string, faults: Faults): TopologyPeer | undefined {
  const fields = fieldsOf(value, path, PEER_FIELDS, faults)
  if (fields === undefined) return undefined
  const before = faults.list.length
  const name = typeof fields.name === 'string' ? fields.name : ''
  const wrong = nameFault(name)
  if (wrong !== undefined) faults.add(`${path}.name`, wrong)
  const role = fields.role ?? 'Validator'
  if (role !== 'Validator' && role !== 'Observer') faults.add(`${path}.role`, 'expected "Validator" or "Observer"')
  const peerRole: PeerRole = role === 'Observer' ? 'observer' : 'validator'
  const key = keyOf(fields.key, 'bls', `${path}.key`, faults)
  const pop = popOf(fields.pop, peerRole, `${path}.pop`, faults)
  const networkKey = keyOf(fields.network_key, 'ed25519', `${path}.network_key`, faults)
  const addresses = addressesOf(fields.addresses, `${path}.addresses`, faults)
  if (faults.list.length > before || key === undefined || pop === undefined || networkKey === undefined)
    return undefined
  return { name, peer: { key, pop, networkKey, addresses, role: peerRole } }
}

/** Faults from values that two peers share. */
function duplicates(peers: readonly (TopologyPeer | undefined)[], path: string, faults: Faults): void {
  const fields: readonly (readonly [string, string, (one: TopologyPeer) => readonly string[]])[] = [
    ['name', 'name', (one) => [one.name]],
    ['key', 'key', (one) => [one.peer.key]],
    ['network_key', 'network key', (one) => [one.peer.networkKey]],
    ['addresses', 'address', (one) => one.peer.addresses],
  ]
  for (const [field, what, valuesOf] of fields) {
    const seen = new Map<string, number>()
    for (const [index, one] of peers.entries()) {
      for (const value of one === undefined ? [] : new Set(valuesOf(one))) {
        const first = seen.get(value)
        if (first !== undefined) faults.add(`${path}[${index}].${field}`, `duplicate ${what} of ${path}[${first}]`)
        else seen.set(value, index)
      }
    }
  }
}

/**
 * Check the peers of a list with their proofs of possession; all faults are added to `faults`. `single`: the value at
 * `path` is one peer, which may be an observer.
 */
export async function checkPeers(
  list: Json | undefined,
  path: string,
  faults: Faults,
  { single = false } = {},
): Promise<TopologyPeer[]> {
  if (!Array.isArray(list)) {
    faults.add(path, 'expected a list of peers')
    return []
  }
  if (list.length > ROSTER_MAX) faults.add(path, `at most ${ROSTER_MAX} peers`)
  const items: readonly Json[] = list.slice(0, ROSTER_MAX)
  const placeOf = (index: number): string => (single ? path : `${path}[${index}]`)
  const peers = items.map((item, index) => peerOf(item, placeOf(index), faults))
  duplicates(peers, path, faults)
  // Only for well-formed entries, and not at import: this loads a curve library, and each proof takes 20 ms.
  const { verifyPop } = await import('../../crypto/bls-pop.js')
  for (const [index, one] of peers.entries()) {
    if (one !== undefined && !verifyPop(keyBytes(one.peer.key), one.peer.pop)) {
      faults.add(`${placeOf(index)}.pop`, `the proof does not belong to the key of ${one.name}`)
    }
  }
  const whole = peers.filter((one) => one !== undefined)
  if (!single && whole.length === items.length && !whole.some((one) => one.peer.role === 'validator')) {
    faults.add(path, 'no validator is listed')
  }
  return whole
}

const HINT = 'Create proofs with `causeway key pop create`, peers with `causeway topology add`.'

async function topologyOf(source: JsonFile): Promise<TopologyPeer[]> {
  const faults = new Faults(source)
  const fields = fieldsOf(source.value, '', ['peers'], faults)
  const peers = fields === undefined ? [] : await checkPeers(fields.peers, 'peers', faults)
  faults.throwIfAny('topology_invalid', HINT)
  return peers
}

/** Parse and check the text of a topology; throws `topology_invalid` with every fault. */
export const parseTopology = (text: string, file: string): Promise<TopologyPeer[]> =>
  topologyOf(parseJsonFile(text, file, 'topology_invalid'))

/** Read and check a topology file; throws also `file_missing` and `file_unreadable`. */
export const readTopology = async (file: string): Promise<TopologyPeer[]> =>
  topologyOf(await readJsonFile(file, 'topology_invalid'))
