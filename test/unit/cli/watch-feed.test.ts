/** The feed of the dashboard: what it takes from the events of a node. */
import { expect, it } from 'vitest'
import type { EventFilter, StreamEvent, StreamEventBody } from '../../../src/api/index.js'
import { runFeed } from '../../../src/cli/watch/feed.js'
import type { WatchInput } from '../../../src/cli/watch/model.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { events } from '../../../src/features/iso20022/schema/events.js'
import { events as names } from '../../../src/features/names/schema/events.js'
import { events as spaces } from '../../../src/features/spaces/schema/events.js'
import { LedgerError } from '../../../src/model/errors.js'
import { type DataEvent, event } from '../../../src/model/index.js'
import { accountNamed } from '../../support/executor.js'
import { CODEC } from '../gateway/support.js'

const payment = { submitter: accountNamed('bank'), family: 'pacs008', messageId: 'PAY-1' } as const

const item = (body: StreamEventBody) => ({
  kind: 'event' as const,
  value: { id: undefined, timeMs: 1_000, event: body } satisfies StreamEvent,
})
const changed = (one: DataEvent) =>
  item({ kind: 'data', value: { subject: 'iso20022', transaction: undefined, event: one } })
const committed = (height: number) => {
  const hash = Buffer.alloc(32)
  const roots = { hash, parentHash: hash, stateRoot: hash }
  return item({
    kind: 'block',
    value: { status: 'committed', height, ...roots, view: 0, transactions: 1, rejected: 0 },
  })
}

/** Filters of the last feed. */
let filters: readonly EventFilter[] = []

/** Output of the feed for these events, of a node that serves no route. */
async function inputsOf(items: readonly object[], allEvents: boolean): Promise<readonly WatchInput[]> {
  const inputs: WatchInput[] = []
  const stop = new AbortController()
  const refuse = () => Promise.reject(new LedgerError('route_not_found', 'no such route'))
  const served: Record<string, unknown> = {
    codec: () => Promise.resolve(CODEC),
    height: () => Promise.resolve(0),
    async *events(asked: { readonly filters: readonly EventFilter[] }) {
      // The node sends what one of the filters wants; this one knows subjects.
      filters = asked.filters
      yield* items
      stop.abort()
    },
    async *consensusStatuses() {
      yield* []
      await refuse()
    },
  }
  const client = new Proxy({} as CausewayClient, { get: (_, name) => served[String(name)] ?? refuse })
  await runFeed({ client, apply: (input) => inputs.push(input), signal: stop.signal, allEvents })
  return inputs
}

const BLOCKS = [
  changed(event(events.paymentSettled, { ...payment, place: 1 })),
  changed(event(events.paymentRejected, { ...payment, place: 2, code: 'not_enough' })),
  changed(event(events.messageClaimed, payment)),
  committed(1),
  committed(2),
]
const paymentsOf = (inputs: readonly WatchInput[]): readonly number[] =>
  inputs.flatMap((input) => (input.kind === 'block' ? [input.value.payments] : []))

it('the event feed counts the payments of a block without listing them', async () => {
  const inputs = await inputsOf(BLOCKS, false)
  expect(paymentsOf(inputs)).toEqual([3, 0])
  expect(inputs.filter(({ kind }) => kind === 'event')).toEqual([])
})

it('the event feed lists payments too if every event is requested', async () => {
  const inputs = await inputsOf(BLOCKS, true)
  expect(paymentsOf(inputs)).toEqual([3, 0])
  expect(inputs.filter(({ kind }) => kind === 'event')).toHaveLength(3)
})

it('the event feed shows changes of names and of guests', async () => {
  const account = accountNamed('bank')
  const inputs = await inputsOf(
    [
      changed(event(names.nameRecordsSet, { name: 'pay@bank' })),
      changed(event(spaces.spaceManifestRevoked, { dataspace: 7n, account, version: 1 })),
      committed(1),
    ],
    false,
  )
  const texts = inputs.flatMap((input) => (input.kind === 'event' ? [input.value.text] : []))
  expect(texts).toEqual([expect.stringContaining('NameRecordsSet'), expect.stringContaining('SpaceManifestRevoked')])
  expect(filters.flatMap(({ subject }) => subject ?? [])).toEqual(['name', 'space'])
})
