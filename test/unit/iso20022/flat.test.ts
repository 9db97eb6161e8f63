import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../src/features/iso20022/message/index.js'
import { accepted, CREDITOR_IBAN, DEBTOR_IBAN, FLAT_008, refused } from '../../fixtures/iso20022/messages.js'

const options = { family: 'pacs.008' } as const
const flat = (...more: string[]) => [...FLAT_008, ...more].join('\n')
const without = (key: string) => FLAT_008.filter((line) => !line.startsWith(`${key}=`)).join('\n')

describe('flat lines', () => {
  it('are converted to a payment', () => {
    const body = flat(
      '',
      ' RmtInf/Ustrd[0] = a = b ',
      'RmtInf/Ustrd[1]=c',
      'SplmtryData/SourceAccountId=alice',
      'SplmtryData/TargetAccountAddress=addr',
      'Nonsense=1',
    )
    const { payment, warnings } = accepted(body.replaceAll('\n', '\r\n'), options)
    expect(payment).toMatchObject({
      family: 'pacs.008',
      messageId: 'm1',
      currency: 'USD',
      amount: { mantissa: 1000n, scale: 2 },
      debtorIban: DEBTOR_IBAN,
      creditorIban: CREDITOR_IBAN,
      debtorBic: 'ALPHDEFF',
      remittance: ['a = b', 'c'],
      pins: { sourceAccount: 'alice', targetAccount: 'addr' },
    })
    expect(warnings.map((warning) => `${warning.code}@${warning.path}:${warning.line}`)).toEqual([
      'field_unknown@/Nonsense:14',
    ])
  })

  it('accept paths of the message as keys', () => {
    const body = flat()
      .replace('IntrBkSttlmAmt=', 'Document/FIToFICstmrCdtTrf/CdtTrfTxInf[1]/IntrBkSttlmAmt=')
      .replace('IntrBkSttlmCcy=', '/Document/FIToFICstmrCdtTrf/CdtTrfTxInf/IntrBkSttlmAmt/@Ccy=')
      .replace('MsgId=', 'FIToFICstmrCdtTrf/GrpHdr/MsgId=')
    expect(accepted(body, options).payment.messageId).toBe('m1')
  })

  it('are rejected with all faults, each with key and line', () => {
    const { stage, faults } = refused(
      [...FLAT_008.slice(2), 'DbtrAgt=ALPHDEFF', 'UETR=1', 'MsgId=a//b', 'SplmtryData/SourceAcct=x'].join('\n'),
      options,
    )
    expect(stage).toBe('invalid')
    expect(faults.map(({ code, path, line }) => [code, path, line])).toEqual([
      ['field_required', '/IntrBkSttlmAmt', 0],
      ['field_repeated', '/DbtrAgt', 7],
      ['uetr_format', '/UETR', 8],
      ['message_id_slash', '/MsgId', 9],
      ['pin_unknown', '/SplmtryData/SourceAcct', 10],
    ])
  })

  it('require every mandatory field', () => {
    for (const key of FLAT_008.map((line) => line.slice(0, line.indexOf('='))))
      expect(refused(without(key), options).codes).toEqual([`field_required@/${key}`])
  })

  it('are validated by the same rules as XML', () => {
    expect(refused(flat().replace('IntrBkSttlmAmt=10', 'IntrBkSttlmAmt=10.005'), options).codes).toEqual([
      'amount_scale@/IntrBkSttlmAmt',
    ])
    expect(refused(flat().replace('USD', 'XAU'), options).codes).toEqual(['currency_unknown@/IntrBkSttlmCcy'])
    expect(refused(flat().replace('DE75', 'DE76'), options).faults[0]).toMatchObject({
      code: 'iban_checksum',
      reasonCode: 'AC02',
      line: 5,
    })
  })

  it('require a family, from the request or from MsgDefIdr', () => {
    expect(refused(flat()).codes).toEqual(['family_missing@/MsgDefIdr'])
    expect(accepted(flat('MsgDefIdr=pacs.008.001.08')).payment.family).toBe('pacs.008')
    expect(refused(flat('MsgDefIdr=pacs.009.001.10'), options).codes).toEqual(['family_other@/MsgDefIdr'])
    expect(refused(flat('MsgDefIdr=pacs.008.001.02'), options).codes).toEqual(['definition_other@/MsgDefIdr'])
  })

  it('can also contain a pacs.009', () => {
    const lines = [
      'BizMsgIdr=B1',
      'MsgDefIdr=pacs.009.001.10',
      'CreDtTm=2026-03-01T10:00:00Z',
      ...FLAT_008.slice(1, 6),
      'InstgAgt=ALPHDEFF',
      'InstdAgt=BETAFRPP',
    ]
    expect(accepted(lines.join('\n'), { family: 'pacs.009' }).payment).toMatchObject({
      family: 'pacs.009',
      messageId: 'B1',
      instructedBic: 'BETAFRPP',
    })
    expect(refused([...lines, 'Purp=GDDS'].join('\n')).codes).toEqual(['purpose_not_accepted@/Purp'])
  })

  it('are distinguished from text that is not a message', () => {
    expect(refused('hello').stage).toBe('malformed')
    expect(refused('{"MsgId"}', options).stage).toBe('malformed')
    expect(refused(flat('UETR=\u0001'), options).codes).toEqual(['flat_character@/'])
    expect(refused(flat().replace('ALPHDEFF', 'ALPHDEFF\u00a0'), options).codes).toEqual(['bic_format@/DbtrAgt'])
    expect(refused(flat('no equals sign'), options).codes).toEqual(['flat_line@/'])
  })
})

describe('flat XML', () => {
  const xml = (fields: string, message = 'pacs.008') =>
    `<?xml version="1.0"?><ISO20022 message="${message}">${fields}</ISO20022>`
  const fields = FLAT_008.map(
    (line) => `<Field path="${line.slice(0, line.indexOf('='))}">${line.slice(line.indexOf('=') + 1)}</Field>`,
  ).join('')

  it('is converted to a payment', () => {
    const encoded = `<Field path="RmtInf/Ustrd[0]" encoding="base64">${Buffer.from('a <b> ü').toString('base64')}</Field>`
    expect(accepted(xml(fields + encoded)).payment).toMatchObject({ messageId: 'm1', remittance: ['a <b> ü'] })
  })

  it('is rejected for a wrong message, encoding or child element', () => {
    expect(refused(xml(fields, 'pacs.008.001.08')).codes).toEqual(['family_other@/MsgDefIdr'])
    expect(refused(xml(`${fields}<Field path="UETR" encoding="hex">00</Field>`)).codes).toEqual(['flat_encoding@/UETR'])
    expect(refused(xml(`${fields}<Field path="UETR" encoding="base64">/w==</Field>`)).codes).toEqual([
      'flat_encoding@/UETR',
    ])
    expect(refused(xml(`${fields}<Other/>`)).codes).toEqual(['flat_field@/ISO20022/Field[9]'])
    expect(refused(xml(fields.replace('>10<', '>1<!-- -->0<'))).codes).toContain('markup_in_value@/IntrBkSttlmAmt')
  })
})

describe('the flat JSON form', () => {
  const fields: Record<string, unknown> = Object.fromEntries(FLAT_008.map((line) => line.split('=')))
  const json = (changes: Record<string, unknown> = {}) => JSON.stringify({ message: 'pacs.008', ...fields, ...changes })

  it('reads the keys of the flat lines, nested objects and lists', () => {
    const { payment } = accepted(
      json({ RmtInf: { Ustrd: ['invoice 7', 'of March'] }, SplmtryData: { LedgerId: 'chain-1' } }),
    )
    expect(payment).toMatchObject({
      messageId: 'm1',
      amount: { mantissa: 1000n, scale: 2 },
      remittance: ['invoice 7', 'of March'],
      pins: { ledgerId: 'chain-1' },
    })
  })

  it('rejects JSON numbers, since an amount could have been rounded', () => {
    const { stage, faults } = refused(json({ IntrBkSttlmAmt: 10.1 }))
    expect(stage).toBe('invalid')
    expect(faults[0]).toMatchObject({ code: 'json_value', path: '/IntrBkSttlmAmt', value: '10.1', line: 1 })
  })

  it('rejects a duplicate key, both in one object and in two spellings', () => {
    expect(refused(json().replace('{', '{"MsgId":"m0",')).codes).toContain('field_repeated@/MsgId')
    expect(refused(json({ 'Document/FIToFICstmrCdtTrf/GrpHdr/MsgId': 'm2' })).faults[0]?.code).toBe('field_repeated')
  })

  it('is rejected with all missing fields at once if it contains only the message name', () => {
    const { stage, faults, codes } = refused('{"message": "pacs.008"}')
    expect(stage).toBe('invalid')
    const required = FLAT_008.map((line) => line.split('=')[0]).filter((key) => key !== 'MsgDefIdr')
    for (const key of required) expect(codes).toContain(`field_required@/${key}`)
    expect(new Set(codes).size).toBe(codes.length)
    expect(faults.find(({ path }) => path === '/MsgId')).toMatchObject({ expected: 'a field "MsgId" with a text' })
    expect(JSON.stringify(faults)).not.toContain('line MsgId')
    const checked = parseMessage(Buffer.from('{"message": "pacs.008"}'))
    expect(checked).toMatchObject({ ok: false, stage: 'invalid', faults })
  })

  it('is rejected for its missing family if it has fields, and is not recognised if it is empty', () => {
    const { faults } = refused(JSON.stringify(fields))
    expect(faults).toMatchObject([{ code: 'family_missing', hint: expect.stringContaining('field "message"') }])
    expect(refused('{}')).toMatchObject({ stage: 'malformed', codes: ['json_malformed@/'] })
  })

  it('limits the length of keys, including the keys of enclosing objects', () => {
    const nested = (chars: number): string => `{"message":"pacs.008","${'k'.repeat(chars)}":{"a":"1"}}`
    expect(parseMessage(Buffer.from(nested(500)))).toMatchObject({ ok: false, stage: 'invalid' })
    expect(parseMessage(Buffer.from(nested(511)))).toMatchObject({
      ok: false,
      stage: 'malformed',
      faults: [{ code: 'json_malformed', expected: 'keys of at most 512 characters, with those around them' }],
    })
  })

  it('reports the position of invalid JSON', () => {
    for (const [text, line] of [
      ['{"MsgId":"a"', 1],
      ['{"MsgId":"a",\n}', 2],
      ["{'MsgId':'a'}", 1],
      ['{"a":[["b"]]}', 1],
      [`${'{"a":'.repeat(20)}"b"${'}'.repeat(20)}`, 1],
      ['{"a":"b"}\n\nx', 3],
      ['{"a":"\u0001"}', 1],
      ['{"a":"x\\ud800"}', 1],
      ['{"a":"b",\n"\\udc00":"x"}', 2],
    ] as const) {
      const { stage, faults } = refused(text)
      expect([stage, faults[0]?.code, faults[0]?.line], text).toEqual(['malformed', 'json_malformed', line])
    }
  })
})
