/** Owns files of blocks: codec frames one after another, or NDJSON; written whole or not at all. */
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import type { StreamedBlock } from '../api/index.js'
import type { CausewayClient } from '../client/index.js'
import { LedgerError } from '../model/index.js'
import { blocksOf } from './block.js'

/** What is written. */
export interface ExportRange {
  readonly from: number
  readonly to: number
  readonly json: boolean
}

/** Writes blocks to a new file or, for `-`, to standard output. Throws `file_exists`, `not_found`. */
export async function exportBlocks(
  client: CausewayClient,
  path: string,
  { from, to, json }: ExportRange,
  onBlock: (height: number) => void,
): Promise<{ readonly blocks: number; readonly bytes: number }> {
  const { BLOCK_MESSAGE_FRAME, streamedBlock } = await import('../api/index.js')
  const codec = await client.codec()
  const encoded = (value: StreamedBlock): Buffer =>
    json
      ? Buffer.from(`${JSON.stringify(streamedBlock.toJson(value, codec))}\n`)
      : BLOCK_MESSAGE_FRAME.seal({ kind: 'block', value }, codec)
  const done = { blocks: 0, bytes: 0 }
  const each = async (write: (bytes: Buffer) => Promise<unknown>): Promise<typeof done> => {
    for await (const block of blocksOf(client, from, to)) {
      const bytes = encoded(block)
      await write(bytes)
      done.blocks += 1
      done.bytes += bytes.length
      onBlock(block.header.height)
    }
    return done
  }
  if (path === '-') {
    return each(async (bytes) => process.stdout.write(bytes) || (await once(process.stdout, 'drain')))
  }
  return intoNewFile(path, each)
}

async function intoNewFile<T>(
  path: string,
  work: (write: (bytes: Buffer) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const draft = `${path}.part`
  // The name is taken first, so that an export never goes over another file.
  await (await open(path, 'wx').catch(refuseExisting(path))).close()
  try {
    const file = await open(draft, 'w')
    try {
      const result = await work((bytes) => file.writeFile(bytes))
      await file.sync()
      await rename(draft, path)
      return result
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(draft, { force: true })
    await rm(path, { force: true })
    throw error
  }
}

const refuseExisting =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EEXIST') throw new LedgerError('file_exists', `${path} exists already`)
    throw error
  }
