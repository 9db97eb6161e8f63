/** Owns the feature sections of the configuration: their keys, and which features can be switched off. */
import type { ConfigSection, KeyFileDef } from '../../config/index.js'
import { FEATURE_SCHEMAS } from '../../features/composed.js'
import * as services from '../../features/node.js'
import type { AnyService } from '../../features/service.js'

const all: readonly AnyService[] = Object.values(services)

export const FEATURE_CONFIGS: readonly (readonly [feature: string, section: ConfigSection<unknown>])[] = all.flatMap(
  ({ name, config }) => (config === undefined ? [] : [[name, config] as const]),
)

/** Key files of all features. */
export const FEATURE_KEY_FILES: readonly KeyFileDef[] = FEATURE_CONFIGS.flatMap(([, { keyFiles = [] }]) => keyFiles)

/** Features that a node can switch off: all except the core. */
export const OPTIONAL_FEATURES: readonly string[] = FEATURE_SCHEMAS.flatMap(({ name, abi }) =>
  abi === undefined ? [name] : [],
)
