/** Owns changes to unsigned manifests: adding instructions. */
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import { changeAlone } from '../../files/change-alone.js'
import { replaceFile } from '../../files/write-file.js'
import { LedgerError } from '../../model/index.js'
import { readJsonFile } from './json-file.js'

/** Append instructions to a manifest; returns the new number. Throws `genesis_invalid`. */
export function addInstructions(file: string, jsonForms: readonly Json[]): Promise<number> {
  return changeAlone(file, () => appendTo(file, jsonForms))
}

async function appendTo(file: string, jsonForms: readonly Json[]): Promise<number> {
  const { value } = await readJsonFile(file, 'genesis_invalid')
  const { instructions = [] } = isJsonObject(value) ? value : {}
  if (!isJsonObject(value) || !isJsonList(instructions)) {
    throw new LedgerError('genesis_invalid', `${file}: expected a manifest with a list of instructions`)
  }
  const all = [...instructions, ...jsonForms]
  await replaceFile(file, `${JSON.stringify({ ...value, instructions: all }, null, 2)}\n`)
  return all.length
}
