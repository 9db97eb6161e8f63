/** Environment variables of a command that are passed to the browser it opens. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openBrowser } from '../../src/cli/gateway/browser.js'
import { LINUX_MISSING, needs } from '../support/needs.js'
import { PATIENCE_MS } from '../support/ports.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browser-'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

it('a browser receives neither the passphrase nor the token of the command', needs(LINUX_MISSING), async () => {
  const opener = join(folder, 'xdg-open')
  const seen = join(folder, 'seen')
  await writeFile(opener, `#!/bin/sh\nenv > "${seen}.part"\nmv "${seen}.part" "${seen}"\n`)
  await chmod(opener, 0o700)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  vi.stubEnv('CAUSEWAY_API_TOKEN', 'a-token')
  vi.stubEnv('CAUSEWAY_KEY_PASSPHRASE', 'a-passphrase')
  vi.stubEnv('CAUSEWAY_SINK_URL', 'postgresql://sink:a-password@127.0.0.1/ledger')
  expect(await openBrowser('http://127.0.0.1:8080/explorer/')).toBe(true)
  const environment = await vi.waitFor(() => readFile(seen, 'utf8'), { timeout: PATIENCE_MS })
  expect(environment).toContain(`PATH=${folder}`)
  expect(environment).not.toMatch(/a-token|a-passphrase|a-password/)
})
