/** Every list of the route table on a running network: read to its end by cursors, and cursors that are not its own. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatCursor, listDigest, parameterFields, parseCursor, type QueryRequest } from '../../../src/api/index.js'
import { signQuery } from '../../../src/client/index.js'
import type { Json } from '../../../src/codec/index.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { Gateway } from '../../../src/gateway/index.js'
import { shapeOf } from '../../../src/gateway/query/list.js'
import { formatAddress, type Instruction, instruction } from '../../../src/model/index.js'
import { CHAIN, codec, DEFINITION, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import * as core from '../../support/core.js'
import { startOf } from '../../support/query.js'
import { CORE, SERVED_ROUTES } from '../../support/served-routes.js'

/** Values of the parameters by which lists pick. */
let values: Readonly<Record<string, string>>
let alice: TestAccount
let bob: TestAccount
let cluster: Cluster
let gateway: Gateway
const failures: object[] = []

const first = (): Member => cluster.list[0] as Member

async function commit(account: TestAccount, ...instructions: readonly Instruction[]): Promise<void> {
  const { height } = first().core
  const record = signedBy(account, instructions, Date.now())
  expect((await first().core.services.submit(record.bytes)).ok).toBe(true)
  await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
}

interface ListAnswer {
  readonly items: readonly Json[]
  readonly next_cursor: string | null
  readonly height: number
}

async function ask(url: string): Promise<{ status: number; code: string | undefined; json: ListAnswer }> {
  const answer = await gateway.inject({ url })
  const json = JSON.parse(answer.body) as ListAnswer & { code?: string }
  return { status: answer.statusCode, code: json.code, json }
}

const withQuery = (url: string, more: string): string => `${url}${url.includes('?') ? '&' : '?'}${more}`

/** Every list, plain and by each of its parameters. */
function lists(): string[] {
  const rows = SERVED_ROUTES.filter((row) => row.query !== undefined && row.method === 'GET')
  return rows.flatMap((row) => {
    const names = parameterFields(row.query as never).map(({ name }) => name)
    if (!names.includes('cursor')) return []
    const path = row.path
      .replace('definitions/{id}', 'definitions/{definition}')
      .replace(/\{([a-z]+)\}/g, (_, name: string) => values[name] ?? '')
    expect(path, row.path).not.toContain('//')
    return [path, ...names.flatMap((name) => (values[name] === undefined ? [] : [`${path}?${name}=${values[name]}`]))]
  })
}

/** Lists that go on after their first item, with the cursor. */
const cursors = new Map<string, string>()

beforeAll(async () => {
  ;[alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  const asset = (account: TestAccount) => ({ definition: DEFINITION, account: account.id })
  cluster = await Cluster.start(
    4,
    [alice, bob],
    [
      core.registerDomain('shop'),
      core.registerDefinition('points#bank'),
      core.mint(alice.id, 5n, 'points#bank'),
      ...['a$bank', 'b$bank'].flatMap((id) => [core.registerNft(id), core.passOn('nft', id, alice.id)]),
      ...['one', 'two'].flatMap((id) => [
        core.registerRole(id),
        core.registerTrigger(id, alice.id, core.BY_CALL, [core.log(id)]),
      ]),
      ...[alice, bob].map(
        (one): Instruction =>
          instruction(assets.setLimits, { asset: asset(one), limits: [{ window: 'day', cap: core.units(10_000n) }] }),
      ),
    ],
  )
  gateway = new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, telemetryProfile: 'full' },
    {
      services: first().core.services,
      ...CORE,
      logger: { error: (fields: object) => failures.push(fields), debug: () => {} },
    },
  )
  for (const amount of [1n, 2n, 3n]) {
    await commit(alice, transferOf(alice.id, bob.id, amount), transferOf(alice.id, bob.id, amount))
  }
  await commit(bob, transferOf(bob.id, alice.id, 10n ** 30n))
  const address = formatAddress(alice.id, 'cw')
  const definition = encodeURIComponent(DEFINITION)
  values = {
    id: address,
    definition,
    asset: definition,
    account: address,
    owner: address,
    authority: address,
    domain: 'bank',
    outcome: 'approved',
    from: '3',
    height: '2',
    from_ms: '1',
  }
  for (const url of lists()) {
    const { json, status } = await ask(withQuery(url, 'limit=1'))
    expect(status, url).toBe(200)
    if (json.next_cursor !== null) cursors.set(url, json.next_cursor)
  }
})

afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

/** Sends a cursor and returns the refusal. */
async function refusal(url: string, cursor: string): Promise<unknown> {
  const { status, code } = await ask(withQuery(url, `cursor=${encodeURIComponent(cursor)}`))
  expect(failures).toEqual([])
  return [status, code]
}
const FOREIGN = [400, 'invalid_pagination']

describe('every paged list', () => {
  it('continues at its cursor until each item has been returned once', async () => {
    // An empty list of proofs has one page, and so has a block of one transaction; no message was paid here.
    const short = lists().filter((url) => !cursors.has(url))
    expect(short.filter((url) => !url.startsWith('/v1/explorer/payments')).sort()).toEqual([
      '/v1/consensus/evidence',
      '/v1/pipeline/recovery/2',
    ])
    for (const url of lists()) {
      const whole = await ask(withQuery(url, 'limit=100'))
      const seen: Json[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await ask(withQuery(url, cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`))
        expect(page.status, url).toBe(200)
        expect(page.json.height).toBeGreaterThanOrEqual(whole.json.height)
        seen.push(...page.json.items)
        cursor = page.json.next_cursor
      }
      expect(seen, url).toEqual(whole.json.items)
      const skipped = await ask(withQuery(url, 'offset=1&limit=100'))
      // A page without the first movement tells no opening balance; its items are the others.
      expect(skipped.json.items, url).toEqual(whole.json.items.slice(1))
    }
  })

  it('rejects the cursor of another list', async () => {
    for (const url of lists()) {
      const own = cursors.get(url)
      for (const [other, cursor] of cursors) {
        const listOf = (text: string | undefined) => text && Buffer.from(parseCursor(text)?.list ?? []).toString('hex')
        // The explorer shows lists of the ledger under another path.
        const isSame = listOf(own) === listOf(cursor)
        expect(await refusal(url, cursor), `${url} with the cursor of ${other}`).toEqual(
          isSame ? [200, undefined] : FOREIGN,
        )
      }
    }
  })

  it('rejects a cursor without a valid position', async () => {
    const places = ['', ' ', 'no place', '\u0000', 'cw1', '#', `${DEFINITION}#`, '0', '-1', '1.', 'é', '9'.repeat(400)]
    for (const [url, text] of cursors) {
      const cursor = parseCursor(text)
      if (cursor === undefined) throw new Error(`${url} gave out what is no cursor`)
      for (const after of places) {
        // Names are free texts.
        if (/^\/v1\/(domains|roles|triggers)/.test(url) && /^(cw1|0|-1|1\.)$/.test(after)) continue
        expect(await refusal(url, formatCursor({ ...cursor, after })), `${url} after ${JSON.stringify(after)}`).toEqual(
          FOREIGN,
        )
      }
    }
  })

  it('rejects a malformed cursor: truncated, extended, or with a flipped bit in its height or list', async () => {
    for (const [url, text] of cursors) {
      for (let length = 1; length < text.length; length += 3) {
        expect(await refusal(url, text.slice(0, length)), `${url} ${length} of ${text}`).toEqual(FOREIGN)
      }
      expect(await refusal(url, `${text}AAAA`)).toEqual(FOREIGN)
      expect(await refusal(url, '%')).toEqual(FOREIGN)
      const cursor = parseCursor(text)
      if (cursor === undefined) throw new Error(`${url} gave out what is no cursor`)
      expect(await refusal(url, formatCursor({ ...cursor, list: listDigest('nothing', Buffer.alloc(0)) }))).toEqual(
        FOREIGN,
      )
    }
  })

  it('rejects a cursor from a height that the node has not reached yet', async () => {
    for (const [url, text] of cursors) {
      const cursor = parseCursor(text)
      if (cursor === undefined) throw new Error(`${url} gave out what is no cursor`)
      const later = formatCursor({ ...cursor, height: cursor.height + 1_000 })
      expect(await refusal(url, later), url).toEqual([410, 'cursor_expired'])
    }
  })

  it('reports an object that does not exist', async () => {
    const outsider = formatAddress((await testAccount('stranger')).id, 'cw')
    const asked = [
      ['/v1/accounts?domain=nosuch', 'domain nosuch does not exist'],
      ['/v1/nfts?domain=nosuch', 'domain nosuch does not exist'],
      [`/v1/nfts?owner=${outsider}`, `account ${outsider} does not exist`],
      ['/v1/assets?definition=no%23such', 'asset definition no#such does not exist'],
      ['/v1/assets/definitions/no%23such/holders', 'asset definition no#such does not exist'],
      ['/v1/controls/no%23such', 'asset definition no#such does not exist'],
      ['/v1/transactions?definition=no%23such', 'asset definition no#such does not exist'],
      [`/v1/explorer/instructions?authority=${outsider}`, `account ${outsider} does not exist`],
      [`/v1/accounts/${outsider}/transactions`, `account ${outsider} does not exist`],
      [`/v1/accounts/${outsider}/assets`, `account ${outsider} does not exist`],
    ] as const
    for (const [url, message] of asked) {
      const { status, json } = await ask(url)
      expect([status, (json as unknown as { message: string }).message], url).toEqual([404, message])
    }
  })

  it('accepts only the same positions in POST /query', async () => {
    const { queries, info } = first().core.services
    const paged = [...queries().values()].filter((def) => shapeOf(def, info.codec)?.hasPages)
    expect(paged.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['assets', 'nfts', 'triggers', 'evidence']))
    const post = async (request: QueryRequest) => {
      const payload = await signQuery(request, alice.pair, { chain: CHAIN, codec })
      const headers = { 'content-type': 'application/x-codec', accept: 'application/json' }
      const answer = await gateway.inject({ method: 'POST', url: '/query', headers, payload })
      return [answer.statusCode, (JSON.parse(answer.body) as { code?: string }).code]
    }
    const named: Record<string, Json> = {
      definition: DEFINITION,
      alias: 'user0@bank',
      account: formatAddress(alice.id, 'cw'),
      block: 2,
      name: 'CanMint',
      object: DEFINITION,
      reference: 'E2E-1',
    }
    for (const { kind, input } of paged) {
      const names = parameterFields(input).map(({ name }) => name)
      const given = Object.fromEntries(Object.entries(named).filter(([name]) => names.includes(name)))
      expect(await post({ kind: 'singular', value: { kind, input: { ...given, limit: 1 } } }), kind).toEqual([
        200,
        undefined,
      ])
      for (const after of ['no place', '', '9'.repeat(600)]) {
        const input_: Json = { ...given, limit: 1, after }
        expect((await post({ kind: 'singular', value: { kind, input: input_ } }))[0], `${kind} ${after}`).toBe(400)
      }
      expect(await post(startOf({ query: { kind, input: { ...given, after: '7' } } })), kind).toEqual(FOREIGN)
      expect(await post(startOf({ query: { kind, input: given } })), kind).toEqual([200, undefined])
    }
    expect(failures).toEqual([])
  })

  it('is empty or not found for a block number above every height', async () => {
    const beyond = 2 ** 53 - 1
    for (const url of [`/v1/transactions?block=${beyond}`, `/v1/ledger/headers?from=${beyond}&limit=1`]) {
      expect((await ask(url)).status, url).toBe(200)
    }
    for (const url of [`/v1/explorer/blocks/999999999999999`, `/v1/consensus/validator-sets/${beyond}`]) {
      expect((await ask(url)).status, url).toBe(404)
    }
    expect(failures).toEqual([])
  })
})
