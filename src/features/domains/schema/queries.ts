/** Owns the queries of domains. */

import { byDomainQuery } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
import { domainPage, domainsInput, domainView } from './views.js'

export const queries = defineQueries({
  domains: { id: 1, input: domainsInput, output: domainPage },
  domain: { id: 60, input: byDomainQuery, output: domainView },
})
