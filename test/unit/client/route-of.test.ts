/** The row that checks a response: fixed words of a path win over parameters. */
import { expect, it } from 'vitest'
import { allRoutes, routeOf } from '../../../src/client/route-of.js'

it.each([
  ['/v1/rwas/classes/gold%23bank', 'rwas.class'],
  ['/v1/rwas/gold%23bank/1', 'rwas.show'],
  ['/v1/conference/relays/health', 'conference.relays.health'],
])('the path %s has the route %s', (path, id) => {
  expect(routeOf('GET', path)?.id).toBe(id)
})

it('the path of every table entry resolves to that entry', () => {
  const wrong = allRoutes().filter(
    (row) => routeOf(row.method, row.path.replaceAll(/\{[^}]+\}/g, '~'))?.path !== row.path,
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})
