/** Owns the ids of metadata, of the range of the core. Append only. */
export const METADATA_INSTRUCTIONS = {
  setKeyValue: 19,
  removeKeyValue: 20,
} as const
export const METADATA_EVENTS = {
  metadataInserted: 8,
  metadataRemoved: 9,
} as const
