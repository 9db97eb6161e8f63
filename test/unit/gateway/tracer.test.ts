/** A tracer shows requests; it decides about none. */
import { afterAll, describe, expect, it } from 'vitest'
import { FakeNode, gatewayOf } from './support.js'

describe('a tracer that fails', () => {
  const logged: { fields: object; message: string }[] = []
  const logger = {
    error: (fields: object, message: string) => logged.push({ fields, message }),
    debug: () => undefined,
  }
  const tracer = {
    answered: () => {
      throw new Error('no room')
    },
  }
  const gateway = gatewayOf(new FakeNode(), {}, { tracer, logger })
  afterAll(() => gateway.close())

  it('changes neither a response nor an error, and the log reports the request', async () => {
    const good = await gateway.inject({ url: '/health' })
    expect([good.statusCode, good.headers['traceparent']]).toEqual([200, undefined])
    const bad = await gateway.inject({ url: '/health?x=1' })
    expect([bad.statusCode, bad.headers['x-ledger-reject-code']]).toEqual([400, 'validation_failed'])
    expect(logged.map(({ message }) => message)).toEqual(Array(2).fill('a request has no trace'))
    expect(logged[0]?.fields).toMatchObject({ route: 'health', request_id: expect.any(String) })
  })
})
