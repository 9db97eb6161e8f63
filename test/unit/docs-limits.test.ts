/** The page of limits: a bound with a comment stands in it, however many lines the comment has. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const BOUND =
  /\*\/\n(?:export )?const ([A-Z][A-Z0-9_]*(?:MAX|MIN|_MS|BYTES|LIMIT|AT_ONCE)[A-Z0-9_]*)(?:: number)? = [\d_ *+()-]+\n/g

it('the limits page contains each documented bound of the code', () => {
  const page = readFileSync(join(root, 'docs', 'generated', 'limits.md'), 'utf8')
  const named = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(root, 'src', name), 'utf8').matchAll(BOUND)])
    .map(([, name]) => name)
  expect(named.length).toBeGreaterThan(400)
  expect(named.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
})
