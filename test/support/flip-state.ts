/** Owns corruption of the state database of a stopped node, of a byte or a row, as by a faulty disk. */
import { join } from 'node:path'
import { HEAD_KEY } from '../../src/state/head.js'
import { LevelBackend, type RowKey } from '../../src/state/index.js'

/** First byte of the keys of rows. */
const ROW_SPACE = 1

/** Flip the lowest bit of the last byte of a row in a data directory. */
export const flipState = (dataDir: string, row: RowKey): Promise<void> =>
  // The last bytes are the scale and tags: the mantissa before them decodes with any value.
  flipValue(dataDir, dbKeyOf(row), 2)

/** Remove a row, and leave its leaf in the tree. */
export const dropRow = (dataDir: string, row: RowKey): Promise<void> =>
  withState(dataDir, async (backend) => {
    const batch = backend.batch()
    batch.del(dbKeyOf(row))
    await batch.write()
  })

const dbKeyOf = (row: RowKey): Buffer => Buffer.concat([Buffer.of(ROW_SPACE), Buffer.from(row, 'latin1')])

/** Flip the lowest bit of the stored root of the state. */
export const flipRoot = (dataDir: string): Promise<void> => flipValue(dataDir, HEAD_KEY, 1)

const flipValue = (dataDir: string, key: Buffer, beforeEnd: number): Promise<void> =>
  withState(dataDir, async (backend) => {
    const value = backend.getSync(key)
    if (value === undefined) throw new Error('no such key')
    const at = value.length - beforeEnd
    value[at] = (value[at] ?? 0) ^ 1
    const batch = backend.batch()
    batch.put(key, value)
    await batch.write()
  })

async function withState(dataDir: string, work: (backend: LevelBackend) => Promise<void>): Promise<void> {
  const backend = await LevelBackend.open(join(dataDir, 'state'))
  try {
    await work(backend)
  } finally {
    await backend.close()
  }
}
