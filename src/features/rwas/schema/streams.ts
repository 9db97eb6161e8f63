/** Owns the stream of events of real-world assets. */
import { accountText, assetText } from '../../../api/query-inputs.js'
import { defineStream } from '../../../api/route.js'
import { gap, startFields } from '../../../api/schema/stream.js'
import { sseOf } from '../../../api/streams.js'
import { type Infer, option, struct, varint } from '../../../codec/index.js'
import { dataEvent, lotId } from '../../../model/index.js'

/** Event of a class or a lot. */
export interface RwaStreamed extends Infer<typeof rwaStreamed> {}
export const rwaStreamed = struct('RwaStreamed', { height: varint, event: dataEvent })

export const eventStream = defineStream({
  method: 'GET',
  access: 'public',
  format: 'sse',
  id: 'rwas.events',
  path: '/v1/rwas/events',
  summary: 'Events of classes and lots as they are committed, optionally of a class, a lot or an account',
  query: struct('RwaEventSearch', {
    class: option(assetText),
    lot: option(lotId),
    account: option(accountText),
    ...startFields,
  }),
  accounts: { account: 'id' },
  errors: ['not_found'],
  stream: sseOf({ 'rwa.event': rwaStreamed, gap }),
})
