/** Owns parsers of command line forms of ledger instructions: metadata, objects, permissions, instruction files. */
import { isAliasText, type Wanted } from '../../api/alias-ids.js'
import type { Json } from '../../codec/index.js'
import { LedgerError, tokenObject } from '../../model/index.js'
import { inputName } from '../input/input.js'
import { instructionsJson, parseJsonText, readJsonInput } from '../input/json.js'
import { usageError } from '../terminal/failure.js'
import type { Drafting } from './command.js'

/** Parse a value: JSON if valid, else a text. */
export function jsonOrText(text: string): Json {
  return /^(?:[[{"]|-?\d+$|true$|false$|null$)/.test(text) ? parseJsonText(text, 'value') : text
}

/** Metadata of `key=value` arguments. */
export function metadataOf(words: readonly string[] = []): Json {
  const metadata = new Map<string, Json>()
  for (const word of words) {
    const at = word.indexOf('=')
    if (at < 1) throw usageError(`"${word}" is not metadata`, 'Write key=value; the value may be JSON.')
    const key = word.slice(0, at)
    if (metadata.has(key)) throw usageError(`the metadata key ${key} is given twice`)
    metadata.set(key, jsonOrText(word.slice(at + 1)))
  }
  return Object.fromEntries(metadata)
}

/**
 * Object of an argument by its form: `name#domain`, `name$domain`, an address, `trigger:NAME`, an alias of an account or
 * an asset definition, else a domain.
 */
export async function objectOf(text: string, texts: ObjectTexts): Promise<Json> {
  if (text.startsWith('trigger:')) return { Trigger: text.slice('trigger:'.length) }
  if (isAliasText(text)) {
    const { want, id } = await objectOfAlias(text, texts)
    return want === 'account' ? { Account: id } : { Definition: id }
  }
  if (text.includes('#')) return { Definition: text }
  if (text.includes('$')) return { Nft: text }
  return /^[a-z0-9]+1[a-z0-9]{38,}$/.test(text) ? { Account: text } : { Domain: text }
}

type ObjectTexts = Pick<Drafting, 'account' | 'asset'>

/** Object that an alias resolves to: an account or a definition, unless it resolves to both. */
async function objectOfAlias(
  text: string,
  texts: ObjectTexts,
): Promise<{ readonly want: Wanted; readonly id: string }> {
  const found: { readonly want: Wanted; readonly id: string }[] = []
  let unknown: unknown
  for (const want of ['account', 'asset'] as const) {
    await texts[want](text).then(
      (id) => found.push({ want, id }),
      (error: unknown) => {
        if (!(error instanceof LedgerError) || !isUnknown(error)) throw error
        unknown = error
      },
    )
  }
  const [object, ...more] = found
  if (object === undefined) throw unknown
  if (more.length > 0) throw usageError(`${text} is an account and an asset definition`, 'Give the id of the object.')
  return object
}
const isUnknown = ({ code }: LedgerError): boolean => code === 'alias_unknown' || code === 'not_found'

/** Id of the object of a permission; definitions, accounts and balances may be given with aliases. */
async function permissionObject(text: string, texts: ObjectTexts): Promise<string> {
  const at = text.lastIndexOf('#')
  const [definition, account] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 0) return isAliasText(text) ? (await objectOfAlias(text, texts)).id : text
  const head = isAliasText(definition) ? await texts.asset(definition) : definition
  return `${head}#${isAliasText(account) ? await texts.account(account) : account}`
}

/** Permission `Name` or `Name:object`; accounts and definitions in objects are given as ids or aliases. */
export async function permissionOf(text: string, drafting: ObjectTexts & Pick<Drafting, 'codec'>): Promise<Json> {
  const at = text.indexOf(':')
  if (at < 0) return { name: text, object: null }
  const object = await permissionObject(text.slice(at + 1), drafting)
  return { name: text.slice(0, at), object: tokenObject(object, drafting.codec.addressPrefix) }
}

/** Holder of a permission in an instruction; undefined unless exactly one of the two is given. */
export function holderOf(
  account: string | undefined,
  role: string | undefined,
): ((drafting: Drafting) => Promise<Json>) | undefined {
  if ((account === undefined) === (role === undefined)) return undefined
  return async (drafting): Promise<Json> =>
    role === undefined ? { Account: await drafting.account(account) } : { Role: role }
}

/** Instructions of a file, or of standard input for `-`. */
export const instructionsOfFile = async (path: string): Promise<readonly Json[]> =>
  instructionsJson(await readJsonInput(path), inputName(path))
