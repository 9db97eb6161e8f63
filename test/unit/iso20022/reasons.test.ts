import { describe, expect, it } from 'vitest'
import {
  PAYMENT_FAMILIES,
  REASON_CODES,
  reasonForError,
  STATUS_CODES,
} from '../../../src/features/iso20022/message/index.js'
import { MAX_FAULTS } from '../../../src/features/iso20022/message/limits.js'
import { pacs008, refused } from '../../fixtures/iso20022/messages.js'

describe('status and reason codes', () => {
  it('include exactly the status codes of the bridge', () => {
    expect(Object.keys(STATUS_CODES).sort()).toEqual(['ACSC', 'ACSP', 'ACTC', 'ACWC', 'PART', 'PDNG', 'RJCT'])
  })

  it('include four-character reasons with a text, also for errors of the ledger', () => {
    for (const [code, text] of Object.entries(REASON_CODES))
      expect([/^[A-Z]{2}[0-9A-Z]{2}$/.test(code), text.length <= 105]).toEqual([true, true])
    expect([
      reasonForError('not_enough'),
      reasonForError('transaction_expired'),
      reasonForError('queue_full'),
      reasonForError('something_else'),
    ]).toEqual(['AM04', 'TM01', 'ED06', 'NARR'])
  })

  it('include a reason for every required field of a message family', () => {
    for (const { fields } of PAYMENT_FAMILIES) for (const row of fields) expect(REASON_CODES[row.reason]).toBeDefined()
  })
})

describe('the fault list of a message', () => {
  it('is limited, and ends with an entry about the limit', () => {
    const { faults } = refused(pacs008({ Dbtr: `<Dbtr>${'<x/>'.repeat(MAX_FAULTS + 50)}</Dbtr>` }))
    expect(faults).toHaveLength(MAX_FAULTS + 1)
    expect(faults.at(-1)?.code).toBe('too_many_faults')
  })

  it('ends parsing when it is full, so that no unchecked value is used', () => {
    const early = '<x/>'.repeat(MAX_FAULTS + 1)
    const bad = {
      groupRest: early,
      NbOfTxs: `${early}<NbOfTxs>abc</NbOfTxs>`,
      DbtrAcct: '<DbtrAcct><Id><IBAN>?</IBAN></Id></DbtrAcct>',
    }
    expect(refused(pacs008(bad)).faults).toHaveLength(MAX_FAULTS + 1)
  })

  it('escapes control characters in values', () => {
    expect(refused(pacs008({ MsgId: '<MsgId>a\nb</MsgId>' })).faults[0]?.value).toBe('a\\u000ab')
  })
})
