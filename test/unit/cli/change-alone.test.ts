/** Files that several commands change at once: each sees what the others wrote, and a killed one keeps none of them waiting. */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeEntries, putPop, readEntries } from '../../../src/cli/setup/topology-file.js'
import { changeAlone } from '../../../src/files/change-alone.js'
import { addInstructions } from '../../../src/node/genesis/index.js'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'change-alone-'))
  file = join(folder, 'topology.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const numbers = Array.from({ length: 12 }, (_, at) => at)

describe('concurrent commands on one file', () => {
  it('keep every peer and every proof of possession of a topology', async () => {
    await writeFile(file, '{"peers": []}')
    await Promise.all(
      numbers.map((at) => changeEntries(file, (before) => [...before, { name: `p${at}`, key: `k${at}` }])),
    )
    await Promise.all(numbers.map((at) => putPop(file, `k${at}`, `pop-${at}`)))
    const entries = await readEntries(file)
    expect(entries.map(({ pop }) => String(pop)).toSorted()).toEqual(numbers.map((at) => `pop-${at}`).toSorted())
    expect(await readdir(folder)).toEqual(['topology.json'])
  })

  it('keep every instruction of a manifest, and return distinct counts', async () => {
    await writeFile(file, '{"instructions": []}')
    const counts = await Promise.all(numbers.map((at) => addInstructions(file, [{ at }])))
    expect(counts.toSorted((a, b) => a - b)).toEqual(numbers.map((at) => at + 1))
    expect((JSON.parse(await readFile(file, 'utf8')) as { instructions: unknown[] }).instructions).toHaveLength(12)
  })

  it('are serialised even if they use a symbolic link to the file', async () => {
    await writeFile(file, '0')
    await symlink(file, join(folder, 'link.json'))
    const count = async (): Promise<void> => writeFile(file, String(Number(await readFile(file, 'utf8')) + 1))
    await Promise.all([file, join(folder, 'link.json'), file].map((name) => changeAlone(name, count)))
    expect(await readFile(file, 'utf8')).toBe('3')
  })
})

describe('a lock', () => {
  const lock = (): string => join(folder, '.topology.json.lock')

  it('is taken over if a killed command left it, and is removed with the change', async () => {
    await writeFile(lock(), 'of the dead')
    expect(await changeAlone(file, () => readFile(lock(), 'utf8'), 0)).not.toBe('of the dead')
    expect(await readdir(folder)).toEqual([])
  })

  it('is removed when the change fails', async () => {
    await expect(changeEntries(file, (all) => all)).rejects.toMatchObject({ code: 'file_missing' })
    expect(await readdir(folder)).toEqual([])
  })

  it('is left to its new holder if it was taken over meanwhile', async () => {
    await changeAlone(file, () => writeFile(lock(), 'of another'))
    expect(await readFile(lock(), 'utf8')).toBe('of another')
  })

  it('does not hide the error of a change in a missing folder', async () => {
    await expect(changeEntries(join(folder, 'nowhere', 'topology.json'), (all) => all)).rejects.toMatchObject({
      code: 'file_missing',
    })
  })
})
