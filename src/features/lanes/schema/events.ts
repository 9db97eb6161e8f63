/** Owns the events of lanes: their records, and their subjects for data triggers and streams. */
import { hash32, list, option, u32, varint, varintBig } from '../../../codec/index.js'
import { DATASPACES_MAX, LANES_ACTIVE_MAX, relayIdentity, settlementEvents } from '../../../lanes/index.js'
import { aboutObjects, defineEvents, type EventSubject, name } from '../../../model/index.js'

const lane: EventSubject<unknown> = { subject: 'lane' }
const relay: EventSubject<unknown> = { subject: 'relay' }

const ids = list(u32, LANES_ACTIVE_MAX)

export const events = {
  ...settlementEvents,
  ...defineEvents({
    /** The catalogue of lanes changed; it takes effect at `fromHeight`. */
    lanesChanged: { id: 400, record: { added: ids, retired: ids, relabelled: ids, fromHeight: varint }, ...lane },
    routingPolicyChanged: { id: 401, record: { version: varint, fromHeight: varint }, ...lane },
    dataspacesChanged: {
      id: 402,
      record: { dataspaces: list(varintBig, DATASPACES_MAX), fromHeight: varint },
      ...lane,
    },
    /** Both legs of a settlement were moved. */
    settled: { id: 403, record: { id: name }, subject: 'settlement', about: ({ id }) => aboutObjects(id) },
    relayEnvelopeAccepted: { id: 405, record: relayIdentity, ...relay },
    relayAnchorChanged: {
      id: 406,
      record: { chainHash: hash32, height: varint, committeeHash: option(hash32) },
      ...relay,
    },
  }),
}
