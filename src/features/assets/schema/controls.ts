/** Owns the records of transfer controls (docs/design/lanes.md 4): a holder's balance frozen, blacklisted or capped. */

import { bool, type Infer, option, string, struct } from '../../../codec/index.js'
import { assetId, controlLimits, defineInstruction } from '../../../model/index.js'
import { ASSET_INSTRUCTIONS as ID } from './ids.js'

/** Longest reason of a freeze, in bytes. */
const REASON_MAX_BYTES = 256
/** Why a balance is frozen or no longer so. */
export const controlReason = string(REASON_MAX_BYTES)

export interface SetFreeze extends Infer<typeof setFreeze_> {}
const setFreeze_ = struct('SetFreeze', {
  asset: assetId,
  frozen: bool,
  /** For people; kept in the event. */
  reason: option(controlReason),
})
export const setFreeze = defineInstruction<SetFreeze>(ID.setFreeze, 'setFreeze', 'control::freeze', setFreeze_)

export interface SetBlacklist extends Infer<typeof setBlacklist_> {}
const setBlacklist_ = struct('SetBlacklist', { asset: assetId, blacklisted: bool })
export const setBlacklist = defineInstruction<SetBlacklist>(
  ID.setBlacklist,
  'setBlacklist',
  'control::blacklist',
  setBlacklist_,
)

export interface SetLimits extends Infer<typeof setLimits_> {}
const setLimits_ = struct('SetLimits', {
  asset: assetId,
  /** Replaces the earlier caps; none: no cap. */
  limits: controlLimits,
})
export const setLimits = defineInstruction<SetLimits>(ID.setLimits, 'setLimits', 'control::limits', setLimits_)

/** Event of a control that was set. */
export interface ControlChanged extends Infer<typeof controlChanged> {}
export const controlChanged = struct('ControlChanged', {
  asset: assetId,
  frozen: bool,
  blacklisted: bool,
  limits: controlLimits,
  reason: option(controlReason),
})
