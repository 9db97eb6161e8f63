/** Keys of state that one request names: `path` stands beside all of `paths`, and none is left out. */
import { expect, it } from 'vitest'
import { stateRoute } from '../../../src/features/contracts/schema/routes.js'
import { STATE_PATHS_MAX, type StateQuery, stateQuery } from '../../../src/features/contracts/schema/views.js'
import { accountNamed } from '../../support/executor.js'

it('a state query can request one key together with the maximum number of additional paths', () => {
  const paths = Array.from({ length: STATE_PATHS_MAX }, (_, at) => Buffer.of(at).toString('hex'))
  const { more } = stateRoute.answer as unknown as { more(request: object): StateQuery }
  const query = { address: accountNamed('contract'), path: Buffer.of(255), paths: paths.join(',') }
  const asked = { ...more({ query }), limit: 10, cursor: undefined, offset: undefined }
  expect(asked.keys.map((one) => Buffer.from(one).toString('hex'))).toEqual(['ff', ...paths])
  expect(stateQuery.encode(asked)).toBeInstanceOf(Uint8Array)
})
