/** Reference data: valid files, faults of invalid ones, reload. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guessKind, readDataset } from '../../../src/features/iso20022/refdata/dataset.js'
import { ReferenceData, type ReferenceState } from '../../../src/features/iso20022/refdata/service.js'
import { accepted, CREDITOR_IBAN, DEBTOR_IBAN, envelope009, pacs008 } from '../../fixtures/iso20022/messages.js'

const file = (entries: unknown, more: object = {}) =>
  Buffer.from(JSON.stringify({ version: '2026-03', source: 'test', entries, ...more }))
const BICS = [{ bic: 'ALPHDEFFXXX', name: 'Alpha' }, { bic: 'BETAFRPP' }]
const { payment } = accepted(pacs008())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-refdata-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function loaded(files: Partial<Record<'bic' | 'iban' | 'currency', Buffer>>): Promise<ReferenceData> {
  const paths: Record<string, string> = {}
  for (const [kind, bytes] of Object.entries(files)) {
    paths[kind] = join(folder, `${kind}.json`)
    await writeFile(paths[kind], bytes)
  }
  const data = new ReferenceData(paths, () => 1_000)
  await data.refresh()
  return data
}
const codes = (data: ReferenceData, definition?: string) =>
  data.check(payment, definition).map((one) => `${one.reasonCode}@${one.path}`)

describe('a reference data file', () => {
  it('reports all its faults with their positions', () => {
    const result = readDataset(
      'bic',
      file([{ bic: 'nope' }, { bic: 'ALPHDEFF', lei: 'x' }, 7, { bic: 'ALPHDEFFXXX' }, {}], { extra: 1 }),
    )
    if (result.ok) throw new Error('accepted')
    expect(result.faults.map((one) => one.path)).toEqual([
      'extra',
      'entries[0].bic',
      'entries[1].lei',
      'entries[2]',
      'entries[3]',
      'entries[4].bic',
    ])
    for (const bad of ['', '[]', '{"version":"1"}', '{']) expect(readDataset('bic', Buffer.from(bad)).ok).toBe(false)
  })

  it('must agree with ISO 4217 if it lists currencies', () => {
    const bad = readDataset('currency', file([{ currency: 'JPY', minor_unit: 2 }, { currency: 'XXX' }]))
    expect(bad.ok ? [] : bad.faults.map((one) => one.path)).toEqual(['entries[0].minor_unit', 'entries[1].currency'])
    expect(readDataset('currency', file([{ currency: 'JPY', minor_unit: 0 }])).ok).toBe(true)
  })

  it('is classified by its first entry', () => {
    expect(guessKind(file(BICS))).toBe('bic')
    expect(guessKind(file([{ country: 'DE', bic: 'ALPHDEFF' }]))).toBe('iban')
    expect(guessKind(file([{ currency: 'EUR' }]))).toBe('currency')
    expect(guessKind(Buffer.from('x'))).toBeUndefined()
  })
})

describe('a payment check against reference data', () => {
  it('passes if no file is configured', async () => {
    expect(codes(await loaded({}))).toEqual([])
  })

  it('requires active banks, and a BIC of eight characters matches every branch', async () => {
    expect(codes(await loaded({ bic: file(BICS) }))).toEqual([])
    expect(codes(await loaded({ bic: file([{ bic: 'ALPHDEFF', status: 'DELETED' }]) }))).toEqual([
      'DNOR@DbtrAgt/FinInstnId/BICFI',
      'CNOR@CdtrAgt/FinInstnId/BICFI',
    ])
    const data = await loaded({ bic: file(BICS) })
    expect(data.check(accepted(envelope009()).payment, undefined).map((one) => one.value)).toEqual(['6P9YGUDF'])
  })

  it('requires the accounts in the IBAN file, at the bank that the file lists for them', async () => {
    const entries = [
      { country: 'DE', bban_prefix: '51210800', bic: 'ALPHDEFF' },
      { iban: CREDITOR_IBAN, bic: 'BETAFRPP' },
    ]
    expect(codes(await loaded({ iban: file(entries) }))).toEqual([])
    expect(codes(await loaded({ iban: file([{ iban: DEBTOR_IBAN, bic: 'OTHRDEFF' }]) }))).toEqual([
      'RC03@DbtrAcct/Id/IBAN',
      'AC03@CdtrAcct/Id/IBAN',
    ])
    const longest = [{ country: 'DE', bic: 'OTHRDEFF' }, ...entries]
    expect(codes(await loaded({ iban: file(longest) }))).toEqual([])
  })

  it('requires the currency in the currency file, with the asset definition of that entry', async () => {
    const euro = await loaded({ currency: file([{ currency: 'EUR', asset_definition_id: 'eur#bank' }]) })
    expect(codes(euro, 'eur#bank')).toEqual([])
    expect(codes(euro, 'usd#bank')).toEqual(['AM03@IntrBkSttlmAmt/@Ccy'])
    expect(codes(await loaded({ currency: file([{ currency: 'USD' }]) }))).toEqual(['AM11@IntrBkSttlmAmt/@Ccy'])
  })
})

describe('the reference data of a node', () => {
  it('is loaded again when a file changes, and an invalid file is reported once and ignored', async () => {
    const path = join(folder, 'bic.json')
    await writeFile(path, file(BICS))
    const reported: ReferenceState[] = []
    const data = new ReferenceData(
      { bic: path },
      () => 1_000,
      (state) => void reported.push(state),
    )
    await data.refresh()
    await data.refresh()
    expect(reported).toHaveLength(1)
    expect(data.states()[0]).toMatchObject({ status: 'loaded', version: '2026-03', records: 2, asOfMs: 1_000 })
    await writeFile(
      path,
      '{ this is no JSON, and longer than the file before it was in any case, so that its size differs }',
    )
    await data.refresh()
    await data.refresh()
    expect(reported).toHaveLength(2)
    expect(data.states()[0]).toMatchObject({ status: 'loaded', version: '2026-03' })
    expect(data.states()[0]?.fault).toContain('JSON')
    expect(data.unavailable()).toBeUndefined()
    expect(codes(data)).toEqual([])
    await writeFile(path, file([...BICS, { bic: 'GAMMITMM' }], { version: '2026-04' }))
    await data.refresh()
    expect(data.states()[0]).toMatchObject({ status: 'loaded', version: '2026-04', records: 3, fault: undefined })
  })

  it('prevents messages until each configured file has been loaded once', async () => {
    const data = new ReferenceData({ iban: join(folder, 'none.json') }, () => 0)
    await data.refresh()
    expect(data.states().map((one) => one.status)).toEqual(['missing', 'failed', 'missing'])
    expect(data.unavailable()).toMatchObject({ code: 'iso_refdata' })
    await writeFile(join(folder, 'none.json'), file([{ country: 'DE' }]))
    await data.refresh()
    expect(data.unavailable()).toBeUndefined()
  })
})
