/** Owns what is left after a test file: a hook of a shared module would be heard by the first file alone, this is run before every one. */
import { afterAll } from 'vitest'
import { releasePorts } from './ports.js'
import { removeTemporary } from './temporary.js'

afterAll(removeTemporary)
afterAll(releasePorts)
