/** Owns the kinds of configuration values: their TOML and environment forms, and their JSON Schema. */
import { isRecord } from '../base/guards.js'
import { parsePublicKey } from '../crypto/index.js'
import { parseHostPort } from './host-port.js'

/** Kind of a key. `undefined` as a default means that the key may be absent. */
export type Kind =
  | { readonly type: 'text' | 'path' | 'host-port' | 'hash' }
  | { readonly type: 'boolean' }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'choice' | 'choices'; readonly values: readonly string[] }
  | { readonly type: 'public-keys' | 'origins' | 'host-names' }
  | { readonly type: 'api-tokens' }
  | TextList
  | TableList

/** List of texts with validation by its owner. */
export interface TextList {
  readonly type: 'texts'
  /** Name of an entry, in the plural. */
  readonly values: readonly [string]
  /** Reason why a text is invalid; undefined if it is valid. */
  fault(text: string): string | undefined
}

/** List of tables with fields defined by a feature; only in the file. */
export interface TableList {
  readonly type: 'tables'
  /** Name of an entry, in the plural. */
  readonly values: readonly [string]
  read(item: unknown): Read
  /** JSON Schema of an entry. */
  readonly item: Readonly<Record<string, unknown>>
}

/** Token that may call the gateway: its SHA-256, never the token itself, and the account that it acts for. */
export interface ApiToken {
  readonly name: string
  /** SHA-256 of the token's UTF-8 bytes, 64 hex digits in lower case. */
  readonly sha256: string
  /** Address or alias `label@domain`; undefined: the token only admits requests to the gateway. */
  readonly account: string | undefined
}

/** Value, or its fault. */
export type Read = { readonly value: unknown } | { readonly fault: string }

/** Longest text of a value, in characters: a path (PATH_MAX of Linux). */
const TEXT_MAX = 4_096
/** Entries of a list: bounds start-up work, far above any real deployment. */
const LIST_MAX = 1_024
const HEX_32 = /^[0-9a-f]{64}$/
const TOKEN_NAME = /^[A-Za-z0-9._-]{1,64}$/

const shown = (value: unknown): string => (typeof value === 'string' ? `"${value.slice(0, 80)}"` : typeOf(value))
const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'nothing' : typeof value === 'object' ? 'a table' : String(value)

const fault = (text: string): Read => ({ fault: text })

function list(value: unknown, what: string, one: (item: unknown) => Read): Read {
  if (!Array.isArray(value)) return fault(`expected a list of ${what}, got ${shown(value)}`)
  if (value.length > LIST_MAX) return fault(`at most ${LIST_MAX} entries`)
  const found: unknown[] = []
  for (const [index, item] of value.entries()) {
    const read = one(item)
    if ('fault' in read) return fault(`entry ${index + 1}: ${read.fault}`)
    found.push(read.value)
  }
  return { value: found }
}

function origin(value: unknown): Read {
  if (typeof value === 'string' && URL.canParse(value)) {
    const url = new URL(value)
    if ((url.protocol === 'http:' || url.protocol === 'https:') && url.origin === value) return { value }
  }
  return fault(`expected an origin such as "https://wallet.example", got ${shown(value)}`)
}

/** DNS name, as in a Host header without the port (RFC 1123, section 2.1). */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/

const hostName = (value: unknown): Read =>
  typeof value === 'string' && HOST_NAME.test(value)
    ? { value }
    : fault(`expected a name such as "node.example" in lower case and without port, got ${shown(value)}`)

function publicKey(value: unknown): Read {
  const key = typeof value === 'string' ? parsePublicKey(value) : undefined
  return key === undefined || key.algorithm === 'bls'
    ? fault(`expected an Ed25519 or secp256k1 public key, got ${shown(value)}`)
    : { value }
}

function apiToken(value: unknown): Read {
  if (!isRecord(value)) {
    return fault('expected { name = "...", sha256 = "...", account = "..." }')
  }
  const extra = Object.keys(value).find((key) => !['name', 'sha256', 'account'].includes(key))
  if (extra !== undefined) return fault(`unknown field "${extra}"; a token has name, sha256 and account`)
  if (typeof value.name !== 'string' || !TOKEN_NAME.test(value.name)) {
    return fault('name: 1 to 64 letters, digits, dots, dashes or underscores')
  }
  // The value is not repeated, because it may be the token itself.
  if (typeof value.sha256 !== 'string' || !HEX_32.test(value.sha256)) {
    return fault('sha256: 64 lower-case hex digits, from `printf %s TOKEN | sha256sum`')
  }
  if (value.account !== undefined && (typeof value.account !== 'string' || value.account === '')) {
    return fault('account: an address or an alias label@domain')
  }
  return { value: { name: value.name, sha256: value.sha256, account: value.account } satisfies ApiToken }
}

const hostPort = (value: unknown): Read =>
  typeof value === 'string' && parseHostPort(value) !== undefined
    ? { value }
    : fault(`expected host:port, for example "127.0.0.1:8080", got ${shown(value)}`)

/** Read a TOML value of the given type. */
export function readValue(kind: Kind, value: unknown): Read {
  switch (kind.type) {
    case 'text':
    case 'path':
      if (typeof value !== 'string' || value === '') return fault(`expected a text, got ${shown(value)}`)
      return value.length > TEXT_MAX || value.includes('\0')
        ? fault(`at most ${TEXT_MAX} characters without NUL`)
        : { value }
    case 'hash':
      return typeof value === 'string' && HEX_32.test(value)
        ? { value }
        : fault(`expected 64 lower-case hex digits, got ${shown(value)}`)
    case 'host-port':
      return hostPort(value)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : fault(`expected true or false, got ${shown(value)}`)
    case 'integer': {
      const inside = Number.isSafeInteger(value) && (value as number) >= kind.min && (value as number) <= kind.max
      return inside ? { value } : fault(`expected an integer from ${kind.min} to ${kind.max}, got ${shown(value)}`)
    }
    case 'choice':
      return typeof value === 'string' && kind.values.includes(value)
        ? { value }
        : fault(`expected one of ${kind.values.join(', ')}, got ${shown(value)}`)
    case 'choices':
      return list(value, 'names', (item) => readValue({ type: 'choice', values: kind.values }, item))
    case 'public-keys':
      return list(value, 'public keys', publicKey)
    case 'origins':
      return list(value, 'origins', origin)
    case 'host-names':
      return list(value, 'host names', hostName)
    case 'texts':
      return list(value, kind.values[0], (item) => {
        const why = typeof item === 'string' && item !== '' ? kind.fault(item) : `expected a text, got ${shown(item)}`
        return why === undefined ? { value: item } : fault(why)
      })
    case 'tables':
      return list(value, kind.values[0], (item) => kind.read(item))
    case 'api-tokens':
      // Nor is this value repeated.
      return Array.isArray(value) ? list(value, 'tokens', apiToken) : fault('expected a list of tokens')
  }
}

/** Read the text of an environment variable; lists are separated by commas. */
export function readEnv(kind: Kind, text: string): Read {
  switch (kind.type) {
    case 'boolean':
      return readValue(kind, text === 'true' ? true : text === 'false' ? false : text)
    case 'integer':
      return readValue(kind, /^-?[0-9]{1,16}$/.test(text) ? Number(text) : text)
    case 'choices':
    case 'public-keys':
    case 'origins':
    case 'host-names':
    case 'texts':
      return readValue(
        kind,
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      )
    case 'api-tokens':
    case 'tables':
      return fault('this key can only be set in the file')
    default:
      return readValue(kind, text)
  }
}

/** JSON Schema of a kind. */
export function kindSchema(kind: Kind): Record<string, unknown> {
  switch (kind.type) {
    case 'text':
    case 'path':
    case 'host-port':
      return { type: 'string', minLength: 1 }
    case 'hash':
      return { type: 'string', pattern: '^[0-9a-f]{64}$' }
    case 'boolean':
      return { type: 'boolean' }
    case 'integer':
      return { type: 'integer', minimum: kind.min, maximum: kind.max }
    case 'choice':
      return { enum: [...kind.values] }
    case 'choices':
      return { type: 'array', items: { enum: [...kind.values] }, maxItems: LIST_MAX }
    case 'public-keys':
    case 'origins':
    case 'host-names':
    case 'texts':
      return { type: 'array', items: { type: 'string' }, maxItems: LIST_MAX }
    case 'tables':
      return { type: 'array', maxItems: LIST_MAX, items: kind.item }
    case 'api-tokens':
      return {
        type: 'array',
        maxItems: LIST_MAX,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'sha256'],
          properties: {
            name: { type: 'string', pattern: TOKEN_NAME.source },
            sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
            account: { type: 'string' },
          },
        },
      }
  }
}
