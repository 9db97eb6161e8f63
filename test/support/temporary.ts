/** Owns temporary folders of tests whose files share a thread; `clean-up.ts` removes them after each file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A fresh folder that is gone after the tests of the file. */
export async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'causeway-test-'))
  folders.push(path)
  return path
}

/** Removes the folders made so far. */
export async function removeTemporary(): Promise<void> {
  await Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true, force: true })))
}
