/** Owns view records of permissions and roles. */

import { holderCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import { enumOf, type Infer, list, option, type Schema, string, struct, varint } from '../../../codec/index.js'
import {
  accountId,
  name,
  ROLE_MANAGERS_MAX,
  ROLES_MAX,
  TOKEN_OBJECT_MAX_BYTES,
  TOKENS_MAX,
  token,
} from '../../../model/index.js'

const roleView_ = struct('RoleView', {
  id: name,
  permissions: list(token, TOKENS_MAX),
  managers: list(accountId, ROLE_MANAGERS_MAX),
  members: varint,
})
export type RoleView = Infer<typeof roleView_>
export const roleView: Schema<RoleView> = roleView_
export const rolePage = pageOf('RolePage', roleView)
export const rolesInput = pageQueryOf('RolesQuery', name)

/** What an account may: its own permissions, and those of its roles by name. */
const grantsView_ = struct('AccountGrantsView', {
  account: accountId,
  permissions: list(token, TOKENS_MAX),
  roles: list(roleView, ROLES_MAX),
})
export type AccountGrantsView = Infer<typeof grantsView_>
export const accountGrantsView: Schema<AccountGrantsView> = grantsView_

const holderView_ = enumOf('PermissionHolder', { account: [0, accountId], role: [1, name] })
export type HolderView = Infer<typeof holderView_>
export const holderView: Schema<HolderView> = holderView_

/** Which permission, and from where on. */
const holdersQuery_ = struct('PermissionHoldersQuery', {
  ...pageQueryFields(holderCursor),
  name,
  /** As tokens write it: accounts as the hex of their ids; absent for a global permission. */
  object: option(string(TOKEN_OBJECT_MAX_BYTES)),
})
export type HoldersQuery = Infer<typeof holdersQuery_>
export const holdersQuery: Schema<HoldersQuery> = holdersQuery_

const holderItem_ = struct('PermissionHolderView', { holder: holderView, permission: token })
export type HolderItem = Infer<typeof holderItem_>
export const holderItem: Schema<HolderItem> = holderItem_
export const holderPage = pageOf('PermissionHolderPage', holderItem)
