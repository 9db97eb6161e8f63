/** Owns the declaration of a configuration section: keys, documentation, and the resulting value. */
import type { KeyAlgorithm } from '../crypto/index.js'
import type { FileFault } from './faults.js'
import type { Kind } from './kinds.js'

/** One key of the node configuration. */
export interface KeyDef {
  /** Sections and key, outermost first; a key without a section is a top-level key. */
  readonly path: readonly string[]
  readonly kind: Kind
  /** Value if the key is absent; undefined: the key remains absent. */
  readonly fallback?: unknown
  readonly required?: boolean
  /** Meaning, in lines of at most 100 characters. */
  readonly doc: readonly string[]
  /** Value in the template for a key without a default. */
  readonly example?: unknown
  /** True if a running node applies a changed value; all other keys are read only at the start. */
  readonly reloads?: true
}

/** Key file of a feature: the node reads it at its start, and passes it to the service of the feature. */
export interface KeyFileDef {
  /** Its name in the section `keys`. */
  readonly name: string
  readonly algorithm: KeyAlgorithm
  readonly doc: readonly string[]
}

/** An integer within bounds, both included. */
export const integer = (min: number, max: number): Kind => ({ type: 'integer', min, max })

/** Checked values by their dotted keys, such as `gateway.listen`. */
export interface ConfigValues {
  /** Value of a key; undefined if the key is absent and has no default. The kind of the key determines the type. */
  get<T>(key: string): T
  /** Absolute path; undefined if the key is absent. */
  path(key: string): string | undefined
  has(key: string): boolean
}

/** The configuration of one feature. */
export interface ConfigSection<C> {
  /** Descriptions of sections, by their dotted names. */
  readonly sections: Readonly<Record<string, string>>
  readonly keys: readonly KeyDef[]
  readonly keyFiles?: readonly KeyFileDef[]
  /** The value of the feature. */
  build(values: ConfigValues): C
  /** Faults that concern several keys. */
  check?(values: ConfigValues): readonly FileFault[]
}

/** Declare the configuration of a feature. Throws if the section of a key has no description. */
export function defineConfig<C>(section: ConfigSection<C>): ConfigSection<C> {
  for (const { path } of section.keys) {
    const own = path.slice(0, -1).join('.')
    if (!Object.hasOwn(section.sections, own)) throw new Error(`${path.join('.')}: section ${own} has no description`)
  }
  return section
}
