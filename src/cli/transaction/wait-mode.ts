/** Owns what a write waits for. */
import type { WaitUntil } from '../../client/index.js'

/** What a write waits for. */
export type WaitMode = WaitUntil | 'none'
export const WAIT_MODES: readonly WaitMode[] = ['committed', 'queued', 'none']
