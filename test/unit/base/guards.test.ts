import { describe, expect, it } from 'vitest'
import { isList, isOneOf, isRecord } from '../../../src/base/guards.js'

describe('guards', () => {
  it('take an object with fields for a record, and neither a list nor null', () => {
    expect([{}, { a: 1 }, [], null, 'text', undefined].map(isRecord)).toEqual([true, true, false, false, false, false])
  })

  it('take an array for a list, and nothing that only has a length', () => {
    expect([[], [1], { length: 0 }, 'text', null].map(isList)).toEqual([true, true, false, false, false])
  })

  it('take a text for a word of a list only when it is one, names of its prototype included', () => {
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
