/** Notifications of cash movements: output that the bridge reads, and errors for missing data. */
import { describe, expect, it } from 'vitest'
import { flatLines, notificationPairs, parseMessage } from '../../../src/features/iso20022/message/index.js'
import { LedgerError } from '../../../src/model/index.js'

const ENTRY = {
  id: 'OPENING-5f0c5f0c5f0c5f0c',
  iban: 'DE89370400440532013000',
  amount: '9000',
  currency: 'EUR',
  direction: 'CRDT' as const,
  timeMs: Date.UTC(2026, 10, 30, 12),
  reference: 'R1',
}

describe('camt.054 messages from notificationPairs', () => {
  it('can be parsed by the bridge', () => {
    const read = parseMessage(Buffer.from(flatLines(notificationPairs(ENTRY))), { family: 'camt.054' })
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    const fields = Object.fromEntries(read.message.fields.map(({ name, value }) => [name, value]))
    expect(fields).toMatchObject({
      'Ntfctn[1]/Acct/Id': 'DE89370400440532013000',
      'Ntfctn[1]/Ntry[1]/Amt': '9000',
      'Ntfctn[1]/Ntry[1]/BookgDt': '2026-11-30',
      'Ntfctn[1]/Ntry[1]/NtryRef': 'R1',
    })
  })

  it.each([
    ['the IBAN of the account', { iban: undefined }],
    ['the currency of the cash', { currency: undefined }],
    ['Ntry[1]/NtryRef', { reference: 'x'.repeat(36) }],
    ['Acct/Id', { iban: 'DE00370400440532013000' }],
    ['Ntry[1]/Amt', { amount: '' }],
  ])('are refused with iso_unmapped without %s', (what, change) => {
    const write = () => notificationPairs({ ...ENTRY, ...change })
    expect(write).toThrow(LedgerError)
    expect(write).toThrow(what)
  })
})
