/** Accounts that requests name: what a handler gets of an address and of an alias, and what is refused before it. */
import { describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { accountsOf } from '../../../src/gateway/accounts.js'
import { formatAddress } from '../../../src/model/index.js'
import { bob, carol } from '../../support/conference.js'

const asked: string[] = []
const services = {
  info: { addressPrefix: 'cw' },
  query: async (_: unknown, { alias }: { alias: string | undefined }) => {
    asked.push(String(alias))
    return alias === 'bob@meet' ? { id: bob } : undefined
  },
} as unknown as NodeServices

const request = { params: {}, query: {}, body: undefined }

describe('accounts of a request', () => {
  it('are ids by address and by alias, from path, query string and body', async () => {
    const row = { accounts: { id: 'id', relayId: 'id', to: 'id' } } as const
    const read = {
      params: { id: formatAddress(carol, 'cw') },
      query: { relayId: 'bob@meet' },
      body: { to: 'bob@meet' },
    }
    expect(await accountsOf(row, read, services)).toEqual({ id: carol, relayId: bob, to: bob })
  })

  it('are names as given, without a lookup, if the row requests names', async () => {
    asked.length = 0
    const row = { accounts: { id: 'name' } } as const
    const named = await accountsOf(row, { ...request, params: { id: 'nobody@meet' } }, services)
    expect(named).toEqual({ id: { id: undefined, alias: 'nobody@meet' } })
    expect(asked).toEqual([])
  })

  it('are absent if an optional parameter is', async () => {
    expect(
      await accountsOf({ accounts: { owner: 'id' } }, { ...request, query: { owner: undefined } }, services),
    ).toEqual({})
  })

  it.each([
    ['nobody@meet', 'not_found', 'relay_id: account does not exist'],
    ['nobody', 'validation_failed', 'relay_id: not an address of this chain or an alias label@domain'],
    ['', 'validation_failed', 'relay_id: not an address of this chain or an alias label@domain'],
  ])('refuse %j as %s with the name of the parameter', async (text, code, message) => {
    const refused = await accountsOf(
      { accounts: { relayId: 'id' } },
      { ...request, params: { relayId: text } },
      services,
    )
    expect(refused).toMatchObject({ code, message })
  })
})
