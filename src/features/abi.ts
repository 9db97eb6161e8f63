/** Owns the ABIs that this release carries. */
import { type Abi, composeAbi } from '../executor/index.js'
import * as features from './index.js'

/** ABI 1: what a network starts with. */
export const ABI_1: Abi = composeAbi(1, Object.values(features))

/** Every ABI that this release can run, by number. */
export const ABIS: ReadonlyMap<number, Abi> = new Map([[ABI_1.number, ABI_1]])
