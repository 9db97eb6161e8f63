/** Owns the reading of file arguments as bytes of bounded size: a path, or `-` for standard input to its end. */
import { readAll, readBounded } from '../../files/bounded-file.js'

/** Default maximum size of an input, in bytes: larger than any record that a gateway accepts. */
export const INPUT_MAX_BYTES = 8 * 1024 * 1024

/** Bytes of a file or, for `-`, of standard input. Throws `file_missing`, `file_unreadable`, `payload_too_large`. */
export async function readInput(path: string, maxBytes: number = INPUT_MAX_BYTES): Promise<Buffer> {
  // No timeout: a slow producer is not an empty one.
  if (path === '-') return readAll(process.stdin, 'standard input', maxBytes)
  return readBounded(path, maxBytes)
}

/** Name of an input in messages. */
export const inputName = (path: string): string => (path === '-' ? 'standard input' : path)
