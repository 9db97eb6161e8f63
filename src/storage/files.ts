/** Owns the file operations that durability rests on: whole writes, exact reads, atomic replacement, folder syncs. */
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Error code of a system call, or undefined. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code

/** Writes all of the bytes at the position. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** Up to `length` bytes from the position in a fresh buffer; fewer only at the end of the file. */
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

/** Makes creations, removals and renames inside a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a file atomically and durably: a crash leaves the old content or the new. Mode 0600. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const fresh = `${path}.new`
  const handle = await open(fresh, 'w', 0o600)
  try {
    await writeAll(handle, bytes, 0)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, path)
  await syncFolder(dirname(path))
}

/** True when something stands at the path. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Cuts a file to a length and makes that durable; nothing happens when it has that length. */
export async function cutFile(handle: FileHandle, size: number, length: number): Promise<void> {
  if (size <= length) return
  await handle.truncate(length)
  await handle.sync()
}
