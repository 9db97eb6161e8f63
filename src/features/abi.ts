/** Owns the ABIs of this release, and the one that new networks start with. */
import { type Abi, allDated, composeAbi, type Feature } from '../executor/index.js'
import { FIRST_ABI, LedgerError } from '../model/index.js'
import * as features from './index.js'

/**
 * Number of the ABI of release 0.2.0. Until that release its declarations may change; `npm run abi` writes its hash.
 */
const NEWEST = 2

/** Compose every ABI from the declarations of features. Throws for a declaration of an ABI that no release has. */
export function composeAbis(declared: readonly Feature[]): ReadonlyMap<number, Abi> {
  const numbers = Array.from({ length: NEWEST }, (_, index) => FIRST_ABI + index)
  for (const [what, { since }] of allDated(declared)) {
    if (since !== undefined && !numbers.includes(since)) {
      throw new Error(`${what} belongs to ABI ${since}; releases have ${numbers.join(', ')}`)
    }
  }
  return new Map(numbers.map((number) => [number, composeAbi(number, declared)]))
}

/** Every ABI that this release can run, by number. */
export const ABIS: ReadonlyMap<number, Abi> = composeAbis(Object.values(features))

/** ABI of a number. Throws if this release does not have it. */
function carried(number: number): Abi {
  const abi = ABIS.get(number)
  if (abi === undefined) throw new Error(`no ABI ${number} was composed`)
  return abi
}

/** ABI 1, of release 0.1.0: frozen. */
export const ABI_1: Abi = carried(1)
/** ABI 2, of release 0.2.0. */
export const ABI_2: Abi = carried(2)

/** ABI of a new network; its records include those of every earlier ABI. */
export const NEWEST_ABI: Abi = carried(NEWEST)

/** Pinned ABI in a test fixture: its number, its hash and the hashes of its features, as hexadecimal text. */
export interface AbiPin {
  readonly number: number
  readonly hash: string
  readonly features: Readonly<Record<string, string>>
}
export function pinOf({ number, hash, featureHashes }: Abi): AbiPin {
  const features = Object.fromEntries([...featureHashes].map(([name, of]) => [name, of.toString('hex')]))
  return { number, hash: hash.toString('hex'), features }
}

/** ABI of genesis. Throws `abi_missing` if this release does not have it. */
export function startAbi(number: number): Abi {
  const abi = ABIS.get(number)
  if (abi !== undefined) return abi
  const own = [...ABIS.keys()].join(', ')
  throw new LedgerError('abi_missing', `the network started with ABI ${number}; this release has ${own}`, {
    hint: 'Install a release that supports this ABI.',
  })
}
