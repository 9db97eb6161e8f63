/** Malformed requests by the hundreds: each is answered in our shape, none with a 500. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import {
  type AnyRoute,
  CONSENSUS_STATUS_FRAME,
  formatCursor,
  listDigest,
  parameterFields,
  SIGNED_HEADERS,
  TRANSACTION_FRAME,
} from '../../../src/api/index.js'
import type { Schema } from '../../../src/codec/index.js'
import { queries as accountQueries } from '../../../src/features/accounts/schema.js'
import { queries as assetQueries } from '../../../src/features/assets/schema/queries.js'
import { queries as domainQueries } from '../../../src/features/domains/schema.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { isoSchema } from '../../../src/features/iso20022/schema/index.js'
import { laneHandlers } from '../../../src/features/lanes/node.js'
import { laneSchema } from '../../../src/features/lanes/schema/index.js'
import { formatAddress, LedgerError, signedTransaction } from '../../../src/model/index.js'
import { Documented } from '../../support/documented.js'
import { errorCodeOf } from '../../support/error-record.js'
import { FuzzFigures, FUZZ_RUNS as RUNS, FUZZ_TIMEOUT_MS as TIMEOUT_MS } from './fuzz-figures.js'
import { accountOf, alice, CODEC, FakeNode, gatewayOf, signedBytes } from './support.js'

/** The bridge's routes with nothing behind them: what is refused is refused before its handlers. */
const unboundIso = routesOf(isoSchema).map(
  ({ id, params }) =>
    [id, () => new LedgerError(params === undefined ? 'iso_malformed' : 'iso_unknown_message', 'no bridge')] as const,
)

/** The row of a target; undefined when dots in it lead to the path of another. */
const routed = (row: AnyRoute, target: string): AnyRoute | undefined => (/\/\.\.?(\/|$)/.test(target) ? undefined : row)

describe('the gateway tolerates malformed requests', () => {
  const failures: object[] = []
  const figures = new FuzzFigures('requests')
  const gateway = gatewayOf(
    new FakeNode(),
    { telemetryProfile: 'full' },
    {
      logger: { error: (fields) => failures.push(fields), debug: () => {} },
      routes: [...routesOf(laneSchema), ...routesOf(isoSchema)],
      handlers: new Map([...laneHandlers, ...unboundIso]),
    },
  )
  const { rows } = gateway
  let documented: Documented
  beforeAll(async () => {
    documented = await Documented.of(gateway, CODEC)
  })
  afterAll(async () => {
    await gateway.close()
    figures.expectBoundedHeap()
  })

  /** Sends a request; what comes is no bug, and what the document says when the route is known. */
  async function check(
    request: { method?: string; url: string; headers?: Record<string, string>; payload?: Buffer | string },
    row?: AnyRoute,
  ) {
    const answer = await gateway.inject(request as Parameters<typeof gateway.inject>[0])
    expect(failures).toEqual([])
    expect(answer.statusCode).toBeLessThan(500)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    figures.note(answer.statusCode)
    const { statusCode: status, headers: sent, rawPayload: body } = answer
    if (status >= 400 && request.method !== 'HEAD') {
      if (row === undefined) errorCodeOf({ status, rejectCode: sent['x-ledger-reject-code'], body })
      else documented.check(row, answer)
    }
    return status
  }

  // Streams never end: the requests over sockets ask for them.
  const ending = rows.filter((row) => row.format !== 'sse')
  // The injector reads a leading `//` or `/\` as a host, and wants a path.
  const paths = fc
    .oneof(fc.constantFrom(...ending.map((row) => row.path)), fc.webPath(), fc.stringMatching(/^\/[!-~]{0,60}$/))
    .filter((path) => /^\/(?![/\\])/.test(path))
  const methods = fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'OPTIONS',
    'TRACE',
    'QUERY',
    'PROPFIND',
  )
  const headerText = fc.stringMatching(/^[ -~]{0,40}$/)
  const headers = fc.dictionary(
    fc.constantFrom(
      'accept',
      'content-type',
      'content-encoding',
      'content-length',
      'x-api-token',
      'accept-version',
      'if-none-match',
      ...Object.values(SIGNED_HEADERS),
    ),
    fc.oneof(headerText, fc.constantFrom('application/json', 'application/x-codec', '*/*', '0', '5', 'gzip')),
  )

  it(
    'of any method, path, query and headers',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          methods,
          paths,
          fc.option(fc.oneof(fc.webQueryParameters(), fc.stringMatching(/^[!-~]{0,30}$/)), { nil: undefined }),
          headers,
          fc.option(fc.string({ maxLength: 60 }), { nil: undefined }),
          async (method, path, query, given, payload) => {
            // The injector computes these itself and rejects contradictions that a socket test covers.
            const { 'content-length': _, ...rest } = given
            await check({
              method,
              url: query === undefined ? path : `${path}?${query}`,
              headers: rest,
              ...(payload === undefined ? {} : { payload }),
            })
          },
        ),
        RUNS,
      )
    },
    TIMEOUT_MS,
  )

  it(
    'to every route with values of right and wrong kinds',
    async () => {
      const value = fc.oneof(
        fc.constantFrom(
          '0',
          '1',
          '-1',
          '1e3',
          '9007199254740993',
          'alice@d000',
          'eur#d000',
          'd000',
          'x#',
          '#',
          '@',
          '%',
          '..',
        ),
        fc.stringMatching(/^[0-9a-f]{64}$/),
        fc.string({ maxLength: 40 }),
        fc.constant('a'.repeat(3_000)),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...ending.filter((row) => row.format !== 'websocket')),
          fc.array(value, { minLength: 3, maxLength: 3 }),
          fc.array(fc.tuple(fc.boolean(), fc.nat(), value), { maxLength: 4 }),
          fc.oneof(fc.json({ maxDepth: 4 }), fc.string({ maxLength: 80 })),
          async (row, path, query, body) => {
            let at = 0
            const target = row.path.replace(/\{[a-z_]+\}/g, () => encodeURIComponent(path[at++] ?? '') || '0')
            const names = row.query === undefined ? [] : parameterFields(row.query).map((field) => field.name)
            const pairs = query.map(([known, pick, text]) => {
              const name = known ? (names[pick % Math.max(1, names.length)] ?? 'limit') : 'nonsense'
              return `${name}=${encodeURIComponent(text)}`
            })
            const url = pairs.length === 0 ? target : `${target}?${pairs.join('&')}`
            const sent = { headers: { 'content-type': 'application/json' }, payload: body }
            const status = await check(
              { method: row.method, url, ...(row.method === 'GET' ? {} : sent) },
              routed(row, target),
            )
            expect(status).not.toBe(503)
          },
        ),
        RUNS,
      )
    },
    TIMEOUT_MS,
  )

  it(
    'with well-formed cursors of any list, place and height',
    async () => {
      const lists = rows.filter(
        (row) => row.query !== undefined && parameterFields(row.query).some((field) => field.name === 'cursor'),
      )
      const none = { limit: 100, after: undefined, domain: undefined, definition: undefined, account: undefined }
      const more = { authority: undefined, kind: undefined, outcome: undefined, block: undefined }
      const listed = [
        domainQueries.domains,
        assetQueries.assetDefinitions,
        accountQueries.accounts,
        assetQueries.assets,
        explorerQueries.transactions,
        explorerQueries.blocks,
      ]
      const digests = listed.map((def) =>
        listDigest(def.kind, (def.input as Schema<unknown>).encode({ ...none, ...more }, CODEC)),
      )
      const address = formatAddress(accountOf(alice), 'cw')
      const place = fc.oneof(
        fc.constantFrom('d000', 'eur#d000', 'art$d000', address, `eur#d000#${address}`, '7', '7.0', '7.0.0', '1e3', ''),
        fc.string({ maxLength: 200 }),
      )
      const list = fc.oneof(fc.constantFrom(...digests), fc.uint8Array({ minLength: 8, maxLength: 8 }))
      const statuses = new Set<number>()
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...lists), fc.nat(20), list, place, async (row, height, digest, after) => {
          const target = row.path.replace('{id}', address).replace('{definition}', encodeURIComponent('eur#d000'))
          const cursor = formatCursor({ height, list: digest, after })
          statuses.add(await check({ method: 'GET', url: `${target}?cursor=${cursor}` }, row))
        }),
        RUNS,
      )
      // Some are cursors of the list, of a height that this node is not at or of one that it passed.
      expect([...statuses].every((status) => [200, 400, 404, 410].includes(status))).toBe(true)
    },
    TIMEOUT_MS,
  )

  it(
    'with corrupt frames',
    async () => {
      const good = TRANSACTION_FRAME.wrap(await signedBytes(1))
      const sealed = CONSENSUS_STATUS_FRAME.wrap(Buffer.alloc(10))
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(good, sealed),
          fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 0, max: good.length }),
          fc.boolean(),
          async (frame, edits, length, resealed) => {
            const bytes = Buffer.from(frame)
            for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value
            const cut = bytes.subarray(0, length)
            const payload = resealed ? TRANSACTION_FRAME.wrap(cut.subarray(32)) : cut
            await check({
              method: 'POST',
              url: '/transaction',
              headers: { 'content-type': 'application/x-codec' },
              payload,
            })
          },
        ),
        RUNS,
      )
    },
    TIMEOUT_MS,
  )

  it(
    'with corrupt JSON',
    async () => {
      const decoded = signedTransaction.decode(await signedBytes(2), CODEC)
      if (!decoded.ok) throw new Error(decoded.fault.message)
      const text = JSON.stringify(signedTransaction.toJson(decoded.value, CODEC))
      const piece = fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.json({ maxDepth: 3 }),
        fc.constantFrom('[', '{', '"', '\\u', '1e9', 'null'),
      )
      await fc.assert(
        fc.asyncProperty(fc.nat(text.length), fc.nat(12), piece, async (at, cut, insert) => {
          const payload = text.slice(0, at) + insert + text.slice(at + cut)
          await check({ method: 'POST', url: '/transaction', headers: { 'content-type': 'application/json' }, payload })
        }),
        RUNS,
      )
      const deep = '['.repeat(100_000)
      const answer = {
        method: 'POST',
        url: '/transaction',
        headers: { 'content-type': 'application/json' },
        payload: deep,
      }
      expect(await check(answer)).toBe(400)
    },
    TIMEOUT_MS,
  )
})
