/** A local network in a folder whose name has signs beyond ASCII and blanks: it is seen, stopped and removed, and hints quote it. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { processesOf } from '../e2e/localnet.js'
import { freePorts } from '../support/ports.js'
import { causeway } from './run.js'

let root: string
let folder: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-folder-'))
  folder = join(root, 'Überweisung 試験')
})
afterAll(async () => {
  for (const pid of await processesOf(root)) process.kill(pid, 'SIGKILL')
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

const run = (...words: string[]) =>
  causeway(['localnet', ...words, '--dir', folder], { cwd: root, env: { XDG_CONFIG_HOME: join(root, '.config') } })

it('a local network in a folder with special characters is listed by status, stopped by down and removed by reset', async () => {
  const port = await freePorts(2)
  const ports = ['--gateway-port', String(port), '--p2p-port', String(port + 1)]
  const up = await run('up', '--peers', '1', ...ports)
  expect([up.code, up.stdout], up.stderr).toEqual([0, expect.stringContaining(`--dir 'Überweisung 試験'`)])
  expect((await run('status', '--json')).json()).toMatchObject({ running: 1 })
  const down = await run('down', '--json')
  expect([down.code, await processesOf(root)]).toEqual([0, []])
  expect((await run('reset', '--yes')).code).toBe(0)
  expect(existsSync(folder)).toBe(false)
})
