/** Hints of errors: the program prints them after `Try:`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Texts of the program that begin with "Try", as `path:line text`. */
function doubledHints(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const path = join(folder, name)
      return readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) => (/(['"`])Try(?! again)\b(?!:)/.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : []))
    })
}

describe('hints of errors', () => {
  it.each(['src', 'commands'])('do not repeat the word Try that precedes them, in %s', (folder) => {
    expect(doubledHints(folder)).toEqual([])
  })
})
