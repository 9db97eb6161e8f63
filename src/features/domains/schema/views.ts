/** Owns view records of domains. */

import { type Page, pageOf } from '../../../api/paging.js'
import { pageQueryOf } from '../../../api/query-inputs.js'
import { type Schema, struct } from '../../../codec/index.js'
import { type AccountId, accountId, domainId, type Metadata, metadata } from '../../../model/index.js'

export interface DomainView {
  readonly id: string
  readonly ownedBy: AccountId
  readonly metadata: Metadata
}
const domainView_ = struct('DomainView', { id: domainId, ownedBy: accountId, metadata })
export const domainView: Schema<DomainView> = domainView_

export const domainPage: Schema<Page<DomainView>> = pageOf('DomainPage', domainView)

export const domainsInput = pageQueryOf('DomainsQuery', domainId)
