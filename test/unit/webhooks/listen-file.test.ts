/** The file that `webhook listen` adds deliveries to: who may read it. */
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keep } from '../../../src/cli/webhook/listen.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listen-file-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('a file of received events is private when created, and keeps a mode set by its owner', async () => {
  const file = join(folder, 'got.jsonl')
  keep(file, { id: '1.0' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await chmod(file, 0o640)
  keep(file, { id: '2.0' })
  expect((await stat(file)).mode & 0o777).toBe(0o640)
  expect(await readFile(file, 'utf8')).toBe('{"id":"1.0"}\n{"id":"2.0"}\n')
})
