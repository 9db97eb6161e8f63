/** Owns the writing of topology files and of the peer entries in them. */
import type { Json } from '../../codec/index.js'
import { formatPublicKey, type KeyPair, type PublicKey } from '../../crypto/index.js'
import { keyBytes, LedgerError, type PeerRole } from '../../model/index.js'
import type { TopologyPeer } from './topology.js'

/** Peer in the form of the file. */
export interface PeerEntry {
  readonly name: string
  readonly key: string
  readonly pop: string
  readonly network_key: string
  readonly addresses: readonly string[]
  readonly role: 'Validator' | 'Observer'
}

/** Entry of a peer. */
export const entryOf = ({ name, peer }: TopologyPeer): PeerEntry => ({
  name,
  key: formatPublicKey({ algorithm: 'bls', bytes: keyBytes(peer.key) }),
  pop: Buffer.from(peer.pop).toString('hex'),
  network_key: formatPublicKey({ algorithm: 'ed25519', bytes: keyBytes(peer.networkKey) }),
  addresses: peer.addresses,
  role: peer.role === 'validator' ? 'Validator' : 'Observer',
})

/** Entry of a new peer from its validator key pair, with its proof of possession. */
export async function newEntry(input: {
  readonly name: string
  readonly validator: KeyPair
  readonly network: PublicKey
  readonly addresses: readonly string[]
  readonly role: PeerRole
}): Promise<PeerEntry> {
  if (input.validator.publicKey.algorithm !== 'bls') {
    throw new LedgerError('key_file_invalid', `the validator key of ${input.name} is not a BLS key`, {
      hint: 'Create one with `causeway key generate --algorithm bls`.',
    })
  }
  if (input.network.algorithm !== 'ed25519') {
    throw new LedgerError('key_file_invalid', `the network key of ${input.name} is not an Ed25519 key`, {
      hint: 'Create one with `causeway key generate --algorithm ed25519`.',
    })
  }
  const { createPop } = await import('../../crypto/bls-pop.js')
  return {
    name: input.name,
    key: formatPublicKey(input.validator.publicKey),
    pop: createPop(input.validator.secret).toString('hex'),
    network_key: formatPublicKey(input.network),
    addresses: input.addresses,
    role: input.role === 'validator' ? 'Validator' : 'Observer',
  }
}

/** Text of a topology file. */
export const topologyText = (peers: readonly (PeerEntry | Json)[]): string => `${JSON.stringify({ peers }, null, 2)}\n`
