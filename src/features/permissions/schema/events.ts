/** Owns the events of permissions, roles and ownership. */

import { struct } from '../../../codec/index.js'
import {
  type AccountId,
  aboutObjects,
  aboutParties,
  accountId,
  accountParty,
  defineEvent,
  type EventSubject,
  name,
  token,
} from '../../../model/index.js'
import { PERMISSION_EVENTS as ID } from './ids.js'
import { objectText, owned } from './owned.js'

const permission: EventSubject<{ readonly account: AccountId }> = {
  subject: 'permission',
  about: (value) => aboutParties(accountParty(value.account)),
}
export const permissionAdded = defineEvent(
  ID.permissionAdded,
  'permissionAdded',
  struct('PermissionAdded', { account: accountId, token }),
  permission,
)
export const permissionRemoved = defineEvent(
  ID.permissionRemoved,
  'permissionRemoved',
  struct('PermissionRemoved', { account: accountId, token }),
  permission,
)
export const roleGranted = defineEvent(
  ID.roleGranted,
  'roleGranted',
  struct('RoleGranted', { account: accountId, role: name }),
  permission,
)
export const roleRevoked = defineEvent(
  ID.roleRevoked,
  'roleRevoked',
  struct('RoleRevoked', { account: accountId, role: name }),
  permission,
)

const role: EventSubject<{ readonly role: string }> = { subject: 'role', about: (value) => aboutObjects(value.role) }
export const roleCreated = defineEvent(ID.roleCreated, 'roleCreated', struct('RoleCreated', { role: name }), role)
export const roleDeleted = defineEvent(ID.roleDeleted, 'roleDeleted', struct('RoleDeleted', { role: name }), role)
export const rolePermissionAdded = defineEvent(
  ID.rolePermissionAdded,
  'rolePermissionAdded',
  struct('RolePermissionAdded', { role: name, token }),
  role,
)
export const rolePermissionRemoved = defineEvent(
  ID.rolePermissionRemoved,
  'rolePermissionRemoved',
  struct('RolePermissionRemoved', { role: name, token }),
  role,
)

const ownerChanged_ = struct('OwnerChanged', { object: owned, from: accountId, to: accountId })
export const ownerChanged = defineEvent(ID.ownerChanged, 'ownerChanged', ownerChanged_, {
  subject: 'ownership',
  about: ({ object, from, to }) => ({
    objects: [objectText(object)],
    parties: [accountParty(from), accountParty(to)],
  }),
})
