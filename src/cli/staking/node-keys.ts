/** Owns the instructions that bind the keys of a node to its staking account. */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'

/** Flags for the key files of a node. */
export const nodeKeyFlags = {
  'validator-key': Flags.string({ description: 'key file of the validator (BLS)', required: true, helpValue: 'FILE' }),
  'network-key': Flags.string({ description: 'network key file of its node', required: true, helpValue: 'FILE' }),
}

interface NodeKeyFlags {
  readonly 'validator-key': string
  readonly 'network-key': string
}

async function pairOf(path: string, algorithm: 'bls' | 'ed25519', role: string) {
  const [{ readKeyFor }, { PASSPHRASE_ENV }] = await Promise.all([
    import('../../files/key-file.js'),
    import('../../files/passphrase.js'),
  ])
  return readKeyFor({ path, role, algorithm, passphrase: process.env[PASSPHRASE_ENV] })
}

/** Fields of a registration that require the keys of the node; `address`: the staking account on this chain. */
export async function boundKeys(flags: NodeKeyFlags, chain: string, address: string) {
  const [validator, network] = await Promise.all([
    pairOf(flags['validator-key'], 'bls', 'validator'),
    pairOf(flags['network-key'], 'ed25519', 'network'),
  ])
  const [{ createPop }, { nobleBackend }, { formatPublicKey, signEd25519 }, bindings, model] = await Promise.all([
    import('../../crypto/bls-pop.js'),
    import('../../crypto/bls-noble.js'),
    import('../../crypto/index.js'),
    import('../../features/staking/schema/bindings.js'),
    import('../../model/index.js'),
  ])
  const account = model.parseAddress(address)
  if (account === undefined) throw new LedgerError('bad_value', `${address} is not an address`)
  const bound = {
    chain,
    account,
    key: model.keyString(validator.publicKey.bytes),
    networkKey: model.keyString(network.publicKey.bytes),
  }
  const hex = (bytes: Uint8Array): Json => Buffer.from(bytes).toString('hex')
  return {
    key: formatPublicKey(validator.publicKey),
    pop: hex(createPop(validator.secret)),
    binding: hex(nobleBackend().sign(validator.secret, bindings.bindingBytes(bound))),
    network_key: formatPublicKey(network.publicKey),
    network_binding: hex(signEd25519(network.secret, bindings.networkBindingBytes(bound))),
  }
}
