import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hash } from '../../../src/crypto/hash.js'
import type { SettlementWindow } from '../../../src/features/iso20022/message/values/window.js'
import {
  accepted,
  CREDITOR_IBAN,
  DEBTOR_IBAN,
  envelope009,
  P8,
  P8_PARTS,
  pacs008,
  pacs009,
  refused,
  T8,
} from '../../fixtures/iso20022/messages.js'

const agent = (name: string, content: string) => `<${name}><FinInstnId>${content}</FinInstnId></${name}>`

describe('a pacs.008', () => {
  it('is converted to a payment if it has all required fields', () => {
    const body = Buffer.from(
      pacs008({
        end: '<Purp><Cd>SALA</Cd></Purp><RmtInf><Ustrd>Line one</Ustrd><Ustrd>Jos&#233; &amp; sons</Ustrd></RmtInf>',
      }),
    )
    expect(accepted(body)).toEqual({
      ok: true,
      warnings: [],
      payment: {
        family: 'pacs.008',
        definition: 'pacs.008.001.08',
        messageId: 'PAY-1',
        creationTime: '2026-03-01T10:00:00Z',
        settlementDate: '2026-03-02',
        currency: 'EUR',
        amount: { mantissa: 10010n, scale: 2 },
        debtorIban: DEBTOR_IBAN,
        creditorIban: CREDITOR_IBAN,
        debtorBic: 'ALPHDEFF',
        creditorBic: 'BETAFRPP',
        instructingBic: undefined,
        instructedBic: undefined,
        endToEndId: 'E2E-1',
        instructionId: undefined,
        transactionId: undefined,
        settlementMethod: 'CLRG',
        chargeBearer: 'SHAR',
        debtorName: 'Alpha',
        creditorName: 'Beta',
        uetr: '8f0c7d7e-58a1-4c3f-9b6e-3f2f6c1d2e4a',
        purpose: 'SALA',
        remittance: ['Line one', 'José & sons'],
        pins: {},
      },
      bodyHash: hash('iso-body', body),
    })
  })

  it('is rejected without any one of its required fields, with position and reason', () => {
    const cases: [Parameters<typeof pacs008>[0], string, string][] = [
      [{ MsgId: '<MsgId/>' }, `value_missing@${P8}/GrpHdr/MsgId`, 'FF01'],
      [{ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR"></IntrBkSttlmAmt>' }, `value_missing@${T8}/IntrBkSttlmAmt`, 'AM12'],
      [{ IntrBkSttlmAmt: '<IntrBkSttlmAmt>1</IntrBkSttlmAmt>' }, `currency_missing@${T8}/IntrBkSttlmAmt/@Ccy`, 'AM11'],
      [
        { IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="XAU">1</IntrBkSttlmAmt>' },
        `currency_unknown@${T8}/IntrBkSttlmAmt/@Ccy`,
        'AM11',
      ],
      [{ IntrBkSttlmDt: '' }, `field_required@${T8}/IntrBkSttlmDt`, 'DT01'],
      [{ CreDtTm: '<CreDtTm>2026-03-01</CreDtTm>' }, `datetime_format@${P8}/GrpHdr/CreDtTm`, 'DT02'],
      [{ DbtrAcct: '' }, `field_required@${T8}/DbtrAcct/Id/IBAN`, 'AC02'],
      [
        { CdtrAcct: '<CdtrAcct><Id><Othr><Id>123</Id></Othr></Id></CdtrAcct>' },
        `field_required@${T8}/CdtrAcct/Id/IBAN`,
        'AC03',
      ],
      [
        { DbtrAgt: agent('DbtrAgt', '<ClrSysMmbId><MmbId>021000021</MmbId></ClrSysMmbId>') },
        `field_required@${T8}/DbtrAgt/FinInstnId/BICFI`,
        'RC03',
      ],
      [{ CdtrAgt: agent('CdtrAgt', '<BICFI></BICFI>') }, `value_missing@${T8}/CdtrAgt/FinInstnId/BICFI`, 'RC04'],
      [{ DbtrAgt: '' }, `element_missing@${T8}/DbtrAgt`, 'RC03'],
    ]
    for (const [parts, code, reason] of cases) {
      const { stage, codes, faults } = refused(pacs008(parts))
      expect([stage, codes, faults[0]?.reasonCode]).toEqual(['invalid', [code], reason])
    }
  })

  it('is rejected with all faults together if there are several', () => {
    const { codes } = refused(
      pacs008({
        NbOfTxs: '<NbOfTxs>2</NbOfTxs>',
        IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="JPY">100.50</IntrBkSttlmAmt>',
        IntrBkSttlmDt: '<IntrBkSttlmDt>2026-02-29</IntrBkSttlmDt>',
        DbtrAcct: P8_PARTS.DbtrAcct.replace('DE75', 'DE76'),
        CdtrAgt: agent('CdtrAgt', '<BICFI>BETAQQPP</BICFI>'),
      }),
    )
    expect(codes).toEqual([
      `transaction_count@${P8}/GrpHdr/NbOfTxs`,
      `amount_scale@${T8}/IntrBkSttlmAmt`,
      `date_calendar@${T8}/IntrBkSttlmDt`,
      `iban_checksum@${T8}/DbtrAcct/Id/IBAN`,
      `bic_country@${T8}/CdtrAgt/FinInstnId/BICFI`,
    ])
  })

  it('must have a message id that follows the rules for identifiers', () => {
    for (const id of ['/a', 'a//b', '..', 'a_b'])
      expect(refused(pacs008({ MsgId: `<MsgId>${id}</MsgId>` })).codes[0]).toMatch(/^message_id_\w+@.*\/GrpHdr\/MsgId$/)
    expect(refused(pacs008({ MsgId: `<MsgId>${'M'.repeat(36)}</MsgId>` })).codes).toEqual([
      `text_length@${P8}/GrpHdr/MsgId`,
    ])
  })

  it('may have an IBAN in Othr, with a warning', () => {
    const { payment, warnings } = accepted(
      pacs008({ DbtrAcct: `<DbtrAcct><Id><Othr><Id>${DEBTOR_IBAN}</Id></Othr></Id></DbtrAcct>` }),
    )
    expect(payment.debtorIban).toBe(DEBTOR_IBAN)
    expect(warnings.map((warning) => `${warning.code}@${warning.path}`)).toEqual([
      `iban_in_other@${T8}/DbtrAcct/Id/Othr/Id`,
    ])
  })

  it('is rejected if the amount is zero or both accounts are equal, even if they differ in letter case', () => {
    const zero = refused(pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR">0.00</IntrBkSttlmAmt>' }))
    expect([zero.codes, zero.faults[0]?.reasonCode]).toEqual([[`amount_zero@${T8}/IntrBkSttlmAmt`], 'AM01'])
    expect(refused(pacs008({ CdtrAcct: P8_PARTS.CdtrAcct.replace(CREDITOR_IBAN, DEBTOR_IBAN) })).codes).toEqual([
      `same_account@${T8}/CdtrAcct/Id/IBAN`,
    ])
    const malta = 'MT84MALT011000012345MTLCAST001S'
    const same = pacs008({
      DbtrAcct: P8_PARTS.DbtrAcct.replace(DEBTOR_IBAN, malta),
      CdtrAcct: P8_PARTS.CdtrAcct.replace(CREDITOR_IBAN, malta.replace('MTLCAST', 'mtlcast')),
    })
    expect(refused(same).codes).toEqual([`same_account@${T8}/CdtrAcct/Id/IBAN`])
  })

  it('may have date and agents in the group header, but not in both places', () => {
    const date = '<IntrBkSttlmDt>2026-03-05</IntrBkSttlmDt>'
    const agents = agent('InstgAgt', '<BICFI>GAMMGB2L</BICFI>') + agent('InstdAgt', '<BICFI>DELTUS33XXX</BICFI>')
    const { payment } = accepted(pacs008({ groupRest: date, groupEnd: agents, IntrBkSttlmDt: '' }))
    expect([payment.settlementDate, payment.instructingBic, payment.instructedBic]).toEqual([
      '2026-03-05',
      'GAMMGB2L',
      'DELTUS33',
    ])
    for (const groupRest of [date, P8_PARTS.IntrBkSttlmDt]) {
      expect(refused(pacs008({ groupRest })).codes).toEqual([`message_rule@${P8}/CdtTrfTxInf[1]/IntrBkSttlmDt`])
    }
    expect(refused(pacs008({ groupEnd: agents, agents: agents.replace('GAMM', 'GAMN') })).codes).toEqual([
      `message_rule@${P8}/CdtTrfTxInf[1]/InstgAgt`,
      `message_rule@${P8}/CdtTrfTxInf[1]/InstdAgt`,
    ])
  })

  it('is rejected as a whole if it has several transactions', () => {
    const transaction = /<CdtTrfTxInf>.*<\/CdtTrfTxInf>/.exec(pacs008())?.[0] ?? ''
    const { codes, faults } = refused(
      pacs008({ NbOfTxs: '<NbOfTxs>2</NbOfTxs>' }).replace(transaction, transaction + transaction),
    )
    expect(codes).toEqual([`transactions_several@${P8}/CdtTrfTxInf[2]`])
    expect(faults[0]).toMatchObject({ value: '2 transactions', reasonCode: 'NARR' })
  })

  it('must have matching control figures', () => {
    const rest = (figures: string) => pacs008({ groupRest: `${figures}${P8_PARTS.IntrBkSttlmDt}`, IntrBkSttlmDt: '' })
    accepted(rest('<CtrlSum>100.100</CtrlSum><TtlIntrBkSttlmAmt Ccy="EUR">100.10</TtlIntrBkSttlmAmt>'))
    expect(refused(rest('<CtrlSum>100.11</CtrlSum>')).faults[0]).toMatchObject({
      code: 'control_sum',
      expected: '100.1',
      reasonCode: 'AM10',
    })
    expect(refused(rest('<TtlIntrBkSttlmAmt Ccy="EUR">1</TtlIntrBkSttlmAmt>')).codes).toEqual([
      `settlement_total@${P8}/GrpHdr/TtlIntrBkSttlmAmt`,
    ])
    expect(refused(rest('<TtlIntrBkSttlmAmt Ccy="USD">100.1</TtlIntrBkSttlmAmt>')).codes).toEqual([
      `settlement_total_currency@${P8}/GrpHdr/TtlIntrBkSttlmAmt/@Ccy`,
    ])
  })

  it('is marked as untimely, in addition to other faults, if its settlement date is outside the window', () => {
    const untimely = (window: SettlementWindow) => accepted(pacs008(), { settlementWindow: window }).untimely
    expect(untimely({ today: '2026-03-10', pastDays: 8, futureDays: 0 })).toBeUndefined()
    expect(untimely({ today: '2026-03-11', pastDays: 8 })).toMatchObject({
      code: 'date_past',
      path: `${T8}/IntrBkSttlmDt`,
      reasonCode: 'DT01',
    })
    expect(untimely({ today: '2026-03-01', futureDays: 0 })).toMatchObject({ code: 'date_future', reasonCode: 'DT04' })
    expect(untimely({ today: '2020-01-01' })).toBeUndefined()
    const options = { settlementWindow: { today: '2026-03-11', pastDays: 8 } }
    expect(refused(pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR">0</IntrBkSttlmAmt>' }), options).codes).toEqual(
      [`amount_zero@${T8}/IntrBkSttlmAmt`, `date_past@${T8}/IntrBkSttlmDt`],
    )
  })
})

describe('pins in supplementary data', () => {
  const pinned = (fields: string, root = 'Ledger xmlns="urn:ledger:pin:1"') =>
    `<SplmtryData><Envlp><${root}>${fields}</${root.split(' ')[0]}></Envlp></SplmtryData>`

  it('are read from the transaction or the message, under any root', () => {
    const all =
      '<LedgerId>chain-1</LedgerId><SourceAccountId>alice</SourceAccountId><TargetAccountId> bob </TargetAccountId><AssetDefinitionId>eur#bank</AssetDefinitionId>'
    const pins = { ledgerId: 'chain-1', sourceAccount: 'alice', targetAccount: 'bob', assetDefinition: 'eur#bank' }
    expect(accepted(pacs008({ end: pinned(all) })).payment.pins).toEqual(pins)
    expect(
      accepted(
        pacs008({ bodyEnd: pinned(all, 'x:Pin xmlns:x="urn:other"').replace(/<(\/?)([LSTA]\w+Id)>/g, '<$1x:$2>') }),
      ).payment.pins,
    ).toEqual(pins)
  })

  it('may identify an account by its address, alone or together with its id', () => {
    const address = '<SourceAccountAddress>addr-1</SourceAccountAddress>'
    expect(accepted(pacs008({ end: pinned(address) })).payment.pins).toEqual({ sourceAccount: 'addr-1' })
    expect(
      accepted(pacs008({ end: pinned(`<SourceAccountId>alice</SourceAccountId>${address}`) })).payment.pins,
    ).toEqual({ sourceAccount: 'alice', sourceAddress: 'addr-1' })
  })

  it('are rejected if they are repeated or empty, or contain blanks or markup', () => {
    const id = '<SourceAccountId>alice</SourceAccountId>'
    expect(refused(pacs008({ end: pinned(id + id) })).codes).toEqual([
      `pin_repeated@${T8}/SplmtryData[1]/Envlp/Ledger/SourceAccountId`,
    ])
    expect(refused(pacs008({ end: pinned(id), bodyEnd: pinned(id) })).codes).toEqual([
      `pin_repeated@${P8}/SplmtryData[1]/Envlp/Ledger/SourceAccountId`,
    ])
    for (const bad of ['', 'a b', 'x'.repeat(257), 'a<!-- -->b', '<b/>']) {
      expect(refused(pacs008({ end: pinned(`<SourceAccountId>${bad}</SourceAccountId>`) })).codes).toEqual([
        `pin_value@${T8}/SplmtryData[1]/Envlp/Ledger/SourceAccountId`,
      ])
    }
  })

  it('ignore foreign data, but unknown names cause a warning', () => {
    expect(accepted(pacs008({ end: pinned('<Foo>1</Foo>') }))).toMatchObject({ payment: { pins: {} }, warnings: [] })
    const { warnings } = accepted(pacs008({ end: pinned('<LedgerId>c</LedgerId><SourceAcct>alice</SourceAcct>') }))
    expect(warnings.map((warning) => warning.code)).toEqual(['pin_unknown'])
  })
})

describe('a pacs.009', () => {
  const transaction = '/Document/FICdtTrf/CdtTrfTxInf[1]'

  it('is identified by the business message id of its header', () => {
    const { payment, warnings } = accepted(envelope009())
    expect(payment).toMatchObject({
      family: 'pacs.009',
      definition: 'pacs.009.001.10',
      messageId: 'BIZ-1',
      creationTime: '2026-03-01T10:00:00Z',
      currency: 'USD',
      amount: { mantissa: 250000000n, scale: 2 },
      instructingBic: 'ALPHDEFF',
      instructedBic: '6P9YGUDF',
      debtorBic: 'ALPHDEFF',
      creditorBic: 'BETAFRPP',
    })
    expect(warnings).toEqual([])
    expect(refused(envelope009(pacs009(), 'a//b')).codes).toEqual(['message_id_slash@/AppHdr/BizMsgIdr'])
  })

  it('requires the instructing and the instructed agent, in the transaction or the group header', () => {
    const { codes } = refused(envelope009(pacs009({ agents: '' })))
    expect(codes).toEqual([
      `field_required@${transaction}/InstgAgt/FinInstnId/BICFI`,
      `field_required@${transaction}/InstdAgt/FinInstnId/BICFI`,
    ])
    const agents = agent('InstgAgt', '<BICFI>GAMMGB2L</BICFI>') + agent('InstdAgt', '<BICFI>DELTUS33</BICFI>')
    expect(accepted(envelope009(pacs009({ agents: '', groupEnd: agents }))).payment.instructingBic).toBe('GAMMGB2L')
  })

  it('accepts only the purpose SECU, as a code or as proprietary text', () => {
    for (const purpose of ['<Cd>SECU</Cd>', '<Prtry>SECU</Prtry>'])
      expect(accepted(envelope009(pacs009({ end: `<Purp>${purpose}</Purp>` }))).payment.purpose).toBe('SECU')
    for (const purpose of ['<Cd>GDDS</Cd>', '<Cd>secu</Cd>', '<Prtry>SECU </Prtry>']) {
      const { codes, faults } = refused(envelope009(pacs009({ end: `<Purp>${purpose}</Purp>` })))
      expect(codes).toEqual([`purpose_not_accepted@${transaction}/Purp/${purpose.slice(1, purpose.indexOf('>'))}`])
      expect(faults[0]?.reasonCode).toBe('FF07')
    }
  })
})

describe('the message templates', () => {
  it.each(['pacs008', 'pacs009'])('%s.xml is accepted without a remark', (name) => {
    expect(accepted(readFileSync(new URL(`../../../templates/iso/${name}.xml`, import.meta.url))).warnings).toEqual([])
  })
})
