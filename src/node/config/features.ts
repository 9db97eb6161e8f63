/** Owns the list of what features configure, by their names. */
import type { ConfigSection } from '../../config/index.js'
import * as services from '../../features/node.js'
import type { AnyService } from '../../features/service.js'

const all: readonly AnyService[] = Object.values(services)

export const FEATURE_CONFIGS: readonly (readonly [feature: string, section: ConfigSection<unknown>])[] = all.flatMap(
  ({ name, config }) => (config === undefined ? [] : [[name, config] as const]),
)
