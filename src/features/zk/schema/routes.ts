/** Owns the routes of verifying keys. */
import { word } from '../../../api/enum-text.js'
import { pageFields } from '../../../api/paging.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { option, struct } from '../../../codec/index.js'
import { name, verifyingKeyId } from '../../../model/index.js'
import { queries, verifyingKeyPage, verifyingKeyView } from './queries.js'

const parameters_ = struct('VerifyingKeysParameters', {
  backend: option(name),
  status: option(word('VerifyingKeyStatusWord', ['proposed', 'active', 'withdrawn'])),
  ...pageFields,
})

export const verifyingKeysRoute = defineRoute({
  ...publicRead,
  id: 'zk.vk.list',
  path: '/v1/zk/vk',
  summary: 'Verifying keys in the order of their ids, of one backend or one status when it is given',
  query: parameters_,
  response: verifyingKeyPage,
}).byPage(queries.verifyingKeys, ({ query }) => ({
  backend: query.backend,
  status: query.status,
}))

export const verifyingKeyRoute = defineRoute({
  ...publicRead,
  id: 'zk.vk',
  path: '/v1/zk/vk/{backend}/{name}',
  summary: 'A verifying key: its blob, its commitment, its status and heights',
  params: verifyingKeyId,
  response: verifyingKeyView,
}).byQuery(
  queries.verifyingKey,
  ({ params }) => params,
  ({ params }) => `there is no verifying key ${params.name} of ${params.backend}`,
)
