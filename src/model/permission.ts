/** Owns permission tokens as records (docs/design/lanes.md 1); features register the valid names. */
import { aliasedString, type Infer, option, type Schema, string, struct, text, varint } from '../codec/index.js'
import { parseAddress } from './address.js'
import { keyBytes } from './keys.js'
import { nameFault } from './names.js'

/** Position of an object's registration. Tokens of a deleted object stay invalid if its id is registered again. */
export interface Incarnation extends Infer<typeof incarnation> {}
export const incarnation = struct('Incarnation', { height: varint, index: varint })

/** True for the same registration: an object registered again under the same id has another incarnation. */
export const sameIncarnation = (a: Incarnation, b: Incarnation | undefined): boolean =>
  b !== undefined && a.height === b.height && a.index === b.index

/** True for the same registration, or if neither is registered: accounts of the system are not. */
export const sameRegistration = (a: Incarnation | undefined, b: Incarnation | undefined): boolean =>
  a === undefined ? b === undefined : sameIncarnation(a, b)

/** True for an earlier registration. */
export const isEarlier = (a: Incarnation, b: Incarnation): boolean =>
  a.height < b.height || (a.height === b.height && a.index < b.index)

/** Longest name of a permission, in bytes; all tokens of an account or a role are in one row. */
const PERMISSION_NAME_MAX_BYTES = 64
const permissionName: Schema<string> = text('PermissionName', PERMISSION_NAME_MAX_BYTES, nameFault)

/** Longest object text of a token, in bytes: the longest id is a balance, `name#domain#account`. */
export const TOKEN_OBJECT_MAX_BYTES = 384

/**
 * Object text of a permission in a request; in JSON, accounts and asset definitions may be given with aliases. A name
 * alone is an account.
 */
export const PERMISSION_OBJECT = 'PermissionObject'
export const permissionObject = aliasedString(PERMISSION_OBJECT, TOKEN_OBJECT_MAX_BYTES)

/** Permission: its name and, unless it is global, its object. */
export interface Token extends Infer<typeof token> {}
export const token = struct('Token', {
  name: permissionName,
  /** Id text of the object: domain, `name#domain`, hex account id, `definition#hex account`. */
  object: option(string(TOKEN_OBJECT_MAX_BYTES)),
  incarnation: option(incarnation),
})

/**
 * Replace the address in `ADDRESS` or `name#domain#ADDRESS` with the hex of its account id; other texts are unchanged.
 */
export function tokenObject(text: string, prefix?: string): string {
  const at = text.lastIndexOf('#') + 1
  const account = parseAddress(text.slice(at), prefix)
  return account === undefined ? text : text.slice(0, at) + keyBytes(account).toString('hex')
}

/** True when both are the same permission on the same registration of an object. */
export const sameToken = (a: Token, b: Token): boolean =>
  a.name === b.name &&
  a.object === b.object &&
  (a.incarnation === undefined ? b.incarnation === undefined : sameIncarnation(a.incarnation, b.incarnation))

/** True if a list of tokens contains this one. */
export const hasToken = (held: readonly Token[], token: Token): boolean => held.some((one) => sameToken(one, token))

/** Key of a token in the lists of accounts and roles. */
export const tokenKey = (value: Token): string =>
  `${value.name} ${value.object ?? ''} ${value.incarnation === undefined ? '' : `${value.incarnation.height}.${value.incarnation.index}`}`
