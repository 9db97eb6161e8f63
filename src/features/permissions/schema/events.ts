/** Owns the events of permissions, roles and ownership. */

import {
  aboutGrantee,
  aboutObjects,
  accountId,
  accountParty,
  defineEvents,
  type EventSubject,
  name,
  roleEvents,
  token,
} from '../../../model/index.js'
import { objectText, owned } from './owned.js'

const role: EventSubject<{ readonly role: string }> = { subject: 'role', about: (value) => aboutObjects(value.role) }

export const events = {
  ...roleEvents,
  ...defineEvents({
    permissionAdded: { id: 10, record: { account: accountId, token }, ...aboutGrantee },
    permissionRemoved: { id: 11, record: { account: accountId, token }, ...aboutGrantee },
    roleCreated: { id: 25, record: { role: name }, ...role },
    roleDeleted: { id: 26, record: { role: name }, ...role },
    rolePermissionAdded: { id: 27, record: { role: name, token }, ...role },
    rolePermissionRemoved: { id: 28, record: { role: name, token }, ...role },
    ownerChanged: {
      id: 24,
      record: { object: owned, from: accountId, to: accountId },
      subject: 'ownership',
      about: ({ object, from, to }) => ({
        objects: [objectText(object)],
        parties: [accountParty(from), accountParty(to)],
      }),
    },
  }),
}
