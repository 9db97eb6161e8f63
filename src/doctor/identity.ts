/** Owns the checks of who a peer is: its key files, and its place in the topology of the genesis. */
import { chmod, stat } from 'node:fs/promises'
import { readKey } from '../cli/key.js'
import { formatPublicKey } from '../crypto/index.js'
import { keyString, type Peer } from '../model/index.js'
import { type Finding, fail, failed, ok, type Patient, skip } from './check.js'

/** Key files that a configuration names. */
export interface KeyPaths {
  readonly validator: string
  readonly nextValidator: string | undefined
  readonly network: string
  readonly bridge: string | undefined
}

/** Mode bits that let others than the owner in. */
const OTHERS = 0o077

/** What keeps this peer from being one of a topology, in words; empty when it is one. A joining peer is in none yet. */
export async function ownPeerFaults(keys: KeyPaths, topology: readonly Peer[]): Promise<string[]> {
  const validator = (await readKey(keys.validator)).publicKey
  const network = (await readKey(keys.network)).publicKey
  const own = topology.find((one) => one.key === keyString(validator.bytes))
  if (own === undefined) {
    return [`no peer of the topology has the validator key ${formatPublicKey(validator)} (${keys.validator})`]
  }
  if (own.networkKey === keyString(network.bytes)) return []
  return [`the topology has another network key for this peer than ${formatPublicKey(network)} (${keys.network})`]
}

const ALGORITHMS = { validator: 'bls', nextValidator: 'bls', network: 'ed25519', bridge: 'ed25519' } as const

async function keyFinding(role: keyof typeof ALGORITHMS, path: string): Promise<Finding> {
  const check = `key.${role === 'nextValidator' ? 'next_validator' : role}`
  const mode = await stat(path).then(
    (info) => info.mode,
    () => 0,
  )
  if ((mode & OTHERS) !== 0) {
    return {
      ...fail(check, `${path}: others may read it (mode ${(mode & 0o777).toString(8)})`, `chmod 600 ${path}`),
      fix: async () => {
        await chmod(path, 0o600)
        return `${path}: mode 600`
      },
    }
  }
  try {
    const { publicKey } = await readKey(path)
    if (publicKey.algorithm !== ALGORITHMS[role]) {
      return fail(check, `${path}: expected a ${ALGORITHMS[role]} key, this is ${publicKey.algorithm}`)
    }
    return ok(check, `${path}: ${formatPublicKey(publicKey)}`)
  } catch (error) {
    return failed(check, error)
  }
}

/** Key files, and whether the genesis knows this peer. */
export async function checkIdentity({ config, genesis }: Patient): Promise<Finding[]> {
  if (config === undefined) return [skip('keys', 'needs the configuration')]
  const findings: Finding[] = []
  for (const role of ['validator', 'nextValidator', 'network', 'bridge'] as const) {
    const path = config.keys[role]
    if (path !== undefined) findings.push(await keyFinding(role, path))
  }
  if (findings.some((one) => one.level === 'fail')) return [...findings, skip('topology', 'needs the key files')]
  if (genesis === undefined) return [...findings, skip('topology', 'needs the genesis')]
  const faults = await ownPeerFaults(config.keys, genesis.topology)
  if (faults.length === 0) return [...findings, ok('topology', 'the genesis knows this peer')]
  const hint =
    'A peer that joins later is registered with `causeway ledger peer register`; otherwise pin the right genesis.'
  return [...findings, ...faults.map((text): Finding => ({ check: 'topology', level: 'warn', text, try: hint }))]
}
