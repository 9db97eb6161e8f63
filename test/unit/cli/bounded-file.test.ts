/** Files that are found in a folder of another user: none of them holds a command up, or fills its memory. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readText } from '../../../src/cli/settings/text-file.js'
import { readConfigText } from '../../../src/config/toml.js'
import { readRegular } from '../../../src/files/bounded-file.js'
import { restoreBackup } from '../../../src/node/offline/backup.js'
import { readDataDirFormat } from '../../../src/storage/data-dir.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-bounded-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const pipe = (name: string): string => {
  const path = join(folder, name)
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  return path
}
const endless = async (name: string): Promise<string> => {
  const path = join(folder, name)
  await symlink('/dev/zero', path)
  return path
}

describe('a file in an untrusted folder', () => {
  it('is refused at once by every reader if it is a pipe or a device', async () => {
    const readers: ((path: string) => Promise<unknown>)[] = [
      (path) => readRegular(path, 100),
      (path) => readText(path),
      (path) => readConfigText(path, 100),
    ]
    for (const [at, read] of readers.entries()) {
      await expect(read(pipe(`pipe-${at}`))).rejects.toMatchObject({ code: 'file_unreadable' })
      await expect(read(await endless(`zero-${at}`))).rejects.toMatchObject({ code: 'file_unreadable' })
    }
    await endless('format.json')
    await expect(readDataDirFormat(folder)).rejects.toMatchObject({ code: 'file_unreadable' })
  })

  it('is read up to its size limit, and reported as missing if it does not exist', async () => {
    const path = join(folder, 'file')
    await writeFile(path, 'x'.repeat(100))
    expect((await readRegular(path, 100)).length).toBe(100)
    await expect(readRegular(path, 99)).rejects.toMatchObject({ code: 'payload_too_large' })
    await expect(readConfigText(path, 99)).rejects.toMatchObject({ code: 'config_invalid' })
    await expect(readRegular(join(folder, 'none'), 1)).rejects.toMatchObject({ code: 'file_missing' })
    expect([await readText(join(folder, 'none')), await readText(join(path, 'below'))]).toEqual([undefined, undefined])
  })

  it('is not restored from a backup if it is a symbolic link', async () => {
    await writeFile(join(folder, 'format.json'), '{"format":1,"chain":"c","genesis_hash":"00"}')
    await symlink(join(folder, 'victim'), join(folder, 'audit.log'))
    const place = `${folder}-restored`
    const restored = restoreBackup(folder, place, () => undefined)
    await expect(restored).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('audit.log'),
    })
    await expect(readText(join(place, 'format.json'))).resolves.toBeUndefined()
  })
})
