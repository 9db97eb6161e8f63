/** Owns the records of the instructions about permissions, roles and ownership (docs/design/lanes.md 1, rows 18 and 21 to 24). */
import { enumOf, type Infer, list, option, string, struct } from '../../../codec/index.js'
import {
  accountId,
  defineInstruction,
  name,
  ROLE_MANAGERS_MAX,
  TOKEN_OBJECT_MAX_BYTES,
  TOKENS_MAX,
} from '../../../model/index.js'
import { PERMISSION_INSTRUCTIONS as ID } from './ids.js'
import { owned } from './owned.js'

/** A permission as it is asked for: the ledger adds the incarnation of its object. */
export interface PermissionSubject extends Infer<typeof permissionSubject> {}
export const permissionSubject = struct('PermissionSubject', {
  name,
  /** Id text of the object; accounts as the hex of their ids. */
  object: option(string(TOKEN_OBJECT_MAX_BYTES)),
})

/** What is granted. Append only. */
export type Subject = Infer<typeof subject>
const subject = enumOf('GrantSubject', { permission: [0, permissionSubject], role: [1, name] })

/** Who gets it. Append only. */
export type Grantee = Infer<typeof grantee>
const grantee = enumOf('Grantee', { account: [0, accountId], role: [1, name] })

export interface GrantOrRevoke extends Infer<typeof grant_> {}
const grant_ = struct('Grant', { subject, to: grantee })
export const grant = defineInstruction<GrantOrRevoke>(ID.grant, 'grant', 'permission::grant', grant_)
const revoke_ = struct('Revoke', { subject, to: grantee })
export const revoke = defineInstruction<GrantOrRevoke>(ID.revoke, 'revoke', 'permission::revoke', revoke_)

export interface RegisterRole extends Infer<typeof registerRole_> {}
const registerRole_ = struct('RegisterRole', {
  id: name,
  permissions: list(permissionSubject, TOKENS_MAX),
  /** Accounts that may grant and change it, beside the holders of CanManageRoles. */
  managers: list(accountId, ROLE_MANAGERS_MAX),
})
export const registerRole = defineInstruction<RegisterRole>(
  ID.registerRole,
  'registerRole',
  'role::register',
  registerRole_,
)

export interface UnregisterRole extends Infer<typeof unregisterRole_> {}
const unregisterRole_ = struct('UnregisterRole', { id: name })
export const unregisterRole = defineInstruction<UnregisterRole>(
  ID.unregisterRole,
  'unregisterRole',
  'role::unregister',
  unregisterRole_,
)

export interface TransferOwnership extends Infer<typeof transferOwnership_> {}
const transferOwnership_ = struct('TransferOwnership', { object: owned, to: accountId })
export const transferOwnership = defineInstruction<TransferOwnership>(
  ID.transferOwnership,
  'transferOwnership',
  'object::transfer_ownership',
  transferOwnership_,
)
