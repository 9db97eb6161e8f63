/**
 * Owns peer cards: the public data with which other hosts add a peer to a topology.
 *
 * A card is the peer's topology entry with a signature by its network key, so that a changed card is refused; the entry
 * contains the proof of possession of its validator key.
 */
import type { Json } from '../../codec/index.js'
import {
  formatPublicKey,
  hash,
  type PublicKey,
  parsePublicKey,
  signEd25519,
  verifyEd25519,
} from '../../crypto/index.js'
import { LedgerError, peer as peerSchema } from '../../model/index.js'
import { Faults, fieldsOf, readJsonFile } from './json-file.js'
import { checkPeers, type TopologyPeer } from './topology.js'
import { entryOf, type PeerEntry } from './topology-text.js'

/** Version of the file; other versions are refused. */
const CARD_VERSION = 1

/** Signed bytes: name and peer record after a domain tag. */
const signBytes = ({ name, peer }: TopologyPeer): Buffer =>
  hash('peer-card', Buffer.from(name), peerSchema.encode(peer))

/** Text of a peer card. `entry`: the entry of the peer; `secret`: Ed25519 seed of its network key. */
export async function peerCardText(entry: PeerEntry, secret: Uint8Array): Promise<string> {
  const whole = await peerOfEntry(entry)
  const card = { version: CARD_VERSION, peer: entry, signature: signEd25519(secret, signBytes(whole)).toString('hex') }
  return `${JSON.stringify(card, null, 2)}\n`
}

/** Check an entry that this process created, and return its peer. */
async function peerOfEntry(entry: PeerEntry): Promise<TopologyPeer> {
  const faults = new Faults({ file: 'peer card', value: null, lineOf: () => 0 })
  const [peer] = await checkPeers([JSON.parse(JSON.stringify(entry))], 'peer', faults, { single: true })
  faults.throwIfAny('topology_invalid')
  if (peer === undefined) throw new Error('an entry without faults does not decode as a peer')
  return peer
}

/** Read a card and check keys, proof and signature; throws `topology_invalid` with every fault, or `file_missing`. */
export async function readPeerCard(file: string): Promise<PeerEntry> {
  const source = await readJsonFile(file, 'topology_invalid')
  const faults = new Faults(source)
  const fields = fieldsOf(source.value, '', ['version', 'peer', 'signature'], faults)
  if (fields !== undefined && fields.version !== CARD_VERSION) {
    faults.add('version', `this release supports version ${CARD_VERSION} of peer cards`)
  }
  const signature = fields?.signature
  if (fields !== undefined && (typeof signature !== 'string' || !/^[0-9a-f]{128}$/.test(signature))) {
    faults.add('signature', 'expected an Ed25519 signature: 128 lower-case hex digits')
  }
  const one = fields?.peer === undefined ? [] : [fields.peer]
  if (fields !== undefined && fields.peer === undefined) faults.add('peer', 'the entry of the peer is missing')
  const [peer] = await checkPeers(one, 'peer', faults, { single: true })
  faults.throwIfAny('topology_invalid', 'Request the card from its host again: `causeway init` writes it.')
  if (peer === undefined) throw new Error('a card without faults has no peer')
  const entry = entryOf(peer)
  const key = parsePublicKey(entry.network_key)
  if (key === undefined || !verifyEd25519(key.bytes, signBytes(peer), Buffer.from(String(signature), 'hex'))) {
    throw new LedgerError(
      'topology_invalid',
      `${file}: the signature was not made with the network key of ${peer.name}`,
      {
        hint: 'The card was changed after signing: request it from its host again.',
      },
    )
  }
  return entry
}

/** Multihash text of a validator key; `text` is the key itself, a card, or a key file (whose secret is not read). */
export async function peerKeyOf(text: string): Promise<string> {
  const written = parsePublicKey(text)
  if (written !== undefined) return blsTextOf(written, text)
  const { value } = await readJsonFile(text, 'topology_invalid')
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Readonly<
    Record<string, Json | undefined>
  >
  if (fields.peer !== undefined) return (await readPeerCard(text)).key
  const key = typeof fields.public_key === 'string' ? parsePublicKey(fields.public_key) : undefined
  if (key === undefined) {
    throw new LedgerError('topology_invalid', `${text}: neither a peer card nor a key file`, {
      hint: 'Give the card of the peer, its key file, or the key itself (ea0130...).',
    })
  }
  return blsTextOf(key, text)
}

function blsTextOf(key: PublicKey, source: string): string {
  if (key.algorithm === 'bls') return formatPublicKey(key)
  throw new LedgerError('key_file_invalid', `${source}: expected a validator key (ea0130...), got ${key.algorithm}`)
}
