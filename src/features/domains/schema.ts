/** Owns domains as clients see them: error codes, instructions, events, views, queries and routes. */

import { defineSchema } from '../../api/feature.js'
import { type Page, pageOf, pageParameters } from '../../api/paging.js'
import { byDomainQuery, pageQueryOf } from '../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../api/route.js'
import { type Infer, option, type Schema, struct, varintBig } from '../../codec/index.js'
import {
  aboutObjects,
  accountId,
  answered,
  CORE_IDS,
  declareErrors,
  defineEvents,
  defineInstructions,
  defineQueries,
  domainId,
  type ErrorDef,
  type EventSubject,
  EXIT,
  metadata,
} from '../../model/index.js'

const errors = declareErrors({
  bad_name: answered(
    8,
    400,
    EXIT.badInput,
    'The text is not a valid name.',
    'Names have 1 to 128 visible ASCII characters except @ # $ /, and must not be . or ..',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

export interface DomainView extends Infer<typeof domainView> {}
const domainView = struct('DomainView', { id: domainId, ownedBy: accountId, metadata })

const domainPage: Schema<Page<DomainView>> = pageOf('DomainPage', domainView)

const domainsInput = pageQueryOf('DomainsQuery', domainId)

export const instructions = defineInstructions({
  registerDomain: {
    id: 5,
    label: 'domain::register',
    record: {
      id: domainId,
      /** Permanent dataspace of the domain; absent: the universal one. */
      dataspace: option(varintBig),
      metadata,
    },
  },
  unregisterDomain: { id: 6, label: 'domain::unregister', record: { id: domainId } },
})

export const domain: EventSubject<{ readonly domain: string }> = {
  subject: 'domain',
  about: (value) => aboutObjects(value.domain),
}

export const events = defineEvents({
  domainCreated: { id: 2, record: { domain: domainId, owner: accountId }, ...domain },
  domainDeleted: { id: 17, record: { domain: domainId }, ...domain },
})

export const queries = defineQueries({
  domains: { id: 1, input: domainsInput, output: domainPage },
  domain: { id: 60, input: byDomainQuery, output: domainView },
})

export const domainsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.domains',
  tool: { name: 'domains', about: 'Domains and their owners' },
  path: '/v1/domains',
  summary: 'Domains in the order of their ids',
  query: pageParameters,
  response: domainPage,
}).byPage(queries.domains)

const domainPath_ = struct('DomainPath', { id: domainId })

const domainRoute = defineRoute({
  ...publicRead,
  id: 'ledger.domain',
  path: '/v1/domains/{id}',
  summary: 'A domain',
  params: domainPath_,
  response: domainView,
}).byQuery(
  queries.domain,
  ({ params }) => params,
  ({ params }) => `domain ${params.id} does not exist`,
)

export const domainSchema = defineSchema({
  name: 'domains',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: { domains: domainsRoute, domain: domainRoute },
  topics: { domain: 'Domains' },
})
