/** Owns the frames of lanes: instructions are in the range of the core, everything else is feature 2, 400 to 499. */

import { type FrameOf, frameOf } from '../../../codec/index.js'
import { type RelayEnvelope, relayEnvelope } from '../../../lanes/index.js'
import { range } from '../../../model/index.js'

/** Frames of HTTP. */
const LANE_FRAMES = { relayEnvelope: range(2).first } as const

/** Answer of `GET /v1/lanes/envelopes/{height}/{lane}`. */
export const RELAY_ENVELOPE_FRAME: FrameOf<RelayEnvelope> = frameOf(LANE_FRAMES.relayEnvelope, relayEnvelope)
