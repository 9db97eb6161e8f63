/** Owns the records of the instructions about permissions, roles and ownership (docs/design/lanes.md 1, rows 18 and 21 to 24). */
import { enumOf, type Infer, list, option, string, struct } from '../../../codec/index.js'
import {
  accountId,
  defineInstructions,
  type InstructionOf,
  name,
  ROLE_MANAGERS_MAX,
  TOKEN_OBJECT_MAX_BYTES,
  TOKENS_MAX,
} from '../../../model/index.js'
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

export const instructions = defineInstructions({
  grant: { id: 23, label: 'permission::grant', record: { subject, to: grantee } },
  revoke: { id: 24, label: 'permission::revoke', record: { subject, to: grantee } },
  registerRole: {
    id: 21,
    label: 'role::register',
    record: {
      id: name,
      permissions: list(permissionSubject, TOKENS_MAX),
      /** Accounts that may grant and change it, beside the holders of CanManageRoles. */
      managers: list(accountId, ROLE_MANAGERS_MAX),
    },
  },
  unregisterRole: { id: 22, label: 'role::unregister', record: { id: name } },
  transferOwnership: { id: 18, label: 'object::transfer_ownership', record: { object: owned, to: accountId } },
})

export interface GrantOrRevoke extends InstructionOf<typeof instructions.grant> {}
