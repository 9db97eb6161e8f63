/** Attacks on the queries of lots. */
import { describe, expect, it } from 'vitest'
import type { QueryContext } from '../../../src/executor/reads.js'
import { lotsOf } from '../../../src/features/rwas/ledger/indexes.js'
import { changeOfCursor } from '../../../src/features/rwas/schema/views.js'
import { numberValue } from '../../../src/ledger/indexes.js'

describe('a cursor of changes of a lot', () => {
  it('is refused if the index has no such height', () => {
    expect(() => numberValue(changeOfCursor('99999999999999.0')?.height ?? -1)).not.toThrow()
    expect(changeOfCursor('281474976710656.0')).toBeUndefined()
    expect(changeOfCursor('999999999999999.0')).toBeUndefined()
  })
})

describe('a list of the lots of a class', () => {
  it('begins in the class, whatever class its cursor is of', async () => {
    const asked: Uint8Array[] = []
    const indexRange = async function* ({ gte }: { readonly gte: Uint8Array }) {
      asked.push(gte)
      yield* []
    } as unknown as QueryContext['indexRange']
    for (const after of [undefined, { definition: 'art#bank', number: 7 }])
      await lotsOf({ indexRange }, { kind: 'class' }, { definition: 'gold#bank', after, limit: 10 })
    expect(asked[1]).toEqual(asked[0])
  })
})
