/** Attacks on subscriptions: charges that strangers make fail, and cursors beyond what the index has. */
import { describe, expect, it } from 'vitest'
import { subscriptions } from '../../../src/features/subscriptions/ledger/tables.js'
import { queries } from '../../../src/features/subscriptions/schema/views.js'
import { numberValue } from '../../../src/ledger/indexes.js'
import * as core from '../../support/core.js'
import * as sub from '../../support/subscriptions.js'

const { alice, bob, owner, outsider, DAY } = sub

describe('a subscription charge submitted by another account', () => {
  it('is rejected if a trigger of the asset exceeds the depth limit, and the charge remains due', () => {
    const bench = sub.subscriptionWorld()
    const offer = { provider: bob, plan: 'news', terms: sub.monthly({ cadence: sub.every(DAY) }) }
    const id = sub.idOf(offer, alice)
    const watch = core.onData('asset', { kind: 'object', value: core.USD })
    expect(bench.run(owner, core.registerTrigger('watch', owner, watch, [core.log('moved')]))).toBeUndefined()
    expect(bench.run(bob, sub.createPlan('news', offer.terms))).toBeUndefined()
    expect(bench.run(alice, sub.subscribe(offer, sub.mandateOf(100_000n)))).toBeUndefined()
    for (const [name, next] of [
      ['third', sub.charge(id)],
      ['second', core.callTrigger('third')],
      ['first', core.callTrigger('second')],
    ] as const)
      expect(bench.run(outsider, core.registerTrigger(name, outsider, core.BY_CALL, [next]))).toBeUndefined()
    bench.timeMs += 2 * DAY
    expect(bench.run(outsider, core.callTrigger('first'))).toBe('trigger_depth')
    expect(bench.state.get(subscriptions, id)).toMatchObject({ status: 'active', attempt: 0, open: undefined })
    expect(bench.run(outsider, sub.charge(id))).toBeUndefined()
    expect(bench.state.get(subscriptions, id)).toMatchObject({ status: 'active', counter: 2 })
  })
})

const asked = (after: string) =>
  queries.subscriptionInvoices.input.fromJson({ subscription: '00'.repeat(32), limit: 10, after })

describe('a cursor in the invoices of a subscription', () => {
  it('is rejected if its number exceeds the range of the index', () => {
    const found = asked('99999999999999')
    expect(() => found.ok && numberValue(Number(found.value.after))).not.toThrow()
    expect(found.ok).toBe(true)
    for (const place of ['281474976710656', '9999999999999999']) expect(asked(place).ok).toBe(false)
  })
})
