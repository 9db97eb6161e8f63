import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const page = await readFile('docs/reference/withstands-tests.md', 'utf8')
/** Tests cited by a row: `file`, "name", "name". */
const NAMED = /`(test\/[^`]+)`((?:, "[^"]+")+)/g

it('the table of withstood attacks names existing tests', async () => {
  const missing: string[] = []
  const named = [...page.matchAll(NAMED)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file, name })),
  )
  for (const { file, name } of named) {
    const source = await readFile(file, 'utf8').catch(() => '')
    if (!source.includes(name)) missing.push(`${file}: ${name}`)
  }
  expect(missing).toEqual([])
  expect(named.length).toBeGreaterThan(60)
})

it('the table of withstood attacks names a test in every row', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Attack|Check without|---)/.test(line))
  expect(rows.filter((row) => row.match(NAMED) === null)).toEqual([])
})
