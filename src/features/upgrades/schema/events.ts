/** Owns the events of runtime upgrades. */

import { hash32, varint } from '../../../codec/index.js'
import { defineEvents, type EventSubject } from '../../../model/index.js'

const upgrade: EventSubject<unknown> = { subject: 'upgrade' }

export const events = defineEvents({
  upgradeProposed: { id: 48, record: { upgrade: hash32, abi: varint }, ...upgrade },
  upgradeActivated: { id: 49, record: { upgrade: hash32, abi: varint, fromHeight: varint }, ...upgrade },
  upgradeCancelled: { id: 50, record: { upgrade: hash32, abi: varint }, ...upgrade },
})
