/**
 * Owns the database library of the bundle, for tests whose process and a thread of the bundle open one database: LevelDB shares an open
 * database only between users of one native copy.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const CHUNKS = 'dist/bundle/src/chunks'

/** Module `level` as the bundle contains it; for `vi.mock('level', bundledLevel)`. */
export async function bundledLevel(): Promise<{ readonly Level: unknown }> {
  const chunk = readdirSync(CHUNKS).find((name) => /^database-[\w-]+\.js$/.test(name))
  if (chunk === undefined) throw new Error(`cannot find the database library in ${CHUNKS}`)
  const { t: load } = (await import(pathToFileURL(join(CHUNKS, chunk)).href)) as { t: () => { Level: unknown } }
  return { Level: load().Level }
}
