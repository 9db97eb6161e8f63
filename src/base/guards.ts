/** Owns type guards for values of unknown type. */

/** True for an object with fields: neither a list nor null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for a list. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** True if an object has its own field of this name. */
export const isKeyOf = <T extends object>(fields: T, name: PropertyKey): name is keyof T => Object.hasOwn(fields, name)

/** True if the text is one of the words. */
export const isOneOf = <W extends string>(words: readonly W[], text: string): text is W =>
  words.some((word) => word === text)
