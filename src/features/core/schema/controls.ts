/** Owns the records of transfer controls (design/ledger-lanes.md 4): a holder's balance frozen, blacklisted or capped. */
import {
  bool,
  type Infer,
  list,
  type Numeric,
  numeric,
  option,
  type Schema,
  string,
  struct,
  unitEnum,
} from '../../../codec/index.js'
import { type AssetId, assetId, defineInstruction } from '../../../model/index.js'
import { CORE_INSTRUCTIONS as ID } from '../../ids.js'

/** Calendar windows of a cap, in UTC by header time. */
export type Window = 'day' | 'week' | 'month'
const window_ = unitEnum('ControlWindow', { day: 0, week: 1, month: 2 })
export const controlWindow: Schema<Window> = window_
/** One cap per window. */
const LIMITS_MAX = 3

/** The most that may leave a balance within one window. */
export interface ControlLimit {
  readonly window: Window
  readonly cap: Numeric
}
const limit_ = struct('ControlLimit', { window: controlWindow, cap: numeric })
export const controlLimits: Schema<readonly ControlLimit[]> = list(limit_ as Schema<ControlLimit>, LIMITS_MAX)

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
