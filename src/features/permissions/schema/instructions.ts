/** Owns the records of the instructions about permissions, roles and ownership (docs/design/lanes.md 1, rows 18 and 21 to 24). */
import { enumOf, list, option, type Schema, string, struct } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  defineInstruction,
  name,
  ROLE_MANAGERS_MAX,
  TOKEN_OBJECT_MAX_BYTES,
  TOKENS_MAX,
} from '../../../model/index.js'
import { PERMISSION_INSTRUCTIONS as ID } from './ids.js'
import { type Owned, owned } from './owned.js'

/** A permission as it is asked for: the ledger adds the incarnation of its object. */
export interface PermissionSubject {
  readonly name: string
  /** Id text of the object; accounts as the hex of their ids. */
  readonly object: string | undefined
}
const permission_ = struct('PermissionSubject', { name, object: option(string(TOKEN_OBJECT_MAX_BYTES)) })
const permission: Schema<PermissionSubject> = permission_

/** What is granted. Append only. */
export type Subject =
  | { readonly kind: 'permission'; readonly value: PermissionSubject }
  | { readonly kind: 'role'; readonly value: string }
const subject_ = enumOf('GrantSubject', { permission: [0, permission], role: [1, name] })
const subject: Schema<Subject> = subject_

/** Who gets it. Append only. */
export type Grantee =
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'role'; readonly value: string }
const grantee_ = enumOf('Grantee', { account: [0, accountId], role: [1, name] })
const grantee: Schema<Grantee> = grantee_

export interface GrantOrRevoke {
  readonly subject: Subject
  readonly to: Grantee
}
const grant_ = struct('Grant', { subject, to: grantee })
export const grant = defineInstruction<GrantOrRevoke>(ID.grant, 'grant', 'permission::grant', grant_)
const revoke_ = struct('Revoke', { subject, to: grantee })
export const revoke = defineInstruction<GrantOrRevoke>(ID.revoke, 'revoke', 'permission::revoke', revoke_)

export interface RegisterRole {
  readonly id: string
  readonly permissions: readonly PermissionSubject[]
  /** Accounts that may grant and change it, beside the holders of CanManageRoles. */
  readonly managers: readonly AccountId[]
}
const registerRole_ = struct('RegisterRole', {
  id: name,
  permissions: list(permission, TOKENS_MAX),
  managers: list(accountId, ROLE_MANAGERS_MAX),
})
export const registerRole = defineInstruction<RegisterRole>(
  ID.registerRole,
  'registerRole',
  'role::register',
  registerRole_,
)

export interface UnregisterRole {
  readonly id: string
}
const unregisterRole_ = struct('UnregisterRole', { id: name })
export const unregisterRole = defineInstruction<UnregisterRole>(
  ID.unregisterRole,
  'unregisterRole',
  'role::unregister',
  unregisterRole_,
)

export interface TransferOwnership {
  readonly object: Owned
  readonly to: AccountId
}
const transferOwnership_ = struct('TransferOwnership', { object: owned, to: accountId })
export const transferOwnership = defineInstruction<TransferOwnership>(
  ID.transferOwnership,
  'transferOwnership',
  'object::transfer_ownership',
  transferOwnership_,
)
