/**
 * Owns exclusive changes of files shared by several commands: each read and the write that follows are serialised, so
 * that no change is lost. The lock is a file next to the changed file; a stale lock of a killed process is replaced.
 */
import { randomBytes } from 'node:crypto'
import { link, readFile, realpath, rename, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { sleep } from '../base/sleep.js'
import { errorCode } from '../base/thrown.js'

/**
 * Time after which an unchanged lock is stale, in ms. A change is only a read and a write, so the process of a stale
 * lock must have been killed.
 */
const STALE_MS = 5_000
/** Polling interval of the lock of another process, in ms. */
const LOOK_EVERY_MS = 20

/** Run work that reads and rewrites a file, serialised over all processes. Only tests set a smaller `staleMs`. */
export async function changeAlone<T>(file: string, work: () => Promise<T>, staleMs = STALE_MS): Promise<T> {
  const path = await realpath(file).catch(() => resolve(file))
  const lock = join(dirname(path), `.${basename(path)}.lock`)
  const token = randomBytes(8).toString('hex')
  const isLocked = await take(lock, token, staleMs)
  try {
    return await work()
  } finally {
    // A lock that was taken over belongs to another process.
    if (isLocked && (await tokenIn(lock)) === token) await unlink(lock).catch(() => {})
  }
}

/** Create the lock; false if no file can be created, in which case the work itself reports why it cannot write. */
async function take(lock: string, token: string, staleMs: number): Promise<boolean> {
  const own = `${lock}.${token}`
  try {
    await writeFile(own, token, { flag: 'wx', mode: 0o600 })
  } catch {
    return false
  }
  try {
    let seen: string | undefined
    let sinceMs = performance.now()
    for (;;) {
      try {
        // Linked into place complete: no other process sees it without its token.
        await link(own, lock)
        return true
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') return false
      }
      const other = await tokenIn(lock)
      if (other !== seen) [seen, sinceMs] = [other, performance.now()]
      if (other !== undefined && performance.now() - sinceMs >= staleMs) await removeStale(lock, other, `${own}.stale`)
      else await sleep(LOOK_EVERY_MS)
    }
  } finally {
    await unlink(own).catch(() => {})
  }
}

/** Remove the lock if it has the given token; a lock that was created in the meantime is restored. */
async function removeStale(lock: string, token: string, aside: string): Promise<void> {
  try {
    await rename(lock, aside)
    if ((await tokenIn(aside)) !== token) await link(aside, lock)
  } catch {
    // Another process was faster.
  } finally {
    await unlink(aside).catch(() => {})
  }
}

const tokenIn = (lock: string): Promise<string | undefined> => readFile(lock, 'utf8').catch(() => undefined)
