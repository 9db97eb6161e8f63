/** Owns the objects of permission tokens in manifests: people write addresses, the ledger holds the hex of account ids. */
import type { Json } from '../../codec/index.js'
import { tokenObject } from '../../model/index.js'

type Fields = { readonly [key: string]: Json }
const isObject = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON of one permission with its object as the ledger holds it. */
function ledgerPermission(permission: Json | undefined, prefix: string | undefined): Json | undefined {
  if (!isObject(permission) || typeof permission.object !== 'string') return permission
  return { ...permission, object: tokenObject(permission.object, prefix) }
}

/** Replaces the objects of permissions in the JSON twin of a Grant, a Revoke or a RegisterRole. */
export function ledgerObjects(instruction: Json, prefix: string | undefined): Json {
  if (!isObject(instruction)) return instruction
  const { RegisterRole: role } = instruction
  if (isObject(role) && Array.isArray(role.permissions)) {
    const permissions = role.permissions.map((one: Json) => ledgerPermission(one, prefix) ?? null)
    return { RegisterRole: { ...role, permissions } }
  }
  for (const kind of ['Grant', 'Revoke']) {
    const body = instruction[kind]
    const subject = isObject(body) ? body.subject : undefined
    const permission = isObject(subject) ? subject.Permission : undefined
    if (!isObject(body) || !isObject(subject) || !isObject(permission)) continue
    return { [kind]: { ...body, subject: { ...subject, Permission: ledgerPermission(permission, prefix) ?? null } } }
  }
  return instruction
}
