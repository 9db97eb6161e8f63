/** Paths of routes with texts of a user. */
import { expect, it } from 'vitest'
import { pathOf } from '../../../src/client/route-call.js'

const route = { path: '/v1/accounts/{id}' }

it('a path contains its parameter in encoded form', () => {
  expect(pathOf(route, { params: { id: 'alice@bank' } })).toBe('/v1/accounts/alice%40bank')
})

it('an empty path parameter is refused, because the path would address another route', () => {
  expect(() => pathOf(route, { params: { id: '' } })).toThrow('id: expected a value, got an empty text')
})
