/** Owns the tables of names; the account of a name is in the table `aliases` of the kernel. */
import { type Infer, varint } from '../../../codec/index.js'
import { type AccountId, accountId, aliasKey, domainId, type NameId } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import {
  type CountKey,
  commitments,
  countKey,
  NAME_TABLES,
  type NamePolicyRow,
  type NameRow,
  namePolicyRow,
  nameRow,
  primaryName,
  type ReservedRow,
  reservedRow,
  type SkeletonKey,
  skeletonKey,
  skeletonLabels,
} from '../schema/records.js'

export const names: TableDef<NameId, NameRow> = {
  id: NAME_TABLES.names,
  name: 'names',
  bound: {
    holds: '32 records of 4 KiB together',
    filledBy: 'RegisterAccount, SetLabel, RegisterName, CreateSubname',
    atBound: '`record_limit`; leaves with its label, RemoveSubname or PruneName',
  },
  key: aliasKey,
  value: nameRow,
}

export const policies: TableDef<string, NamePolicyRow> = {
  id: NAME_TABLES.policies,
  name: 'name_policies',
  bound: { holds: 'one policy', filledBy: 'SetNamePolicy', atBound: 'one a domain' },
  key: domainId,
  value: namePolicyRow,
}

export const commits: TableDef<AccountId, Infer<typeof commitments>> = {
  id: NAME_TABLES.commits,
  name: 'name_commits',
  bound: { holds: '8 commitments', filledBy: 'CommitName', atBound: '`name_limit`; leaves with the last of them' },
  key: accountId,
  value: commitments,
}

/** Number of leased names of an account in a domain. */
export const counts: TableDef<CountKey, number> = {
  id: NAME_TABLES.counts,
  name: 'name_counts',
  bound: { holds: 'a count', filledBy: 'RegisterName, TransferName', atBound: '`name_limit`; leaves at zero' },
  key: countKey,
  value: varint,
}

/** Primary name of an account, used while it resolves to the account. */
export const primaries: TableDef<AccountId, Infer<typeof primaryName>> = {
  id: NAME_TABLES.primaries,
  name: 'primary_names',
  bound: { holds: 'a name', filledBy: 'SetPrimaryName', atBound: 'one an account' },
  key: accountId,
  value: primaryName,
}

export const reserved: TableDef<SkeletonKey, ReservedRow> = {
  id: NAME_TABLES.reserved,
  name: 'name_reserved',
  bound: { holds: 'a label and a reason', filledBy: 'ReserveNames', atBound: 'leaves with ReserveNames' },
  key: skeletonKey,
  value: reservedRow,
}

/** Labels of a domain with the same skeleton: of assigned and leased names, until they are removed. */
export const skeletons: TableDef<SkeletonKey, readonly string[]> = {
  id: NAME_TABLES.skeletons,
  name: 'name_skeletons',
  bound: {
    holds: '8 labels',
    filledBy: 'RegisterAccount, SetLabel, RegisterName',
    atBound: '`name_confusable`; leaves with the last label',
  },
  key: skeletonKey,
  value: skeletonLabels,
}
