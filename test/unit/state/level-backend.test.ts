/** The store on disk when its files are not what it wrote. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { diskFaultOf } from '../../../src/files/disk-fault.js'
import { LevelBackend } from '../../../src/state/index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'level-'))
  const backend = await LevelBackend.open(folder)
  const batch = backend.batch()
  batch.put(Buffer.from('a'), Buffer.from('b'))
  await batch.write({ sync: true })
  await backend.close()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it.each([
  ['an overwritten manifest', async (name: string) => writeFile(join(folder, name), 'garbage'), /^MANIFEST/],
  ['a missing manifest', async (name: string) => rm(join(folder, name)), /^MANIFEST/],
  ['a dangling pointer', async (name: string) => writeFile(join(folder, name), 'nothing'), /^CURRENT/],
] as const)(
  'a database that cannot be opened because of %s is reported as corrupt storage, with its folder',
  async (_what, damage, file) => {
    for (const name of await readdir(folder)) if (file.test(name)) await damage(name)
    const error = await LevelBackend.open(folder).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'storage_corrupt', message: expect.stringContaining(folder) })
  },
)

it('a database that cannot be opened because of too many open files reports that reason', () => {
  expect(diskFaultOf(new Error('IO error: /data/state/000005.ldb: Too many open files'))?.why).toContain('ulimit -n')
  expect(diskFaultOf(Object.assign(new Error('open'), { code: 'EMFILE' }))?.errno).toBe('EMFILE')
})
