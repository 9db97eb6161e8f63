/** Owns the queries of domains. */

import { byDomainQuery } from '../../../api/query-inputs.js'
import { defineQuery } from '../../../model/index.js'
import { DOMAIN_QUERIES as ID } from './ids.js'
import { domainPage, domainsInput, domainView } from './views.js'

export const domains = defineQuery(ID.domains, 'domains', domainsInput, domainPage)

export const domain = defineQuery(ID.domain, 'domain', byDomainQuery, domainView)
