/** Meaning of responses of a push service, and details that its owner must not learn from them. */
import { expect, it } from 'vitest'
import { Sender } from '../../../src/features/notify/node/sender.js'
import type { OutboundAnswer } from '../../../src/network/outbound/outbound.js'

/** Outcome of a notification whose request ends in this way. */
function sent(answer: OutboundAnswer): Promise<unknown> {
  const outbound = { post: async () => answer }
  const sender = new Sender({
    outbound,
    upstream: { config: { url: 'https://push.example', tokenFile: undefined }, outbound },
    vapid: () => Promise.reject(new Error('not needed')),
    addressPrefix: 'cw',
  } as never)
  return sender.send(
    { record: { platform: 'android' }, address: { kind: 'token', token: 'device' } } as never,
    { type: 'payment', id: '1' } as never,
    0,
  )
}

it('an endpoint name inside the network of the node and an unknown name have the same result', async () => {
  const [inside, missing] = await Promise.all([
    sent({ kind: 'failed', reason: 'address_refused' }),
    sent({ kind: 'failed', reason: 'network' }),
  ])
  expect(inside).toEqual(missing)
  expect(inside).toMatchObject({ result: 'failed', reason: 'network' })
})

it.each([
  [201, 'sent'],
  [400, 'refused'],
  [404, 'refused'],
  [408, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [503, 'failed'],
])("status %i from the operator's own service results in %s", async (status, result) => {
  expect(await sent({ kind: 'answered', status, retryAfterMs: 7 })).toMatchObject({ result, status, retryAfterMs: 7 })
})
