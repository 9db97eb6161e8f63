import { describe, expect, it } from 'vitest'
import { isList, isOneOf, isRecord } from '../../../src/base/guards.js'

describe('guards', () => {
  it('accept an object with fields as a record, but neither a list nor null', () => {
    expect([{}, { a: 1 }, [], null, 'text', undefined].map(isRecord)).toEqual([true, true, false, false, false, false])
  })

  it('accept an array as a list, but not an object with a length', () => {
    expect([[], [1], { length: 0 }, 'text', null].map(isList)).toEqual([true, true, false, false, false])
  })

  it('accept a text as a word only if it is in the list, and never a prototype name', () => {
    const words = ['bic', 'iban'] as const
    expect(['bic', 'iban', 'BIC', '', 'toString'].map((text) => isOneOf(words, text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
