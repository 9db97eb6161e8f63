/** Error line of a refused body. */
import { describe, expect, it } from 'vitest'
import { parseRefusal } from '../../../src/features/iso20022/bridge/refusal.js'
import type { IsoFault } from '../../../src/features/iso20022/message/index.js'

const missing = (path: string, expected: string): IsoFault => ({
  code: 'element_missing',
  path,
  line: 13,
  column: 5,
  value: '',
  expected,
  reasonCode: 'RC04',
  hint: `${expected} is required.`,
})

describe('the error for a rejected body', () => {
  it('contains the expected value of the first fault, and the number of other faults', () => {
    const one = missing('/Document/CdtrAgt', 'CdtrAgt')
    expect(parseRefusal({ ok: false, stage: 'invalid', faults: [one] })).toMatchObject({
      code: 'iso_invalid',
      message: '/Document/CdtrAgt: expected CdtrAgt',
    })
    const two = [one, missing('/Document/DbtrAgt', 'DbtrAgt')]
    expect(parseRefusal({ ok: false, stage: 'malformed', faults: two })).toMatchObject({
      code: 'iso_malformed',
      message: '/Document/CdtrAgt: expected CdtrAgt (and 1 more)',
    })
  })
})
