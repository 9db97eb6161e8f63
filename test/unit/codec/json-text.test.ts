/** JSON of others: a lone surrogate has no UTF-8, and is refused wherever the text comes from. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLocalnet } from '../../../src/cli/settings/localnet-record.js'
import { readProfiles } from '../../../src/cli/settings/profiles.js'
import { readEntries } from '../../../src/cli/setup/topology-file.js'
import { parseJson } from '../../../src/codec/json-text.js'
import { readDataset } from '../../../src/features/iso20022/refdata/dataset.js'
import { jsonObjectOf } from '../../../src/files/private-file.js'
import { refused } from '../../fixtures/iso20022/messages.js'

const LONE = [
  '"\\ud800"',
  '"\\uDFFF"',
  '{"a":["x\\ud83d\\n"]}',
  '{"\\udc00":1}',
  '"\\ud800\\ud800\\udc00"',
  '"\\\\\\ud800"',
  '"\\ud83d\\\\ude00"',
  `"${'\ud800'}"`,
]
const WHOLE = ['"\\ud83d\\ude00"', '"\\\\ud800"', '"\\u0041\\uFFFD"', '"\u{1f600}"', '["\\"\\\\", "\\/"]', '{"a":1.5}']

describe('a JSON text', () => {
  it.each(LONE)('is refused if it has a lone surrogate: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })
  it.each(WHOLE)('is parsed like JSON.parse if it has no lone surrogate: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })
  it('is read in linear time and at any depth', () => {
    const deep = `${'['.repeat(100_000)}"\\ud800"${']'.repeat(100_000)}`
    expect(() => parseJson(deep)).toThrow()
  })
})

describe('a lone surrogate in an untrusted file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'json-text-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }

  it('is a fault of the topology', async () => {
    const path = await file('topology.json', '{"peers":[{"name":"\\ud800"}]}')
    await expect(readEntries(path)).rejects.toMatchObject({ code: 'topology_invalid' })
  })
  it('is a fault of the record of a local network', async () => {
    await file('localnet.json', '{"version":1,"chain":"\\ud800"}')
    await expect(readLocalnet(folder)).rejects.toMatchObject({ code: 'config_invalid' })
  })
  it('is a fault of the profiles', async () => {
    await mkdir(join(folder, 'causeway'))
    await file('causeway/config.json', '{"active":"\\ud800"}')
    await expect(readProfiles({ XDG_CONFIG_HOME: folder })).rejects.toMatchObject({ code: 'config_invalid' })
  })
  it('is a fault of reference data, of a key file and of a flat message', () => {
    expect(readDataset('bic', Buffer.from('{"version":"\\ud800"}'))).toMatchObject({ ok: false })
    expect(() => jsonObjectOf('key.json', '{"a":"\\ud800"}')).toThrow('the file is not JSON')
    expect(refused('{"MsgId":"\\ud800"}')).toMatchObject({ stage: 'malformed', codes: ['json_malformed@/'] })
  })
})
