/** Messages of several payments: each is read separately, the group header applies to all. */
import { describe, expect, it } from 'vitest'
import {
  type PaymentsOptions,
  parsePayment,
  parsePayments,
  type ReadPayment,
} from '../../../src/features/iso20022/message/index.js'
import { isoBodyHash } from '../../../src/features/iso20022/schema/instructions.js'
import {
  CREDITOR_IBAN,
  DEBTOR_IBAN,
  envelope009,
  P8,
  P8_PARTS,
  pacs008,
  pacs009,
} from '../../fixtures/iso20022/messages.js'

const read = (body: string, options?: PaymentsOptions) => parsePayments(Buffer.from(body), options)

/** A message that must be accepted. */
function message(body: string, options?: PaymentsOptions) {
  const result = read(body, options)
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.faults.slice(0, 5))}`)
  return result.message
}
/** `code@path` of the faults of a body that must be refused. */
function codes(body: string, options?: PaymentsOptions): string[] {
  const result = read(body, options)
  if (result.ok) throw new Error('accepted')
  return result.faults.map((fault) => `${fault.code}@${fault.path}`)
}
/** End-to-end id of a sound payment, otherwise its first fault. */
const shown = (one: ReadPayment): string | undefined => {
  if (one.ok) return one.payment.endToEndId
  const [first] = one.faults
  return `${first?.code}@${first?.path.replace(P8, '')} ${first?.reasonCode}`
}

/** One transaction of a pacs.008; a part replaces the part of the valid one. */
function transaction(id: string, parts: Partial<typeof P8_PARTS> = {}): string {
  const pay = { ...P8_PARTS, PmtId: `<PmtId><EndToEndId>${id}</EndToEndId></PmtId>`, ...parts }
  return (
    `<CdtTrfTxInf>${pay.PmtId}${pay.IntrBkSttlmAmt}${pay.IntrBkSttlmDt}${pay.ChrgBr}${pay.agents}` +
    `${pay.Dbtr}${pay.DbtrAcct}${pay.DbtrAgt}${pay.CdtrAgt}${pay.Cdtr}${pay.CdtrAcct}${pay.end}</CdtTrfTxInf>`
  )
}
/** A pacs.008 with these transactions; `group`: elements after the number of transactions. */
const several = (list: readonly string[], group = '', count = list.length): string =>
  pacs008({ NbOfTxs: `<NbOfTxs>${count}</NbOfTxs>`, groupRest: group }).replace(
    /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/,
    list.join(''),
  )
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `E${at + 1}`)
const eur = (text: string): string => `<IntrBkSttlmAmt Ccy="EUR">${text}</IntrBkSttlmAmt>`

describe('a message of several payments', () => {
  it('is parsed into payments by index, with the hash of the whole body', () => {
    const body = several(ids(3).map((id) => transaction(id)))
    const { payments, messageId, bodyHash, batchBooking, family } = message(body)
    expect(payments.map(shown)).toEqual(['E1', 'E2', 'E3'])
    expect({ messageId, batchBooking, family }).toEqual({ messageId: 'PAY-1', batchBooking: false, family: 'pacs.008' })
    expect(Buffer.from(bodyHash)).toEqual(isoBodyHash(Buffer.from(body)))
  })

  it('may have up to 1,000 payments', () => {
    const list = ids(1_001).map((id) => transaction(id))
    expect(message(several(list.slice(0, 1_000))).payments).toHaveLength(1_000)
    expect(codes(several(list))).toEqual([`transactions_too_many@${P8}/CdtTrfTxInf[2]`])
  })

  it('is rejected under ABI 1, and by the parser for a single payment', () => {
    const body = several([transaction('A'), transaction('B')])
    const wanted = [`transactions_several@${P8}/CdtTrfTxInf[2]`]
    expect(codes(body, { maxPayments: 1 })).toEqual(wanted)
    const one = parsePayment(Buffer.from(body))
    expect(one.ok ? [] : one.faults.map(({ code, path }) => `${code}@${path}`)).toEqual(wanted)
  })

  it('has only one header if its family requires a header', () => {
    const document = pacs009()
    const [transfer = ''] = /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/.exec(document) ?? []
    const two = document
      .replace('<NbOfTxs>1<', '<NbOfTxs>2<')
      .replace(transfer, transfer + transfer.replace('DVP-1', 'DVP-2'))
    const { payments, messageId } = message(envelope009(two))
    expect([messageId, ...payments.map(shown)]).toEqual(['BIZ-1', 'DVP-1', 'DVP-2'])
  })

  it('is marked for batch booking if BtchBookg is set', () => {
    const body = several([transaction('A'), transaction('B')])
    expect(message(body.replace('<NbOfTxs>', '<BtchBookg>true</BtchBookg><NbOfTxs>')).batchBooking).toBe(true)
  })
})

describe('a payment in a message of several', () => {
  it('is rejected individually if it has faults, with all of its faults and its number', () => {
    const result = message(
      several([
        transaction('A'),
        transaction('B', {
          IntrBkSttlmAmt: eur('1e3'),
          DbtrAgt: '<DbtrAgt><FinInstnId><BICFI>x</BICFI></FinInstnId></DbtrAgt>',
        }),
        transaction('C', { CdtrAcct: '' }),
        transaction('D', { ChrgBr: '<Foo/>' }),
        transaction('E', { IntrBkSttlmAmt: eur('0') }),
        transaction('F', { CdtrAcct: `<CdtrAcct><Id><IBAN>${DEBTOR_IBAN}</IBAN></Id></CdtrAcct>` }),
      ]),
    )
    expect(result.payments.map(shown)).toEqual([
      'A',
      'amount_format@/CdtTrfTxInf[2]/IntrBkSttlmAmt AM12',
      'field_required@/CdtTrfTxInf[3]/CdtrAcct/Id/IBAN AC03',
      'element_missing@/CdtTrfTxInf[4]/ChrgBr FF01',
      'amount_zero@/CdtTrfTxInf[5]/IntrBkSttlmAmt AM01',
      'same_account@/CdtTrfTxInf[6]/CdtrAcct/Id/IBAN AC03',
    ])
    const second = result.payments[1]
    expect(second?.ok === false && second.faults.map(({ code }) => code)).toEqual(['amount_format', 'bic_format'])
    expect(second?.ok === false && second.references).toMatchObject({ endToEndId: 'B', amount: undefined })
    expect(result.payments[4]?.ok === false && result.payments[4].references.endToEndId).toBe('E')
  })

  it('has its own settlement date or inherits the group date, but cannot have both', () => {
    const date = '<IntrBkSttlmDt>2026-03-05</IntrBkSttlmDt>'
    const bare = transaction('A', { IntrBkSttlmDt: '' })
    const { payments } = message(several([bare, transaction('B')], date))
    expect(payments[0]?.ok === true && payments[0].payment.settlementDate).toBe('2026-03-05')
    expect(shown(payments[1] as ReadPayment)).toBe('message_rule@/CdtTrfTxInf[2]/IntrBkSttlmDt FF01')
  })

  it('is marked as untimely by its own settlement date', () => {
    const late = transaction('B', { IntrBkSttlmDt: '<IntrBkSttlmDt>2026-05-01</IntrBkSttlmDt>' })
    const { payments } = message(several([transaction('A'), late]), {
      settlementWindow: { today: '2026-03-02', futureDays: 10 },
    })
    expect(payments.map((one) => one.ok && one.untimely?.reasonCode)).toEqual([undefined, 'DT04'])
  })

  it.each([
    ['UETR', '<UETR>8f0c7d7e-58a1-4c3f-9b6e-3f2f6c1d2e4a</UETR>'],
    ['TxId', '<TxId>T-1</TxId>'],
  ])('is rejected if its %s equals an earlier one, even if the earlier payment is faulty', (name, id) => {
    const of = (endToEnd: string, parts: Partial<typeof P8_PARTS> = {}) =>
      transaction(endToEnd, { PmtId: `<PmtId><EndToEndId>${endToEnd}</EndToEndId>${id}</PmtId>`, ...parts })
    const { payments } = message(several([of('A', { IntrBkSttlmAmt: eur('0') }), of('B'), transaction('C')]))
    expect(payments.map(shown).slice(1)).toEqual([`payment_repeated@/CdtTrfTxInf[2]/PmtId/${name} AM05`, 'C'])
  })
})

describe('the group header of several payments', () => {
  const list = [transaction('A', { IntrBkSttlmAmt: eur('10.10') }), transaction('B', { IntrBkSttlmAmt: eur('5') })]

  it('contains their count and sums', () => {
    const total = '<TtlIntrBkSttlmAmt Ccy="EUR">15.1</TtlIntrBkSttlmAmt><IntrBkSttlmDt>2026-03-02</IntrBkSttlmDt>'
    const undated = list.map((one) => one.replace(/<IntrBkSttlmDt>.*?<\/IntrBkSttlmDt>/, ''))
    expect(message(several(undated, `<CtrlSum>15.10</CtrlSum>${total}`)).payments).toHaveLength(2)
  })

  it.each([
    [several(list, '', 3), 'transaction_count@/GrpHdr/NbOfTxs'],
    [several(list, '<CtrlSum>15.11</CtrlSum>'), 'control_sum@/GrpHdr/CtrlSum'],
    [several(list, '<CtrlSum>x</CtrlSum>'), 'decimal_format@/GrpHdr/CtrlSum'],
    [several(list).replace('<MsgId>PAY-1</MsgId>', ''), 'element_missing@/GrpHdr/MsgId'],
    [several(list, '<TtlIntrBkSttlmAmt Ccy="EUR">15.1</TtlIntrBkSttlmAmt>'), 'message_rule@/GrpHdr/TtlIntrBkSttlmAmt'],
    [
      several(
        [list[0] ?? '', transaction('B', { IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="USD">5</IntrBkSttlmAmt>' })].map(
          (one) => one.replace(/<IntrBkSttlmDt>.*?<\/IntrBkSttlmDt>/, ''),
        ),
        '<TtlIntrBkSttlmAmt Ccy="EUR">15.1</TtlIntrBkSttlmAmt><IntrBkSttlmDt>2026-03-02</IntrBkSttlmDt>',
      ),
      'settlement_total_currency@/GrpHdr/TtlIntrBkSttlmAmt/@Ccy',
    ],
  ])('rejects the message if it contradicts the payments or has a fault (%#)', (body, wanted) => {
    expect(codes(body).map((one) => one.replace(P8, ''))).toEqual([wanted])
  })

  it('rejects the message with its own faults and the first fault of each faulty payment', () => {
    const bad = transaction('B', { IntrBkSttlmAmt: eur('1e3'), Cdtr: '<Cdtr><Foo/></Cdtr>' })
    expect(codes(several([transaction('A'), bad], '', 5)).map((one) => one.replace(P8, ''))).toEqual([
      'transaction_count@/GrpHdr/NbOfTxs',
      'amount_format@/CdtTrfTxInf[2]/IntrBkSttlmAmt',
    ])
  })

  it('is accepted, but the message is rejected with one fault per payment if all payments are faulty', () => {
    const bad = ids(3).map((id) => transaction(id, { IntrBkSttlmAmt: eur('1e3'), Cdtr: '<Cdtr><Foo/></Cdtr>' }))
    const result = read(several(bad))
    expect(result.ok ? [] : result.faults.map(({ path }) => path.replace(P8, ''))).toEqual(
      [1, 2, 3].map((place) => `/CdtTrfTxInf[${place}]/IntrBkSttlmAmt`),
    )
    expect(result.ok || result.payments?.map((one) => one.ok)).toEqual([false, false, false])
  })
})

describe('several payments in a flat form', () => {
  const group = ['MsgDefIdr=pacs.008.001.08', 'MsgId=M', 'IntrBkSttlmDt=2026-03-02']
  const payment = (place: number, more: readonly string[] = []): string[] =>
    [
      `EndToEndId=E${place}`,
      `IntrBkSttlmAmt=${place}.5`,
      'IntrBkSttlmCcy=EUR',
      `DbtrAcct=${DEBTOR_IBAN}`,
      `CdtrAcct=${CREDITOR_IBAN}`,
      'DbtrAgt=ALPHDEFF',
      'CdtrAgt=BETAFRPP',
      ...more,
    ].map((line) => `CdtTrfTxInf[${place}]/${line}`)
  const lines = (...parts: readonly (readonly string[])[]): string => parts.flat().join('\n')

  it('have the payment number before each key', () => {
    const { payments } = message(lines(group, payment(1), payment(2, ['RmtInf/Ustrd[1]=thanks'])))
    expect(
      payments.map((one) => one.ok && [one.payment.endToEndId, one.payment.amount, one.payment.remittance]),
    ).toEqual([
      ['E1', { mantissa: 150n, scale: 2 }, undefined],
      ['E2', { mantissa: 250n, scale: 2 }, ['thanks']],
    ])
  })

  it('are a list of objects in JSON', () => {
    const of = (place: number) => Object.fromEntries(payment(place).map((line) => line.slice(15).split('=')))
    const body = JSON.stringify({
      message: 'pacs.008',
      MsgId: 'M',
      IntrBkSttlmDt: '2026-03-02',
      CdtTrfTxInf: [of(1), of(2), { ...of(3), SplmtryData: { LedgerId: 'c' } }],
    })
    const { payments } = message(body)
    expect(payments.map(shown)).toEqual(['E1', 'E2', 'E3'])
    expect(payments[2]?.ok === true && payments[2].payment.pins).toEqual({ ledgerId: 'c' })
  })

  it('are counted by the entries of their JSON list, including empty entries', () => {
    const one = Object.fromEntries(payment(1).map((line) => line.slice(15).split('=')))
    const body = (payments: readonly unknown[]) =>
      JSON.stringify({ message: 'pacs.008', MsgId: 'M', IntrBkSttlmDt: '2026-03-02', CdtTrfTxInf: payments })
    expect(message(body([one, {}])).payments.map(shown)).toEqual(['E1', 'payment_missing@/CdtTrfTxInf[2] FF01'])
    expect(message(body([{}, one])).payments.map(shown)).toEqual(['payment_missing@/CdtTrfTxInf[1] FF01', 'E1'])
    expect(message(body([one, { Cdtr: {} }])).payments).toHaveLength(2)
    expect(message(body([one])).payments.map(shown)).toEqual(['E1'])
    expect(codes(body([one, ...Array.from({ length: 1_000 }, () => ({}))]))).toEqual([
      'transactions_too_many@/CdtTrfTxInf[2]',
    ])
  })

  it('fail separately, with the position of the invalid or missing value', () => {
    const broken = payment(2)
      .filter((line) => !line.includes('CdtrAcct'))
      .map((line) => line.replace('2.5', '2,5'))
    const { payments } = message(lines(group, payment(1), broken, payment(4, ['IntrBkSttlmDt=2026-03-03'])))
    expect(payments.map(shown)).toEqual([
      'E1',
      'field_required@/CdtTrfTxInf[2]/CdtrAcct AC03',
      'payment_missing@/CdtTrfTxInf[3] FF01',
      'field_repeated@/CdtTrfTxInf[4]/IntrBkSttlmDt FF01',
    ])
  })

  it('must match the control figures of the message', () => {
    const right = ['NbOfTxs=2', 'CtrlSum=4.00']
    expect(message(lines(group, right, payment(1), payment(2))).payments).toHaveLength(2)
    expect(codes(lines(group, ['NbOfTxs=3', 'CtrlSum=5'], payment(1), payment(2)))).toEqual([
      'transaction_count@/NbOfTxs',
      'control_sum@/CtrlSum',
    ])
  })

  it('have separate fields, and a message field must not have a payment number', () => {
    expect(codes(lines(group, ['DbtrAgt=ALPHDEFF'], payment(1), payment(2)))).toEqual(['field_place@/DbtrAgt'])
    const { payments } = message(lines(group, payment(1), payment(2, ['MsgId=N'])))
    expect(payments.map(shown)).toEqual(['E1', 'field_place@/CdtTrfTxInf[2]/MsgId FF01'])
  })

  it('may have a number even if there is only one', () => {
    expect(message(lines(group, payment(1))).payments.map(shown)).toEqual(['E1'])
  })

  it('are numbered from 1, and a value with an invalid number rejects the message', () => {
    const as = (number: string, pairs: readonly string[]) =>
      pairs.map((line) => line.replace(/\[[0-9]+\]/, `[${number}]`))
    const first = (text: string) => codes(text)[0]
    expect(first(lines(group, as('0', payment(1)), payment(1)))).toBe('payment_number@/CdtTrfTxInf[0]/EndToEndId')
    expect(first(lines(group, as('0', payment(1)), payment(1), payment(2)))).toBe(
      'payment_number@/CdtTrfTxInf[0]/EndToEndId',
    )
    expect(first(lines(group, payment(1), payment(2), ['CdtTrfTxInf[02]/SplmtryData/LedgerId=a']))).toBe(
      'payment_number@/CdtTrfTxInf[02]/SplmtryData/LedgerId',
    )
    expect(first(lines(group, payment(1), ['CdtTrfTxInf[2]=a']))).toBe('payment_number@/CdtTrfTxInf[2]')
    const paths = payment(1).map((line) => `/Document[1]/FIToFICstmrCdtTrf[1]/${line}`)
    expect(message(lines(group, paths, payment(2))).payments.map(shown)).toEqual(['E1', 'E2'])
  })

  it('are bounded in number', () => {
    expect(codes(lines(group, payment(1_001)))).toEqual(['transactions_too_many@/CdtTrfTxInf[2]'])
  })

  it('share the message fields, and a duplicate or invalid message field rejects the message once', () => {
    const twice = [
      'NbOfTxs=2',
      'NbOfTxs=2',
      'MsgId=N',
      'SplmtryData/LedgerId=a',
      'SplmtryData/LedgerId=a',
      'Foo=1',
      'Foo=1',
    ]
    expect(codes(lines(group, twice, payment(1), payment(2)))).toEqual([
      'field_repeated@/NbOfTxs',
      'field_repeated@/MsgId',
      'pin_repeated@/SplmtryData/LedgerId',
      'field_repeated@/Foo',
    ])
    const wrong = ['BtchBookg=often', 'SplmtryData/Ledger=a', 'CreDtTm=now']
    expect(codes(lines(group, wrong, payment(1), payment(2)))).toEqual([
      'boolean_format@/BtchBookg',
      'pin_unknown@/SplmtryData/Ledger',
      'datetime_format@/CreDtTm',
    ])
  })

  it('can have a total amount only in a single currency', () => {
    const dollars = payment(2).map((line) => line.replace('EUR', 'USD'))
    const total = ['TtlIntrBkSttlmAmt=4.00']
    expect(message(lines(group, total, payment(1), payment(2))).payments).toHaveLength(2)
    expect(codes(lines(group, total, payment(1), dollars))).toEqual(['settlement_total_currency@/TtlIntrBkSttlmAmt'])
    expect(message(lines(group, ['CtrlSum=4.00'], payment(1), dollars)).payments).toHaveLength(2)
  })
})
