/** Owns view records of permissions and roles. */

import { holderCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import { enumOf, type Infer, list, option, string, struct, varint } from '../../../codec/index.js'
import {
  accountId,
  name,
  ROLE_MANAGERS_MAX,
  ROLES_MAX,
  TOKEN_OBJECT_MAX_BYTES,
  TOKENS_MAX,
  token,
} from '../../../model/index.js'

export interface RoleView extends Infer<typeof roleView> {}
export const roleView = struct('RoleView', {
  id: name,
  permissions: list(token, TOKENS_MAX),
  managers: list(accountId, ROLE_MANAGERS_MAX),
  members: varint,
})

export const rolePage = pageOf('RolePage', roleView)
export const rolesInput = pageQueryOf('RolesQuery', name)

export interface AccountGrantsView extends Infer<typeof accountGrantsView> {}
/** What an account may: its own permissions, and those of its roles by name. */
export const accountGrantsView = struct('AccountGrantsView', {
  account: accountId,
  permissions: list(token, TOKENS_MAX),
  roles: list(roleView, ROLES_MAX),
})

export type HolderView = Infer<typeof holderView>
export const holderView = enumOf('PermissionHolder', { account: [0, accountId], role: [1, name] })

export interface HoldersQuery extends Infer<typeof holdersQuery> {}
/** Which permission, and from where on. */
export const holdersQuery = struct('PermissionHoldersQuery', {
  ...pageQueryFields(holderCursor),
  name,
  /** As tokens write it: accounts as the hex of their ids; absent for a global permission. */
  object: option(string(TOKEN_OBJECT_MAX_BYTES)),
})

export interface HolderItem extends Infer<typeof holderItem> {}
export const holderItem = struct('PermissionHolderView', { holder: holderView, permission: token })

export const holderPage = pageOf('PermissionHolderPage', holderItem)
