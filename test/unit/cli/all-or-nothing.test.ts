/** After a failure, commands that create several files leave none of them, and do not touch other files. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allOrNothing } from '../../../src/cli/setup/all-or-nothing.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'all-or-nothing-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Makes a peer as `init` does, and fails after `meanwhile`. */
const failing = (meanwhile: (keys: string) => Promise<void>): Promise<never> =>
  allOrNothing(async (made) => {
    const keys = join(folder, 'peer', 'keys')
    made((await mkdir(keys, { recursive: true })) ?? '')
    await writeFile(join(keys, 'network.json'), 'own')
    made(join(keys, 'network.json'))
    await meanwhile(keys)
    throw new Error('the disk is full')
  })

describe('a command that fails', () => {
  it('leaves none of its files and folders behind', async () => {
    await expect(failing(async () => undefined)).rejects.toThrow('the disk is full')
    expect(await readdir(folder)).toEqual([])
  })

  it('keeps keys that another run created meanwhile', async () => {
    await expect(failing((keys) => writeFile(join(keys, 'validator.json'), 'theirs'))).rejects.toThrow(
      'the disk is full',
    )
    expect(await readdir(join(folder, 'peer', 'keys'))).toEqual(['validator.json'])
  })
})
