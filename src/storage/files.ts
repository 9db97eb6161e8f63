/** Owns the file operations of durable storage: whole writes, exact reads, atomic replacement, folder syncs. */
import { constants, writeSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { errorCode } from '../base/thrown.js'

/**
 * True if a write itself can wait for the disk; on other systems the flag is missing, or does not reach the cache of
 * the disk.
 */
const WRITES_THROUGH = process.platform === 'linux'
/**
 * Flags of files that `writeDurably` appends to: one system call and one thread round trip for durable bytes, instead
 * of two for a write and a sync.
 */
export const APPENDED = constants.O_RDWR | (WRITES_THROUGH ? constants.O_DSYNC : 0)

/**
 * Mean write time in ms up to which a worker thread writes synchronously, since a round trip to another thread costs
 * more. On a slower or busy disk another thread waits. The main thread never writes synchronously: a hanging disk must
 * not block links and health checks.
 */
const QUICK_WRITE_MS = 1
/** Maximum size of a synchronous write, in bytes; the duration of larger writes does not predict the next one. */
const QUICK_WRITE_MAX_BYTES = 64 * 1024
/** Weight of the last write in the mean: one slow write in a hundred has no effect, a few in a row do. */
const LAST_WRITE_WEIGHT = 1 / 8

/** Moving mean of the write times of this thread, in ms. */
let usualWriteMs = 0

/** Write all bytes at the position of a file opened as `APPENDED`; resolves once they are on disk. */
export async function writeDurably(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  const startedMs = performance.now()
  if (!WRITES_THROUGH) {
    await writeAll(handle, bytes, position)
    return handle.datasync()
  }
  if (isMainThread || bytes.length > QUICK_WRITE_MAX_BYTES) return writeAll(handle, bytes, position)
  if (usualWriteMs <= QUICK_WRITE_MS) writeAllAtOnce(handle.fd, bytes, position)
  else await writeAll(handle, bytes, position)
  usualWriteMs += (performance.now() - startedMs - usualWriteMs) * LAST_WRITE_WEIGHT
}

/** Write all bytes at the position, synchronously. */
function writeAllAtOnce(file: number, bytes: Uint8Array, position: number): void {
  let done = 0
  while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, position + done)
}

/** Write all bytes at the position. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** Up to `length` bytes from the position in a new buffer; fewer only at the end of the file. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done)
    if (bytesRead === 0) return bytes.subarray(0, done)
    done += bytesRead
  }
  return bytes
}

/** Make creations, removals and renames inside a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Replace a file atomically and durably: a crash leaves the old content or the new. A failure leaves no temporary file.
 * Mode 0600.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const fresh = `${path}.new`
  const handle = await open(fresh, 'w', 0o600)
  try {
    try {
      await writeAll(handle, bytes, 0)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, path)
  } catch (error) {
    // Frees the space on a full disk.
    await rm(fresh, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}

/** True if the path exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Truncate a file to a length durably; does nothing if it has that length. */
export async function cutFile(handle: FileHandle, size: number, length: number): Promise<void> {
  if (size <= length) return
  await handle.truncate(length)
  await handle.sync()
}
