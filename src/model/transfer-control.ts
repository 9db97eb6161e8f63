/** Owns the caps of transfer controls (docs/design/lanes.md 4): how much may leave a balance in a calendar window. */
import { type Infer, list, numeric, type Schema, struct, unitEnum } from '../codec/index.js'

/** Calendar windows of a cap, in UTC by header time. */
export type Window = Infer<typeof controlWindow>
export const controlWindow = unitEnum('ControlWindow', { day: 0, week: 1, month: 2 })
/** One cap per window. */
const LIMITS_MAX = 3

/** The most that may leave a balance within one window. */
export interface ControlLimit extends Infer<typeof limit_> {}
const limit_ = struct('ControlLimit', { window: controlWindow, cap: numeric })
export const controlLimits: Schema<readonly ControlLimit[]> = list(limit_, LIMITS_MAX)
