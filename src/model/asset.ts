/**
 * Owns assets: ids of balances, the mintability of definitions, and the caps of transfer controls (docs/design/lanes.md
 * 4).
 */
import { enumOf, type Infer, list, numeric, type Schema, struct, unitEnum, varint } from '../codec/index.js'
import { accountId, formatAddress } from './address.js'
import { assetDefinitionId } from './names.js'

/** A balance: text form `name#domain#account`. */
export interface AssetId extends Infer<typeof assetId> {}
export const assetId = struct('AssetId', { definition: assetDefinitionId, account: accountId })

/** Text form `name#domain#account` of a balance. */
export const formatAsset = (id: AssetId, prefix?: string): string =>
  `${id.definition}#${formatAddress(id.account, prefix)}`

/** `limited` counts the remaining mints. */
export type Mintable = Infer<typeof mintable>
const MINTABLE = {
  infinitely: [0, undefined],
  once: [1, undefined],
  not: [2, undefined],
  limited: [3, varint],
} as const
export const mintable = enumOf('Mintable', MINTABLE)

/**
 * Mintability of a definition as stored. A definition with `lots` moves only in lots, and no instruction on assets sets
 * it.
 */
export type StoredMintable = Infer<typeof storedMintable>
export const storedMintable = enumOf('StoredMintable', { ...MINTABLE, lots: [4, undefined] })

/** Calendar windows of a cap, in UTC by header time. */
export type Window = Infer<typeof controlWindow>
export const controlWindow = unitEnum('ControlWindow', { day: 0, week: 1, month: 2 })
/** Maximum caps of a control, one per window. */
const LIMITS_MAX = 3

/** Maximum amount that may leave a balance within one window. */
export interface ControlLimit extends Infer<typeof limit_> {}
const limit_ = struct('ControlLimit', { window: controlWindow, cap: numeric })
export const controlLimits: Schema<readonly ControlLimit[]> = list(limit_, LIMITS_MAX)
