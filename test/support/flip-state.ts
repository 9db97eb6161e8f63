/** Owns the change of one byte in the state database of a node that does not run: what a bad disk does. */
import { join } from 'node:path'
import { LevelBackend, type RowKey } from '../../src/state/index.js'

/** First byte of the keys of rows. */
const ROW_SPACE = 1

/** Flips the lowest bit of the last byte of a row that lies in a data directory. */
export async function flipState(dataDir: string, row: RowKey): Promise<void> {
  const backend = await LevelBackend.open(join(dataDir, 'state'))
  try {
    const key = Buffer.concat([Buffer.of(ROW_SPACE), Buffer.from(row, 'latin1')])
    const value = backend.getSync(key)
    if (value === undefined) throw new Error('no such row')
    // The last bytes are the scale and tags: the mantissa before them decodes whatever it is.
    const at = value.length - 2
    value[at] = (value[at] ?? 0) ^ 1
    const batch = backend.batch()
    batch.put(key, value)
    await batch.write()
  } finally {
    await backend.close()
  }
}
