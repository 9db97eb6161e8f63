/** Owns the form of a check of the doctor: what it looks at, what it found, what to try, and what it can mend itself. */

import { failureOf } from '../cli/failure.js'
import type { GenesisPayload } from '../model/index.js'
import type { NodeConfig } from '../node/config/index.js'

/** How a finding is meant: `skip` says that something else must be mended first. */
export type Level = 'ok' | 'warn' | 'fail' | 'skip'

/** What a check found. */
export interface Finding {
  /** Name of the check, the same in every run: scripts match on it. */
  readonly check: string
  readonly level: Level
  readonly text: string
  /** A command or an action. */
  readonly try?: string
  /** Mends it and says what was done; only with `--fix`. */
  readonly fix?: () => Promise<string>
}

/** What the checks share; a part that could not be read is undefined. */
export interface Patient {
  readonly configFile: string
  readonly config: NodeConfig | undefined
  readonly genesis: GenesisPayload | undefined
  /** True when a process holds the data directory. */
  readonly running: boolean
}

export const ok = (check: string, text: string): Finding => ({ check, level: 'ok', text })
export const warn = (check: string, text: string, hint?: string): Finding => finding(check, 'warn', text, hint)
export const fail = (check: string, text: string, hint?: string): Finding => finding(check, 'fail', text, hint)
export const skip = (check: string, text: string): Finding => ({ check, level: 'skip', text })

const finding = (check: string, level: Level, text: string, hint: string | undefined): Finding =>
  hint === undefined ? { check, level, text } : { check, level, text, try: hint }

/** The finding of a thrown error: what a command that ends with it would say. */
export function failed(check: string, error: unknown): Finding {
  const { message, hint } = failureOf(error, 'doctor').record
  return fail(check, message, hint)
}
