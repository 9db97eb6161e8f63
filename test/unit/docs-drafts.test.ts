/** The page of drafts names every route that drafts something to sign. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FEATURE_ROUTES } from '../../src/features/composed.js'

it('docs/reference/drafts.md lists the routes that return drafts', () => {
  const page = readFileSync('docs/reference/drafts.md', 'utf8')
  const drafts = FEATURE_ROUTES.filter(({ method, summary }) => method === 'POST' && /^Drafts? /.test(summary))
  expect(drafts.length).toBeGreaterThan(10)
  expect(drafts.filter(({ path }) => !page.includes(path)).map(({ path }) => path)).toEqual([])
})
