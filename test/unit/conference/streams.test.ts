/** Events in the streams of relays, by account: a relay may be named by its address or its alias, as in its route. */
import { describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { conferenceStreams } from '../../../src/features/conference/node/streams.js'
import { type RelayEvent, relayStream } from '../../../src/features/conference/schema/streams.js'
import { accountsOf } from '../../../src/gateway/accounts.js'
import { formatAddress, LedgerError } from '../../../src/model/index.js'
import { bob, carol } from '../../support/conference.js'

const services = {
  info: { addressPrefix: 'cw' },
  queries: () => new Map(),
  query: async (_: unknown, { alias }: { alias: string | undefined }) =>
    alias === 'bob@meet' ? { id: bob } : undefined,
} as unknown as NodeServices

/** Which items a reader gets who asks for this relay. */
async function wantedOf(relay: string | undefined) {
  const source = conferenceStreams.get('conference.relays.events')
  if (source?.kind !== 'items') throw new Error('the stream of relays sends items of blocks')
  const query = { relay }
  const accounts = await accountsOf(relayStream, { params: undefined, query, body: undefined }, services)
  if (accounts instanceof LedgerError) return accounts
  return source.wanted?.({ params: undefined, query, accounts, services })
}

const healthOf = (relayId: string) => ({ kind: 'health', domain: 'meet', relayId, height: 2 }) as unknown as RelayEvent

describe('a relay event stream', () => {
  it.each([['bob@meet'], [formatAddress(bob, 'cw')]])(
    'contains only the given relay if it is filtered by %s',
    async (text) => {
      const wanted = await wantedOf(text)
      if (typeof wanted !== 'function') throw new Error(`refused: ${wanted?.message}`)
      expect([bob, carol].map((relay) => wanted(healthOf(relay)))).toEqual([true, false])
    },
  )

  it('is refused for an unknown alias and for an invalid account', async () => {
    expect(await wantedOf('nobody@meet')).toMatchObject({ code: 'not_found', message: 'relay: account does not exist' })
    expect(await wantedOf('bob')).toMatchObject({ code: 'validation_failed' })
  })
})
