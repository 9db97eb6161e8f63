/** Owns the ids and the records of names. */
import { hash32, type Infer, map, option, string, struct, u32, varint } from '../../../codec/index.js'
import { accountId, incarnation, NAME_TEXT_MAX_BYTES, nameKind, PATH_MAX_BYTES, range } from '../../../model/index.js'

/** Ids of names: feature 12, 1400 to 1499. */
export const NAME_IDS = range(12)
const BASE = NAME_IDS.first
export const NAME_TABLES = {
  policies: BASE,
  names: BASE + 1,
  commits: BASE + 2,
  committers: BASE + 3,
  counts: BASE + 4,
  primaries: BASE + 5,
  reserved: BASE + 6,
  skeletons: BASE + 7,
} as const

/** Read indexes of names. */
export const NAME_INDEXES = { targets: BASE } as const

/** Text of a name in an instruction. Execution rejects one outside of the grammar with `bad_name`. */
export const nameInput = string(NAME_TEXT_MAX_BYTES)
/** Label in an instruction, checked like a name. */
export const labelInput = string(PATH_MAX_BYTES)

/** Records of one name. */
export const RECORDS_MAX = 32
/** Records of one name together, keys and values, in bytes. */
export const RECORDS_MAX_BYTES = 4_096
/** Longest value of a record: a text. */
export const RECORD_VALUE_MAX_BYTES = 512
/** Longest key of a record, `text:` and 32 characters. */
const RECORD_KEY_MAX_BYTES = 37

/** Key of the record that makes a name stand for an asset definition. */
export const ASSET_RECORD = 'asset'

export const recordKey = string(RECORD_KEY_MAX_BYTES)
export const recordValue = string(RECORD_VALUE_MAX_BYTES)

/** A name beside its account, which the table `aliases` has. */
export interface NameRow extends Infer<typeof nameRow> {}
export const nameRow = struct('NameRow', {
  kind: nameKind,
  /** Of an assigned name the account that had it when the row was written. */
  owner: accountId,
  manager: option(accountId),
  /** Registration of the name: subnames belong to it. */
  incarnation,
  /** When the owner got it. */
  sinceMs: varint,
  /** Of leased names, and of subnames that end by themselves. */
  expiresMs: option(varint),
  graceUntilMs: option(varint),
  quarantineUntilMs: option(varint),
  /** Registration of the parent of a subname. */
  parent: option(incarnation),
  records: map(recordKey, recordValue, RECORDS_MAX),
  /** Subnames of this registration that have rows. */
  subnames: varint,
  /** From 1; the block that changes a name makes one version of it. */
  version: u32,
  changedHeight: varint,
  /** Hash of the version before; absent: the first one. */
  previous: option(hash32),
})
