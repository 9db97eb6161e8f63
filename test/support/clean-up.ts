/**
 * Owns the clean-up after a test file: a hook of a shared module would run for the first file only, whereas this runs
 * for every one.
 */
import { afterAll, vi } from 'vitest'
import { releasePorts, TEST_MS } from './ports.js'
import { removeSettings, restore, surroundings } from './surroundings.js'
import { removeTemporary } from './temporary.js'

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS })
removeSettings()
const before = surroundings()
// Hooks of the file itself run before this one.
afterAll(async () => {
  const changed = restore(before)
  releasePorts()
  await removeTemporary()
  if (changed.length > 0) throw new Error(`this file changed ${changed.join(', ')} for the files after it`)
})
