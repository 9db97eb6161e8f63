/** Owns the composed schemas of all features: they encode and decode records without the node. */
import { type FeatureSchema, routesOf } from '../api/feature.js'
import { FRAMES } from '../api/frames.js'
import { type AnyRoute, framesOf } from '../api/route.js'
import { type CodecContext, type FrameOf, openRegistry } from '../codec/index.js'
import { EVENT_REGISTRY, INSTRUCTION_REGISTRY } from '../model/index.js'
import * as schemas from './schemas.js'

/** All features, ordered by name. */
export const FEATURE_SCHEMAS: readonly FeatureSchema[] = Object.values(schemas)

/** Routes of all features. */
export const FEATURE_ROUTES: readonly AnyRoute[] = FEATURE_SCHEMAS.flatMap(routesOf)

/** Frames of the node and of all features, each once. */
export const ALL_FRAMES: readonly FrameOf<unknown>[] = [...new Set([...FRAMES, ...FEATURE_ROUTES.flatMap(framesOf)])]

/** Subject of each kind of event; events that triggers cannot name are absent. */
export const EVENT_SUBJECTS: ReadonlyMap<string, string> = new Map(
  FEATURE_SCHEMAS.flatMap(({ events }) =>
    Object.values(events).flatMap(({ kind, subject }) => (subject === undefined ? [] : [[kind, subject] as const])),
  ),
)

/** Descriptions of the features' command groups, by their words. */
export const FEATURE_TOPICS: readonly (readonly [words: string, description: string])[] = FEATURE_SCHEMAS.flatMap(
  ({ topics = {} }) => Object.entries(topics),
)

const instructions = FEATURE_SCHEMAS.flatMap((feature) => Object.values(feature.instructions))
const registries = {
  [INSTRUCTION_REGISTRY]: openRegistry(INSTRUCTION_REGISTRY, instructions),
  [EVENT_REGISTRY]: openRegistry(
    EVENT_REGISTRY,
    FEATURE_SCHEMAS.flatMap(({ events }) => Object.values(events)),
  ),
}

/** Codec context for records of a chain with this address prefix. */
export const clientCodec = (addressPrefix: string): CodecContext => ({ registries, addressPrefix })
