/** Owns the events of accounts. */

import { bool, option } from '../../../codec/index.js'
import { aboutAccount, accountEvents, accountId, defineEvents, domainId, name } from '../../../model/index.js'
import { domain } from '../../domains/schema.js'

export const events = {
  ...accountEvents,
  ...defineEvents({
    labelChanged: { id: 19, record: { account: accountId, domain: domainId, label: option(name) }, ...aboutAccount },
    admissionChanged: { id: 46, record: { domain: domainId, implicit: bool }, ...domain },
  }),
}
