/** Owns the records of transfer controls (docs/design/lanes.md 4): a holder's balance frozen, blacklisted or capped. */

import { bool, type Infer, option, type Schema, string, struct } from '../../../codec/index.js'
import { type AssetId, assetId, type ControlLimit, controlLimits, defineInstruction } from '../../../model/index.js'
import { ASSET_INSTRUCTIONS as ID } from './ids.js'

/** Longest reason of a freeze, in bytes. */
const REASON_MAX_BYTES = 256

export interface SetFreeze {
  readonly asset: AssetId
  readonly frozen: boolean
  /** For people; kept in the event. */
  readonly reason: string | undefined
}
const setFreeze_ = struct('SetFreeze', { asset: assetId, frozen: bool, reason: option(string(REASON_MAX_BYTES)) })
export const setFreeze = defineInstruction<SetFreeze>(ID.setFreeze, 'setFreeze', 'control::freeze', setFreeze_)

export interface SetBlacklist {
  readonly asset: AssetId
  readonly blacklisted: boolean
}
const setBlacklist_ = struct('SetBlacklist', { asset: assetId, blacklisted: bool })
export const setBlacklist = defineInstruction<SetBlacklist>(
  ID.setBlacklist,
  'setBlacklist',
  'control::blacklist',
  setBlacklist_,
)

export interface SetLimits {
  readonly asset: AssetId
  /** Replaces the earlier caps; none: no cap. */
  readonly limits: readonly ControlLimit[]
}
const setLimits_ = struct('SetLimits', { asset: assetId, limits: controlLimits })
export const setLimits = defineInstruction<SetLimits>(ID.setLimits, 'setLimits', 'control::limits', setLimits_)

const changed_ = struct('ControlChanged', {
  asset: assetId,
  frozen: bool,
  blacklisted: bool,
  limits: controlLimits,
  reason: option(string(REASON_MAX_BYTES)),
})
/** Event of a control that was set. */
export type ControlChanged = Infer<typeof changed_>
export const controlChanged: Schema<ControlChanged> = changed_
