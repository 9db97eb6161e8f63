/** Attacks on the queries of subscriptions. */
import { describe, expect, it } from 'vitest'
import { queries } from '../../../src/features/subscriptions/schema/views.js'
import { numberValue } from '../../../src/ledger/indexes.js'

const asked = (after: string) =>
  queries.subscriptionInvoices.input.fromJson({ subscription: '00'.repeat(32), limit: 10, after })

describe('a cursor of invoices', () => {
  it('is refused if the index has no such number', () => {
    const found = asked('99999999999999')
    expect(() => found.ok && numberValue(Number(found.value.after))).not.toThrow()
    expect(found.ok).toBe(true)
    for (const place of ['281474976710656', '9999999999999999']) expect(asked(place).ok).toBe(false)
  })
})
