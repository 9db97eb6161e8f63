/** Owns the reading of file arguments: a path, or `-` for standard input to its end, as bytes and bounded. */
import { open } from 'node:fs/promises'
import { LedgerError } from '../model/errors.js'

/** Default bound of an input, in bytes: larger than any record that a gateway takes. */
export const INPUT_MAX_BYTES = 8 * 1024 * 1024

const tooLarge = (name: string, maxBytes: number): LedgerError =>
  new LedgerError('payload_too_large', `${name}: more than ${maxBytes} bytes`, { details: { max_bytes: maxBytes } })

async function readAll(stream: AsyncIterable<Buffer>, name: string, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let total = 0
  for await (const part of stream) {
    total += part.length
    if (total > maxBytes) throw tooLarge(name, maxBytes)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The bytes of a file or, for `-`, of standard input. Throws `file_missing`, `file_unreadable`, `payload_too_large`. */
export async function readInput(path: string, maxBytes: number = INPUT_MAX_BYTES): Promise<Buffer> {
  // No timer: a slow producer is no empty one.
  if (path === '-') return readAll(process.stdin, 'standard input', maxBytes)
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new LedgerError('file_missing', `${path}: there is no such file`)
    throw new LedgerError('file_unreadable', `${path}: cannot be read (${code ?? 'unknown error'})`)
  }
  try {
    const info = await file.stat()
    if (info.isDirectory()) throw new LedgerError('file_unreadable', `${path}: this is a folder`)
    return await readAll(file.createReadStream({ autoClose: false }), path, maxBytes)
  } finally {
    await file.close()
  }
}

/** Name of an input in messages. */
export const inputName = (path: string): string => (path === '-' ? 'standard input' : path)
