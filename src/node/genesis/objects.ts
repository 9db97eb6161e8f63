/** Owns the objects of permission tokens in manifests: people write addresses, the ledger holds the hex of account ids. */
import type { Json } from '../../codec/index.js'
import { DEFAULT_ADDRESS_PREFIX, keyBytes, parseAddress } from '../../model/index.js'

/** `ADDRESS` and `name#domain#ADDRESS` with the address replaced by the hex of its account id; other texts as they are. */
export function ledgerObject(object: string, prefix: string = DEFAULT_ADDRESS_PREFIX): string {
  const at = object.lastIndexOf('#') + 1
  const account = parseAddress(object.slice(at), prefix)
  return account === undefined ? object : object.slice(0, at) + keyBytes(account).toString('hex')
}

type Fields = { readonly [key: string]: Json }
const isObject = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces the object of a Grant or Revoke in an instruction's JSON twin. */
export function ledgerObjects(instruction: Json, prefix: string | undefined): Json {
  if (!isObject(instruction)) return instruction
  for (const kind of ['Grant', 'Revoke']) {
    const body = instruction[kind]
    const subject = isObject(body) ? body.subject : undefined
    const permission = isObject(subject) ? subject.Permission : undefined
    if (!isObject(body) || !isObject(subject) || !isObject(permission)) continue
    const { object } = permission
    if (typeof object !== 'string') continue
    const replaced = { ...permission, object: ledgerObject(object, prefix) }
    return { [kind]: { ...body, subject: { ...subject, Permission: replaced } } }
  }
  return instruction
}
