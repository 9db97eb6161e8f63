/** Messages of settlements: output that the bridge reads, and errors for missing data. */
import { describe, expect, it } from 'vitest'
import { flatLines, parseMessage, settlementPairs } from '../../../src/features/iso20022/message/index.js'
import { LedgerError } from '../../../src/model/index.js'

const SETTLEMENT = {
  id: 'deal-7',
  date: '2026-11-30',
  side: 'DELI' as const,
  isin: 'US0378331005',
  quantity: '100',
  amount: '5400',
  currency: 'EUR',
  seller: { bic: 'DEUTDEFFXXX', iban: 'DE89370400440532013000' },
  buyer: { bic: 'BNPAFRPPXXX', iban: 'FR1420041010050500013M02606' },
}

describe('messages from settlementPairs', () => {
  it.each(['sese.023', 'sese.025'] as const)('of type %s can be parsed by the bridge', (family) => {
    const read = parseMessage(Buffer.from(flatLines(settlementPairs(family, SETTLEMENT))), { family })
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    const fields = Object.fromEntries(read.message.fields.map(({ name, value }) => [name, value]))
    expect(fields).toMatchObject({
      TxId: 'deal-7',
      'SctiesLeg/FinInstrmId': 'US0378331005',
      'Plan/Atomicity': 'ALL_OR_NOTHING',
      ...(family === 'sese.025' ? { ConfSts: 'ACCP', SttlmAmt: '5400' } : {}),
    })
  })

  it.each([
    ['the ISIN of the class', { isin: undefined }],
    ['the currency of the payment', { currency: undefined }],
    ['the BIC of the seller', { seller: { ...SETTLEMENT.seller, bic: undefined } }],
    ['the IBAN of the buyer', { buyer: { ...SETTLEMENT.buyer, iban: undefined } }],
    ['TxId', { id: 'x'.repeat(36) }],
    ['SctiesLeg/FinInstrmId', { isin: 'US0378331006' }],
    ['DlvrgSttlmPties/Pty/Bic', { seller: { ...SETTLEMENT.seller, bic: 'nonsense' } }],
  ])('are refused with iso_unmapped without %s', (what, change) => {
    const write = () => settlementPairs('sese.023', { ...SETTLEMENT, ...change })
    expect(write).toThrow(LedgerError)
    expect(write).toThrow(what)
  })
})
