/** Owns the sections `signer` and `standby` of a node configuration: their validation and value. */
import { type ConfigValues, type FileFault, parseHostPort } from '../../config/index.js'
import { type KeyAlgorithm, type PublicKey, parsePublicKey } from '../../crypto/index.js'
import { keyString } from '../../model/index.js'
import type { NodeConfig } from './config.js'

const KEY_ALGORITHMS: Readonly<Record<string, KeyAlgorithm>> = {
  'signer.key': 'ed25519',
  'signer.validator': 'bls',
  'signer.next': 'bls',
}
const NEEDS: readonly (readonly [key: string, needs: string, why: string])[] = [
  ['signer.address', 'signer.key', 'the expected public key of the signer'],
  ['signer.key', 'signer.address', 'a socket is protected by its mode'],
  ['signer.socket', 'signer.validator', 'the public key of the validator'],
  ['signer.address', 'signer.validator', 'the public key of the validator'],
  ['signer.next', 'signer.validator', 'the network key of the observer'],
  ['standby.validator', 'standby.network', 'both keys form one observer'],
  ['standby.network', 'standby.validator', 'both keys form one observer'],
  ['standby.network', 'signer.validator', 'only a signer decides which node acts'],
]

/** Public key parsed from a text of its algorithm, or undefined. */
function keyOf(text: string, algorithm: KeyAlgorithm | undefined): PublicKey | undefined {
  const key = parsePublicKey(text)
  return key?.algorithm === algorithm ? key : undefined
}

/** Faults that involve several keys, and invalid keys. */
export function signerFaults(values: ReadonlyMap<string, unknown>): FileFault[] {
  const faults: FileFault[] = []
  for (const [path, needs, why] of NEEDS) {
    if (values.has(path) && !values.has(needs)) faults.push({ path, message: `needs ${needs}: ${why}` })
  }
  for (const [path, algorithm] of Object.entries(KEY_ALGORITHMS)) {
    if (values.has(path) && keyOf(String(values.get(path)), algorithm) === undefined) {
      faults.push({ path, message: `expected the text of a public ${algorithm} key` })
    }
  }
  if (values.has('signer.socket') && values.has('signer.address')) {
    faults.push({ path: 'signer.socket', message: 'set either socket or address of the signer' })
  }
  if (values.has('signer.validator') && !values.has('signer.socket') && !values.has('signer.address')) {
    faults.push({ path: 'signer.validator', message: 'needs signer.socket or signer.address' })
  }
  return faults
}

/** Values of both sections; they must not have faults. */
export function signerSections({ get, has, path }: ConfigValues): Pick<NodeConfig, 'signer' | 'standby'> {
  const key = (name: string): PublicKey | undefined => (has(name) ? keyOf(get(name), KEY_ALGORITHMS[name]) : undefined)
  const socket = path('signer.socket')
  const address = has('signer.address') ? parseHostPort(get('signer.address')) : undefined
  const [validator, answering] = [key('signer.validator'), key('signer.key')]
  const place =
    socket !== undefined
      ? ({ kind: 'socket', path: socket } as const)
      : address !== undefined && answering !== undefined
        ? ({ kind: 'tls', address, key: keyString(answering.bytes) } as const)
        : undefined
  const [standbyValidator, standbyNetwork] = [path('standby.validator'), path('standby.network')]
  return {
    signer:
      place === undefined || validator === undefined
        ? undefined
        : { place, validator, nextValidator: key('signer.next') },
    standby:
      standbyValidator === undefined || standbyNetwork === undefined
        ? undefined
        : { validator: standbyValidator, network: standbyNetwork },
  }
}
