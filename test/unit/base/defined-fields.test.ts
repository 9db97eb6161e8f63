import { describe, expect, it } from 'vitest'
import { definedFields } from '../../../src/base/defined-fields.js'

describe('definedFields', () => {
  it('omits undefined fields only', () => {
    const fields = definedFields({ zero: 0, no: undefined, empty: '', nothing: null, no2: undefined, off: false })
    expect(Object.entries(fields)).toEqual([
      ['zero', 0],
      ['empty', ''],
      ['nothing', null],
      ['off', false],
    ])
  })

  it('returns a record that overwrites nothing with undefined', () => {
    const hint: string | undefined = [].at(0)
    expect({ hint: 'before', ...definedFields({ hint }) }).toEqual({ hint: 'before' })
  })

  it('has a type in which a possibly undefined field is optional', () => {
    const max: number | undefined = [1].at(0)
    const fields: { readonly kind: 'text'; readonly max?: number } = definedFields({ kind: 'text', max })
    expect(fields).toStrictEqual({ kind: 'text', max: 1 })
    // @ts-expect-error a field that may be undefined may be absent
    const required: { readonly max: number } = definedFields({ max })
    expect(required.max).toBe(1)
  })
})
