/** The place of a folder that is published. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publishDataDir } from '../../../src/node/process/publish-directory.js'
import { joiningFolder, openDataDir } from '../../../src/storage/index.js'
import { temporary } from '../storage/support.js'

it('publishing a data directory does not replace files that another node has written meanwhile', async () => {
  const root = await temporary()
  const folder = join(root, 'data')
  const published = publishDataDir(folder, async () => {
    await mkdir(folder)
    await writeFile(join(folder, 'votes.log'), 'votes')
  })
  await expect(published).rejects.toMatchObject({ code: 'file_exists' })
  expect([await readdir(root), await readdir(folder)]).toEqual([['data'], ['votes.log']])
})

it('another node that starts to fill the same data directory meanwhile is locked out', async () => {
  const root = await temporary()
  const folder = join(root, 'data')
  const identity = { chain: 'test', genesisHash: Buffer.alloc(32, 7) }
  const joining = await publishDataDir(folder, () => openDataDir(joiningFolder(folder), identity, 'node')).catch(
    (error: unknown) => error,
  )
  expect(joining).toMatchObject({ code: 'data_dir_locked' })
  expect(await readdir(root)).toEqual(['data.joining'])
})
