/** Owns damage to the state database of a node that does not run, a byte or a row: what a bad disk does. */
import { join } from 'node:path'
import { HEAD_KEY } from '../../src/state/head.js'
import { LevelBackend, type RowKey } from '../../src/state/index.js'

/** First byte of the keys of rows. */
const ROW_SPACE = 1

/** Flips the lowest bit of the last byte of a row that lies in a data directory. */
export const flipState = (dataDir: string, row: RowKey): Promise<void> =>
  // The last bytes are the scale and tags: the mantissa before them decodes whatever it is.
  flipValue(dataDir, dbKeyOf(row), 2)

/** Takes a row out, and leaves its leaf in the tree. */
export const dropRow = (dataDir: string, row: RowKey): Promise<void> =>
  withState(dataDir, async (backend) => {
    const batch = backend.batch()
    batch.del(dbKeyOf(row))
    await batch.write()
  })

const dbKeyOf = (row: RowKey): Buffer => Buffer.concat([Buffer.of(ROW_SPACE), Buffer.from(row, 'latin1')])

/** Flips the lowest bit of the root that the state of a data directory records. */
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
