/** Rows of tables in pages have as many cells as their heads: renderers drop the others, or show no table at all. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const cellsOf = (line: string): number =>
  line
    .replaceAll('\\|', '')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length

it('tables of pages are well-formed', () => {
  const pages = execFileSync('git', ['ls-files', '*.md']).toString().split('\n')
  const faults = pages
    .filter((page) => page !== '' && existsSync(page))
    .flatMap((page) => {
      const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
      const tables = text.match(/(?:^\|.*\n)+/gm) ?? []
      return tables.flatMap((table) => {
        const [head = '', ...rows] = table.trimEnd().split('\n')
        return rows.filter((row) => cellsOf(row) !== cellsOf(head)).map((row) => `${page}: ${row.slice(0, 80)}`)
      })
    })
  expect(faults).toEqual([])
})
