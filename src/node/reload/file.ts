/** Owns the file with the result of the last reload, since a signal has no response. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../files/write-file.js'
import { LedgerError } from '../../model/index.js'
import type { Reloaded } from './reload.js'

const FILE = 'reload.json'

/** Result of a reload. */
export type ReloadOutcome =
  | Reloaded
  | { readonly error: { readonly code: string; readonly message: string; readonly hint?: string | undefined } }

/** Result of a reload that may fail; other failures are rethrown. */
export const outcomeOf = (work: Promise<Reloaded>): Promise<ReloadOutcome> =>
  work.catch((error: unknown) => {
    if (!(error instanceof LedgerError)) throw error
    const { code, message, hint } = error
    return { error: { code, message, hint } }
  })

/** Write the result with a unique time, which distinguishes it from the previous result. */
export const writeOutcome = (dataDir: string, outcome: ReloadOutcome, atMs: number): Promise<void> =>
  replaceFile(join(dataDir, FILE), `${JSON.stringify({ at_ms: atMs, ...outcome })}\n`, 0o600)

/** Last result with its time; undefined if there is none. */
export async function readOutcome(dataDir: string): Promise<(ReloadOutcome & { readonly at_ms: number }) | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as ReloadOutcome & { readonly at_ms: number })
}
