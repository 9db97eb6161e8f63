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
/** Years of a new lease. */
export const LEASE_YEARS_MAX = 5
/** Years from now to the latest end of a lease. */
export const AHEAD_YEARS_MAX = 10
/** Least age of a commitment, in ms: longer than one proposer can hold a transaction back. */
export const COMMITMENT_MIN_MS = 5_000
/** Greatest age of a commitment, in ms. */
export const COMMITMENT_MAX_MS = DAY_MS
/** Commitments of one account that wait. */
export const COMMITMENTS_MAX = 8
/** Longest grace of a policy, in ms. */
export const GRACE_MAX_MS = 90 * DAY_MS
/** Bounds of the quarantine of a policy, in ms: a name is silent for 30 days before another account can lease it. */
export const QUARANTINE_MIN_MS = 30 * DAY_MS
export const QUARANTINE_MAX_MS = 90 * DAY_MS
/** Leased names of one account in one domain, at most, that a policy can allow. */
export const NAMES_PER_ACCOUNT_MAX = 1_000
/** Subnames below one name. */
export const SUBNAMES_MAX = 1_000
/** Labels of a domain that look alike. */
export const SKELETON_LABELS_MAX = 8
/** Names that one instruction transfers. */
export const TRANSFERRED_MAX = 8
/** Reservations that one instruction adds and removes. */
export const RESERVATIONS_MAX = 32
/** Longest reason of a reservation, in bytes. */
export const REASON_MAX_BYTES = 128
/** Records that one instruction sets. */
export const SET_RECORDS_MAX = 16
/** Records of one name. */
export const RECORDS_MAX = 32
/** Records of one name together, keys and values, in bytes. */
export const RECORDS_MAX_BYTES = 4_096
/** Longest value of a record: a text. */
export const RECORD_VALUE_MAX_BYTES = 512
/** Longest key of a record, `text:` and 32 characters. */
const RECORD_KEY_MAX_BYTES = 37
/** Bytes of the salt of a commitment. */
export const SALT_BYTES = 32
/** Price classes: labels of 3, of 4, and of 5 or more characters. */
const PRICES = 3

/** Text of a name in an instruction. Execution rejects one outside of the grammar with `bad_name`. */
export const nameInput = string(NAME_TEXT_MAX_BYTES)
/** Label in an instruction, checked like a name. */
export const labelInput = string(PATH_MAX_BYTES)

/** Key of the record by which a name resolves to an asset definition. */
export const ASSET_RECORD = 'asset'
const TEXT_KEY = /^text:[a-z0-9.-]{1,32}$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export const recordKey = string(RECORD_KEY_MAX_BYTES)
export const recordValue = string(RECORD_VALUE_MAX_BYTES)

/** Fault of a record by its text alone, or undefined if valid. */
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
  /** Definition that leases are paid in; absent: they are free. */
  asset: option(assetDefinitionId),
  /** For a year of a label of up to 3, of 4, and of 5 or more characters. */
  prices: list(numeric, PRICES),
  /** Account that is paid; absent: the owner of the domain. */
  treasury: option(accountId),
  /** Shortest label, in characters. */
  minLength: u16,
  graceMs: varint,
  quarantineMs: varint,
  /** Leased names of one account. */
  maxPerAccount: u16,
}
export const namePolicy = struct('NamePolicy', policyFields)

export interface NamePolicyRow extends Infer<typeof namePolicyRow> {}
export const namePolicyRow = struct('NamePolicyRow', {
  ...policyFields,
  version: u32,
  /** Registration of the domain; under a reused id the row is void. */
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

/** Place of the price of a label in `prices`. */
export const priceClass = (label: string): number => Math.min(Math.max(label.length - 3, 0), PRICES - 1)

/** A name beside its account, which the table `aliases` has. */
export interface NameRow extends Infer<typeof nameRow> {}
export const nameRow = struct('NameRow', {
  kind: nameKind,
  /** Of an assigned name the account that has it. */
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
  /** From 1; a block that changes a name makes one version of it. */
  version: u32,
  changedHeight: varint,
  /** Hash of the version before; absent: the first one. */
  previous: option(hash32),
})

/** Hash of a version of a name: its row in canonical bytes, and its account. The next version has it as `previous`. */
export const versionHash = (row: Uint8Array, account: AccountId): Buffer => hash('name-version', row, keyBytes(account))

/** Longest row of a name, in bytes. */
export const ROW_MAX_BYTES = 32 * 1024
/** A former version of a name: its row in canonical bytes, and its account. */
export interface StoredVersion extends Infer<typeof storedVersion> {}
export const storedVersion = struct('NameVersion', { row: bytes(ROW_MAX_BYTES), account: accountId })

/** A commitment to a registration. */
export const commitment = struct('NameCommitment', { commitment: hash32, atMs: varint })
export const commitments = list(commitment, COMMITMENTS_MAX)

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

/** A label that only one account may have, or none. */
const reservationFields = {
  label: labelInput,
  /** Account that may have it; absent: none. */
  assignee: option(accountId),
  /** End of the reservation; absent: it has none. */
  untilMs: option(varint),
  reason: string(REASON_MAX_BYTES),
}
export const reservation = struct('NameReservation', reservationFields)

export interface ReservedRow extends Infer<typeof reservedRow> {}
export const reservedRow = struct('ReservedNameRow', {
  ...reservationFields,
  /** Registration of the domain; absent: the reservation is for every domain. */
  incarnation: option(incarnation),
})

/** A label in the form in which those that look alike are equal, in one domain; the empty domain means all domains. */
export interface SkeletonKey extends Infer<typeof skeletonKey> {}
export const skeletonKey = struct('NameSkeletonKey', { domain: string(PATH_MAX_BYTES), skeleton: labelInput })
export const skeletonLabels = list(labelInput, SKELETON_LABELS_MAX)

export interface CountKey extends Infer<typeof countKey> {}
export const countKey = struct('NameCountKey', { domain: domainId, account: accountId })
