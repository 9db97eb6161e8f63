/** Accounts that requests name: what a handler gets of an address and of an alias, and what is refused before it. */
import { describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { accountsOf } from '../../../src/gateway/accounts.js'
import { formatAddress } from '../../../src/model/index.js'
import { bob, carol } from '../../support/conference.js'

const services = {
  info: { addressPrefix: 'cw' },
  queries: () => new Map(),
  query: async (_: unknown, { alias }: { alias: string | undefined }) => {
    return alias === 'bob@meet' ? { id: bob } : undefined
  },
} as unknown as NodeServices

const request = { params: {}, query: {}, body: undefined }

describe('account parameters of a request', () => {
  it('are resolved from addresses and aliases to ids, in path, query string and body', async () => {
    const row = { accounts: { id: 'id', relayId: 'id', to: 'id' } } as const
    const read = {
      params: { id: formatAddress(carol, 'cw') },
      query: { relayId: 'bob@meet' },
      body: { to: 'bob@meet' },
    }
    expect(await accountsOf(row, read, services)).toEqual({ id: carol, relayId: bob, to: bob })
  })

  it('keep the alias if the route accepts names and the alias does not resolve', async () => {
    const row = { accounts: { id: 'name' } } as const
    const named = await accountsOf(row, { ...request, params: { id: 'nobody@meet' } }, services)
    expect(named).toEqual({ id: { id: undefined, alias: 'nobody@meet' } })
  })

  it('are resolved to ids if the route accepts names and the alias resolves', async () => {
    const row = { accounts: { id: 'name' } } as const
    const named = await accountsOf(row, { ...request, params: { id: 'Bob@meet' } }, services)
    expect(named).toEqual({ id: { id: bob, alias: undefined } })
  })

  it('are absent if the optional parameter is absent', async () => {
    expect(
      await accountsOf({ accounts: { owner: 'id' } }, { ...request, query: { owner: undefined } }, services),
    ).toEqual({})
  })

  it.each([
    ['nobody@meet', 'not_found', 'relay_id: account does not exist'],
    ['nobody', 'validation_failed', 'relay_id: not an address of this chain or an alias label@domain'],
    [
      'mailto:bob@meet',
      'plaintext_identifier',
      'relay_id: phone numbers and e-mail addresses are not accepted in plain text',
    ],
    ['', 'validation_failed', 'relay_id: not an address of this chain or an alias label@domain'],
  ])('reject %j with %s and the name of the parameter', async (text, code, message) => {
    const refused = await accountsOf(
      { accounts: { relayId: 'id' } },
      { ...request, params: { relayId: text } },
      services,
    )
    expect(refused).toMatchObject({ code, message })
  })
})
