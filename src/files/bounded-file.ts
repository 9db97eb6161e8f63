/**
 * Owns the reading of whole files up to a bound: for a device, a pipe or a growing file, reading ends at the bound
 * instead of exhausting memory.
 */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { errorCode } from '../base/thrown.js'
import { LedgerError } from '../model/errors.js'

/** Bytes per read. */
const PART_BYTES = 64 * 1024

const tooLarge = (name: string, maxBytes: number): LedgerError =>
  new LedgerError('payload_too_large', `${name}: more than ${maxBytes} bytes`, { details: { max_bytes: maxBytes } })

/** Read all bytes of a stream. Throws `payload_too_large` as soon as the bound is exceeded. */
export async function readAll(stream: AsyncIterable<Uint8Array>, name: string, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of stream) {
    total += part.length
    if (total > maxBytes) throw tooLarge(name, maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function opened(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  try {
    return await open(path, flags)
  } catch (error) {
    const code = errorCode(error)
    const details = { file: path, errno: code ?? '' }
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new LedgerError('file_missing', `${path}: no such file`, { details })
    throw new LedgerError('file_unreadable', `${path}: cannot read the file (${code ?? 'unknown error'})`, { details })
  }
}

/** Read an open file and close it; `refusal` returns the reason why a kind of file is not read. */
async function wholeOf(
  file: FileHandle,
  path: string,
  maxBytes: number,
  refusal: (info: Stats) => string | undefined,
): Promise<Buffer> {
  try {
    const info = await file.stat()
    const refused = refusal(info)
    if (refused !== undefined) {
      throw new LedgerError('file_unreadable', `${path}: ${refused}`, { details: { file: path } })
    }
    if (info.isFile() && info.size > maxBytes) throw tooLarge(path, maxBytes)
    return await readAll(file.createReadStream({ autoClose: false, highWaterMark: PART_BYTES }), path, maxBytes)
  } finally {
    await file.close()
  }
}

/**
 * Read a file given by the user, including a pipe or a device, up to the bound. Throws `file_missing`,
 * `file_unreadable`, `payload_too_large`.
 */
export const readBounded = async (path: string, maxBytes: number): Promise<Buffer> =>
  wholeOf(await opened(path), path, maxBytes, (info) => (info.isDirectory() ? 'is a folder' : undefined))

/**
 * Bytes of a file in a folder to which another user may have written. A pipe, a device, or a link to either is refused,
 * since reading it could block. Throws like `readBounded`.
 */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer> {
  // NONBLOCK: opening a pipe must not wait for a writer.
  const file = await opened(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return wholeOf(file, path, maxBytes, (info) => (info.isFile() ? undefined : 'is not a regular file'))
}

/** Last bytes of a file, and the number of bytes before them. Throws like `readBounded`. */
export async function readTail(path: string, maxBytes: number): Promise<{ bytes: Buffer; leftOut: number }> {
  const file = await opened(path)
  try {
    const { size } = await file.stat()
    const leftOut = Math.max(0, size - maxBytes)
    const buffer = Buffer.alloc(size - leftOut)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, leftOut)
    return { bytes: buffer.subarray(0, bytesRead), leftOut }
  } finally {
    await file.close()
  }
}
