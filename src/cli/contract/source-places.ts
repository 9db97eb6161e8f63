/** Owns source positions of contract faults: errors of the compiler, and bytes of a module by its source map. */
import { SourceMap, type SourceMapPayload } from 'node:module'
import { stripVTControlCharacters } from 'node:util'

/** Compiler error: its code and text, then a listing, then the file, line and column. */
const COMPILE_ERROR = /^ERROR (\w+): (.*)$(?:(?!^ERROR )[\s\S])*?└─ in (.+)\((\d+),(\d+)\)$/gm

/** Position in a file in the format of editors and terminals; line and column from 1. */
const placeText = (file: string, line: number, column: number): string => `${file}:${line}:${column}`

/** Errors of the compiler, each with its position; the whole text if it contains none. */
export function compileFaults(stderr: string): string {
  // The compiler colours its errors if FORCE_COLOR is set.
  const plain = stripVTControlCharacters(stderr)
  const faults = [...plain.matchAll(COMPILE_ERROR)].map(
    ([, code = '', message = '', file = '', line = '', column = '']) =>
      `${placeText(file, Number(line), Number(column))}: ${message} (${code})`,
  )
  return faults.length === 0 ? plain.trim() : faults.join('\n')
}

/** Position of a character in a source. */
export function placeOfIndex(file: string, source: string, index: number): string {
  const before = source.slice(0, index).split('\n')
  return placeText(file, before.length, (before.at(-1)?.length ?? 0) + 1)
}

/** Source position of a byte of a module; undefined if its source map has none. */
export function placeOfByte(map: string, offset: number): string | undefined {
  const found = new SourceMap(JSON.parse(map) as SourceMapPayload).findEntry(0, offset)
  if (!('originalSource' in found)) return undefined
  return placeText(found.originalSource, found.originalLine + 1, found.originalColumn + 1)
}
