/** Owns the events of triggers. */

import { bool, bytes, option, string, struct, u32, unitEnum, varint } from '../../../codec/index.js'
import {
  aboutObjects,
  accountId,
  defineEvent,
  type EventSubject,
  metadataValue,
  name,
  RUN_KEY_MAX_BYTES,
} from '../../../model/index.js'
import { TRIGGER_EVENTS as ID } from './ids.js'

const trigger: EventSubject<{ readonly trigger: string }> = {
  subject: 'trigger',
  about: (value) => aboutObjects(value.trigger),
}
export const triggerCreated = defineEvent(
  ID.triggerCreated,
  'triggerCreated',
  struct('TriggerCreated', { trigger: name, authority: accountId }),
  trigger,
)
export const triggerDeleted = defineEvent(
  ID.triggerDeleted,
  'triggerDeleted',
  struct('TriggerDeleted', { trigger: name, authority: accountId }),
  trigger,
)
export const triggerChanged = defineEvent(
  ID.triggerChanged,
  'triggerChanged',
  struct('TriggerChanged', { trigger: name, repeats: option(u32), enabled: bool }),
  trigger,
)
export const triggerCalled = defineEvent(
  ID.triggerCalled,
  'triggerCalled',
  struct('TriggerCalled', { trigger: name, caller: accountId, args: metadataValue }),
  trigger,
)
const runCause = unitEnum('TriggerCause', { data: 0, call: 1, time: 2, preCommit: 3 })
/** Longest name of an error code, in bytes. */
export const CODE_MAX_BYTES = 64
/** A run. Not to be triggered by: a trigger that follows its own runs would never end. */
export const triggerRan = defineEvent(
  ID.triggerRan,
  'triggerRan',
  struct('TriggerRan', {
    trigger: name,
    cause: runCause,
    /** Point of the schedule that it ran for, in ms since the Unix epoch. */
    dueMs: option(varint),
    /** Later points that passed before it could run. */
    missed: varint,
    error: option(string(CODE_MAX_BYTES)),
  }),
)
/** A run that a feature had scheduled. Not to be triggered by, like those of triggers. */
export const dueRunRan = defineEvent(
  ID.dueRunRan,
  'dueRunRan',
  struct('DueRunRan', {
    run: name,
    key: bytes(RUN_KEY_MAX_BYTES),
    /** Who paid; absent: the chain. */
    owner: option(accountId),
    error: option(string(CODE_MAX_BYTES)),
    /** When it is tried again, in ms since the Unix epoch; absent after a failure: never by itself. */
    retryMs: option(varint),
  }),
)
