/** Owns the form of a check of the doctor: its subject, finding, suggestion and optional fix. */

import { failureOf } from '../cli/terminal/failure.js'
import type { GenesisPayload } from '../model/index.js'
import type { NodeConfig } from '../node/config/index.js'
import type { DataDirHolder } from '../storage/index.js'
import type { Access, Live } from './live.js'

/** Severity of a finding: `skip` means that another fault must be fixed first. */
export type Level = 'ok' | 'warn' | 'fail' | 'skip'

/** Names of the checks in output order; stable across releases, because scripts match on them. */
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

/** Finding of a check. */
export interface Finding {
  readonly check: Check
  readonly level: Level
  readonly text: string
  /** A command or an action. */
  readonly try?: string
  /** Repair the fault and return a text about it; only with `--fix`. */
  readonly fix?: () => Promise<string>
}

/** Shared inputs of the checks; unreadable parts are undefined. */
export interface DiagnosticContext {
  readonly configFile: string
  readonly config: NodeConfig | undefined
  readonly genesis: GenesisPayload | undefined
  /** Process that has locked the data directory. */
  readonly holder: DataDirHolder | undefined
  /** True if that process is a node. */
  readonly running: boolean
  /** State of the running node, or the reason why it is unavailable; undefined if none runs. */
  readonly live: Live | Error | undefined
  readonly access: Access
}

export const ok = (check: Check, text: string): Finding => ({ check, level: 'ok', text })
export const warn = (check: Check, text: string, hint?: string): Finding => finding(check, 'warn', text, hint)
export const fail = (check: Check, text: string, hint?: string): Finding => finding(check, 'fail', text, hint)
export const skip = (check: Check, text: string): Finding => ({ check, level: 'skip', text })

const finding = (check: Check, level: Level, text: string, hint: string | undefined): Finding =>
  hint === undefined ? { check, level, text } : { check, level, text, try: hint }

/** Finding of a thrown error, with the message of a command that would end with it. */
export function failed(check: Check, error: unknown): Finding {
  const { message, hint } = failureOf(error, 'doctor').record
  return fail(check, message, hint)
}
