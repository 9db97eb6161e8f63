/** Owns temporary folders of tests whose files share a thread; `clean-up.ts` removes them after each file. */
import { chmodSync, mkdtempSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
const PREFIX = join(tmpdir(), 'causeway-test-')

/** New folder that is removed after the tests of the file. */
export async function temporary(): Promise<string> {
  const path = await mkdtemp(PREFIX)
  folders.push(path)
  return path
}

let empty: string | undefined

/** Default working folder of a command in a test: empty, and readable by every user. */
export function emptyFolder(): string {
  if (empty === undefined) {
    empty = mkdtempSync(PREFIX)
    folders.push(empty)
    chmodSync(empty, 0o755)
  }
  return empty
}

/** Remove the folders created so far. */
export async function removeTemporary(): Promise<void> {
  empty = undefined
  await Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true, force: true })))
}
