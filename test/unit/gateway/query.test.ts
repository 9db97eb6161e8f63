/** POST /query: who may ask, what is answered, predicates, order, pages, cursors, and every refusal. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  QUERY_ANSWER_FRAME,
  type QueryRequest,
  type QueryStart,
  queryPayload,
  querySignBytes,
  SIGNED_QUERY_FRAME,
  signedQuery,
} from '../../../src/api/index.js'
import { CausewayClient, signQuery } from '../../../src/client/index.js'
import { type Json, lazyOf } from '../../../src/codec/index.js'
import { formatPublicKey, type KeyPair } from '../../../src/crypto/index.js'
import { queries as peerQueries } from '../../../src/features/peers/schema.js'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { CURSOR_IDLE_MS, HELD_PER_ACCOUNT_MAX_BYTES } from '../../../src/gateway/query/cursors.js'
import { READING_PER_ACCOUNT_MAX } from '../../../src/gateway/query/semaphore.js'
import { PAGES_MAX, ROWS_MAX, SORTED_MAX_BYTES } from '../../../src/gateway/query/walk.js'
import { accountKeyOf, formatAddress, LedgerError } from '../../../src/model/index.js'
import { pause } from '../../support/ports.js'
import { startOf } from '../../support/query.js'
import { accountOf, alice, bob, CHAIN, CODEC, DOMAINS, FakeNode, gatewayOf } from './support.js'

const CODEC_TYPE = 'application/x-codec'
let node: FakeNode
let gateway: Gateway
let nowMs: number
let nonce: number
let clients: number
beforeEach(() => {
  node = new FakeNode()
  nowMs = 0
  nonce = 0
  clients = 1
  gateway = gatewayOf(node, {}, { clocks: { wallMs: () => Date.now(), monotonicMs: () => nowMs } })
})
afterEach(() => gateway.close())

async function post(body: Buffer, headers: Record<string, string> = {}) {
  const answer = await gateway.inject({
    method: 'POST',
    url: '/query',
    // Each from an address of its own: one client has one place on the ledger.
    remoteAddress: `127.0.${(clients >> 8) & 0xff}.${clients++ & 0xff}`,
    headers: { 'content-type': CODEC_TYPE, accept: 'application/json', ...headers },
    payload: body,
  })
  return { status: answer.statusCode, type: answer.headers['content-type'], raw: answer.rawPayload, body: answer }
}

async function ask(request: QueryRequest, place: { chain?: string; nowMs?: number } = {}, pair: KeyPair = alice) {
  const frame = await signQuery(request, pair, { chain: CHAIN, codec: CODEC, nonce: nonce++, ...place })
  const { status, body } = await post(frame)
  return { status, json: JSON.parse(body.body) as Record<string, never> }
}
interface Batch {
  readonly items: readonly { readonly id: string }[]
  readonly total: number | null
  readonly remaining: number | null
  readonly height: number
  readonly cursor: { readonly id: string; readonly position: number } | null
}
const batchOf = (answer: { json: Record<string, never> }): Batch => answer.json['Iterable'] as unknown as Batch
const ids = (answer: { json: Record<string, never> }): string[] => batchOf(answer).items.map(({ id }) => id)

describe('a singular query', () => {
  it('returns a frame, or JSON on request', async () => {
    const frame = await signQuery(
      { kind: 'singular', value: { kind: 'account', input: { alias: 'alice@d000' } } },
      alice,
      { chain: CHAIN, codec: CODEC },
    )
    const binary = await post(frame, { accept: '*/*' })
    expect([binary.status, binary.type]).toEqual([200, CODEC_TYPE])
    const opened = QUERY_ANSWER_FRAME.open(binary.raw, CODEC)
    expect(opened.ok && opened.value).toMatchObject({ kind: 'singular', value: { domain: 'd000', label: 'alice' } })
    const json = await ask({ kind: 'singular', value: { kind: 'account', input: { alias: 'alice@d000' } } })
    expect(json).toMatchObject({
      status: 200,
      json: { Singular: { id: formatAddress(accountOf(alice), 'cw'), balances: [{ amount: '12.5' }] } },
    })
  })

  it('may be sent in its JSON form', async () => {
    const request = { kind: 'singular', value: { kind: 'account', input: { alias: 'alice@d000' } } } as const
    const frame = await signQuery(request, alice, { chain: CHAIN, codec: CODEC })
    const opened = SIGNED_QUERY_FRAME.open(frame, CODEC)
    if (!opened.ok) throw new Error(opened.fault.message)
    const jsonForm = JSON.stringify(signedQuery.toJson(opened.value, CODEC))
    expect((await post(Buffer.from(jsonForm), { 'content-type': 'application/json' })).status).toBe(200)
  })

  it.each([
    ['account', { alias: 'nobody@d000' }, 404, 'not_found'],
    ['nothing', {}, 404, 'query_unknown'],
    ['account', { colour: 'red' }, 400, 'unknown_field'],
    ['account', { alias: 5 }, 400, 'bad_value'],
  ] as [string, Json, number, string][])('%s %j returns %i %s', async (kind, input, status, code) => {
    expect(await ask({ kind: 'singular', value: { kind, input } })).toMatchObject({ status, json: { code } })
  })
})

describe('the sender of a query', () => {
  const request: QueryRequest = { kind: 'singular', value: { kind: 'account', input: { alias: 'alice@d000' } } }

  it('can send each query once', async () => {
    const frame = await signQuery(request, alice, { chain: CHAIN, codec: CODEC })
    expect((await post(frame)).status).toBe(200)
    const again = await post(frame)
    expect([again.status, again.body.json().code]).toEqual([401, 'unauthorised'])
  })

  it('must sign for this chain and time, with the key of a registered account', async () => {
    expect(await ask(request, { chain: 'other' })).toMatchObject({ status: 400, json: { code: 'chain_mismatch' } })
    expect(await ask(request, { nowMs: Date.now() - 61_000 })).toMatchObject({ status: 401 })
    expect(await ask(request, { nowMs: Date.now() + 61_000 })).toMatchObject({ status: 401 })
    expect(await ask(request, {}, bob)).toMatchObject({ status: 422, json: { code: 'unknown_account' } })
  })

  it('is rejected if the key differs or the signature covers other content', async () => {
    const payload = { chain: CHAIN, authority: accountOf(alice), createdAtMs: Date.now(), nonce: 1, request }
    const sealed = lazyOf(queryPayload, payload, CODEC)
    const { signMessage } = await import('../../../src/client/index.js')
    const frameOf = async (signer: KeyPair, named: KeyPair, message: Uint8Array) =>
      SIGNED_QUERY_FRAME.seal(
        {
          payload: sealed,
          signature: {
            publicKey: accountKeyOf(named.publicKey.algorithm as 'ed25519', named.publicKey.bytes),
            signature: await signMessage(signer, message),
          },
        },
        CODEC,
      )
    const message = querySignBytes(sealed.bytes)
    const codes = []
    for (const frame of [
      await frameOf(bob, bob, message),
      await frameOf(bob, alice, message),
      await frameOf(alice, alice, sealed.bytes),
    ]) {
      const answer = await post(frame)
      codes.push([answer.status, answer.body.json().code])
    }
    expect(codes).toEqual([
      [400, 'signature_unknown_signer'],
      [400, 'signature_invalid'],
      [400, 'signature_invalid'],
    ])
    // None of them burned the query for the one who may ask it.
    expect((await post(await frameOf(alice, alice, message))).status).toBe(200)
  })
})

describe('a query hidden by the telemetry profile', () => {
  const request: QueryRequest = { kind: 'singular', value: { kind: 'consensusParams', input: {} } }
  const listed = startOf({ query: { kind: 'checkpoints', input: {} } })

  /** Status and code of both questions, with another profile or for an operator. */
  async function asked(config: Partial<GatewayConfig>): Promise<unknown[]> {
    const defs = [peerQueries.consensusParams, peerQueries.checkpoints]
    const queries = new Map([...node.services.queries(), ...defs.map((def) => [def.kind, def] as const)])
    gateway = gatewayOf(node, config, { services: { ...node.services, queries: () => queries } })
    const answers = [await ask(request), await ask(listed)]
    return answers.map(({ status, json }) => [status, json['code']])
  }

  it('is refused like its route', async () => {
    const restricted = [503, 'telemetry_profile_restricted']
    expect(await asked({ telemetryProfile: 'operator' })).toEqual([restricted, restricted])
    expect(await asked({ telemetryProfile: 'extended' })).toEqual([restricted, restricted])
    expect(await asked({ telemetryProfile: 'developer' })).toEqual([
      [200, undefined],
      [200, undefined],
    ])
  })

  it('is allowed for an operator', async () => {
    const operatorKeys = [formatPublicKey(alice.publicKey)]
    expect(await asked({ telemetryProfile: 'disabled', operatorKeys })).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    expect((await asked({ telemetryProfile: 'disabled', operatorKeys: [formatPublicKey(bob.publicKey)] }))[0]).toEqual([
      503,
      'telemetry_profile_restricted',
    ])
  })
})

describe('an iterable query', () => {
  it('reads all pages of a list', async () => {
    const answer = await ask(startOf({ fetchSize: 500 }))
    expect(ids(answer)).toHaveLength(250)
    expect(batchOf(answer)).toMatchObject({ total: 250, remaining: 0, height: 7, cursor: null })
  })

  it.each([
    ['Eq', { kind: 'eq', value: { field: 'id', value: 'd007' } }, ['d007']],
    ['In', { kind: 'in', value: { field: 'id', values: ['d249', 'd003', 'x'] } }, ['d003', 'd249']],
    [
      'And, Not, Or',
      {
        kind: 'and',
        value: [
          {
            kind: 'or',
            value: ['d001', 'd002', 'd003'].map((value) => ({ kind: 'eq', value: { field: 'id', value } })),
          },
          { kind: 'not', value: { kind: 'eq', value: { field: 'id', value: 'd002' } } },
        ],
      },
      ['d001', 'd003'],
    ],
    ['Exists', { kind: 'exists', value: 'metadata.colour' }, []],
  ] as [string, QueryStart['predicate'], string[]][])('selects by %s', async (_, predicate, expected) => {
    expect(ids(await ask(startOf({ predicate })))).toEqual(expected)
  })

  it('supports sorting, offset and limit', async () => {
    const sorting = [{ field: 'id', order: 'desc' as const }]
    const answer = await ask(startOf({ sorting, offset: 2, limit: 3 }))
    expect(ids(answer)).toEqual(['d247', 'd246', 'd245'])
    expect(batchOf(answer).total).toBe(3)
    expect(ids(await ask(startOf({ offset: 1_000 })))).toEqual([])
  })

  it('continues at a stored cursor, repeats a lost batch, and rejects cursors of others and expired cursors', async () => {
    const first = batchOf(await ask(startOf({ fetchSize: 100, cursorMode: 'stored' })))
    expect(first).toMatchObject({ total: 250, remaining: 150 })
    const { id, position } = first.cursor!
    const cursor = (at: number): QueryRequest => ({
      kind: 'continue',
      value: { id: Buffer.from(id, 'hex'), position: at },
    })
    const second = await ask(cursor(position))
    expect(ids(second)[0]).toBe('d100')
    expect(ids(await ask(cursor(position)))).toEqual(ids(second))
    expect(await ask(cursor(7))).toMatchObject({ status: 400, json: { code: 'cursor_mismatch' } })
    const third = batchOf(second).cursor!.position
    const last = await ask(cursor(third))
    expect([ids(last).at(-1), batchOf(last).cursor]).toEqual(['d249', null])
    expect(ids(await ask(cursor(third)))).toEqual(ids(last))
    expect(await ask(cursor(third + 1))).toMatchObject({ status: 400, json: { code: 'cursor_mismatch' } })
    nowMs += CURSOR_IDLE_MS
    expect(await ask(cursor(third))).toMatchObject({ status: 410, json: { code: 'cursor_expired' } })
    const unknown: QueryRequest = { kind: 'continue', value: { id: Buffer.alloc(32), position: 0 } }
    expect(await ask(unknown)).toMatchObject({ status: 410 })
  })

  it('keeps a bounded number of cursors per account', async () => {
    const stored = startOf({ fetchSize: 1, cursorMode: 'stored' })
    for (let open = 0; open < 16; open++) expect((await ask(stored)).status).toBe(200)
    expect(await ask(stored)).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    nowMs += CURSOR_IDLE_MS
    expect((await ask(stored)).status).toBe(200)
  })

  it.each([
    [{ fetchSize: 0 }, 400, 'invalid_pagination'],
    [{ fetchSize: 501 }, 400, 'invalid_pagination'],
    [{ limit: 0 }, 400, 'invalid_pagination'],
    [{ sorting: [{ field: 'colour', order: 'asc' }] }, 400, 'invalid_field_path'],
    [{ predicate: { kind: 'eq', value: { field: 'colour', value: 1 } } }, 400, 'invalid_field_path'],
    [{ predicate: { kind: 'lt', value: { field: 'id', value: 'd100' } } }, 422, 'type_mismatch'],
    [{ predicate: { kind: 'eq', value: { field: 'id', value: 7 } } }, 422, 'type_mismatch'],
    [{ query: { kind: 'account', input: {} } }, 422, 'type_mismatch'],
    [{ query: { kind: 'domains', input: { limit: 1 } } }, 400, 'invalid_pagination'],
    [{ query: { kind: 'domains', input: { after: 'zzz' } } }, 400, 'invalid_pagination'],
    [{ query: { kind: 'nothing', input: {} } }, 404, 'query_unknown'],
  ] as [Partial<QueryStart>, number, string][])('%j returns %i %s', async (changes, status, code) => {
    expect(await ask(startOf(changes))).toMatchObject({ status, json: { code } })
  })
})

/** Domains of a list that one request does not read to its end. */
const manyDomains = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...DOMAINS[0]!, id: `d${String(at).padStart(6, '0')}` }))

describe('a list longer than one request reads', () => {
  let pages: number
  beforeEach(() => {
    node.domains = manyDomains(2 * ROWS_MAX + 700)
    pages = 0
    node.onQuery = async (kind) => {
      if (kind === 'domains') pages += 1
    }
  })

  /** Reads on until the node says that it was all. */
  async function walk(start: Partial<QueryStart>): Promise<{ batches: Batch[]; seen: string[] }> {
    const batches = [batchOf(await ask(startOf({ cursorMode: 'stored', ...start })))]
    for (;;) {
      const { cursor } = batches.at(-1)!
      if (cursor === null) return { batches, seen: batches.flatMap(({ items }) => items.map(({ id }) => id)) }
      const { position } = cursor
      const answer = await ask({ kind: 'continue', value: { id: Buffer.from(cursor.id, 'hex'), position } })
      expect(answer.status).toBe(200)
      batches.push(batchOf(answer))
    }
  }

  it('is read only as far as needed, even for a few items', async () => {
    expect(ids(await ask(startOf({ limit: 10 })))).toHaveLength(10)
    expect(pages).toBe(1)
    const first = batchOf(await ask(startOf({ fetchSize: 100, cursorMode: 'stored' })))
    expect(first).toMatchObject({ total: null, remaining: null, height: 7 })
    expect(pages).toBe(2)
    const some = batchOf(await ask(startOf({ fetchSize: 100, limit: 150 })))
    expect(some).toMatchObject({ total: 150, remaining: 50 })
  })

  it('is read to its end through cursors, each item once', async () => {
    const { batches, seen } = await walk({ fetchSize: 500 })
    expect(seen).toEqual(node.domains.map(({ id }) => id))
    expect(batches.at(-1)).toMatchObject({ total: seen.length, remaining: 0 })
    expect(pages).toBe(Math.ceil(seen.length / 500))
  })

  it('returns rare matches through several requests, each of which reads a bounded number of pages', async () => {
    const wanted = ['d000003', 'd014000', 'd020699']
    const { batches, seen } = await walk({ predicate: { kind: 'in', value: { field: 'id', values: wanted } } })
    expect(seen).toEqual(wanted)
    // Two requests that end at the bound, and one that ends with the list.
    expect(batches.map(({ items }) => items.length)).toEqual([1, 1, 1])
    expect(pages).toBe(42)
  })

  it('is refused as too long for a rare match in one response, and for sorting', async () => {
    const predicate = { kind: 'eq', value: { field: 'id', value: 'd014000' } } as const
    expect(await ask(startOf({ predicate }))).toMatchObject({ status: 422, json: { code: 'query_too_complex' } })
    const sorting = [{ field: 'id', order: 'desc' as const }]
    expect(await ask(startOf({ sorting }))).toMatchObject({ status: 422, json: { code: 'query_too_complex' } })
    expect(await ask(startOf({ offset: ROWS_MAX, limit: 1 }))).toMatchObject({ status: 422 })
    node.domains = manyDomains(ROWS_MAX)
    expect(ids(await ask(startOf({ sorting, limit: 1 })))).toEqual([`d${String(ROWS_MAX - 1).padStart(6, '0')}`])
    expect(ids(await ask(startOf({ offset: ROWS_MAX - 1 })))).toHaveLength(1)
  })

  it('is read in a bounded number of pages per request if large items make pages short', async () => {
    node.domainsPerPage = 3
    node.domains = manyDomains(3 * PAGES_MAX + 1)
    const sorting = [{ field: 'id', order: 'desc' as const }]
    expect(await ask(startOf({ sorting }))).toMatchObject({ status: 422, json: { code: 'query_too_complex' } })
    expect(pages).toBe(PAGES_MAX)
    const last = node.domains.at(-1)?.id ?? ''
    const { batches, seen } = await walk({ predicate: { kind: 'eq', value: { field: 'id', value: last } } })
    expect([seen, batches.map(({ items }) => items.length)]).toEqual([[last], [0, 1]])
    node.domains = node.domains.slice(1)
    expect(ids(await ask(startOf({ sorting, limit: 1 })))).toEqual([last])
  })

  it('is sorted up to a bound in bytes, and stored sorted lists are bounded per account', async () => {
    const long = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...DOMAINS[0]!,
        id: `d${String(at).padStart(6, '0')}`,
        metadata: new Map([['note', 'x'.repeat(16_000)]]),
      }))
    const sorting = [{ field: 'id', order: 'desc' as const }]
    node.domains = long(Math.ceil(SORTED_MAX_BYTES / 16_000) + 1)
    expect(await ask(startOf({ sorting, limit: 1 }))).toMatchObject({
      status: 422,
      json: { code: 'query_too_complex' },
    })
    node.domains = long(Math.floor(SORTED_MAX_BYTES / 16_300))
    const stored = startOf({ sorting, fetchSize: 1, cursorMode: 'stored' })
    const batch = batchOf(await ask(stored))
    for (let open = 1; open < Math.floor(HELD_PER_ACCOUNT_MAX_BYTES / SORTED_MAX_BYTES); open += 1) {
      expect((await ask(stored)).status).toBe(200)
    }
    expect(await ask(stored)).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
    // Known items are returned as they were read, and the last batch once more.
    const id = Buffer.from(batch.cursor?.id ?? '', 'hex')
    const second = batchOf(await ask({ kind: 'continue', value: { id, position: 1 } }))
    expect(second.items).toEqual([{ ...batch.items[0], id: node.domains.at(-2)?.id }])
    expect(batchOf(await ask({ kind: 'continue', value: { id, position: 1 } })).items).toEqual(second.items)
  })

  it('applies offset and limit once, over the batches', async () => {
    const { seen } = await walk({ fetchSize: 400, offset: 450, limit: 1_000 })
    expect(seen).toEqual(node.domains.slice(450, 1_450).map(({ id }) => id))
  })
})

describe('concurrent iterable queries', () => {
  /** Holds the reading of lists until it is let go. */
  function hold(): { readonly release: () => void; readonly isHeld: (count: number) => boolean } {
    let release = (): void => {}
    let count = 0
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    node.onQuery = async (kind) => {
      if (kind !== 'domains') return
      count += 1
      await held
    }
    return { release, isHeld: (wanted) => count === wanted }
  }
  const waitFor = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve))
  }

  it('are limited per account, and further queries are rejected with Retry-After', async () => {
    const { release, isHeld } = hold()
    const reading = Array.from({ length: READING_PER_ACCOUNT_MAX }, () => ask(startOf()))
    const frame = async () => signQuery(startOf(), alice, { chain: CHAIN, codec: CODEC, nonce: nonce++ })
    await waitFor(() => isHeld(READING_PER_ACCOUNT_MAX))
    const refused = await post(await frame())
    expect([refused.status, refused.body.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.body.json()).toMatchObject({ code: 'rate_limited' })
    // One record is one call, without a wait.
    const single = await ask({ kind: 'singular', value: { kind: 'account', input: { alias: 'alice@d000' } } })
    expect(single.status).toBe(200)
    release()
    for (const answer of await Promise.all(reading)) expect(answer.status).toBe(200)
    expect((await ask(startOf())).status).toBe(200)
  })

  it('stop at the request timeout, or when the client disconnects', async () => {
    node.domains = manyDomains(ROWS_MAX)
    let pages = 0
    node.onQuery = async (kind) => {
      if (kind !== 'domains') return
      pages += 1
      // The world goes on between two pages.
      await pause(20)
    }
    const slow = gatewayOf(node, { handlerTimeoutMs: 50 }, { clocks: { wallMs: Date.now, monotonicMs: () => nowMs } })
    const { url } = await slow.listen()
    const question = startOf({ sorting: [{ field: 'id', order: 'desc' as const }] })
    const send = async (to: string, signal?: AbortSignal) =>
      fetch(`${to}/query`, {
        method: 'POST',
        headers: { 'content-type': CODEC_TYPE, accept: 'application/json' },
        body: await signQuery(question, alice, { chain: CHAIN, codec: CODEC, nonce: nonce++ }),
        ...(signal === undefined ? {} : { signal }),
      })
    expect((await send(url)).status).toBe(408)
    const late = pages
    await pause(100)
    expect(pages - late).toBeLessThanOrEqual(1)
    await slow.close()

    pages = 0
    const open = await gateway.listen()
    const away = new AbortController()
    let goOn = (): void => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    node.onQuery = async (kind) => {
      if (kind !== 'domains') return
      pages += 1
      if (pages === 2) await held
    }
    const answer = send(open.url, away.signal)
    await waitFor(() => pages >= 2)
    away.abort()
    await expect(answer).rejects.toThrow()
    // The gateway hears of it while it waits for a page.
    await pause(500)
    const last = pages
    goOn()
    await pause(100)
    expect(pages).toBe(last)
    node.onQuery = async () => {}
    expect((await ask(startOf())).status).toBe(200)
  })
})

describe('queries by the client library', () => {
  it('return single records and all items of a list', async () => {
    const { url } = await gateway.listen()
    const client = new CausewayClient({ gateway: url, signer: alice })
    expect(await client.query('account', { alias: 'alice@d000' })).toMatchObject({ label: 'alice' })
    const seen: string[] = []
    for await (const item of client.queryItems('domains', {}, { fetchSize: 60 })) seen.push((item as { id: string }).id)
    expect(seen).toHaveLength(250)
    expect(new Set(seen).size).toBe(250)
    await expect(client.query('nothing')).rejects.toMatchObject({ code: 'query_unknown' })
    await client.close()
    const keyless = new CausewayClient({ gateway: url })
    expect(() => keyless.query('account')).toThrow(LedgerError)
    await keyless.close()
  })

  it('find a rare match after many large items on short pages', async () => {
    node.domainsPerPage = 3
    node.domains = manyDomains(12 * 3 * PAGES_MAX)
    const last = node.domains.at(-1)?.id ?? ''
    const { url } = await gateway.listen()
    const client = new CausewayClient({ gateway: url, signer: alice })
    const predicate = { kind: 'eq', value: { field: 'id', value: last } } as const
    const seen: Json[] = []
    for await (const item of client.queryItems('domains', {}, { predicate })) seen.push(item)
    expect(seen).toMatchObject([{ id: last }])
    await client.close()
  })
})
