import { describe, expect, it } from 'vitest'
import { errorCode, errorMessage } from '../../../src/base/thrown.js'

describe('errorCode', () => {
  it('gives the code of what has one, and undefined for anything else', () => {
    expect(errorCode(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT')
    for (const thrown of [new Error('plain'), { code: 7 }, 'ENOENT', null, undefined]) {
      expect(errorCode(thrown)).toBeUndefined()
    }
  })
})

describe('errorMessage', () => {
  it('gives the message of an error, and the text of anything else', () => {
    expect(errorMessage(new Error('no room'))).toBe('no room')
    expect([errorMessage('no room'), errorMessage(undefined)]).toEqual(['no room', 'undefined'])
  })
})
