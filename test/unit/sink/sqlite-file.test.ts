/** The file of a sink: who may read it. */
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqlite } from '../../../src/sink/sqlite.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sqlite-file-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const modes = async (): Promise<[string, number][]> =>
  Promise.all(
    (await readdir(folder)).map(
      async (name): Promise<[string, number]> => [name, (await stat(join(folder, name))).mode & 0o777],
    ),
  )

it('an SQLite file and its log are readable only by their owner', async () => {
  const warehouse = openSqlite(join(folder, 'ledger.db'), { writes: true })
  const found = await modes()
  await warehouse.close()
  expect(found.length).toBeGreaterThan(1)
  expect(found.filter(([, mode]) => mode !== 0o600)).toEqual([])
})

it('an SQLite file keeps a mode set by its owner, such as group read access', async () => {
  const file = join(folder, 'ledger.db')
  await writeFile(file, '')
  await chmod(file, 0o640)
  await openSqlite(file, { writes: true }).close()
  expect((await stat(file)).mode & 0o777).toBe(0o640)
})

it('an SQLite file that cannot be created is reported with the reason', async () => {
  expect(() => openSqlite(join(folder, 'nowhere', 'ledger.db'), { writes: true })).toThrow(
    expect.objectContaining({ code: 'sink_unavailable' }),
  )
})

it('an SQLite file is not created or changed when it is opened for reading', async () => {
  const file = join(folder, 'ledger.db')
  const reading = () => openSqlite(file, { writes: false })
  const refused = (code: string, message: string) =>
    expect.objectContaining({ code, message: expect.stringContaining(message) })
  expect(reading).toThrow(refused('sink_unavailable', 'no such file'))
  expect(() => openSqlite(folder, { writes: false })).toThrow(refused('sink_unavailable', 'no such file'))
  expect(await readdir(folder)).toEqual([])
  await writeFile(file, '')
  expect(reading).toThrow(refused('sink_conflict', 'no sink has written'))
  expect((await stat(file)).size).toBe(0)
  await openSqlite(file, { writes: true }).close()
  await reading().close()
})
