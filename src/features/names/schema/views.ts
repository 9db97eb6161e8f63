/** Owns the views of names, and their queries. */
import { heightCursor, pairCursor } from '../../../api/cursors.js'
import { word } from '../../../api/enum-text.js'
import { type Page, pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { finalityProof } from '../../../api/schema/proof.js'
import {
  bool,
  bytes,
  hash32,
  type Infer,
  list,
  map,
  numeric,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u8,
  u32,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  defineQueries,
  domainId,
  NAME_KINDS,
  NAME_STANDINGS,
  type NameKind,
  type NameStanding,
  name as nameLabel,
  PATH_LABELS_MAX,
} from '../../../model/index.js'
import { stateProof } from '../../../state/proof.js'
import {
  NAME_IDS,
  nameInput,
  namePolicy,
  RECORDS_MAX,
  ROW_MAX_BYTES,
  recordKey,
  recordValue,
  reservation,
  storedVersion,
} from './records.js'

const BASE = NAME_IDS.first
/** Maximum versions of one name in a proof. */
export const PROVEN_VERSIONS_MAX = 256
/** Maximum length of an error code, in bytes. */
const CODE_MAX_BYTES = 64

export const kindWord = word('NameKindWord', Object.keys(NAME_KINDS) as NameKind[])
export const standingWord = word('NameStandingWord', Object.keys(NAME_STANDINGS) as NameStanding[])

const content = {
  kind: kindWord,
  /** Owner; for an assigned name its account. */
  owner: accountId,
  /** Account that the name resolves to while it is active or in grace. */
  account: accountId,
  manager: omissible(accountId),
  /** Time when the owner got it; absent for a label of release 0.1.0. */
  sinceMs: omissible(varint),
  expiresMs: omissible(varint),
  graceUntilMs: omissible(varint),
  quarantineUntilMs: omissible(varint),
  records: map(recordKey, recordValue, RECORDS_MAX),
  subnames: varint,
  /** 0 for a label of release 0.1.0. */
  version: u32,
  changedHeight: omissible(varint),
  previous: omissible(hash32),
}

/** Name at a height. */
export interface NameView extends Infer<typeof nameView> {}
export const nameView = struct('NameView', { name: nameInput, standing: standingWord, ...content })
export interface ShownName extends Infer<typeof shownName> {}
export const shownName = struct('ShownName', { name: nameInput, standing: standingWord, ...content, height: varint })
export const namePage: Schema<Page<NameView>> = pageOf('NamePage', nameView)

/** Version of a name. */
export interface NameVersionView extends Infer<typeof nameVersionView> {}
const nameVersionView = struct('NameVersionView', content)
/** Newest first. */
export const nameHistory = pageOf('NameHistory', nameVersionView)

export interface NamePolicyView extends Infer<typeof namePolicyView> {}
export const namePolicyView = struct('NamePolicyView', {
  domain: domainId,
  policy: namePolicy,
  /** 0 for a domain without a policy, to which the default applies. */
  version: u32,
})
export const namePolicyPage = pageOf('NamePolicyPage', namePolicyView)

export interface ReservedView extends Infer<typeof reservedView> {}
export const reservedView = struct('ReservedNameView', {
  /** Absent: the label is protected in every domain. */
  domain: omissible(domainId),
  reservation,
})
export const reservedPage = pageOf('ReservedNamePage', reservedView)

export interface NamePrice extends Infer<typeof namePrice> {}
export const namePrice = struct('NamePrice', { definition: assetDefinitionId, amount: numeric })

export interface Availability extends Infer<typeof availability> {}
export const availability = struct('NameAvailability', {
  canonical: nameInput,
  available: bool,
  /** Error code with which a registration would be rejected. */
  reason: omissible(string(CODE_MAX_BYTES)),
  /** Reason, for people. */
  message: omissible(string(512)),
  /** Absent: the name is free of charge, or names of the domain are not leased. */
  price: omissible(namePrice),
  years: u8,
  height: varint,
})

const provenRow_ = struct('ProvenNameRow', {
  /** Canonical bytes of the row; absent if the proof shows that it does not exist. */
  value: omissible(bytes(ROW_MAX_BYTES)),
  proof: stateProof,
})
/** Rows of one name, and its former versions, newest first. */
export interface ProvenName extends Infer<typeof provenName> {}
const provenName = struct('ProvenName', {
  name: nameInput,
  /** Row of the table `aliases`. */
  alias: provenRow_,
  /** Row of the table `names`. */
  row: provenRow_,
  versions: list(storedVersion, PROVEN_VERSIONS_MAX),
})
/** The name, and its parents up to the first that is not a subname. */
export const provenNames = list(provenName, PATH_LABELS_MAX)

/** Rows of a name under the state root of a height. */
export interface ProvenNameRows extends Infer<typeof provenNameRows_> {}
const provenNameRows_ = struct('ProvenNameRows', { height: varint, names: provenNames })

/**
 * Proof of the account of a name, given only the genesis hash: its rows under a final block and, for a height below, the
 * versions down to that height and the finality of its block.
 */
export interface NameProof extends Infer<typeof nameProof> {}
export const nameProof = struct('NameProof', {
  height: varint,
  names: provenNames,
  finality: finalityProof,
  /** Requested height, if it is below the proven block. */
  at: omissible(varint),
  /** Finality of the block at the requested height, whose header contains the time. */
  atFinality: omissible(finalityProof),
})

const id = { domain: domainId, label: nameLabel }
export interface NameQuery extends Infer<typeof nameQuery_> {}
const nameQuery_ = struct('NameQuery', { ...id, at: option(varint) })
export interface NameHistoryQuery extends Infer<typeof nameHistoryQuery_> {}
const nameHistoryQuery_ = struct('NameHistoryQuery', { ...id, ...pageQueryFields(heightCursor) })
export interface NamesQuery extends Infer<typeof namesQuery_> {}
const namesQuery_ = struct('NamesQuery', {
  domain: option(domainId),
  owner: option(accountId),
  standing: option(standingWord),
  expiringBeforeMs: option(varint),
  ...pageQueryFields(nameInput),
})
export type PoliciesQuery = Infer<typeof policiesQuery_>
const policiesQuery_ = struct('NamePoliciesQuery', pageQueryFields(domainId))
export interface ReservedQuery extends Infer<typeof reservedQuery_> {}
/** Query for reservations. A position is `domain skeleton`; reservations for all domains have an empty domain. */
const reservedQuery_ = struct('ReservedNamesQuery', { domain: option(domainId), ...pageQueryFields(pairCursor) })
export interface AvailableQuery extends Infer<typeof availableQuery_> {}
const availableQuery_ = struct('NameAvailableQuery', { ...id, years: u8 })
const policyQuery_ = struct('NamePolicyQuery', { domain: domainId })

export const nameQueries = defineQueries({
  name: { id: BASE, input: nameQuery_, output: shownName },
  nameHistory: { id: BASE + 1, input: nameHistoryQuery_, output: nameHistory },
  nameProofRows: { id: BASE + 2, input: nameQuery_, output: provenNameRows_ },
  names: { id: BASE + 3, input: namesQuery_, output: namePage },
  namePolicies: { id: BASE + 4, input: policiesQuery_, output: namePolicyPage },
  namePolicy: { id: BASE + 5, input: policyQuery_, output: namePolicyView },
  reservedNames: { id: BASE + 6, input: reservedQuery_, output: reservedPage },
  nameAvailable: { id: BASE + 7, input: availableQuery_, output: availability },
})
