/** The page of the warehouse names every table, column and view as the sink makes them. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TABLES, VIEWS } from '../../src/sink/tables.js'

it('the warehouse page lists the tables of a sink', () => {
  const page = readFileSync('docs/concepts/warehouse.md', 'utf8')
  for (const { name, about, columns } of TABLES) {
    const section = page.split(`\n### ${name}\n`)[1]?.split('\n#')[0] ?? ''
    expect(section, name).toContain(about)
    const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, column]) => column)
    expect(rows, name).toEqual(columns.map((column) => column.name))
  }
  for (const { name } of VIEWS) expect(page).toContain(`| \`${name}\` |`)
})
