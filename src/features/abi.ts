/** Owns the ABIs that this release carries: what each of them adds, and which one networks start with. */
import { type Abi, composeAbi, type Feature } from '../executor/index.js'
import { LedgerError } from '../model/index.js'
import * as features from './index.js'

/** Features by the ABI that they came with, after the first: those of an ABI are never taken out of a later one. */
const ADDED: ReadonlyMap<number, readonly Feature[]> = new Map([
  [2, [features.conference, features.zk]],
  [3, [features.staking]],
  [4, [features.contracts]],
])

/** The features of an ABI: all that came with it or before it. */
function featuresOf(number: number): Feature[] {
  const later = new Set([...ADDED].flatMap(([added, list]) => (added > number ? list : [])))
  return Object.values(features).filter((feature) => !later.has(feature))
}

/** ABI 1, of release 0.1.0. */
export const ABI_1: Abi = composeAbi(1, featuresOf(1))
/** ABI 2: conferences, verifying keys. */
export const ABI_2: Abi = composeAbi(2, featuresOf(2))
/** ABI 3: stake that elects validators. */
export const ABI_3: Abi = composeAbi(3, featuresOf(3))

/** ABI 4: contracts. */
export const ABI_4: Abi = composeAbi(4, featuresOf(4))

/** Every ABI that this release can run, by number. */
export const ABIS: ReadonlyMap<number, Abi> = new Map([ABI_1, ABI_2, ABI_3, ABI_4].map((abi) => [abi.number, abi]))

/** What a new network starts with; its records are those of every ABI before it and more. */
export const NEWEST_ABI: Abi = ABI_4

/** The ABI that a network started with. Throws `abi_missing` where this release does not carry it. */
export function startAbi(number: number): Abi {
  const abi = ABIS.get(number)
  if (abi !== undefined) return abi
  const own = [...ABIS.keys()].join(', ')
  throw new LedgerError('abi_missing', `the network started with ABI ${number}; this release has ${own}`, {
    hint: 'Install a release that supports this ABI.',
  })
}
