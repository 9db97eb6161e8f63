/** Owns files of prepared transactions, which a benchmark passes to its sending and executing processes. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Prepared } from './load.js'

/** Write transactions one after another: u32 length, 32-byte id, signed bytes. */
export async function writeRecords(path: string, prepared: readonly Prepared[]): Promise<void> {
  const parts = prepared.flatMap((one) => {
    const head = Buffer.alloc(36)
    head.writeUInt32BE(one.bytes.length, 0)
    head.set(Buffer.from(one.id, 'hex'), 4)
    return [head, one.bytes]
  })
  await writeFile(path, Buffer.concat(parts))
}

/** Read them back as slices of one buffer. */
export async function readRecords(path: string): Promise<Prepared[]> {
  const all = await readFile(path)
  const prepared: Prepared[] = []
  for (let at = 0; at < all.length; ) {
    const length = all.readUInt32BE(at)
    const bytes = all.subarray(at + 36, at + 36 + length)
    prepared.push({ id: all.subarray(at + 4, at + 36).toString('hex'), bytes })
    at += 36 + length
  }
  return prepared
}
