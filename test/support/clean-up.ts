/** Owns what is left after a test file: a hook of a shared module would be heard by the first file alone, this is run before every one. */
import { afterAll, vi } from 'vitest'
import { releasePorts, TEST_MS } from './ports.js'
import { removeTemporary } from './temporary.js'

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS })
afterAll(removeTemporary)
afterAll(releasePorts)
