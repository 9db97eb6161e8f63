/** The one table of payload limits: sound defaults, and the same in the reference page. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_PAYLOAD_LIMITS, PAYLOAD_LIMIT_ROWS } from '../../../../src/consensus/index.js'
import { BODY_MAX_BYTES } from '../../../../src/model/index.js'

it('every limit has a default within its range, and the reference page lists that default', () => {
  const page = readFileSync('docs/reference/payloads.md', 'utf8')
  for (const { key, fallback, min, max } of PAYLOAD_LIMIT_ROWS) {
    expect(fallback, key).toBeGreaterThanOrEqual(min)
    expect(fallback, key).toBeLessThanOrEqual(max)
    expect(page, key).toMatch(new RegExp(`^\\| \`${key}\`\\s+\\| ${fallback}\\s+\\|`, 'm'))
  }
  expect(Object.keys(DEFAULT_PAYLOAD_LIMITS).length).toBe(PAYLOAD_LIMIT_ROWS.length)
})

it('the largest block fits a session and the store, and the stash of one peer fits a block of usual size', () => {
  const { chunkBytes, chunksPerSession, storeSoftBytes, storeHardBytes, stashMessages } = DEFAULT_PAYLOAD_LIMITS
  expect(chunkBytes * chunksPerSession).toBeGreaterThanOrEqual(BODY_MAX_BYTES)
  expect(storeSoftBytes).toBeLessThan(storeHardBytes)
  expect(storeSoftBytes).toBeGreaterThan(BODY_MAX_BYTES)
  expect(stashMessages * chunkBytes).toBeGreaterThan(4 * 1024 * 1024)
})
