/**
 * Owns permissions and roles as clients see them: error codes, instructions, events, views, queries and routes
 * (docs/design/lanes.md 1, rows 18 and 21 to 24).
 */

import { noAccount } from '../../api/absent-texts.js'
import { holderCursor } from '../../api/cursors.js'
import { defineSchema } from '../../api/feature.js'
import { pageOf, pageParameters } from '../../api/paging.js'
import {
  accountPath,
  accountQuery,
  byNameQuery,
  namePath,
  pageQueryFields,
  pageQueryOf,
} from '../../api/query-inputs.js'
import { defineRoute } from '../../api/route.js'
import { enumOf, type Infer, list, option, struct, varint } from '../../codec/index.js'
import {
  aboutGrantee,
  aboutObjects,
  accountId,
  accountParty,
  answered,
  assetDefinitionId,
  CORE_IDS,
  declareErrors,
  defineEvents,
  defineInstructions,
  defineQueries,
  domainId,
  type ErrorDef,
  type EventSubject,
  EXIT,
  type InstructionOf,
  name,
  nftId,
  permissionObject,
  ROLE_MANAGERS_MAX,
  ROLES_MAX,
  roleEvents,
  TOKENS_MAX,
  token,
} from '../../model/index.js'

const errors = declareErrors({
  unknown_permission: answered(
    5,
    422,
    EXIT.rejected,
    'The permission does not exist, or does not match its object.',
    'docs/reference/instructions.md lists permissions and their objects.',
  ),
  last_holder: answered(
    6,
    422,
    EXIT.rejected,
    'No other account holds this global permission.',
    'Grant it to another account first.',
  ),
  too_many_tokens: answered(
    18,
    422,
    EXIT.rejected,
    'The account or role has reached its limit of permissions.',
    'Revoke some, or use a role.',
  ),
  too_many_roles: answered(
    32,
    422,
    EXIT.rejected,
    'The account has reached its limit of roles.',
    'Revoke one of its roles.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

/** Object with a transferable owner. Append only. */
export type Owned = Infer<typeof owned>
const owned = enumOf('OwnedObject', {
  domain: [0, domainId],
  definition: [1, assetDefinitionId],
  nft: [2, nftId],
})

/** Id text of an object with an owner; the forms of the three kinds are disjoint. */
const objectText = (object: Owned): string => object.value

/** Permission in a request: the ledger adds the incarnation of its object. */
export interface PermissionSubject extends Infer<typeof permissionSubject> {}
export const permissionSubject = struct('PermissionSubject', {
  name,
  /** Id text of the object; for accounts the hex of their id. */
  object: option(permissionObject),
})

/** Subject of a grant. Append only. */
const subject = enumOf('GrantSubject', { permission: [0, permissionSubject], role: [1, name] })

/** Grantee. Append only. */
const grantee = enumOf('Grantee', { account: [0, accountId], role: [1, name] })

export const instructions = defineInstructions({
  grant: { id: 23, label: 'permission::grant', record: { subject, to: grantee } },
  revoke: { id: 24, label: 'permission::revoke', record: { subject, to: grantee } },
  registerRole: {
    id: 21,
    label: 'role::register',
    record: {
      id: name,
      permissions: list(permissionSubject, TOKENS_MAX),
      /** Accounts that may grant and change the role, in addition to the holders of CanManageRoles. */
      managers: list(accountId, ROLE_MANAGERS_MAX),
    },
  },
  unregisterRole: { id: 22, label: 'role::unregister', record: { id: name } },
  transferOwnership: { id: 18, label: 'object::transfer_ownership', record: { object: owned, to: accountId } },
})

export interface GrantOrRevoke extends InstructionOf<typeof instructions.grant> {}

const role: EventSubject<{ readonly role: string }> = { subject: 'role', about: (value) => aboutObjects(value.role) }

export const events = {
  ...roleEvents,
  ...defineEvents({
    permissionAdded: { id: 10, record: { account: accountId, token }, ...aboutGrantee },
    permissionRemoved: { id: 11, record: { account: accountId, token }, ...aboutGrantee },
    roleCreated: { id: 25, record: { role: name }, ...role },
    roleDeleted: { id: 26, record: { role: name }, ...role },
    rolePermissionAdded: { id: 27, record: { role: name, token }, ...role },
    rolePermissionRemoved: { id: 28, record: { role: name, token }, ...role },
    ownerChanged: {
      id: 24,
      record: { object: owned, from: accountId, to: accountId },
      subject: 'ownership',
      about: ({ object, from, to }) => ({
        objects: [objectText(object)],
        parties: [accountParty(from), accountParty(to)],
      }),
    },
  }),
}

export interface RoleView extends Infer<typeof roleView> {}
const roleView = struct('RoleView', {
  id: name,
  permissions: list(token, TOKENS_MAX),
  managers: list(accountId, ROLE_MANAGERS_MAX),
  members: varint,
})

const rolePage = pageOf('RolePage', roleView)
const rolesInput = pageQueryOf('RolesQuery', name)

export interface AccountGrantsView extends Infer<typeof accountGrantsView> {}
/** Permissions of an account: its own permissions, and the permissions of its roles by name. */
const accountGrantsView = struct('AccountGrantsView', {
  account: accountId,
  permissions: list(token, TOKENS_MAX),
  roles: list(roleView, ROLES_MAX),
})

export const holderView = enumOf('PermissionHolder', { account: [0, accountId], role: [1, name] })

export interface HoldersQuery extends Infer<typeof holdersQuery> {}
/** Permission, and the position to continue from. */
const holdersQuery = struct('PermissionHoldersQuery', {
  ...pageQueryFields(holderCursor),
  name,
  /** Object in token form: for accounts the hex of their id; absent for a global permission. */
  object: option(permissionObject),
})

export interface HolderItem extends Infer<typeof holderItem> {}
const holderItem = struct('PermissionHolderView', { holder: holderView, permission: token })

const holderPage = pageOf('PermissionHolderPage', holderItem)

export const queries = defineQueries({
  roles: { id: 8, input: rolesInput, output: rolePage },
  role: { id: 9, input: byNameQuery, output: roleView },
  accountGrants: { id: 10, input: accountQuery, output: accountGrantsView },
  permissionHolders: { id: 19, input: holdersQuery, output: holderPage },
})

const accountGrantsRoute = defineRoute({
  id: 'ledger.account.permissions',
  method: 'GET',
  path: '/v1/accounts/{id}/permissions',
  summary: 'Permissions and roles of an account',
  access: 'public',
  format: 'json',
  params: accountPath,
  accounts: { id: 'name' },
  response: accountGrantsView,
}).byQuery(
  queries.accountGrants,
  ({ accounts }) => accounts.id,
  ({ params }) => noAccount(params.id),
)

const rolesRoute = defineRoute({
  id: 'ledger.roles',
  method: 'GET',
  path: '/v1/roles',
  summary: 'Roles in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters,
  response: rolePage,
}).byPage(queries.roles)

const roleRoute = defineRoute({
  id: 'ledger.role',
  method: 'GET',
  path: '/v1/roles/{id}',
  summary: 'A role: its permissions, its managers, and the number of accounts that hold it',
  access: 'public',
  format: 'json',
  params: namePath,
  response: roleView,
}).byQuery(
  queries.role,
  ({ params }) => params,
  ({ params }) => `role ${params.id} does not exist`,
)

export const permissionSchema = defineSchema({
  name: 'permissions',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: { accountGrants: accountGrantsRoute, roles: rolesRoute, role: roleRoute },
  topics: {
    permission: 'Grant and revoke permissions',
    role: 'Roles: named sets of permissions',
  },
})
