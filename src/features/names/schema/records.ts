/** Owns the ids, the bounds and the records of names. */
import {
  bytes,
  bytesN,
  hash32,
  type Infer,
  list,
  map,
  type Numeric,
  numeric,
  option,
  string,
  struct,
  u16,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  accountId,
  aliasKey,
  assetDefinitionId,
  domainId,
  incarnation,
  keyBytes,
  NAME_TEXT_MAX_BYTES,
  type NameId,
  nameKind,
  PATH_MAX_BYTES,
  range,
} from '../../../model/index.js'

/** Ids of names: feature 12, 1400 to 1499. */
export const NAME_IDS = range(12)
const BASE = NAME_IDS.first
/** BASE + 3 is unused: the commitments of an account are one row. */
export const NAME_TABLES = {
  policies: BASE,
  names: BASE + 1,
  commits: BASE + 2,
  counts: BASE + 4,
  primaries: BASE + 5,
  reserved: BASE + 6,
  skeletons: BASE + 7,
} as const
/** Read indexes: aliases by account or definition, former versions of names. */
export const NAME_INDEXES = { targets: BASE, versions: BASE + 1 } as const

const DAY_MS = 86_400_000
/** Length of a year of a lease, in ms. */
export const YEAR_MS = 365 * DAY_MS
/** Maximum years of a new lease. */
export const LEASE_YEARS_MAX = 5
/** Maximum years from now to the end of a lease. */
export const AHEAD_YEARS_MAX = 10
/** Minimum age of a commitment, in ms: longer than one proposer can delay a transaction. */
export const COMMITMENT_MIN_MS = 5_000
/** Maximum age of a commitment, in ms. */
export const COMMITMENT_MAX_MS = DAY_MS
/** Maximum pending commitments of one account. */
export const COMMITMENTS_MAX = 8
/** Maximum grace of a policy, in ms. */
export const GRACE_MAX_MS = 90 * DAY_MS
/**
 * Bounds of the quarantine of a policy, in ms. A name resolves to nothing for at least 30 days before a different
 * account can lease it.
 */
export const QUARANTINE_MIN_MS = 30 * DAY_MS
export const QUARANTINE_MAX_MS = 90 * DAY_MS
/** Maximum leased names of one account in one domain that a policy can allow. */
export const NAMES_PER_ACCOUNT_MAX = 1_000
/** Maximum subnames below one name. */
export const SUBNAMES_MAX = 1_000
/** Maximum labels of a domain with the same skeleton. */
export const SKELETON_LABELS_MAX = 8
/** Maximum names transferred by one instruction. */
export const TRANSFERRED_MAX = 8
/** Maximum reservations added and removed by one instruction. */
export const RESERVATIONS_MAX = 32
/** Maximum length of the reason of a reservation, in bytes. */
export const REASON_MAX_BYTES = 128
/** Maximum records set by one instruction. */
export const SET_RECORDS_MAX = 16
/** Maximum records of one name. */
export const RECORDS_MAX = 32
/** Maximum size of the records of one name, keys and values, in bytes. */
export const RECORDS_MAX_BYTES = 4_096
/** Maximum length of the value of a record, in bytes: a text. */
export const RECORD_VALUE_MAX_BYTES = 512
/** Maximum length of the key of a record, `text:` and 32 characters. */
const RECORD_KEY_MAX_BYTES = 37
/** Size of the salt of a commitment, in bytes. */
export const SALT_BYTES = 32
/** Number of price classes: labels of up to 3, of 4, and of 5 or more characters each have their own price. */
const PRICES = 3

/** Text of a name in an instruction. Execution rejects a text that does not match the grammar with `bad_name`. */
export const nameInput = string(NAME_TEXT_MAX_BYTES)
/** Label in an instruction, checked like a name. */
export const labelInput = string(PATH_MAX_BYTES)

/** Key of the record for the asset definition of a name. */
export const ASSET_RECORD = 'asset'
const TEXT_KEY = /^text:[a-z0-9.-]{1,32}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export const recordKey = string(RECORD_KEY_MAX_BYTES)
export const recordValue = string(RECORD_VALUE_MAX_BYTES)

/** Reason why the text of a record is invalid, or undefined. */
export function recordFault(key: string, value: string | undefined): string | undefined {
  if (key === ASSET_RECORD) return undefined
  if (!TEXT_KEY.test(key)) return 'a record has the key asset, or text: and 1 to 32 characters of a-z 0-9 . -'
  return value !== undefined && CONTROL.test(value) ? 'the value of a record has a control character' : undefined
}

/** Source of the names of a domain: its owner assigns them, or accounts lease them. */
export const nameMode = unitEnum('NameMode', { assigned: 0, leased: 1 })

/** Rules of the leased names of a domain. */
export interface NamePolicy extends Infer<typeof namePolicy> {}
const policyFields = {
  mode: nameMode,
  /** Asset of lease payments; absent: leases are free. */
  asset: option(assetDefinitionId),
  /** Price per year of a label of up to 3, of 4, and of 5 or more characters. */
  prices: list(numeric, PRICES),
  /** Account that receives payments; absent: the owner of the domain. */
  treasury: option(accountId),
  /** Minimum length of a label, in characters. */
  minLength: u16,
  graceMs: varint,
  quarantineMs: varint,
  /** Maximum leased names of one account. */
  maxPerAccount: u16,
}
export const namePolicy = struct('NamePolicy', policyFields)

export interface NamePolicyRow extends Infer<typeof namePolicyRow> {}
export const namePolicyRow = struct('NamePolicyRow', {
  ...policyFields,
  version: u32,
  /** Incarnation of the domain; after a new registration of the domain the row is void. */
  incarnation,
})

const ZERO: Numeric = { mantissa: 0n, scale: 0 }
/** Policy of a domain without a row. */
export const DEFAULT_POLICY: NamePolicy = {
  mode: 'assigned',
  asset: undefined,
  prices: [ZERO, ZERO, ZERO],
  treasury: undefined,
  minLength: 3,
  graceMs: 30 * DAY_MS,
  quarantineMs: 30 * DAY_MS,
  maxPerAccount: 10,
}

/** Index of the price of a label in `prices`. */
export const priceClass = (label: string): number => Math.min(Math.max(label.length - 3, 0), PRICES - 1)

/** Row of a name without its account, which is in the table `aliases`. */
export interface NameRow extends Infer<typeof nameRow> {}
export const nameRow = struct('NameRow', {
  kind: nameKind,
  /** Owner; for an assigned name its account. */
  owner: accountId,
  manager: option(accountId),
  /** Incarnation of the name, to which subnames belong. */
  incarnation,
  /** Time at which the current owner got the name. */
  sinceMs: varint,
  /** Present for leased names, and for subnames with an expiry. */
  expiresMs: option(varint),
  graceUntilMs: option(varint),
  quarantineUntilMs: option(varint),
  /** Incarnation of the parent of a subname. */
  parent: option(incarnation),
  records: map(recordKey, recordValue, RECORDS_MAX),
  /** Number of subnames of this incarnation with rows. */
  subnames: varint,
  /** Version from 1; a block that changes a name creates one version. */
  version: u32,
  changedHeight: varint,
  /** Hash of the previous version; absent for the first one. */
  previous: option(hash32),
})

/** Hash of a version of a name: its row in canonical bytes, and its account. The next version has it as `previous`. */
export const versionHash = (row: Uint8Array, account: AccountId): Buffer => hash('name-version', row, keyBytes(account))

/** Maximum size of the row of a name, in bytes. */
export const ROW_MAX_BYTES = 32 * 1024
/** Former version of a name: its row in canonical bytes, and its account. */
export interface StoredVersion extends Infer<typeof storedVersion> {}
export const storedVersion = struct('NameVersion', { row: bytes(ROW_MAX_BYTES), account: accountId })

/** Commitment to a registration. */
export const commitment = struct('NameCommitment', { commitment: hash32, atMs: varint })
export const commitments = struct('NameCommitments', {
  /** Registration of the account; the commitments are void for a later one. */
  accountIncarnation: option(incarnation),
  list: list(commitment, COMMITMENTS_MAX),
})

/** Primary name of an account. */
export const primaryName = struct('PrimaryName', {
  name: aliasKey,
  /** Registration of the account; the name is void for a later one. */
  accountIncarnation: option(incarnation),
})

export const salt = bytesN(SALT_BYTES)

/** Content of a commitment, hidden until it is revealed. */
export interface Committed {
  readonly chain: string
  /** Account that commits and registers. */
  readonly account: AccountId
  readonly name: NameId
  readonly owner: AccountId
  readonly salt: Uint8Array
}

/** Hash that CommitName publishes before RegisterName reveals its content. */
export const commitmentOf = ({ chain, account, name, owner, salt: by }: Committed): Buffer =>
  hash(
    'name-commit',
    Buffer.from(chain, 'utf8'),
    keyBytes(account),
    Buffer.from(name.domain, 'utf8'),
    Buffer.from(name.label, 'utf8'),
    keyBytes(owner),
    by,
  )

/** Label reserved for one account, or for no account. */
const reservationFields = {
  label: labelInput,
  /** Account that may have the label; absent: no account. */
  assignee: option(accountId),
  /** End of the reservation; absent: unlimited. */
  untilMs: option(varint),
  reason: string(REASON_MAX_BYTES),
}
export const reservation = struct('NameReservation', reservationFields)

export interface ReservedRow extends Infer<typeof reservedRow> {}
export const reservedRow = struct('ReservedNameRow', {
  ...reservationFields,
  /** Incarnation of the domain; absent: the reservation applies to every domain. */
  incarnation: option(incarnation),
})

/** Skeleton of a label in one domain, equal for similar labels; the empty domain means all domains. */
export interface SkeletonKey extends Infer<typeof skeletonKey> {}
export const skeletonKey = struct('NameSkeletonKey', { domain: string(PATH_MAX_BYTES), skeleton: labelInput })
export const skeletonLabels = list(labelInput, SKELETON_LABELS_MAX)

export interface CountKey extends Infer<typeof countKey> {}
export const countKey = struct('NameCountKey', { domain: domainId, account: accountId })
