/** Owns the form of a check of the doctor: what it looks at, what it found, what to try, and what it can mend itself. */

import { failureOf } from '../cli/command/failure.js'
import type { GenesisPayload } from '../model/index.js'
import type { NodeConfig } from '../node/config/index.js'
import type { DataDirHolder } from '../storage/index.js'
import type { Access, Live } from './live.js'

/** How a finding is meant: `skip` says that something else must be fixed first. */
export type Level = 'ok' | 'warn' | 'fail' | 'skip'

/** Names of the checks, in the order in which they are told; the same in every release: scripts match on them. */
export const CHECKS = [
  'config',
  'genesis',
  'node',
  'bls',
  'ed25519',
  'key.validator',
  'key.next_validator',
  'key.network',
  'topology',
  'data_dir',
  'disk',
  'fsync',
  'open_files',
  'ports',
  'tls',
  'gateway',
  'synced',
  'quorum',
  'upgrades',
  'mode',
  'progress',
  'clock',
  'signer',
  'process',
  'integrations',
  'peers',
] as const
export type Check = (typeof CHECKS)[number] | `key.${string}`

/** What a check found. */
export interface Finding {
  readonly check: Check
  readonly level: Level
  readonly text: string
  /** A command or an action. */
  readonly try?: string
  /** Mends it and says what was done; only with `--fix`. */
  readonly fix?: () => Promise<string>
}

/** What the checks share; a part that could not be read is undefined. */
export interface DiagnosticContext {
  readonly configFile: string
  readonly config: NodeConfig | undefined
  readonly genesis: GenesisPayload | undefined
  /** The process that holds the data directory. */
  readonly holder: DataDirHolder | undefined
  /** True when that is a node. */
  readonly running: boolean
  /** What the running node says, or why it says nothing; undefined while none runs. */
  readonly live: Live | Error | undefined
  readonly access: Access
}

export const ok = (check: Check, text: string): Finding => ({ check, level: 'ok', text })
export const warn = (check: Check, text: string, hint?: string): Finding => finding(check, 'warn', text, hint)
export const fail = (check: Check, text: string, hint?: string): Finding => finding(check, 'fail', text, hint)
export const skip = (check: Check, text: string): Finding => ({ check, level: 'skip', text })

const finding = (check: Check, level: Level, text: string, hint: string | undefined): Finding =>
  hint === undefined ? { check, level, text } : { check, level, text, try: hint }

/** The finding of a thrown error: what a command that ends with it would say. */
export function failed(check: Check, error: unknown): Finding {
  const { message, hint } = failureOf(error, 'doctor').record
  return fail(check, message, hint)
}
