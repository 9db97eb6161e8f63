/** Owns the events of runtime upgrades. */

import { hash32, struct, varint } from '../../../codec/index.js'
import { defineEvent, type EventSubject } from '../../../model/index.js'
import { UPGRADE_EVENTS as ID } from './ids.js'

const upgrade: EventSubject<unknown> = { subject: 'upgrade' }
export const upgradeProposed = defineEvent(
  ID.upgradeProposed,
  'upgradeProposed',
  struct('UpgradeProposed', { upgrade: hash32, abi: varint }),
  upgrade,
)
export const upgradeActivated = defineEvent(
  ID.upgradeActivated,
  'upgradeActivated',
  struct('UpgradeActivated', { upgrade: hash32, abi: varint, fromHeight: varint }),
  upgrade,
)
export const upgradeCancelled = defineEvent(
  ID.upgradeCancelled,
  'upgradeCancelled',
  struct('UpgradeCancelled', { upgrade: hash32, abi: varint }),
  upgrade,
)
