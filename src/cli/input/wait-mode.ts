/** Owns the wait modes of writes. */
import type { WaitUntil } from '../../client/index.js'

/** State for which a write waits. */
export type WaitMode = WaitUntil | 'none'
export const WAIT_MODES: readonly WaitMode[] = ['committed', 'queued', 'none']
