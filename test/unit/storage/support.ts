// Shared parts of the storage tests: temporary folders, chains of sample blocks, copies of folders and damage to files.
import { cp, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BlockHeader,
  hashOfHeader,
  NO_PROPOSER,
  payloadHash,
  type QuorumCertificate,
  ZERO_HASH,
} from '../../../src/model/index.js'
import type { BlockStore, EntrySlice, NewBlock } from '../../../src/storage/index.js'
import { BLANK_HEADER } from '../../support/headers.js'
import { temporary } from '../../support/temporary.js'

export { temporary }

/** A copy of a folder in a fresh place. */
export async function copyOf(folder: string): Promise<string> {
  const path = await temporary()
  await cp(folder, path, { recursive: true })
  return path
}

/** Every regular file below a folder, relative. */
export async function filesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Flips one byte of a file. */
export async function flip(path: string, offset: number): Promise<void> {
  const bytes = await readFile(path)
  bytes[offset] = (bytes[offset] as number) ^ 0x41
  await writeFile(path, bytes)
}

/** Cuts a file to a length. */
export async function cut(path: string, length: number): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.truncate(length)
  await handle.close()
}

/** Reproducible pseudo-random integers in [0, n) (mulberry32). */
export function seeded(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}

/** A header of a chain of samples. */
export function sampleHeader(height: number, parentHash: Uint8Array, body: Uint8Array): BlockHeader {
  return {
    ...BLANK_HEADER,
    chain: 'storage-test',
    height,
    parentHash,
    originView: 0,
    originProposer: NO_PROPOSER,
    timeMs: height,
    payloadHash: payloadHash(body),
    payloadBytes: body.length,
  }
}

/** A certificate that says what it certifies; its signature is not looked at by storage. */
export const sampleCertificate = (height: number, blockHash: Uint8Array): QuorumCertificate => ({
  phase: 'commit',
  height,
  view: 0,
  blockHash,
  committeeHash: ZERO_HASH,
  bitmap: Buffer.of(7),
  aggregate: Buffer.alloc(96, height),
})

/** The next block of a chain: entries of random size in random lanes, random bytes around them. */
export function sampleBlock(
  random: (n: number) => number,
  parent: { readonly height: number; readonly hash: Uint8Array },
  lanes: number,
  maxEntries = 8,
): NewBlock & { readonly hash: Buffer } {
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random(256)))
  const height = parent.height + 1
  const parts: Buffer[] = [bytes(random(20))]
  const entries: EntrySlice[] = []
  let at = parts[0]?.length ?? 0
  const count = height === 1 ? 0 : random(maxEntries + 1)
  for (let entry = 0; entry < count; entry += 1) {
    const signed = bytes(random(60))
    const gap = bytes(random(4))
    entries.push({ lane: random(lanes), start: at, end: at + signed.length })
    parts.push(signed, gap)
    at += signed.length + gap.length
  }
  const body = Buffer.concat(parts)
  const header = sampleHeader(height, parent.hash, body)
  const hash = hashOfHeader(header)
  const certificate = height === 1 ? undefined : sampleCertificate(height, hash)
  // Both forms of header records, and each after the other.
  return { header, certificate, body, entries, outcome: bytes(random(40)), hash, isPacked: height % 4 > 1 }
}

/** Appends `count` sample blocks and returns them. */
export async function fill(
  store: BlockStore,
  random: (n: number) => number,
  count: number,
  lanes: number,
  known: ReturnType<typeof sampleBlock>[] = [],
): Promise<ReturnType<typeof sampleBlock>[]> {
  const blocks = [...known]
  for (let added = 0; added < count; added += 1) {
    const last = blocks.at(-1)
    const parent = last === undefined ? { height: 0, hash: ZERO_HASH } : { height: last.header.height, hash: last.hash }
    const block = sampleBlock(random, parent, lanes)
    await store.append(block)
    blocks.push(block)
  }
  return blocks
}
