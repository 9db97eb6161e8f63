/** Owns the events of domains. */

import { struct } from '../../../codec/index.js'
import { aboutObjects, accountId, defineEvent, domainId, type EventSubject } from '../../../model/index.js'
import { DOMAIN_EVENTS as ID } from './ids.js'

export const domain: EventSubject<{ readonly domain: string }> = {
  subject: 'domain',
  about: (value) => aboutObjects(value.domain),
}
export const domainCreated = defineEvent(
  ID.domainCreated,
  'domainCreated',
  struct('DomainCreated', { domain: domainId, owner: accountId }),
  domain,
)
export const domainDeleted = defineEvent(
  ID.domainDeleted,
  'domainDeleted',
  struct('DomainDeleted', { domain: domainId }),
  domain,
)
