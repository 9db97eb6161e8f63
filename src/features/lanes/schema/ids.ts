/** Owns the range of lanes: instructions are in the core's range, everything else is feature 2, 400 to 499. */
import { range } from '../../../model/index.js'

/** Frames of HTTP. */
export const LANE_FRAMES = { relayEnvelope: range(2).first } as const
