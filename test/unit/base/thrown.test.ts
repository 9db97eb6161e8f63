import { describe, expect, it } from 'vitest'
import { errorCode, errorMessage } from '../../../src/base/thrown.js'

describe('errorCode', () => {
  it('returns the code of a value that has one, and undefined otherwise', () => {
    expect(errorCode(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT')
    for (const thrown of [new Error('plain'), { code: 7 }, 'ENOENT', null, undefined]) {
      expect(errorCode(thrown)).toBeUndefined()
    }
  })
})

describe('errorMessage', () => {
  it('returns the message of an error, and the text of other values', () => {
    expect(errorMessage(new Error('no room'))).toBe('no room')
    expect([errorMessage('no room'), errorMessage(undefined)]).toEqual(['no room', 'undefined'])
  })
})
