/** Owns the change of one byte in the state database of a node that does not run: what a bad disk does. */
import { join } from 'node:path'
import { HEAD_KEY } from '../../src/state/head.js'
import { LevelBackend, type RowKey } from '../../src/state/index.js'

/** First byte of the keys of rows. */
const ROW_SPACE = 1

/** Flips the lowest bit of the last byte of a row that lies in a data directory. */
export const flipState = (dataDir: string, row: RowKey): Promise<void> =>
  // The last bytes are the scale and tags: the mantissa before them decodes whatever it is.
  flipValue(dataDir, Buffer.concat([Buffer.of(ROW_SPACE), Buffer.from(row, 'latin1')]), 2)

/** Flips the lowest bit of the root that the state of a data directory records. */
export const flipRoot = (dataDir: string): Promise<void> => flipValue(dataDir, HEAD_KEY, 1)

async function flipValue(dataDir: string, key: Buffer, beforeEnd: number): Promise<void> {
  const backend = await LevelBackend.open(join(dataDir, 'state'))
  try {
    const value = backend.getSync(key)
    if (value === undefined) throw new Error('no such key')
    const at = value.length - beforeEnd
    value[at] = (value[at] ?? 0) ^ 1
    const batch = backend.batch()
    batch.put(key, value)
    await batch.write()
  } finally {
    await backend.close()
  }
}
