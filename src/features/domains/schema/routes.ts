/** Owns the routes of domains. */

import { pageParameters } from '../../../api/paging.js'
import { byPage, byQuery, defineRoute, publicRead } from '../../../api/route.js'
import { struct } from '../../../codec/index.js'
import { domainId } from '../../../model/index.js'
import { queries } from './queries.js'
import { domainPage, domainView } from './views.js'

export const domainsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.domains',
  tool: { name: 'domains', about: 'Domains and their owners' },
  path: '/v1/domains',
  summary: 'Domains in the order of their ids',
  query: pageParameters,
  response: domainPage,
  answer: byPage(queries.domains),
})

const domainPath_ = struct('DomainPath', { id: domainId })

export const domainRoute = defineRoute({
  ...publicRead,
  id: 'ledger.domain',
  path: '/v1/domains/{id}',
  summary: 'A domain',
  params: domainPath_,
  response: domainView,
  answer: byQuery(
    queries.domain,
    ({ params }: { readonly params: { readonly id: string } }) => params,
    ({ params }: { readonly params: { readonly id: string } }) => `there is no domain ${params.id}`,
  ),
})
