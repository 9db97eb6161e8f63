/** Owns fee options in the metadata of transactions and triggers. */
import type { Metadata } from '../model/index.js'

/** Metadata keys of a transaction or a trigger: its maximum metered units, and the address of its fee sponsor. */
export const TEU_LIMIT_KEY = 'teu_limit'
export const FEE_SPONSOR_KEY = 'fee_sponsor'

/** Fee options of a transaction or a trigger. */
export interface FeeOptions {
  readonly teuLimit: number | undefined
  /** Address of the sponsor; an empty address is invalid on every chain. */
  readonly sponsor: string | undefined
}
export const NO_FEE_OPTIONS: FeeOptions = { teuLimit: undefined, sponsor: undefined }

export function feeOptionsOf({ metadata }: { readonly metadata: Pick<Metadata, 'get'> }): FeeOptions {
  const limit = metadata.get(TEU_LIMIT_KEY)
  const sponsor = metadata.get(FEE_SPONSOR_KEY)
  return {
    teuLimit: typeof limit === 'number' && limit >= 0 ? limit : undefined,
    sponsor: sponsor === undefined ? undefined : typeof sponsor === 'string' ? sponsor : '',
  }
}

/**
 * Maximum metered units of a transaction: its own limit, at least its static cost and at most the limit of the chain.
 */
export const maxTeuOf = (feeOptions: FeeOptions, staticCost: number, chainMax: number): number =>
  Math.max(Math.min(feeOptions.teuLimit ?? chainMax, chainMax), staticCost)
