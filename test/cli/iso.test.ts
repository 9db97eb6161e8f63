/** The commands of the bridge that need no node. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { causewayHere } from './in-process.js'
import type { Run } from './run.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-iso-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const iso = (...words: string[]): Promise<Run> => causewayHere(['iso', ...words], { cwd: folder })
const save = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return name
}
const errorOf = (run: Run) => {
  const { error } = run.json() as unknown as { error: { code: string; exit: number; message: string } }
  expect(run.code).toBe(error.exit)
  return error
}

describe('a template', () => {
  test.each(['pacs008', 'pacs009'])('for %s is valid in every form, with a new id each time', async (family) => {
    const ids = new Set<string>()
    for (const form of ['xml', 'flat', 'json', 'flat-xml']) {
      const made = await iso('template', family, '--form', form, '--amount', '12.5')
      expect(made.code, made.stderr).toBe(0)
      const name = family.replace('pacs', 'pacs.')
      const checked = await iso('validate', await save(`t.${form}`, made.stdout), '--family', name, '--json')
      expect(checked.json()).toMatchObject({ valid: true, family: name, amount: '12.50', bookable: true })
      ids.add(String(checked.json()['message_id']))
    }
    expect(ids.size).toBe(4)
    const fixed = await iso('template', family, '--fixed')
    expect(fixed.stdout).toBe(await readFile(join('templates', 'iso', `${family}.xml`), 'utf8'))
  })

  test('refuses an amount with more decimals than its currency allows', async () => {
    expect(errorOf(await iso('template', 'pacs008', '--amount', '1.005', '--json'))).toMatchObject({
      code: 'bad_value',
    })
  })
})

describe('convert', () => {
  test('converts from XML to flat and back, and lists omitted elements', async () => {
    const xml = await save(
      'c.xml',
      (await iso('template', 'pacs008', '--id', 'CONV-1')).stdout.replace(
        '<Nm>Alpha Trading</Nm>',
        '<Nm>Alpha</Nm><CtryOfRes>DE</CtryOfRes>',
      ),
    )
    const flat = await iso('convert', xml, '--to', 'flat')
    expect(flat.stdout).toContain('MsgId=CONV-1')
    expect(flat.stderr).toContain('left out: CtryOfRes')
    const back = await iso('convert', await save('c.txt', flat.stdout), '--to', 'xml')
    expect(back.stdout).toContain('<MsgId>CONV-1</MsgId>')
    const refused = await iso(
      'convert',
      await save('c.bad', 'MsgId=x'),
      '--family',
      'pacs.008',
      '--to',
      'xml',
      '--json',
    )
    expect(errorOf(refused)).toMatchObject({ code: 'iso_invalid', exit: 4 })
  })

  test('prints invisible characters unchanged, and refuses a value with a line break', async () => {
    const template = (await iso('template', 'pacs008')).stdout
    const named = (name: string) => template.replace('<Nm>Alpha Trading</Nm>', `<Nm>${name}</Nm>`)
    const flat = await iso('convert', await save('n.xml', named('A\u200cB\u00adC')), '--to', 'flat')
    expect(flat.stdout).toContain('DbtrNm=A\u200cB\u00adC\n')
    const broken = await save('b.xml', named('A&#10;SplmtryData/TargetAccountId=mallory@bank'))
    expect(errorOf(await iso('convert', broken, '--to', 'flat', '--json'))).toMatchObject({
      code: 'bad_value',
      exit: 4,
    })
    expect((await iso('convert', broken, '--to', 'json')).stdout).toContain('A\\nSplmtryData')
  })
})

describe('validate', () => {
  test('prints one line per fault for several files, like a compiler, and exits with code 4', async () => {
    const good = await save('good.xml', (await iso('template', 'pacs008')).stdout)
    const bad = await save(
      'bad.xml',
      (await readFile(join(folder, good), 'utf8')).replace('DE75512', 'DE76512').replace('Ccy="EUR"', 'Ccy="XAU"'),
    )
    const run = await iso('validate', good, bad)
    expect(run.code).toBe(4)
    const lines = run.stdout.trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^bad\.xml:\d+:\d+: \w+ \/Document\/.*\[AM(03|11|12)\]$/)
    expect(lines[1]).toMatch(/iban_checksum .*DbtrAcct\/Id\/IBAN: found "DE76.*\[AC02\]$/)
    expect(lines[2]).toBe('1 of 2 valid')
    const json = (await iso('validate', good, bad, '--json')).json() as unknown as {
      valid: boolean
      faults: unknown[]
    }[]
    expect(json.map((one) => [one.valid, one.faults.length])).toEqual([
      [true, 0],
      [false, 2],
    ])
  })
})

describe('explain and codes', () => {
  test('list families, fields and codes', async () => {
    const all = (await iso('explain', '--json')).json() as unknown as { family: string; use: string }[]
    expect(all.filter((one) => one.use.startsWith('POST')).map((one) => one.family)).toEqual(['pacs.008', 'pacs.009'])
    expect(all).toHaveLength(24)
    const fields = (await iso('explain', 'pacs008', '--json')).json() as unknown as {
      fields: { key: string; needed: string }[]
    }
    expect(fields.fields.filter((one) => one.needed === 'yes').map((one) => one.key)).toEqual(
      'MsgId IntrBkSttlmDt DbtrAcct CdtrAcct DbtrAgt CdtrAgt IntrBkSttlmAmt IntrBkSttlmCcy'.split(' '),
    )
    expect((await iso('codes', 'am04')).stdout).toContain('Funds are insufficient')
    for (const unknown of [await iso('codes', 'ZZ99', '--json'), await iso('explain', 'pacs.999', '--json')]) {
      expect(unknown.code).toBe(2)
      expect(errorOf(unknown)).toMatchObject({ code: 'usage' })
    }
  })
})

describe('files of account bindings and reference data', () => {
  test('are refused with the position of every fault', async () => {
    const csv = await save(
      'b.csv',
      'iban,account\nDE75512108001245126199,alice@bank\nDE75512108001245126199,bob@bank\nXX12,bob@bank\n',
    )
    const refused = errorOf(await iso('import', csv, '--dry-run', '--json'))
    expect(refused.message).toContain('line 3: DE75512108001245126199 is already in line 2')
    expect(refused.message).toContain('line 4: XX12')
    const list = [
      { iban: 'DE75512108001245126199', account: 'alice@bank' },
      { currency: 'EUR', definition: 'eur#bank' },
      { submitter: 'desk@bank', domain: 'bank', bics: ['ALPHDEFFXXX'] },
    ]
    const good = await iso('import', await save('b.json', JSON.stringify(list)), '--dry-run', '--json')
    expect(good.json()).toMatchObject({ dry_run: true, ibans: 1, currencies: 1, submitters: 1 })
    const bics = await save('bic.json', JSON.stringify({ version: '1', source: 's', entries: [{ bic: 'ALPHDEFF' }] }))
    expect((await iso('refdata', 'lint', bics, '--json')).json()).toMatchObject({
      valid: true,
      kind: 'bic',
      entries: 1,
    })
    const bad = await save('bad.json', JSON.stringify({ version: '1', entries: [{ bic: 'x' }] }))
    expect(errorOf(await iso('refdata', 'lint', bad, '--json'))).toMatchObject({ code: 'bad_value', exit: 4 })
  })
})
