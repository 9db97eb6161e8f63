/** Owns records without the fields that are undefined. */

/** Record type in which a field that may be undefined may also be absent. */
export type DefinedFields<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Fields of a record that are not undefined, in order: for JSON, headers, and spreading over other fields. */
export const definedFields = <const T extends object>(fields: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>
