/**
 * Required fields of a payment: without one, or with a wrong value, the message is refused with its place and reason.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  PAYMENT_FAMILIES,
  type PaymentFamilyName,
  type ReasonCode,
} from '../../../src/features/iso20022/message/index.js'
import { accepted, envelope009, FLAT_008, pacs008, refused } from '../../fixtures/iso20022/messages.js'

const BODIES: Readonly<Record<PaymentFamilyName, string>> = { 'pacs.008': pacs008(), 'pacs.009': envelope009() }
const ROOTS: Readonly<Record<PaymentFamilyName, string>> = {
  'pacs.008': '/Document/FIToFICstmrCdtTrf',
  'pacs.009': '/Document/FICdtTrf',
}
/** Character that no required value may contain at any position. */
const FORBIDDEN = '\u00e9'

/** Change the one element at a path of names anywhere in the text; throws if it is absent. */
function edit(text: string, [name = '', ...rest]: readonly string[], change: (element: string) => string): string {
  const found = new RegExp(`<${name}(?: [^>]*)?>.*?</${name}>`, 's').exec(text)?.[0]
  if (found === undefined) throw new Error(`there is no ${name}`)
  const after = text.slice(text.indexOf(found) + found.length)
  const before = text.slice(0, text.indexOf(found))
  return before + (rest.length === 0 ? change(found) : edit(found, rest, change)) + after
}
const without = (text: string, place: string): string => edit(text, place.split('/'), () => '')
const withValue = (text: string, place: string, value: string): string =>
  edit(text, place.split('/'), (element) => element.replace(/>[^<]*</, () => `>${value}<`))
const valueAt = (text: string, place: string): string => {
  let value = ''
  edit(text, place.split('/'), (element) => {
    value = />([^<]*)</.exec(element)?.[1] ?? ''
    return element
  })
  return value
}

/** Faults of a body as `path reason`; the path is without the root of the family. */
const faultsOf = (body: string, root: string): string[] => {
  const { stage, faults } = refused(body)
  expect(stage).toBe('invalid')
  return faults.map(({ path, reasonCode }) => `${path.replace(`${root}/`, '').replace('[1]', '')} ${reasonCode}`)
}

interface Row {
  /** Element that is removed or changed. */
  readonly place: string
  /** Place of the fault if it is absent; a choice is reported at its parent. Default: the element. */
  readonly absentAt?: string
  readonly reason: ReasonCode
  /** Wrong values, if any. `''` and a forbidden letter are tried in addition. */
  readonly wrong?: readonly string[]
  /** True if any text is valid, so that only its absence is a fault. */
  readonly anyText?: true
}

const account = (name: string, reason: ReasonCode, isProxyEnough: boolean): Row[] => {
  const iban = `CdtTrfTxInf/${name}/Id/IBAN`
  const holder = `CdtTrfTxInf/${name}/Id`
  return [
    { place: `CdtTrfTxInf/${name}`, absentAt: iban, reason },
    // Since pacs.009.001.10 an account may lack its id, so there the missing field is the fault.
    { place: holder, absentAt: isProxyEnough ? iban : holder, reason },
    { place: iban, absentAt: holder, reason, wrong: ['DE76512108001245126199', 'XX7630006000011234567890189', 'DE7'] },
  ]
}
const agent = (name: string, reason: ReasonCode, isOptional: boolean): Row[] => {
  const bic = `CdtTrfTxInf/${name}/FinInstnId/BICFI`
  return [
    { place: `CdtTrfTxInf/${name}`, reason, ...(isOptional ? { absentAt: bic } : {}) },
    { place: `CdtTrfTxInf/${name}/FinInstnId`, reason },
    { place: bic, reason, wrong: ['ALPHDEF', 'ALPHQQFF', 'alphdeff', 'ALPHDEFF1'] },
  ]
}
const WRONG_IDS = ['//', 'a/', '..', 'x'.repeat(36)]
const SHARED: readonly Row[] = [
  { place: 'GrpHdr', reason: 'FF01' },
  { place: 'GrpHdr/CreDtTm', reason: 'DT02', wrong: ['2026-03-01', '2026-02-30T10:00:00Z', 'now'] },
  { place: 'GrpHdr/NbOfTxs', reason: 'AM18', wrong: ['0', '2', '1.0', '-1'] },
  { place: 'GrpHdr/SttlmInf', reason: 'FF01' },
  { place: 'GrpHdr/SttlmInf/SttlmMtd', reason: 'FF01', wrong: ['NONE', 'clrg'] },
  { place: 'CdtTrfTxInf/PmtId', reason: 'FF01' },
  { place: 'CdtTrfTxInf/PmtId/EndToEndId', reason: 'FF01', wrong: ['x'.repeat(36)], anyText: true },
  { place: 'CdtTrfTxInf/IntrBkSttlmAmt', reason: 'AM12', wrong: ['-1', '1e3', '1,1', '1.001', '\u0661', '1 0'] },
  { place: 'CdtTrfTxInf/IntrBkSttlmDt', reason: 'DT01', wrong: ['2026-02-30', '02.03.2026', '2026-03-02Z', 'today'] },
]
const ROWS: Readonly<Record<PaymentFamilyName, readonly Row[]>> = {
  'pacs.008': [
    ...SHARED,
    { place: 'GrpHdr/MsgId', reason: 'FF01', wrong: WRONG_IDS },
    { place: 'CdtTrfTxInf/ChrgBr', reason: 'FF01', wrong: ['NONE', 'shar'] },
    { place: 'CdtTrfTxInf/Dbtr', reason: 'FF01' },
    { place: 'CdtTrfTxInf/Cdtr', reason: 'FF01' },
    ...account('DbtrAcct', 'AC02', false),
    ...account('CdtrAcct', 'AC03', false),
    ...agent('DbtrAgt', 'RC03', false),
    ...agent('CdtrAgt', 'RC04', false),
  ],
  'pacs.009': [
    ...SHARED,
    { place: 'AppHdr/Fr', reason: 'FF01' },
    { place: 'AppHdr/To', reason: 'FF01' },
    { place: 'AppHdr/BizMsgIdr', reason: 'FF01', wrong: WRONG_IDS },
    { place: 'AppHdr/MsgDefIdr', reason: 'FF01', wrong: ['pacs.008.001.08', 'pacs.009.001.08'] },
    { place: 'AppHdr/CreDt', reason: 'DT02', wrong: ['2026-03-01', '2026-02-30T10:00:00Z'] },
    { place: 'GrpHdr/MsgId', reason: 'FF01', wrong: ['x'.repeat(36)], anyText: true },
    { place: 'CdtTrfTxInf/Dbtr', reason: 'RC03' },
    { place: 'CdtTrfTxInf/Cdtr', reason: 'RC04' },
    ...account('DbtrAcct', 'AC02', true),
    ...account('CdtrAcct', 'AC03', true),
    ...agent('InstgAgt', 'RC05', true),
    ...agent('InstdAgt', 'RC05', true),
  ],
}
const families = PAYMENT_FAMILIES.map(({ family, fields }) => ({ family, fields }))
const shown = (place: string): string => (place.startsWith('AppHdr') ? `/${place}` : place)

describe.each(families)('each required field of $family in XML', ({ family, fields }) => {
  const body = BODIES[family]
  const root = ROOTS[family]
  const rows = ROWS[family]
  const leaves = rows.filter(({ wrong }) => wrong !== undefined)

  it('has a test with the reason listed in its table', () => {
    const places = new Map(rows.map(({ place, reason }) => [place, reason]))
    const named = { G: 'GrpHdr', T: 'CdtTrfTxInf', H: 'AppHdr' }
    for (const row of fields.filter(({ required }) => required)) {
      const place = row.places[0] ?? ''
      const path = `${named[place[0] as keyof typeof named]}${place.slice(1)}`
      expect([path, places.get(path)]).toEqual([path, row.reason])
    }
  })

  it.each(rows)('is reported if $place is missing', ({ place, absentAt, reason }) => {
    expect(faultsOf(without(body, place), root)).toEqual([`${shown(absentAt ?? place)} ${reason}`])
  })

  it.each(leaves)('is reported if $place is empty or wrong', ({ place, reason, wrong = [] }) => {
    expect(valueAt(body, place)).not.toBe('')
    for (const value of ['', ...wrong])
      expect(faultsOf(withValue(body, place, value), root), value).toEqual([`${shown(place)} ${reason}`])
  })

  it('is reported with one extra letter, wherever it occurs', () => {
    const change = fc
      .constantFrom(...leaves.filter(({ anyText }) => anyText !== true))
      .chain((row) => fc.nat(valueAt(body, row.place).length).map((at) => ({ ...row, at })))
    fc.assert(
      fc.property(change, ({ place, reason, at }) => {
        const value = valueAt(body, place)
        const spoilt = withValue(body, place, value.slice(0, at) + FORBIDDEN + value.slice(at))
        expect(faultsOf(spoilt, root)).toEqual([`${shown(place)} ${reason}`])
      }),
      { numRuns: 200 },
    )
  })

  it('is reported as a fault if its currency is wrong or its amount is zero', () => {
    const amount = 'CdtTrfTxInf/IntrBkSttlmAmt'
    const coded = (code: string): string =>
      edit(body, amount.split('/'), (element) => element.replace(/ Ccy="[^"]*"/, code))
    expect(faultsOf(coded(''), root)).toEqual([`${amount}/@Ccy AM11`])
    for (const code of ['', 'eur', 'EURO', 'ZZZ', 'E\u00dcR'])
      expect(faultsOf(coded(` Ccy="${code}"`), root), code).toEqual([`${amount}/@Ccy AM11`])
    expect(faultsOf(withValue(body, amount, '0'), root)).toEqual([`${amount} AM01`])
  })
})

describe('each required key of the flat form', () => {
  const LINES: Readonly<Record<PaymentFamilyName, readonly string[]>> = {
    'pacs.008': FLAT_008,
    'pacs.009': [
      'BizMsgIdr=b1',
      'MsgDefIdr=pacs.009.001.10',
      'CreDtTm=2026-03-01T10:00:00Z',
      ...FLAT_008.filter((line) => !/^(MsgId|DbtrAgt|CdtrAgt)=/.test(line)),
      'InstgAgt=ALPHDEFF',
      'InstdAgt=BETAFRPP',
    ],
  }

  it.each(families)('of $family is reported by its key if it is missing, empty or wrong', ({ family, fields }) => {
    const lines = LINES[family]
    expect(accepted(lines.join('\n'), { family }).payment.family).toBe(family)
    const keys = [
      ...fields.filter(({ required }) => required).map(({ flat, reason }) => [flat, reason] as const),
      ['IntrBkSttlmAmt', 'AM12'] as const,
      ['IntrBkSttlmCcy', 'AM11'] as const,
    ]
    for (const [key, reason] of keys) {
      const at = lines.findIndex((line) => line.startsWith(`${key}=`))
      expect(at, key).toBeGreaterThanOrEqual(0)
      const changed = (line: string[]): string => lines.toSpliced(at, 1, ...line).join('\n')
      for (const line of [[], [`${key}=`], [`${key}=${FORBIDDEN}`]]) {
        const { stage, faults } = refused(changed(line), { family })
        const expected = [[`/${key}`, reason]]
        expect([stage, faults.map(({ path, reasonCode }) => [path, reasonCode])], changed(line)).toEqual([
          'invalid',
          expected,
        ])
      }
    }
  })
})
