import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from '../simulation/mutants.js'

const page = await readFile('docs/reference/consensus-pitfalls.md', 'utf8')

describe('the table of pitfalls', () => {
  it('has every number once, in order', () => {
    const numbers = [...page.matchAll(/^\| (\d+) /gm)].map(([, number]) => Number(number))
    expect(numbers).toEqual(Array.from({ length: 29 }, (_, index) => index + 1))
  })

  it('names existing mutants', () => {
    const known = MUTANTS.map((mutant) => mutant.name)
    const rows = page.split('\n').filter((line) => /mutants? "/.test(line) && line.startsWith('| '))
    const named = rows.flatMap((row) =>
      [...row.matchAll(/mutants? ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, list]) =>
        [...(list ?? '').matchAll(/"([^"]+)"/g)].map(([, name]) => name),
      ),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([])
  })

  it('names existing tests', async () => {
    const files: Record<string, string> = {
      pitfalls: 'test/unit/consensus/pitfalls.test.ts',
      sync: 'test/unit/consensus/sync.test.ts',
      chaos: 'test/chaos/chaos.test.ts',
    }
    const missing: string[] = []
    for (const [, where = '', names = ''] of page.matchAll(/(`test\/[\w/.-]+`|\w+), ("[^"]+"(?:, "[^"]+")*)/g)) {
      const file = files[where] ?? where.replaceAll('`', '')
      if (!file.startsWith('test/')) continue
      const source = await readFile(file, 'utf8')
      const also = where === 'chaos' ? await readFile('test/chaos/run.ts', 'utf8') : ''
      for (const [, name = ''] of names.matchAll(/"([^"]+)"/g))
        if (!source.includes(name) && !also.includes(name)) missing.push(`${file}: ${name}`)
    }
    expect(missing).toEqual([])
  })
})
