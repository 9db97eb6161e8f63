/** Many message files at once: what is told of each, whatever becomes of the others and of the resume file. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runBatch } from '../../../src/cli/iso/batch.js'
import type { Settings } from '../../../src/cli/settings/settings.js'
import type { Output } from '../../../src/cli/terminal/output.js'
import { CausewayClient } from '../../../src/client/index.js'
import { EXIT } from '../../../src/model/errors.js'
import { temporaryFolder } from '../../support/chain.js'

let folder: string
let remove: () => Promise<void>
let sent: string[]
beforeEach(async () => {
  const made = await temporaryFolder()
  folder = made.path
  remove = made.remove
  sent = []
  for (const name of ['a', 'c']) await writeFile(join(folder, name), `message ${name}`)
  vi.spyOn(CausewayClient.prototype, 'isoSubmitAndWait').mockImplementation(async (_family, body) => {
    sent.push(Buffer.from(body as Uint8Array).toString())
    return { message_id: 'M', pacs002_code: 'ACSC', transaction_hash: 'ab', proof: 'verified' } as never
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await remove()
})

async function submitted(resumeFile?: string) {
  let summary: unknown
  const notes: string[] = []
  const out = { json: true, result: (data: unknown) => (summary = data), note: (text: string) => notes.push(text) }
  const settings = { gateway: 'http://127.0.0.1:1', timeoutMs: 1_000, tokenFor: () => undefined, insecure: false }
  const exit = await runBatch(settings as unknown as Settings, out as unknown as Output, {
    family: 'pacs008',
    files: ['a', 'missing', 'c'].map((name) => join(folder, name)),
    wait: 'committed',
    concurrency: 1,
    resumeFile,
    silent: true,
  })
  return { exit, summary, notes }
}

it('a missing file is reported with the outcomes of the other files', async () => {
  const resume = join(folder, 'resume')
  const { exit, summary } = await submitted(resume)
  expect(exit).toBe(EXIT.config)
  expect(sent).toEqual(['message a', 'message c'])
  expect(summary).toMatchObject({
    files: 3,
    counts: { ACSC: 2, file_missing: 1 },
    results: [
      { file: join(folder, 'a'), pacs002_code: 'ACSC' },
      { file: join(folder, 'c'), pacs002_code: 'ACSC' },
      { file: join(folder, 'missing'), error: { code: 'file_missing' }, exit: EXIT.config },
    ],
  })
  expect((await readFile(resume, 'utf8')).trimEnd().split('\n')).toHaveLength(2)
})

it('outcomes that cannot be stored are reported together with the outcomes of all files', async () => {
  const resume = join(folder, 'resume')
  vi.mocked(CausewayClient.prototype.isoSubmitAndWait).mockImplementationOnce(async () => {
    // The disk serves the file no longer.
    await rm(resume)
    await mkdir(resume)
    return { message_id: 'M', pacs002_code: 'ACSC', proof: 'verified' } as never
  })
  const { summary, notes } = await submitted(resume)
  expect(summary).toMatchObject({ counts: { ACSC: 2, file_missing: 1 } })
  expect(notes).toEqual([expect.stringContaining('outcomes are missing')])
})

it('nothing is sent if outcomes cannot be stored', async () => {
  const resume = join(folder, 'nowhere', 'resume')
  await expect(submitted(resume)).rejects.toMatchObject({ code: 'file_unwritable' })
  expect(sent).toEqual([])
})
