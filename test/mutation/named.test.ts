/** The named mutants are patches of the sources as they are; that they are caught, `npm run mutation` checks. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Named {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly by: string
  readonly suite: string
}

const NAMED: readonly Named[] = JSON.parse(readFileSync(new URL('named.json', import.meta.url), 'utf8'))
const root = new URL('../../', import.meta.url)

describe('a named mutant', () => {
  it.each(NAMED.map((one) => [one.name, one] as const))('changes the current source: %s', (_name, one) => {
    const source = readFileSync(new URL(one.file, root), 'utf8')
    expect(source.split(one.find), `${one.file} has moved on: adapt the patch`).toHaveLength(2)
    expect(one.by).not.toBe(one.find)
    expect(existsSync(new URL(one.suite, root)), one.suite).toBe(true)
  })
})
