/** Owns the reading of the logs of a local network: the last lines, then added ones. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../../base/sleep.js'
import type { LocalPeer } from '../settings/localnet-record.js'

const LOG_FILE = 'node.log'
const POLL_MS = 200
/** Number of bytes at the end of a log that are searched for its last lines. */
const TAIL_BYTES = 1024 * 1024

/** Receive each line with the name of its peer. */
export type LineSink = (peer: string, line: string) => void

/** Bytes of a file from a position on. */
async function from(path: string, position: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const buffer = Buffer.alloc(Math.max(0, Math.min(size - position, TAIL_BYTES)))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

/** Print the last lines of each peer's log and return where each log ended. */
export async function lastLines(
  peers: readonly LocalPeer[],
  count: number,
  sink: LineSink,
): Promise<Map<LocalPeer, number>> {
  const ends = new Map<LocalPeer, number>()
  for (const peer of peers) {
    const path = join(peer.folder, LOG_FILE)
    const size = await sizeOf(path)
    const start = Math.max(0, size - TAIL_BYTES)
    const text = size === 0 ? '' : (await from(path, start)).toString('utf8')
    const end = text.lastIndexOf('\n') + 1
    const lines = text.slice(0, end).split('\n').slice(0, -1)
    for (const line of count === 0 ? [] : lines.slice(-count)) sink(peer.name, line)
    ends.set(peer, start + Buffer.byteLength(text.slice(0, end)))
  }
  return ends
}

/** Print added lines until the process is stopped. */
export async function followLines(ends: Map<LocalPeer, number>, sink: LineSink): Promise<never> {
  for (;;) {
    for (const [peer, position] of ends) {
      const path = join(peer.folder, LOG_FILE)
      const size = await sizeOf(path)
      // A log that shrank was started anew.
      const start = size < position ? 0 : position
      if (size === start) continue
      const bytes = await from(path, start)
      const end = bytes.lastIndexOf(0x0a) + 1
      for (const line of bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) sink(peer.name, line)
      ends.set(peer, start + end)
    }
    await sleep(POLL_MS)
  }
}
