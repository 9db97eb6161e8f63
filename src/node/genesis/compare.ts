/** Owns the comparison of geneses: every difference between two of them. */

import type { Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/index.js'
import { isJsonList } from '../../codec/schema.js'
import type { Abi } from '../../executor/index.js'
import { signedGenesis } from '../../model/index.js'
import { decodeGenesis } from './file.js'
import { parseJsonFile, readBytes } from './json-file.js'

/** Path such as `parameters.block_teu`, with both values; undefined if absent. */
export interface GenesisDifference {
  readonly path: string
  readonly first: Json | undefined
  readonly second: Json | undefined
}

/** JSON form of a genesis file, manifest or signed. Throws the errors of their readers. */
export async function genesisJson(abi: Abi, file: string): Promise<Json> {
  const bytes = await readBytes(file)
  const text = bytes.toString('utf8')
  if (text.trimStart().startsWith('{')) return parseJsonFile(text, file, 'genesis_invalid').value
  const genesis = decodeGenesis(abi, bytes, file)
  return signedGenesis.toJson(genesis, abi.codec(genesis.payload.value.addressPrefix))
}

/** Differences between two values, at the deepest paths. */
export function differencesOf(first: Json | undefined, second: Json | undefined, path = ''): GenesisDifference[] {
  if (isJsonObject(first) && isJsonObject(second)) {
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])]
    return names.flatMap((name) => differencesOf(first[name], second[name], path === '' ? name : `${path}.${name}`))
  }
  if (isJsonList(first) && isJsonList(second)) {
    const length = Math.max(first.length, second.length)
    return Array.from({ length }, (_, at) => differencesOf(first[at], second[at], `${path}[${at}]`)).flat()
  }
  return first === second ? [] : [{ path, first, second }]
}
