/** Bodies that only known senders may send: looked up before they are read, few at once, and counted until they are answered. */
import { describe, expect, it } from 'vitest'
import { type AnnouncedBody, LargeBodies } from '../../../src/gateway/large-bodies.js'
import { LedgerError } from '../../../src/model/index.js'
import { accountNamed } from '../../support/executor.js'

const [bank, other, outsider] = ['bank', 'other', 'stranger'].map(accountNamed)
const MIB = 1024 * 1024
const KNOWN = { isKnown: async (account: string | undefined) => account !== undefined && account !== outsider }

const body = (more: Partial<AnnouncedBody> = {}): AnnouncedBody => ({
  route: 'iso_pacs008',
  account: bank,
  client: '192.0.2.1',
  bytes: MIB,
  untrustedMax: 256 * 1024,
  max: 2 * MIB,
  ...more,
})
const bodies = () => new LargeBodies(new Map([['iso_pacs008', KNOWN]]))
/** The function that ends a body that must be admitted. */
async function admitted(of: LargeBodies, more: Partial<AnnouncedBody> = {}): Promise<() => void> {
  const end = await of.reserve(body(more))
  if (end instanceof LedgerError) throw end
  return end
}

describe('a large body', () => {
  it('of a known sender is read', async () => {
    expect(await bodies().reserve(body())).toBeInstanceOf(Function)
  })

  it.each([
    ['an unknown sender', { account: outsider }],
    ['no sender', { account: undefined }],
    ['a route without large bodies', { route: 'transaction' }],
  ])('from %s is rejected before it is read', async (_, more) => {
    expect(await bodies().reserve(body(more))).toMatchObject({
      code: 'payload_too_large',
      details: { max_bytes: 256 * 1024 },
    })
  })

  it('without a length counts as the maximum, and is rejected if the sender is unknown', async () => {
    const of = bodies()
    await admitted(of, { bytes: undefined })
    await admitted(of, { bytes: undefined })
    expect(await of.reserve(body())).toMatchObject({ code: 'rate_limited' })
    expect(await of.reserve(body({ account: outsider, bytes: undefined }))).toMatchObject({
      hint: 'Send the length of the body in Content-Length.',
    })
  })

  it('is rate limited while its client sends others, but other clients of the account are not', async () => {
    const of = bodies()
    const ends = await Promise.all([1, 2, 3, 4].map(() => admitted(of)))
    expect(await of.reserve(body())).toMatchObject({ code: 'rate_limited', details: { retry_after_seconds: 1 } })
    expect(await of.reserve(body({ account: other }))).toMatchObject({ code: 'rate_limited' })
    await admitted(of, { client: '192.0.2.2' })
    ends[0]?.()
    await admitted(of)
    expect(await of.reserve(body())).toMatchObject({ code: 'rate_limited' })
  })

  it('is rate limited while bodies of all clients use up the shared limit', async () => {
    const of = bodies()
    const clients = Array.from({ length: 8 }, (_, at) => `192.0.2.${at + 10}`)
    const ends = await Promise.all(clients.map((client) => admitted(of, { client, bytes: 2 * MIB })))
    expect(await of.reserve(body())).toMatchObject({ code: 'rate_limited' })
    for (const end of ends) end()
    await Promise.all(clients.map((client) => admitted(of, { client, bytes: 2 * MIB })))
  })
})
