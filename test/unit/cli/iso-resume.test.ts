/** Which files a resume file lets leave out: those that settled on the chain that is paid on. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doneBefore } from '../../../src/cli/iso/batch.js'
import { temporaryFolder } from '../../support/chain.js'

const HERE = 'a'.repeat(64)
const REHEARSAL = 'b'.repeat(64)
let resume: string
let remove: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder()
  remove = folder.remove
  resume = join(folder.path, 'resume.ndjson')
  const settled = { pacs002_code: 'ACSC', proof: 'verified', genesis_hash: HERE }
  const lines = [
    { sha256: 'here', ...settled },
    { sha256: 'rehearsal', ...settled, genesis_hash: REHEARSAL },
    { sha256: 'told', ...settled, proof: 'unverified' },
    { sha256: 'unnamed', pacs002_code: 'ACSC', proof: 'verified' },
    { sha256: 'rejected', ...settled, pacs002_code: 'RJCT' },
  ]
  await writeFile(resume, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"sha256": "half`)
})
afterAll(() => remove())

describe('a resume file', () => {
  it('omits payments proven on the pinned chain, but not payments that settled on another chain', async () => {
    expect(await doneBefore(resume, HERE)).toEqual(new Set(['here']))
  })

  it('omits all payments that a gateway reported as settled if nothing is pinned', async () => {
    expect(await doneBefore(resume, undefined)).toEqual(new Set(['here', 'rehearsal', 'told', 'unnamed']))
  })
})
