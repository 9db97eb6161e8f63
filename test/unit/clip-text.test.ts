import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { string } from '../../src/codec/index.js'
import { clipText } from '../../src/model/index.js'

describe('a text clipped to fit a record', () => {
  it('fits for any content, including lone surrogates and multi-byte characters at the cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.integer({ min: 0, max: 64 }), (text, most) => {
        const clipped = clipText(text, most)
        expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(most)
        expect(string(64).decode(string(64).encode(clipped))).toEqual({ ok: true, value: clipped })
      }),
    )
    expect(clipText('\ud800 half of a pair', 64)).toBe('\ufffd half of a pair')
  })

  it('is unchanged if it fits, and otherwise is its longest complete prefix that fits', () => {
    expect(clipText('Zürich', 7)).toBe('Zürich')
    expect(clipText('Zürich', 3)).toBe('Zü')
    expect(clipText('Zürich', 2)).toBe('Z')
    expect(clipText('😀', 3)).toBe('')
  })
})
