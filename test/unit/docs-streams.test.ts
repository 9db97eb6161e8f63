/** The page of streams names every stream that a node has, and no other. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { STREAM_ROUTES } from '../../src/api/streams.js'
import { FEATURE_ROUTES } from '../../src/features/composed.js'

it('docs/reference/streams.md lists the streams of the node and of its features', () => {
  const [, table = ''] = readFileSync('docs/reference/streams.md', 'utf8').split('| route | transport | what |')
  const [rows = ''] = table.split('\n\n')
  const cells = [...rows.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path))
  const served = [...STREAM_ROUTES, ...FEATURE_ROUTES]
    .filter(({ format }) => format === 'sse' || format === 'websocket')
    .map(({ path }) => path)
  expect(listed.toSorted()).toEqual([...new Set(served)].toSorted())
})
