/** Keys, entries and manifests for the genesis tests. */
import { formatPublicKey, generateKeyPair, type KeyPair } from '../../../src/crypto/index.js'
import { newEntry, type PeerEntry } from '../../../src/node/genesis/index.js'

const seeded = (algorithm: 'bls' | 'ed25519', name: string): Promise<KeyPair> =>
  generateKeyPair(algorithm, Buffer.from(name))

/** A valid entry of a topology. */
export async function entry(name: string, port: number): Promise<PeerEntry> {
  return newEntry({
    name,
    validator: await seeded('bls', `${name}/validator`),
    network: (await seeded('ed25519', `${name}/network`)).publicKey,
    addresses: [`127.0.0.1:${port}`],
    role: 'validator',
  })
}

export const genesisKey: Promise<KeyPair> = seeded('ed25519', 'genesis')

const topology = Promise.all([0, 1, 2, 3].map((index) => entry(`val-${index}`, 7400 + index)))

/** A manifest with four validators and no instructions, with whatever replaces its fields. */
export async function manifest(fields: Record<string, unknown> = {}): Promise<string> {
  const base = {
    chain: 'test',
    created_at_ms: 1_767_225_600_000,
    genesis_key: formatPublicKey((await genesisKey).publicKey),
    topology: await topology,
  }
  return JSON.stringify({ ...base, ...fields }, null, 2)
}
