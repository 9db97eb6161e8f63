import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  flatJson,
  flatLines,
  flatPairs,
  flatXml,
  formatAmount,
  messageXml,
  type Payment,
} from '../../../src/features/iso20022/message/index.js'
import { currencies } from '../../../src/features/iso20022/message/values/currency.js'
import {
  accepted,
  envelope009,
  FLAT_008,
  P8,
  P8_PARTS,
  pacs008,
  parse,
  refused,
  T8,
} from '../../fixtures/iso20022/messages.js'

const runs = { numRuns: 300 }

/** A German account with valid check digits. */
const iban = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map((number) => {
  const account = number.toString().padStart(18, '0')
  return `DE${(98n - (BigInt(`${account}131400`) % 97n)).toString().padStart(2, '0')}${account}`
})

const letters = (alphabet: string, length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((units) => units.join(''))
const bic = fc
  .tuple(
    letters('ABCXYZ0189', 4),
    fc.constantFrom('DE', 'FR', 'US', 'XK', 'GU'),
    letters('AZ09', 2),
    fc.constantFrom('', 'XXX', 'LON'),
  )
  .map((parts) => parts.join(''))

const messageId = fc
  .array(fc.constantFrom(..."ABZabz019-?:().,'+ /"), { minLength: 1, maxLength: 35 })
  .map((units) => units.join(''))
  .filter((id) => !/^[ /]|[ /]$|\/\/|(^|\/)\.{1,2}($|\/)/.test(id))

const money = fc
  .constantFrom(...currencies())
  .chain(({ code, scale }) =>
    fc
      .bigInt({ min: 1n, max: 10n ** 17n - 1n })
      .map((mantissa) => ({ code, mantissa, scale, text: formatAmount({ mantissa, scale }) })),
  )

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&apos;')

describe('valid messages', () => {
  it('parse to exactly the written values', () => {
    fc.assert(
      fc.property(
        fc.record({ id: messageId, money, day, debtor: iban, creditor: iban, debtorBic: bic, creditorBic: bic }),
        (want) => {
          fc.pre(want.debtor !== want.creditor)
          const { payment } = accepted(
            pacs008({
              MsgId: `<MsgId>${escaped(want.id)}</MsgId>`,
              IntrBkSttlmAmt: `<IntrBkSttlmAmt Ccy="${want.money.code}">${want.money.text}</IntrBkSttlmAmt>`,
              IntrBkSttlmDt: `<IntrBkSttlmDt>${want.day}</IntrBkSttlmDt>`,
              DbtrAcct: `<DbtrAcct><Id><IBAN>${want.debtor}</IBAN></Id></DbtrAcct>`,
              CdtrAcct: `<CdtrAcct><Id><IBAN>${want.creditor}</IBAN></Id></CdtrAcct>`,
              DbtrAgt: `<DbtrAgt><FinInstnId><BICFI>${want.debtorBic}</BICFI></FinInstnId></DbtrAgt>`,
              CdtrAgt: `<CdtrAgt><FinInstnId><BICFI>${want.creditorBic}</BICFI></FinInstnId></CdtrAgt>`,
            }),
          )
          expect(payment).toMatchObject({
            messageId: want.id,
            currency: want.money.code,
            amount: { mantissa: want.money.mantissa, scale: want.money.scale },
            settlementDate: want.day,
            debtorIban: want.debtor,
            creditorIban: want.creditor,
            debtorBic: want.debtorBic.replace(/XXX$/, ''),
            creditorBic: want.creditorBic.replace(/XXX$/, ''),
          })
        },
      ),
      runs,
    )
  })
})

/** A valid payment with any of its optional fields. */
const anyPayment = fc
  .record({
    is8: fc.boolean(),
    id: messageId,
    money,
    day,
    debtor: iban,
    creditor: iban,
    banks: fc.tuple(bic, bic, bic, bic),
    reference: fc.option(messageId, { nil: undefined }),
    uetr: fc.option(fc.uuid({ version: 4 }), { nil: undefined }),
    remittance: fc.array(messageId, { maxLength: 3 }),
    pin: fc.option(letters('abcdef0123', 12), { nil: undefined }),
  })
  .filter((want) => want.debtor !== want.creditor)
  .map((want) => {
    const [debtorBic, creditorBic, instructing, instructed] = want.banks
    const lines = [
      want.is8 ? 'MsgDefIdr=pacs.008.001.08' : 'MsgDefIdr=pacs.009.001.10',
      `${want.is8 ? 'MsgId' : 'BizMsgIdr'}=${want.id}`,
      'CreDtTm=2026-03-01T10:00:00Z',
      `IntrBkSttlmAmt=${want.money.text}`,
      `IntrBkSttlmCcy=${want.money.code}`,
      `IntrBkSttlmDt=${want.day}`,
      `DbtrAcct=${want.debtor}`,
      `CdtrAcct=${want.creditor}`,
      ...(want.is8
        ? [`DbtrAgt=${debtorBic}`, `CdtrAgt=${creditorBic}`]
        : [`Dbtr=${debtorBic}`, `Cdtr=${creditorBic}`, 'Purp=SECU']),
      `InstgAgt=${instructing}`,
      `InstdAgt=${instructed}`,
      ...(want.reference === undefined ? [] : [`EndToEndId=${want.reference}`]),
      ...(want.uetr === undefined ? [] : [`UETR=${want.uetr}`]),
      ...want.remittance.map((line, at) => `RmtInf/Ustrd[${at + 1}]=${line}`),
      ...(want.pin === undefined ? [] : [`SplmtryData/SourceAccountId=${want.pin}`]),
    ]
    return accepted(lines.join('\n')).payment
  })

describe('a written payment', () => {
  // Add the elements that XML requires and a flat message may omit; ignore the hash, since the bytes differ.
  const plain = (payment: Payment) => ({
    ...payment,
    bodyHash: undefined,
    endToEndId: payment.endToEndId ?? 'NOTPROVIDED',
    settlementMethod: payment.settlementMethod ?? 'CLRG',
    ...(payment.family === 'pacs.008' ? { chargeBearer: payment.chargeBearer ?? 'SHAR' } : {}),
  })

  it('is read back unchanged, in every form', () => {
    fc.assert(
      fc.property(anyPayment, (payment) => {
        const pairs = flatPairs([payment])
        const forms = [
          flatLines(pairs),
          flatJson(pairs, payment.family),
          flatXml(pairs, payment.family),
          messageXml([payment], '2026-03-01T10:00:00Z'),
        ]
        for (const text of forms) expect(plain(accepted(text).payment), text).toEqual(plain(payment))
      }),
      runs,
    )
  })
})

describe('one change of a required field', () => {
  const fields = [
    {
      name: 'MsgId',
      path: `${P8}/GrpHdr/MsgId`,
      value: 'PAY-1',
      bad: fc.constantFrom('', '//', 'a/', '\u00e9', 'x'.repeat(36), '..'),
    },
    {
      name: 'IntrBkSttlmAmt',
      path: `${T8}/IntrBkSttlmAmt`,
      value: '100.1',
      bad: fc.constantFrom('', '0', '-1', '1e3', '1,1', '1.001', '\u0661', '1 0'),
    },
    {
      name: 'IntrBkSttlmDt',
      path: `${T8}/IntrBkSttlmDt`,
      value: '2026-03-02',
      bad: fc.constantFrom('', '2026-02-30', '02.03.2026', '2026-03-02Z', 'today'),
    },
    {
      name: 'DbtrAgt',
      path: `${T8}/DbtrAgt/FinInstnId/BICFI`,
      value: 'ALPHDEFF',
      bad: fc.constantFrom('', 'ALPHDEF', 'ALPHQQFF', 'alphdeff', 'ALPHDEFF1'),
    },
    {
      name: 'CdtrAgt',
      path: `${T8}/CdtrAgt/FinInstnId/BICFI`,
      value: 'BETAFRPPXXX',
      bad: fc.constantFrom('', 'BETAFRP', 'BETAFRPPXX', 'B\u0415TAFRPP'),
    },
  ] as const

  it('is refused with its path', () => {
    const change = fc
      .constantFrom(...fields)
      .chain(({ name, path, value, bad }) =>
        bad.map((wrong) => ({ name, path, part: P8_PARTS[name].replace(`>${value}<`, `>${wrong}<`) })),
      )
    fc.assert(
      fc.property(change, ({ name, path, part }) => {
        const { stage, faults } = refused(pacs008({ [name]: part }))
        expect(stage).toBe('invalid')
        expect(faults.map((fault) => fault.path)).toEqual([path])
      }),
      runs,
    )
  })

  it('is refused for every single digit of an IBAN', () => {
    const change = fc.record({
      account: fc.constantFrom('DbtrAcct', 'CdtrAcct'),
      iban,
      at: fc.integer({ min: 2, max: 21 }),
      by: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(change, ({ account, iban: good, at, by }) => {
        const digit = (Number(good[at]) + by) % 10
        const part = `<${account}><Id><IBAN>${good.slice(0, at)}${digit}${good.slice(at + 1)}</IBAN></Id></${account}>`
        expect(refused(pacs008({ [account]: part })).codes).toEqual([`iban_checksum@${T8}/${account}/Id/IBAN`])
      }),
      runs,
    )
  })

  it('is refused when the element is renamed, wherever it occurs', () => {
    const names = [
      'GrpHdr',
      'MsgId',
      'CdtTrfTxInf',
      'PmtId',
      'EndToEndId',
      'IntrBkSttlmAmt',
      'DbtrAcct',
      'DbtrAgt',
      'CdtrAgt',
      'CdtrAcct',
      'SttlmInf',
      'ChrgBr',
    ]
    fc.assert(
      fc.property(fc.constantFrom(...names), (name) => {
        const { faults } = refused(pacs008().replaceAll(new RegExp(`(</?)${name}(?=[ >])`, 'g'), `$1${name}x`))
        expect(faults.some((fault) => fault.path.endsWith(`/${name}x`) && fault.code === 'element_unknown')).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

describe('hostile bytes', () => {
  const bodies = [pacs008(), envelope009(), FLAT_008.join('\n')].map((text) => Buffer.from(text))
  const check = (bytes: Uint8Array) => {
    const result = parse(bytes, { family: 'pacs.008' })
    if (result.ok) expect(result.payment.amount.mantissa > 0n).toBe(true)
    else expect(result.faults.length).toBeGreaterThan(0)
  }

  it('never make the reader throw: random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), check), { numRuns: 1_000 })
  })

  it('never make the reader throw: random markup', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!',
      '<?',
      '?>',
      '&',
      ';',
      '"',
      "'",
      '=',
      ' ',
      'a',
      'xmlns',
      ':',
      'Document',
      'AppHdr',
      '#',
      '\u0000',
      '\ufeff',
      '\u{1f600}',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => check(Buffer.from(pieces.join('')))),
      { numRuns: 2_000 },
    )
  })

  it('never make the reader throw: valid bodies with bytes changed, cut or moved', () => {
    const edit = fc.record({ at: fc.nat(5_000), remove: fc.nat(30), insert: fc.uint8Array({ maxLength: 8 }) })
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.array(edit, { minLength: 1, maxLength: 4 }), (body, edits) => {
        let bytes: Uint8Array = body
        for (const { at, remove, insert } of edits) {
          const from = at % (bytes.length + 1)
          bytes = Buffer.concat([
            bytes.subarray(0, from),
            insert,
            bytes.subarray(Math.min(bytes.length, from + remove)),
          ])
        }
        check(bytes)
      }),
      { numRuns: 2_000 },
    )
  })

  it('give the same result for the same bytes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(3_000), (body, at) => {
        const bytes = body.subarray(0, at)
        expect(parse(bytes)).toEqual(parse(Buffer.from(bytes)))
      }),
      runs,
    )
  })
})
