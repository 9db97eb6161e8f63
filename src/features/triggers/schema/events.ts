/** Owns the events of triggers. */

import { aboutTrigger, accountId, defineEvents, metadataValue, name, triggerEvents } from '../../../model/index.js'

export const events = {
  ...triggerEvents,
  ...defineEvents({
    triggerCreated: { id: 31, record: { trigger: name, authority: accountId }, ...aboutTrigger },
    triggerCalled: { id: 34, record: { trigger: name, caller: accountId, args: metadataValue }, ...aboutTrigger },
  }),
}
