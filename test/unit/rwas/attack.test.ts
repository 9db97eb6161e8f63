/** Attacks on the queries of lots. */
import { describe, expect, it } from 'vitest'
import { changeOfCursor } from '../../../src/features/rwas/schema/views.js'
import { numberValue } from '../../../src/ledger/indexes.js'

describe('a cursor of changes of a lot', () => {
  it('is refused if the index has no such height', () => {
    expect(() => numberValue(changeOfCursor('99999999999999.0')?.height ?? -1)).not.toThrow()
    expect(changeOfCursor('281474976710656.0')).toBeUndefined()
    expect(changeOfCursor('999999999999999.0')).toBeUndefined()
  })
})
