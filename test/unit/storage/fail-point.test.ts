import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { FAIL_POINTS, parseFailPoints } from '../../../src/storage/fail-point.js'

describe('fail points', () => {
  it('are listed in the reference, each with its location', async () => {
    const page = await readFile('docs/reference/fail-points.md', 'utf8')
    const rows = [...page.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, number, place]) => [number, place])
    expect(rows).toEqual(Object.entries(FAIL_POINTS))
  })

  it('are enabled by number, pass and action', () => {
    expect([...parseFailPoints('20')]).toEqual([[20, { left: 1, action: 'kill' }]])
    expect([...parseFailPoints('21@3, 201@2:enospc')]).toEqual([
      [21, { left: 3, action: 'kill' }],
      [201, { left: 2, action: 'enospc' }],
    ])
  })

  it.each(['', '9999', '20@0', '20@x', '20:explode', 'kill'])('reject the setting %j', (text) => {
    expect(() => parseFailPoints(text)).toThrow(/is not a fail point/)
  })
})
