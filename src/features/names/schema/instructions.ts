/** Owns the instructions of names. */
import { enumOf, hash32, type Infer, list, numeric, option, struct, u8, u32, varint } from '../../../codec/index.js'
import { accountId, assetDefinitionId, defineInstructions, domainId, type InstructionOf } from '../../../model/index.js'
import {
  labelInput,
  NAME_IDS,
  nameInput,
  namePolicy,
  RESERVATIONS_MAX,
  recordKey,
  recordValue,
  reservation,
  SET_RECORDS_MAX,
  salt,
  TRANSFERRED_MAX,
} from './records.js'

const BASE = NAME_IDS.first

/** Maximum aliases asserted by one instruction. */
export const ASSERTED_MAX = 256

/** Alias with the object that it resolved to when the transaction was built. */
export interface AssertedAlias extends Infer<typeof assertedAlias> {}
export const assertedAlias = struct('AssertedAlias', {
  /** A name, `iban:IBAN` or `ccy:EUR`. */
  text: nameInput,
  target: enumOf('AliasTarget', { account: [0, accountId], definition: [1, assetDefinitionId] }),
})

/** Maximum price of a lease. */
export interface MaxPrice extends Infer<typeof maxPrice> {}
const maxPrice = struct('NameMaxPrice', { definition: assetDefinitionId, amount: numeric })

/** Change of one record; absent value: the record is removed. */
const recordChange = struct('NameRecordChange', { key: recordKey, value: option(recordValue) })

export type SetNamePolicy = InstructionOf<typeof instructions.setNamePolicy>
export type CommitName = InstructionOf<typeof instructions.commitName>
export type RegisterName = InstructionOf<typeof instructions.registerName>
export type RenewName = InstructionOf<typeof instructions.renewName>
export type CreateSubname = InstructionOf<typeof instructions.createSubname>
export type SetNameRecords = InstructionOf<typeof instructions.setNameRecords>
export type ReserveNames = InstructionOf<typeof instructions.reserveNames>
export type AssertAliases = InstructionOf<typeof instructions.assertAliases>

export const instructions = defineInstructions({
  setNamePolicy: {
    id: BASE,
    label: 'name::set_policy',
    record: {
      domain: domainId,
      policy: namePolicy,
      /** Version of the current policy plus one; 1 for the first policy. */
      version: u32,
    },
  },
  commitName: { id: BASE + 1, label: 'name::commit', record: { commitment: hash32 } },
  registerName: {
    id: BASE + 2,
    label: 'name::register',
    record: {
      domain: domainId,
      label: labelInput,
      owner: accountId,
      /** Account that the name resolves to; absent: the owner. */
      account: option(accountId),
      years: u8,
      salt,
      maxPrice: option(maxPrice),
    },
  },
  renewName: {
    id: BASE + 3,
    label: 'name::renew',
    record: { name: nameInput, years: u8, maxPrice: option(maxPrice) },
  },
  transferName: {
    id: BASE + 4,
    label: 'name::transfer',
    record: { names: list(nameInput, TRANSFERRED_MAX), to: accountId },
  },
  setNameAccount: { id: BASE + 5, label: 'name::set_account', record: { name: nameInput, account: accountId } },
  setNameRecords: {
    id: BASE + 6,
    label: 'name::set_records',
    record: { name: nameInput, set: list(recordChange, SET_RECORDS_MAX) },
  },
  setNameManager: { id: BASE + 7, label: 'name::set_manager', record: { name: nameInput, manager: option(accountId) } },
  setPrimaryName: {
    id: BASE + 8,
    label: 'name::set_primary',
    record: {
      /** Absent: the account no longer has a primary name. */
      name: option(nameInput),
    },
  },
  createSubname: {
    id: BASE + 9,
    label: 'name::create_subname',
    record: {
      parent: nameInput,
      label: labelInput,
      owner: accountId,
      /** Account that the name resolves to; absent: the owner. */
      account: option(accountId),
      /** Absent: the subname lasts as long as its parent. */
      expiresMs: option(varint),
    },
  },
  removeSubname: { id: BASE + 10, label: 'name::remove_subname', record: { name: nameInput } },
  releaseName: { id: BASE + 11, label: 'name::release', record: { name: nameInput } },
  pruneName: { id: BASE + 12, label: 'name::prune', record: { name: nameInput } },
  reserveNames: {
    id: BASE + 13,
    label: 'name::reserve',
    record: {
      /** Absent: the labels are reserved in every domain, and as ids of domains. */
      domain: option(domainId),
      add: list(reservation, RESERVATIONS_MAX),
      remove: list(labelInput, RESERVATIONS_MAX),
    },
  },
  assertAliases: {
    id: BASE + 14,
    label: 'name::assert',
    record: { items: list(assertedAlias, ASSERTED_MAX) },
  },
})
