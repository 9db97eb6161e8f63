/** Changes of the environment by a test file are reported and undone. */
import { expect, test } from 'vitest'
import { removeSettings, restore, surroundings } from '../support/surroundings.js'

test('environment variables that a test set, changed or removed are reported and restored', () => {
  process.env['SURROUNDINGS_CHANGED'] = 'old'
  process.env['SURROUNDINGS_REMOVED'] = 'old'
  const before = surroundings()
  process.env['SURROUNDINGS_SET'] = 'new'
  process.env['SURROUNDINGS_CHANGED'] = 'new'
  delete process.env['SURROUNDINGS_REMOVED']
  expect(restore(before).toSorted()).toEqual([
    'the variable SURROUNDINGS_CHANGED',
    'the variable SURROUNDINGS_REMOVED',
    'the variable SURROUNDINGS_SET',
  ])
  expect(restore(before)).toEqual([])
  delete process.env['SURROUNDINGS_CHANGED']
  delete process.env['SURROUNDINGS_REMOVED']
})

test('environment settings of the machine are removed, and counters of the tests remain', () => {
  process.env['CAUSEWAY_GATEWAY'] = 'http://127.0.0.1:1'
  process.env['CAUSEWAY_NODE__LOG__LEVEL'] = 'debug'
  process.env['CAUSEWAY_SURROUNDINGS_COUNT'] = '5'
  removeSettings()
  expect(process.env).not.toHaveProperty('CAUSEWAY_GATEWAY')
  expect(process.env).not.toHaveProperty('CAUSEWAY_NODE__LOG__LEVEL')
  expect(process.env).toHaveProperty('CAUSEWAY_SURROUNDINGS_COUNT', '5')
  delete process.env['CAUSEWAY_SURROUNDINGS_COUNT']
})
