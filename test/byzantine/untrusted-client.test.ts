/**
 * A client without a key asks every route of a real node what its declarations allow and what they do not: nothing is answered
 * with a fault of this program, the heap does not grow, and the chain goes on. `BYZANTINE_REQUESTS` counts them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parameterFields } from '../../src/api/index.js'
import type { Json } from '../../src/codec/index.js'
import { randomOf } from '../../src/simulation/prng.js'
import { signedBy, transferOf } from '../support/chain.js'
import type { Member } from '../support/cluster.js'
import { collectedHeapBytes } from '../support/collected-heap.js'
import { TEST_MS } from '../support/ports.js'
import { type Served, serve } from '../support/served.js'
import { TEXTS } from './declared.js'
import { HostileAccount } from './hostile-account.js'

const REQUESTS = Number(process.env.BYZANTINE_REQUESTS ?? 5_000)
const SEED = Number(process.env.BYZANTINE_SEED ?? 1)
/** Requests between two looks at the network; after the first of them caches are warm. */
const ROUND = 1_000
const GROWTH_MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = TEST_MS + 30 * REQUESTS

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.close())

it(
  `a node tolerates ${REQUESTS} requests from an untrusted client, seed ${SEED}`,
  async () => {
    const { alice, bob, cluster, gateway } = served
    const random = randomOf(SEED, 'a stranger')
    const cast = { mallory: bob.id, alice: alice.id, bob: bob.id, admin: cluster.admin.id }
    const hostile = new HostileAccount(random, cast)
    // Streams never end.
    const rows = gateway.rows.filter(({ format }) => format !== 'sse' && format !== 'websocket')
    const [first] = cluster.list as [Member]
    const commit = async (): Promise<void> => {
      const before = first.core.tip.approved
      const { bytes } = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
      expect((await first.core.services.submit(bytes)).ok).toBe(true)
      await cluster.until('a commit', () => cluster.list.every((member) => member.core.tip.approved > before))
    }
    /** The text of a field as its schema would have it, or any. */
    const textOf = (json: Json | undefined): string =>
      json === undefined || random.chance(0.3)
        ? random.pick([...TEXTS, 'a'.repeat(3_000), 'bank', 'usd#bank', 'user0@bank'])
        : typeof json === 'string'
          ? json
          : JSON.stringify(json)
    const made = (schema: Parameters<HostileAccount['json']>[0] | undefined): Readonly<Record<string, Json>> => {
      const json = schema === undefined ? undefined : hostile.json(schema)
      return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, Json>>) : {}
    }
    const statuses = new Map<number, number>()
    let warmBytes: number | undefined
    for (let sent = 1; sent <= REQUESTS; sent += 1) {
      const row = random.pick(rows)
      const params = made(row.params)
      const path = row.path.replace(
        /\{([a-z_]+)\}/g,
        (_, name: string) => encodeURIComponent(textOf(params[name])) || '0',
      )
      const wanted = made(row.query)
      const names = row.query === undefined ? [] : parameterFields(row.query).map(({ name }) => name)
      const query = [...names, 'nonsense']
        .filter(() => random.chance(0.3))
        .map((name) => `${name}=${encodeURIComponent(textOf(wanted[name]))}`)
      const answer = await gateway.inject({
        method: row.method,
        url: query.length === 0 ? path : `${path}?${query.join('&')}`,
        ...(row.method === 'GET'
          ? {}
          : { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(hostile.anything()) }),
      } as Parameters<typeof gateway.inject>[0])
      const { statusCode: status } = answer
      expect(status < 500 || status === 503, `${row.method} ${path}: ${status} ${answer.rawPayload}`).toBe(true)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (sent % ROUND !== 0) continue
      expect(cluster.failures).toEqual([])
      await commit()
      warmBytes ??= collectedHeapBytes()
    }
    if (warmBytes !== undefined) expect(collectedHeapBytes() - warmBytes).toBeLessThan(GROWTH_MAX_BYTES)
    // Some were good requests: what is refused at the door proves little.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20)
  },
  TIMEOUT_MS,
)
