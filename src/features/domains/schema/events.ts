/** Owns the events of domains. */

import { aboutObjects, accountId, defineEvents, domainId, type EventSubject } from '../../../model/index.js'

export const domain: EventSubject<{ readonly domain: string }> = {
  subject: 'domain',
  about: (value) => aboutObjects(value.domain),
}

export const events = defineEvents({
  domainCreated: { id: 2, record: { domain: domainId, owner: accountId }, ...domain },
  domainDeleted: { id: 17, record: { domain: domainId }, ...domain },
})
