/**
 * A feature of a folder of its own beside those of the program, on a node in this process. What only a build shows (commands, pages,
 * files of configuration, the three lists) is tested by test/docs/toy-feature.test.ts with a copy of the tree.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import type { Json } from '../../../src/codec/index.js'
import { composeAbi } from '../../../src/executor/index.js'
import { ABI_1, composeAbis, NEWEST_ABI, pinOf } from '../../../src/features/abi.js'
import * as features from '../../../src/features/index.js'
import type { RunningService, ServiceContext } from '../../../src/features/service.js'
import { Gateway, type GatewayConfig } from '../../../src/gateway/index.js'
import { ERRORS, type Instruction, instruction, isEvent } from '../../../src/model/index.js'
import { beaconService } from '../../fixtures/toy-feature/features/beacon/node.js'
import { beaconSchema } from '../../fixtures/toy-feature/features/beacon/schema.js'
import { toyLedger } from '../../fixtures/toy-feature/features/toy/ledger.js'
import { toyService } from '../../fixtures/toy-feature/features/toy/node.js'
import { events, instructions, queries, toySchema } from '../../fixtures/toy-feature/features/toy/schema.js'
import { signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { permission } from '../../support/core.js'
import { listedPlaces, writtenPlaces } from '../../support/feature-places.js'
import { CORE } from '../../support/served-routes.js'
import { SseReader } from '../gateway/stream-readers.js'

const ABI = composeAbi(NEWEST_ABI.number, [...Object.values(features), toyLedger])
const CODEC = ABI.codec('cw')

/** Instructions of a section of the genesis manifest, as read by `causeway genesis`. */
function genesisOf(name: string, value: Json): readonly Instruction[] {
  const section = ABI.genesis.find((one) => one.section === name)
  const read = section?.schema.fromJson(value, CODEC)
  if (section === undefined || read?.ok !== true) throw new Error(`cannot read the section ${name}`)
  return section.instructionsOf(read.value)
}

let alice: TestAccount
let cluster: Cluster
let node: Member
/** Serves both features. */
let gateway: Gateway
let url: string

/** A gateway of the core and both features, with their services. */
async function gatewayWith(config: Partial<GatewayConfig>): Promise<Gateway> {
  const { services } = node.core
  // They ask for nothing else of the node.
  const context = { services } as unknown as ServiceContext
  const motto = {
    get: <T>(key: string) => ({ 'toy.motto': 'come in' })[key] as T,
    path: () => undefined,
    has: () => true,
  }
  const running: RunningService[] = [
    await toyService.open(context, toyService.config?.build(motto) ?? { motto: '' }),
    await beaconService.open(context, undefined),
  ].filter((one) => one !== undefined)
  return new Gateway(
    { address: '127.0.0.1:0', telemetryProfile: 'full', nodeFeatures: [beaconSchema.name], ...config },
    {
      services,
      routes: [...CORE.routes, ...routesOf(toySchema), ...routesOf(beaconSchema)],
      handlers: new Map([...CORE.handlers, ...running.flatMap(({ handlers = [] }) => [...handlers])]),
      streams: new Map([...CORE.streams, ...running.flatMap(({ streams = [] }) => [...streams])]),
    },
  )
}

beforeAll(async () => {
  alice = await testAccount('alice')
  const admin = await testAccount('genesis')
  const extra = [
    ...genesisOf('toy', { greetings: [{ name: 'first' }] }),
    permission('grant', 'CanGreet', undefined, admin.id),
  ]
  cluster = await Cluster.start(1, [alice], extra, undefined, undefined, ABI)
  node = cluster.list[0] as Member
  toyService.metrics?.(node.core.services.metrics)
  gateway = await gatewayWith({})
  url = (await gateway.listen()).url
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

/** Status and JSON of what a path answers. */
async function answerOf(path: string, from: Gateway = gateway): Promise<{ status: number; json: unknown }> {
  const { statusCode, body } = await from.inject({ url: path, headers: { accept: 'application/json' } })
  return { status: statusCode, json: JSON.parse(body) }
}

/** Commits a greeting of an account; the code that it is rejected with, undefined if it is not. */
async function greetAs(account: TestAccount, name: string, text = 'good day'): Promise<string | undefined> {
  const { services } = node.core
  const record = signedBy(account, [instruction(instructions.greet, { name, text })], Date.now(), 100_000, CODEC)
  const submitted = await services.submit(record.bytes)
  if (!submitted.ok) throw submitted.error
  const path = `/v1/pipeline/transactions/status?hash=${record.id.toString('hex')}`
  type TransactionJson = { content: { status: { kind: string }; rejection: { code: string } | null } }
  let found: TransactionJson | undefined
  await cluster.until('the greeting in a block', async () => {
    const { json } = await answerOf(path)
    found = json as TransactionJson
    return ['Applied', 'Rejected'].includes(found.content?.status.kind)
  })
  return found?.content.rejection?.code
}

describe('the pinned hash of an ABI', () => {
  it('includes a feature with `since: 2`, and leaves the hashes of the other features unchanged', () => {
    const before = pinOf(NEWEST_ABI)
    const { hash, number, features: hashes } = pinOf(ABI)
    expect(hash).not.toBe(before.hash)
    expect({ number, hashes }).toEqual({
      number: 2,
      hashes: { ...before.features, toy: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  it('is the same for ABI 1 with and without the feature', () => {
    const first = composeAbis([...Object.values(features), toyLedger]).get(1)
    expect(first && pinOf(first)).toEqual(pinOf(ABI_1))
  })
})

describe('the places to edit for a new feature', () => {
  it('are its own files and a line in each of three lists, as documented in CONTRIBUTING.md', () => {
    console.log(listedPlaces().join('\n'))
    expect(listedPlaces('by hand').sort()).toEqual(writtenPlaces().sort())
  })
})

describe('a feature with a part on the ledger', () => {
  it('is initialised from its section of genesis', async () => {
    const first = { name: 'first', text: 'hello' }
    expect(await answerOf('/v1/toy/greetings/first')).toEqual({ status: 200, json: first })
    expect(await node.core.services.query(queries.greeting, { name: 'first' })).toEqual(first)
  })

  it('executes its instruction for accounts with its permission, and returns the result on its route', async () => {
    expect(await answerOf('/v1/toy/greetings/second')).toMatchObject({ status: 404, json: { code: 'not_found' } })
    expect(await greetAs(alice, 'second')).toBe('not_permitted')
    expect(await greetAs(cluster.admin, 'second')).toBeUndefined()
    expect(await answerOf('/v1/toy/greetings/second')).toEqual({
      status: 200,
      json: { name: 'second', text: 'good day' },
    })
  })

  it('rejects with its own error code, which is in the error catalogue', async () => {
    expect(await greetAs(cluster.admin, 'first')).toBe('toy_taken')
    expect(ERRORS.toy_taken).toMatchObject({ http: 409, number: 9200 })
  })

  it('emits one event for each greeting, and no event for a rejected greeting', async () => {
    const { history } = node.core.services
    const blocks = await history.read(1, node.core.height)
    const found = blocks.flatMap(({ outcome }) => outcome.events.filter(({ event }) => isEvent(event, events.greeted)))
    expect(found.map(({ event }) => event.value)).toEqual([
      { name: 'first', by: cluster.admin.id },
      { name: 'second', by: cluster.admin.id },
    ])
    expect(ABI.eventSubjects.get('toy')?.has(events.greeted.kind)).toBe(true)
  })
})

describe('a feature with a part on the node', () => {
  it('serves a route that is not a query if configured, and counts its calls', async () => {
    expect(await answerOf('/v1/toy/motto')).toEqual({ status: 200, json: { motto: 'come in' } })
    expect((await gateway.inject({ url: '/metrics' })).body).toMatch(/^toy_mottos_total 1$/m)
  })

  it('streams events of blocks from a height, or after a given event', async () => {
    const stream = `${url}/v1/toy/greetings/stream`
    const all = await SseReader.open(`${stream}?from_height=1`)
    await all.until(() => all.events.length >= 2)
    const names = all.events.map(({ event, data }) => [event, (data as { name: string }).name])
    expect(names).toEqual([
      ['greeting', 'first'],
      ['greeting', 'second'],
    ])
    const rest = await SseReader.open(stream, { 'last-event-id': all.events[0]?.id ?? '' })
    await rest.until(() => rest.events.length >= 1)
    expect(rest.events[0]).toEqual(all.events[1])
    for (const reader of [all, rest]) reader.close()
  })

  it('streams its state, and again after each change', async () => {
    const reader = await SseReader.open(`${url}/v1/toy/motto/stream`)
    await reader.until(() => reader.events.length >= 1)
    expect(reader.events[0]).toMatchObject({ event: 'motto', data: { motto: 'come in (1)' } })
    await answerOf('/v1/toy/motto')
    await reader.until(() => reader.events.length >= 2)
    expect(reader.events[1]).toMatchObject({ data: { motto: 'come in (2)' } })
    reader.close()
  })

  it('is described by the documents of the gateway', async () => {
    const { json: document } = await answerOf('/openapi.json')
    const { paths } = document as { readonly paths: Record<string, { readonly get?: object }> }
    expect(paths['/v1/toy/greetings/{name}']?.get).toMatchObject({ summary: 'A greeting by its name' })
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/v1/toy/motto', '/v1/beacon/light']))
    const { json: model } = await answerOf('/schema')
    expect(model).toMatchObject({
      instructions: expect.arrayContaining([expect.objectContaining({ id: 9200, kind: 'greet' })]),
      events: expect.arrayContaining([expect.objectContaining({ id: 9200, kind: 'greeted' })]),
      queries: expect.arrayContaining([expect.objectContaining({ id: 9200, kind: 'greeting' })]),
    })
    const { json: parameters } = await answerOf('/v1/parameters')
    expect(JSON.stringify(parameters)).toContain('toy_letters')
    expect(await answerOf('/v1/node/capabilities')).toMatchObject({
      json: { features: expect.arrayContaining(['beacon', 'toy']) },
    })
  })

  it('is served even if it has no part on the ledger', async () => {
    expect(await answerOf('/v1/beacon/light')).toEqual({ status: 200, json: { colour: 'green' } })
    expect(ABI.features.map(({ name }) => name)).not.toContain('beacon')
  })

  it.each([
    ['toy', ['/v1/toy/greetings/first', '/v1/toy/motto'], '/v1/beacon/light'],
    ['beacon', ['/v1/beacon/light'], '/v1/toy/greetings/first'],
  ])('%s has no routes when disabled, and the other feature keeps its routes', async (name, off, on) => {
    const without = await gatewayWith({ disabledFeatures: [name] })
    for (const path of off) {
      expect(await answerOf(path, without)).toMatchObject({ status: 404, json: { code: 'route_not_enabled' } })
    }
    expect((await answerOf(on, without)).status).toBe(200)
    const { json } = await answerOf('/v1/node/capabilities', without)
    expect((json as { readonly features: string[] }).features).not.toContain(name)
    await without.close()
  })
})
