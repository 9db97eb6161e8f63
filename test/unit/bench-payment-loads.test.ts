/** The variable BENCH_PAYMENT_LOADS of the payment benchmark. */
import { describe, expect, it } from 'vitest'
import { loadKinds } from '../bench/payment-loads.js'

describe('BENCH_PAYMENT_LOADS', () => {
  it('selects all loads if it is not set', () => {
    expect(loadKinds(undefined)).toEqual(['bulk', 'four', 'one'])
  })

  it('selects the named loads in the given order', () => {
    expect(loadKinds('one,bulk')).toEqual(['one', 'bulk'])
  })

  it('is refused with a list of the known loads if a name is unknown', () => {
    expect(() => loadKinds('one,two')).toThrow('unknown load "two". Try bulk, four, one')
  })
})
