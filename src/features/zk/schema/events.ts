/** Owns the events of verifying keys. */
import { hash32, u32 } from '../../../codec/index.js'
import { aboutObjects, defineEvents, type EventSubject, name, verifyingKeyStatus } from '../../../model/index.js'

const zk: EventSubject<{ readonly backend: string; readonly name: string }> = {
  subject: 'zk',
  about: ({ backend, name: key }) => aboutObjects(`${backend}:${key}`),
}
const fields = { backend: name, name, version: u32, commitment: hash32, status: verifyingKeyStatus }

export const events = defineEvents({
  verifyingKeyRegistered: { id: 800, record: fields, ...zk },
  verifyingKeyUpdated: { id: 801, record: fields, ...zk },
})
