/** Files that appear whole or not at all: what a failure is called, and that nothing is left of it. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { replaceFile, unwritable, writeNew } from '../../../src/files/write-file.js'
import { LedgerError } from '../../../src/model/errors.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-file-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a new file', () => {
  test('has the given content and mode, and leaves no temporary files', async () => {
    await writeNew(join(folder, 'k.json'), 'secret', 0o600)
    expect(await readFile(join(folder, 'k.json'), 'utf8')).toBe('secret')
    expect((await stat(join(folder, 'k.json'))).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['k.json'])
  })

  test('never overwrites an existing file', async () => {
    await writeFile(join(folder, 'k.json'), 'first')
    await expect(writeNew(join(folder, 'k.json'), 'second')).rejects.toMatchObject({ code: 'file_exists' })
    expect(await readFile(join(folder, 'k.json'), 'utf8')).toBe('first')
    expect(await readdir(folder)).toEqual(['k.json'])
  })
})

describe.each([
  ['a new file', writeNew],
  ['another text of a file', replaceFile],
])('%s that cannot be written', (_name, write) => {
  test.each([
    ['in a folder that is a file', join('blocker', 'k.json'), 'a part of the path is not a folder', 'ENOTDIR'],
    ['in a missing folder', join('nowhere', 'k.json'), 'no such folder', 'ENOENT'],
  ])('%s: the target file is reported, not its temporary name', async (_where, name, why, errno) => {
    await writeFile(join(folder, 'blocker'), '')
    const file = join(folder, name)
    const failure = await write(file, 'text').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'file_unwritable', exit: 3, details: { file, errno } })
    expect((failure as LedgerError).message).toBe(`${file}: ${why}`)
    expect(await readdir(folder)).toEqual(['blocker'])
  })
})

test('a file is replaced atomically, and a folder is not replaced', async () => {
  const file = join(folder, 'topology.json')
  await replaceFile(file, 'one')
  await replaceFile(file, 'two')
  expect(await readFile(file, 'utf8')).toBe('two')
  await mkdir(join(folder, 'deep'))
  const failure = await replaceFile(join(folder, 'deep'), 'x').catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'file_unwritable' })
  expect((await readdir(folder)).toSorted()).toEqual(['deep', 'topology.json'])
})

test('known file system errors have a text of the program, and other errors are unchanged', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open 'ro/.k.json.tmp'"), { code: 'EACCES' })
  expect(unwritable('ro/k.json', denied)).toMatchObject({
    code: 'file_unwritable',
    message: 'ro/k.json: permission denied',
    cause: denied,
  })
  const known = new LedgerError('file_exists', 'there')
  expect(unwritable('x', known)).toBe(known)
  const bug = new TypeError('not of the disk')
  expect(unwritable('x', bug)).toBe(bug)
})
