/** Owns the file in which a node says what became of its last reload: a signal has no answer. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../files/write-file.js'
import { LedgerError } from '../model/index.js'
import type { Reloaded } from './reload.js'

const FILE = 'reload.json'

/** What became of a reload. */
export type ReloadOutcome =
  | Reloaded
  | { readonly error: { readonly code: string; readonly message: string; readonly hint?: string | undefined } }

/** The outcome of what may fail; whatever else fails is the caller's. */
export const outcomeOf = (work: Promise<Reloaded>): Promise<ReloadOutcome> =>
  work.catch((error: unknown) => {
    if (!(error instanceof LedgerError)) throw error
    const { code, message, hint } = error
    return { error: { code, message, hint } }
  })

/** Writes the outcome; each has a time of its own, so that it is told from the one before. */
export const writeOutcome = (dataDir: string, outcome: ReloadOutcome, atMs: number): Promise<void> =>
  replaceFile(join(dataDir, FILE), `${JSON.stringify({ at_ms: atMs, ...outcome })}\n`, 0o600)

/** The last outcome with its time; undefined where there was none. */
export async function readOutcome(dataDir: string): Promise<(ReloadOutcome & { readonly at_ms: number }) | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as ReloadOutcome & { readonly at_ms: number })
}
