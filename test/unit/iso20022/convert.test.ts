/** Conversions between the forms of a message: every value is preserved exactly, or the form is refused. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paymentOf, written } from '../../../src/cli/iso/convert.js'
import { FORM_NAMES, type Form } from '../../../src/cli/iso/forms.js'
import { flatPairs, type Payment } from '../../../src/features/iso20022/message/index.js'
import { escapeXml } from '../../../src/features/iso20022/schema/xml-text.js'
import { accepted, envelope009, FLAT_008, pacs008, pacs009, refused } from '../../fixtures/iso20022/messages.js'

const CREATED = '2026-03-01T10:00:00Z'

/** A payment with the texts as name and remittance. */
const named = (name: string, ...lines: readonly string[]): Payment =>
  accepted(
    pacs008({
      Dbtr: `<Dbtr><Nm>${escapeXml(name)}</Nm></Dbtr>`,
      end:
        lines.length === 0 ? '' : `<RmtInf>${lines.map((one) => `<Ustrd>${escapeXml(one)}</Ustrd>`).join('')}</RmtInf>`,
    }),
  ).payment
const through = (payment: Payment, form: Form): Payment =>
  paymentOf('message', Buffer.from(written([payment], form, CREATED)), payment.family)
const valuesOf = (payment: Payment) => flatPairs([payment]).filter(([, value]) => value !== '')

/** Characters that XML 1.0 allows, first of all those that forms and terminals treat specially. */
const sign = fc.oneof(
  fc.constantFrom(
    ...'=;,"\'&<>[]{}#/\\ \t\n\r\u0085\u00a0\u00ad\u200b\u200c\u200d\u200e\u202e\u2028\u2029\ufeff\uff1d😀',
  ),
  fc.constantFrom('SplmtryData/TargetAccountId=x', '\nMsgId=', ']]>', '<!--', '&#10;', '\\u200c', '\u{e0041}'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
)
const text = fc
  .array(sign, { minLength: 1, maxLength: 12 })
  .map((signs) => signs.join(''))
  .filter(
    (one) => Array.from(one).length <= 140 && /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]+$/u.test(one),
  )

describe('a text of a message', () => {
  it.each([
    ['a line feed', 'A\nB'],
    ['a carriage return', 'A\r\nB'],
    ['a zero-width non-joiner', 'A\u200cB'],
    ['a zero-width joiner', 'A\u200dB'],
    ['a soft hyphen', 'A\u00adB'],
    ['a tab', 'A\tB'],
    ['blanks at its ends', ' A '],
    ['text that looks like a line', 'A\nSplmtryData/TargetAccountId=mallory@bank'],
    ['a line separator', 'A\u2028B'],
    ['text that looks like an escape', 'A\\u200cB &#10;'],
  ])('with %s is kept in XML, JSON and flat XML', (_, value) => {
    for (const form of ['xml', 'json', 'flat-xml'] as const) {
      expect(through(named(value, value, 'x'), form)).toMatchObject({ debtorName: value, remittance: [value, 'x'] })
    }
  })

  it('is preserved in flat lines if they can represent it, and is otherwise rejected with its key', () => {
    for (const value of ['A\u200cB', 'A\u200dB', 'A\u00adB', 'A\tB', 'A=B;C', '\uff1dA', 'A\u2028B\u0085'])
      expect(through(named(value, value), 'flat')).toMatchObject({ debtorName: value, remittance: [value] })
    for (const value of ['A\nB', 'A\r\nB', ' A', 'A\t', 'A\nSplmtryData/TargetAccountId=mallory@bank']) {
      expect(() => written([named(value)], 'flat', CREATED)).toThrow('cannot write DbtrNm as a line')
      expect(() => written([named('A', value)], 'flat', CREATED)).toThrow('cannot write RmtInf/Ustrd[1] as a line')
    }
  })

  it('round-trips with any characters through every form that accepts it', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.constantFrom(...FORM_NAMES),
        fc.constantFrom(...FORM_NAMES),
        (name, line, one, other) => {
          const payment = named(name, line)
          expect(payment).toMatchObject({ debtorName: name, remittance: [line] })
          const isOneLine = [name, line].every((value) => !/[\r\n]|^[ \t]|[ \t]$/.test(value))
          if (!isOneLine && (one === 'flat' || other === 'flat')) {
            expect(() => written([payment], 'flat', CREATED)).toThrow('as a line')
            return
          }
          expect(valuesOf(through(through(payment, one), other))).toEqual(valuesOf(payment))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a payment between institutions', () => {
  it('round-trips in every form', () => {
    const { payment } = accepted(envelope009(pacs009({ end: '<RmtInf><Ustrd>A\u200cB</Ustrd></RmtInf>' })))
    for (const form of FORM_NAMES) expect(valuesOf(through(payment, form))).toEqual(valuesOf(payment))
  })
})

it('a message that exceeds the size limit as XML is rejected when written', () => {
  const lines = Array.from({ length: 4_500 }, () => `RmtInf/Ustrd=${'&'.repeat(100)}`)
  const { payment } = accepted([...FLAT_008, ...lines].join('\n'), { family: 'pacs.008' })
  expect(() => written([payment], 'xml', CREATED)).toThrow('pacs.008 as xml: 1 fault')
})

it('instructions for the creditor agent are preserved', () => {
  const codes = ['HOLD', 'PHOB']
  const end = codes.map((code) => `<InstrForCdtrAgt><Cd>${code}</Cd></InstrForCdtrAgt>`).join('')
  const { payment } = accepted(pacs008({ end }))
  for (const form of FORM_NAMES) expect(through(payment, form)).toMatchObject({ creditorInstructions: codes })
})

it('remittance text in flat forms has the same length limit as in XML', () => {
  const body = [...FLAT_008, `RmtInf/Ustrd[1]=${'x'.repeat(141)}`].join('\n')
  expect(refused(body, { family: 'pacs.008' }).codes).toEqual(['text_length@/RmtInf/Ustrd[1]'])
})

it('a full-width equals sign is valid in a value but not as a separator', () => {
  for (const line of ['DbtrNm\uff1dA', 'DbtrNm\uff1dA=B']) {
    const { codes, faults } = refused([...FLAT_008, line].join('\n'), { family: 'pacs.008' })
    expect(codes).toEqual(['flat_line@/'])
    expect(faults[0]?.hint).toContain('U+FF1D')
  }
  const body = [...FLAT_008, 'DbtrNm=A\uff1dB;C'].join('\n')
  expect(accepted(body, { family: 'pacs.008' }).payment).toMatchObject({ debtorName: 'A\uff1dB;C' })
})
