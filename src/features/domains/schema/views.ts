/** Owns view records of domains. */

import { type Page, pageOf } from '../../../api/paging.js'
import { pageQueryOf } from '../../../api/query-inputs.js'
import { type Infer, type Schema, struct } from '../../../codec/index.js'
import { accountId, domainId, metadata } from '../../../model/index.js'

export interface DomainView extends Infer<typeof domainView> {}
export const domainView = struct('DomainView', { id: domainId, ownedBy: accountId, metadata })

export const domainPage: Schema<Page<DomainView>> = pageOf('DomainPage', domainView)

export const domainsInput = pageQueryOf('DomainsQuery', domainId)
