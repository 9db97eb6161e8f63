/** Owns the frames of lanes. */
import { type FrameOf, frameOf } from '../../../codec/index.js'
import { type RelayEnvelope, relayEnvelope } from '../../../lanes/index.js'
import { LANE_FRAMES } from './ids.js'

/** Answer of `GET /v1/lanes/envelopes/{height}/{lane}`. */
export const RELAY_ENVELOPE_FRAME: FrameOf<RelayEnvelope> = frameOf(LANE_FRAMES.relayEnvelope, relayEnvelope)
