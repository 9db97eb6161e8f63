/** Owns readable forms of objects in manifests: permission objects with addresses, policy members in any order. */

import type { Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/index.js'
import { isJsonList } from '../../codec/schema.js'
import { parseAddress, tokenObject } from '../../model/index.js'

/** JSON of a permission with its object in the form of the ledger. */
function ledgerPermission(permission: Json | undefined, prefix: string | undefined): Json | undefined {
  if (!isJsonObject(permission) || typeof permission.object !== 'string') return permission
  return { ...permission, object: tokenObject(permission.object, prefix) }
}

/**
 * Members of a policy in the order of their ids, which addresses do not show. Malformed members are kept, so that the
 * schema reports them.
 */
function ledgerMembers(members: readonly Json[], prefix: string | undefined): readonly Json[] {
  const ids = members.map((one) =>
    isJsonObject(one) && typeof one.account === 'string' ? parseAddress(one.account, prefix) : undefined,
  )
  if (ids.includes(undefined)) return members
  const places = members.map((_, place) => place)
  const idAt = (place: number): string => ids[place] ?? ''
  return places.sort((a, b) => (idAt(a) < idAt(b) ? -1 : 1)).map((place) => members[place] ?? null)
}

/** Convert the JSON form of a Grant, a Revoke, a RegisterRole or a RegisterMultisig to the form of the ledger. */
export function ledgerObjects(instruction: Json, prefix: string | undefined): Json {
  if (!isJsonObject(instruction)) return instruction
  const { RegisterMultisig: multisig } = instruction
  if (isJsonObject(multisig) && isJsonObject(multisig.policy) && isJsonList(multisig.policy.members)) {
    const members = [...ledgerMembers(multisig.policy.members, prefix)]
    return { RegisterMultisig: { ...multisig, policy: { ...multisig.policy, members } } }
  }
  const { RegisterRole: role } = instruction
  if (isJsonObject(role) && Array.isArray(role.permissions)) {
    const permissions = role.permissions.map((one: Json) => ledgerPermission(one, prefix) ?? null)
    return { RegisterRole: { ...role, permissions } }
  }
  for (const kind of ['Grant', 'Revoke']) {
    const body = instruction[kind]
    const subject = isJsonObject(body) ? body.subject : undefined
    const permission = isJsonObject(subject) ? subject.Permission : undefined
    if (!isJsonObject(body) || !isJsonObject(subject) || !isJsonObject(permission)) continue
    return { [kind]: { ...body, subject: { ...subject, Permission: ledgerPermission(permission, prefix) ?? null } } }
  }
  return instruction
}
