/**
 * Owns the record of `GET /schema`: the layout of every exchanged record, in the canonical description of the codec.
 */
import { hash32, hex, type Infer, list, option, string, struct, u16, u32 } from '../../codec/index.js'

/** Maximum length of a description, in bytes: the largest record references most types. */
const DESCRIPTION_MAX_BYTES = 1024 * 1024
const ENTRIES_MAX = 4_096
const SCHEMA_HASH_BYTES = 16

const layout = {
  /** First 16 bytes of the tagged hash of the description, as contained in frames. */
  schemaHash: hex(SCHEMA_HASH_BYTES),
  /** The type on the first line, then every named type that it references (docs/reference/codec.md). */
  description: string(DESCRIPTION_MAX_BYTES),
}
const frame_ = struct('FrameLayout', { typeId: u16, name: string(128), ...layout })
const member_ = struct('MemberLayout', { id: u32, kind: string(128), label: option(string(128)), ...layout })
const query_ = struct('QueryLayout', { id: u32, kind: string(128), input: string(128), output: string(128) })
/** Response of `GET /schema`. */
export interface DataModel extends Infer<typeof dataModel> {}
export const dataModel = struct('DataModel', {
  dataModelVersion: u32,
  abiVersion: u32,
  abiHash: hash32,
  frames: list(frame_, ENTRIES_MAX),
  instructions: list(member_, ENTRIES_MAX),
  events: list(member_, ENTRIES_MAX),
  queries: list(query_, ENTRIES_MAX),
})
