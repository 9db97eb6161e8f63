/** The node-side list of features, composed into the ABIs that this release carries (design/architecture.md, "A feature"). */
import { type Abi, composeAbi } from '../executor/index.js'
import { coreFeature } from './core/feature.js'
import { isoFeature } from './iso20022/feature.js'
import { laneFeature } from './lanes/feature.js'

/** ABI 1: what a network starts with. */
export const ABI_1: Abi = composeAbi(1, [coreFeature, isoFeature, laneFeature])

/** Every ABI that this release can run, by number. */
export const ABIS: ReadonlyMap<number, Abi> = new Map([[ABI_1.number, ABI_1]])
