/** Owns the events of verifying keys. */
import { hash32, struct, u32 } from '../../../codec/index.js'
import { aboutObjects, defineEvent, type EventSubject, name, verifyingKeyStatus } from '../../../model/index.js'
import { ZK_EVENTS as ID } from './ids.js'

const zk: EventSubject<{ readonly backend: string; readonly name: string }> = {
  subject: 'zk',
  about: ({ backend, name: key }) => aboutObjects(`${backend}:${key}`),
}
const fields = { backend: name, name, version: u32, commitment: hash32, status: verifyingKeyStatus }
export const verifyingKeyRegistered = defineEvent(
  ID.verifyingKeyRegistered,
  'verifyingKeyRegistered',
  struct('VerifyingKeyRegistered', fields),
  zk,
)
export const verifyingKeyUpdated = defineEvent(
  ID.verifyingKeyUpdated,
  'verifyingKeyUpdated',
  struct('VerifyingKeyUpdated', fields),
  zk,
)
