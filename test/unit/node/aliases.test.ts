/** Aliases on a chain of ABI 2: their routes, the places that take them, and what is refused without a trace. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../../src/client/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { formatAddress, instruction } from '../../../src/model/index.js'
import { testAccount } from '../../support/chain.js'
import { type Served, serve } from '../../support/served.js'

const IBAN = 'DE89370400440532013000'
let served: Served
let client: CausewayClient
let alice = ''
let bob = ''
beforeAll(async () => {
  const bobs = (await testAccount('bob')).id
  served = await serve(ABI_2, [
    instruction(iso.bindIban, { iban: IBAN, account: bobs }),
    instruction(iso.bindCurrency, { currency: 'USD', definition: 'usd#bank' }),
  ])
  alice = formatAddress(served.alice.id)
  bob = formatAddress(served.bob.id)
  client = new CausewayClient({ gateway: served.url, signer: served.alice.pair })
})
afterAll(async () => {
  await client.close()
  await served.close()
})

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${served.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

describe('alias routes', () => {
  it('resolve a name, an IBAN and a currency', async () => {
    const name = await ask('POST', '/v1/aliases/resolve', { alias: 'Ｕser1@bank' })
    expect(name).toMatchObject({
      status: 200,
      json: { canonical: 'user1@bank', kind: 'assigned', standing: 'live', account_id: bob, home_domain: 'bank' },
    })
    expect(await ask('GET', `/v1/aliases/iban:${IBAN}`)).toMatchObject({
      status: 200,
      json: { kind: 'iban', account_id: bob },
    })
    expect(await ask('POST', '/v1/assets/aliases/resolve', { alias: 'ccy:usd' })).toMatchObject({
      status: 200,
      json: { canonical: 'ccy:USD', asset_definition_id: 'usd#bank', asset_name: 'usd', scale: 2 },
    })
    expect(await ask('GET', '/v1/assets/aliases?definition=ccy:USD')).toMatchObject({
      status: 200,
      json: { items: [{ alias: 'ccy:USD', kind: 'currency' }] },
    })
  })

  it('answer a batch in order, with a result or an error for each alias', async () => {
    const { json } = await ask('POST', '/v1/aliases/resolve/batch', {
      aliases: ['user0@bank', 'nobody@bank', 'a@@b', 'mailto:a@b.example'],
    })
    const items = json['items'] as { answer?: { account_id?: string }; error?: { code: string } }[]
    expect(items.map(({ answer, error }) => answer?.account_id ?? error?.code)).toEqual([
      alice,
      'alias_unknown',
      'bad_name',
      'plaintext_identifier',
    ])
  })

  it('list the names of an account for any client, and its IBANs only for the account itself', async () => {
    const path = `/v1/aliases/by-account/${bob}`
    const names = async (asker: CausewayClient) =>
      ((await asker.json('GET', path)) as { items: { alias: string }[] }).items.map(({ alias }) => alias)
    expect(await names(client)).toEqual(['user1@bank'])
    const own = new CausewayClient({ gateway: served.url, signer: served.bob.pair })
    expect(await names(own)).toEqual([`iban:${IBAN}`, 'user1@bank'])
    await own.close()
  })

  it('mark the primary name of an account', async () => {
    const own = new CausewayClient({ gateway: served.url, signer: served.bob.pair })
    await own.transactAndWait([{ SetPrimaryName: { name: 'user1@bank' } }])
    const { items } = (await client.json('GET', `/v1/aliases/by-account/${bob}`)) as { items: object[] }
    expect(items).toMatchObject([{ alias: 'user1@bank', is_primary: true }])
    await own.close()
  })

  it('refuse an alias that does not resolve, or resolves to another kind of object', async () => {
    expect(await ask('GET', '/v1/aliases/nobody@bank')).toMatchObject({ status: 404, json: { code: 'alias_unknown' } })
    const asked = { alias: 'user0@bank', want: 'asset' }
    expect(await ask('POST', '/v1/aliases/resolve', asked)).toMatchObject({
      status: 404,
      json: { code: 'alias_unknown' },
    })
    expect(await ask('GET', '/v1/aliases/user%D0%BE@bank')).toMatchObject({ status: 400, json: { code: 'bad_name' } })
  })
})

describe('an alias in another route', () => {
  it.each([
    ['/v1/accounts/user1@bank', `/v1/accounts/`],
    [`/v1/accounts/iban:${IBAN}`, '/v1/accounts/'],
    ['/v1/accounts/USER1@bank', '/v1/accounts/'],
  ])('%s returns the same response as with the address', async (path, base) => {
    expect(await ask('GET', path)).toEqual(await ask('GET', base + bob))
  })

  it('of an asset returns the same response as the asset id', async () => {
    const byId = await ask('GET', '/v1/assets/definitions/usd%23bank')
    expect(byId.status).toBe(200)
    expect(await ask('GET', '/v1/assets/definitions/ccy:USD')).toEqual(byId)
    const filtered = await ask('GET', `/v1/events/sse?asset=ccy:EUR`)
    expect(filtered).toMatchObject({ status: 404, json: { code: 'not_found' } })
  })

  it('with plaintext personal data is refused, and the error repeats no part of it', async () => {
    for (const text of ['phone:+4930123456', 'mailto:jane.doe@bank.example']) {
      for (const path of ['/v1/accounts/', '/v1/aliases/', '/v1/assets/definitions/']) {
        const { status, json } = await ask('GET', path + encodeURIComponent(text))
        expect([status, json['code']], path).toEqual([400, 'plaintext_identifier'])
        expect(JSON.stringify(json)).not.toMatch(/4930123456|jane/)
      }
    }
  })

  it('is also resolved in a signed query', async () => {
    expect(await client.query('account', { id: null, alias: 'User1@bank' })).toMatchObject({ id: bob })
    expect(await client.query('assetDefinition', { id: 'ccy:USD' })).toMatchObject({ id: 'usd#bank' })
  })
})

describe('a transaction built from aliases', () => {
  it('resolves a name, an IBAN and a currency, and is committed in one block', async () => {
    const pay = (to: string) => ({
      Transfer: { asset: { definition: 'ccy:USD', account: 'user0@bank' }, to, amount: '1' },
    })
    const outcome = await client.transactAndWait([pay('user1@bank'), pay(`iban:${IBAN}`)])
    expect(outcome).toMatchObject({ state: 'approved' })
  })
})
