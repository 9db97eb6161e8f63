/** Owns parsers of command line forms of ledger instructions: metadata, objects, permissions, instruction files. */
import type { Json } from '../../codec/index.js'
import { tokenObject } from '../../model/index.js'
import { inputName } from '../input/input.js'
import { instructionTwins, parseJsonText, readJsonInput } from '../input/json.js'
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

/** Object of an argument by its form: `name#domain`, `name$domain`, `label@domain` or an address, else a domain. */
export async function objectOf(text: string, { account }: Pick<Drafting, 'account'>): Promise<Json> {
  if (text.startsWith('trigger:')) return { Trigger: text.slice('trigger:'.length) }
  if (text.includes('#')) return { Definition: text }
  if (text.includes('$')) return { Nft: text }
  return text.includes('@') || /^[a-z0-9]+1[a-z0-9]{38,}$/.test(text)
    ? { Account: await account(text) }
    : { Domain: text }
}

/** A permission `Name` or `Name:object`; accounts in objects are written as addresses or aliases. */
export async function permissionOf(text: string, drafting: Pick<Drafting, 'account' | 'codec'>): Promise<Json> {
  const at = text.indexOf(':')
  if (at < 0) return { name: text, object: null }
  const object = text.slice(at + 1)
  const tail = object.lastIndexOf('#') + 1
  const resolved = object.includes('@') ? object.slice(0, tail) + (await drafting.account(object.slice(tail))) : object
  return { name: text.slice(0, at), object: tokenObject(resolved, drafting.codec.addressPrefix) }
}

/** Holder of a permission in an instruction; undefined unless exactly one of both is given. */
export function holderOf(
  account: string | undefined,
  role: string | undefined,
): ((drafting: Drafting) => Promise<Json>) | undefined {
  if ((account === undefined) === (role === undefined)) return undefined
  return async (drafting): Promise<Json> =>
    role === undefined ? { Account: await drafting.account(account) } : { Role: role }
}

/** The instructions of a file, or of standard input for `-`. */
export const instructionsOfFile = async (path: string): Promise<readonly Json[]> =>
  instructionTwins(await readJsonInput(path), inputName(path))
