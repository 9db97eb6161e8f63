// Checks the routes of lanes on a running network, and relay envelopes from it: verified offline, with every field
// flipped, and accepted by another chain once.

import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { metricsOf } from '../../../src/api/metrics.js'
import { genesisAnchor, verifyEnvelope } from '../../../src/cli/lane/envelope.js'
import { signRequest } from '../../../src/client/sign-request.js'
import type { Json } from '../../../src/codec/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import type { Abi } from '../../../src/executor/index.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { relayAnchors } from '../../../src/features/lanes/ledger/tables.js'
import { laneHandlers } from '../../../src/features/lanes/node.js'
import { laneSchema } from '../../../src/features/lanes/schema/index.js'
import { instructions as laneInstructions } from '../../../src/features/lanes/schema/instructions.js'
import { RELAY_ENVELOPE_FRAME } from '../../../src/features/lanes/schema/views.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { Gateway } from '../../../src/gateway/index.js'
import { identityHash, identityOf, type RelayEnvelope, relayEnvelope } from '../../../src/lanes/index.js'
import { anyInstruction, formatAddress, type Instruction, instruction, LedgerError } from '../../../src/model/index.js'
import { LaneTelemetry } from '../../../src/node/status/lane-telemetry.js'
import { LaneStatus, visibleLanes } from '../../../src/node/status/lanes.js'
import { EMPTY_ROWS } from '../../../src/state/index.js'
import { CHAIN, codec, DEFINITION, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster } from '../../support/cluster.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { LANES_ON, laneSpecOf, threeLanes, updateLanes } from '../../support/lanes.js'
import { CORE } from '../../support/served-routes.js'

const JSON_TYPE = { accept: 'application/json' }
const admin = await testAccount('genesis')
const alice = await testAccount('alice')
const bob = await testAccount('bob')

let cluster: Cluster
let gateway: Gateway
let envelope: RelayEnvelope
let settledAt: number

const first = () => cluster.list[0] as Cluster['list'][number]

async function commit(account: TestAccount, ...instructions: Instruction[]): Promise<number> {
  const { services } = first().core
  const before = services.status(true).txsApproved
  const answer = await services.submit(signedBy(account, instructions, Date.now()).bytes)
  if (!answer.ok) throw answer.error
  await cluster.until('a block', () => cluster.list.every((one) => one.core.services.status(true).txsApproved > before))
  return first().core.height
}

const leg = (from: TestAccount, to: TestAccount, amount: bigint) => ({
  asset: { definition: DEFINITION, account: from.id },
  to: to.id,
  amount: { mantissa: amount, scale: 0 },
})

async function get<T = Record<string, Json>>(url: string, status = 200, signer?: TestAccount): Promise<T> {
  const request = {
    chain: CHAIN,
    networkKey: first().core.services.info.networkKey,
    method: 'GET',
    target: url,
    body: Buffer.alloc(0),
  }
  const signed = signer === undefined ? {} : await signRequest(request, signer.pair)
  const answer = await gateway.inject({ url, headers: { ...JSON_TYPE, ...signed } })
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(status)
  return JSON.parse(answer.body) as T
}
async function post(url: string, body: Json, headers: Record<string, string> = {}) {
  const payload = JSON.stringify(body)
  const answer = await gateway.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...JSON_TYPE, 'content-type': 'application/json', ...headers },
  })
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, Json> }
}

beforeAll(async () => {
  const restricted = updateLanes({ add: [laneSpecOf(3, { visibility: 'restricted' })] })
  const lanes = [...threeLanes(bob.id, bob.id, admin.id), restricted]
  cluster = await Cluster.start(4, [alice, bob], lanes, undefined, LANES_ON)
  gateway = new Gateway(
    {
      address: '127.0.0.1:0',
      rateLimit: undefined,
      telemetryProfile: 'full',
      operatorKeys: [formatPublicKey(admin.pair.publicKey)],
    },
    {
      services: first().core.services,
      routes: [...CORE.routes, ...routesOf(laneSchema)],
      streams: CORE.streams,
      handlers: new Map([...CORE.handlers, ...laneHandlers]),
    },
  )
  await commit(alice, transferOf(alice.id, bob.id, 1n))
  // Payment against payment settles in lane 2, which takes every definition.
  settledAt = await commit(
    alice,
    instruction(laneInstructions.settlePvp, { id: 'p1', first: leg(alice, bob, 10n), second: leg(alice, admin, 3n) }),
  )
  const answer = await gateway.inject({
    url: `/v1/lanes/envelopes/${settledAt}/2`,
    headers: { accept: 'application/x-codec' },
  })
  const opened = RELAY_ENVELOPE_FRAME.open(answer.rawPayload)
  if (!opened.ok) throw new Error(opened.fault.message)
  envelope = opened.value
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

describe('lane routes', () => {
  it('show the lane catalogue, single lanes, and lane data in the status', async () => {
    const lifecycle = await get<{ lanes: { id: number }[]; enabled: boolean; pending: Json }>('/v1/lanes/lifecycle')
    expect([lifecycle.lanes.map((lane) => lane.id), lifecycle.enabled, lifecycle.pending]).toEqual([
      [0, 1, 2, 3],
      true,
      null,
    ])
    expect(await get('/v1/lanes/2')).toMatchObject({
      lane: { id: 2, alias: 'lane-2', settlement: ['*'] },
      last_service: { height: settledAt, place: 0 },
      relay_committee_short: false,
    })
    await get('/v1/lanes/9', 404)
    expect(await get('/v1/consensus/status')).toMatchObject({
      lane_commitments: [{ lane_id: 2, tx_count: 1, block_height: settledAt }],
      dataspace_commitments: [{ dataspace_id: '0', tx_count: 1 }],
      lane_settlement_commitments: [{ lane: 2, receipt_count: 2 }],
      lane_relay_envelopes: [{ lane: 2, height: settledAt }],
    })
    const status = await get<{ teu_lane_commit: { lane_id: number }[]; teu_dataspace_backlog: Json[] }>('/status')
    expect(status.teu_lane_commit.map((one) => one.lane_id)).toEqual([0, 1, 2])
    expect(status.teu_dataspace_backlog).toHaveLength(3)
    const metrics = (await gateway.inject({ url: '/metrics' })).body
    expect(metrics).toContain('consensus_lane_tx_total{lane_id="2"} 1')
  })

  it('show load and settlements of a restricted lane to operators only', async () => {
    type Load = { readonly teu_lane_commit: readonly { readonly lane_id: number }[] }
    const shown = async (signer?: TestAccount) =>
      (await get<Load>('/status', 200, signer)).teu_lane_commit.map((one) => one.lane_id)
    expect([await shown(), await shown(alice), await shown(admin)]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2, 3],
    ])
    expect(await get('/v1/lanes/envelopes/2/3', 401)).toMatchObject({ code: 'unauthorised' })
    expect(await get('/v1/lanes/envelopes/2/3', 403, alice)).toMatchObject({ code: 'forbidden' })
    await get('/v1/lanes/envelopes/2/3', 404, admin)
    // The catalogue is state, so it can be proven.
    expect(await get('/v1/lanes/3')).toMatchObject({ lane: { visibility: 'Restricted' } })
  })

  it('omit a restricted lane from the commitments of the last block', () => {
    const { lanes } = first().core.tip
    if (lanes === undefined) throw new Error('lanes are on')
    const hidden = visibleLanes({ ...lanes, restricted: [2] }, false)
    expect(lanes.commitments.map((one) => one.lane)).toContain(2)
    expect(hidden).toMatchObject({ commitments: [], settlements: [] })
    expect(hidden.slots.map((one) => one.lane).sort()).toEqual([0, 1, 3])
    expect(visibleLanes({ ...lanes, restricted: [2] }, true).settlements).toEqual(lanes.settlements)
    // Sums and envelopes are made from what is shown.
    const status = new LaneStatus(
      {
        tip: () => ({ ...first().core.tip, lanes: { ...lanes, restricted: [2] } }),
        queue: { depthOf: () => 1, teuOf: () => 1 },
        telemetry: new LaneTelemetry(),
        chainHash: Buffer.alloc(32),
      },
      metricsOf(new Registry()).consensus,
    )
    expect(status.commitments(false)).toEqual({
      laneCommitments: [],
      dataspaceCommitments: [],
      laneSettlementCommitments: [],
      laneRelayEnvelopes: [],
    })
    expect(status.commitments(true).laneCommitments).toHaveLength(lanes.commitments.length)
    expect(status.load(false).teuLaneCommit?.map((one) => one.laneId)).toEqual([0, 1, 3])
    expect(status.load(false).teuDataspaceBacklog?.map((one) => one.laneId)).toEqual([0, 1, 3])
  })

  it('explain the route of a transaction', async () => {
    const transfer = anyInstruction.toJson(transferOf(alice.id, bob.id, 1n), codec)
    const ask = (authority: TestAccount, more: Record<string, Json> = {}) =>
      post('/v1/lanes/route', { authority: formatAddress(authority.id), instructions: [transfer], ...more })
    expect((await ask(alice)).json).toMatchObject({ lane_id: 0, dataspace_id: '0', stage: 'default', rule: null })
    expect((await ask(bob)).json).toMatchObject({ lane_id: 1, stage: 'account', rule: 0, matched: { lane: 1 } })
    expect((await ask(bob, { dataspace: '5' })).json).toMatchObject({ lane_id: null, reason: 'unknown_dataspace' })
    expect((await post('/v1/lanes/route', { authority: 'nobody', instructions: [] })).status).toBe(400)
  })

  it('list the lanes by number, page by page', async () => {
    interface LaneList {
      readonly items: readonly { lane: { id: number }; last_service: { height: number } | null }[]
      readonly next_cursor: string | null
    }
    const whole = await get<LaneList>('/v1/lanes')
    expect(whole.items.map(({ lane }) => lane.id)).toEqual([0, 1, 2, 3])
    expect(whole.items[2]?.last_service).toMatchObject({ height: settledAt })
    const first = await get<LaneList>('/v1/lanes?limit=3')
    const rest = await get<LaneList>(`/v1/lanes?limit=3&cursor=${first.next_cursor}`)
    expect([...first.items, ...rest.items]).toEqual(whole.items)
    expect(rest.next_cursor).toBeNull()
    await get('/v1/lanes?limit=0', 400)
  })

  it('draft a catalogue change for operators only, and check it against the catalogue', async () => {
    const path = '/v1/lanes/lifecycle'
    const change = (anyInstruction.toJson(updateLanes({ add: [laneSpecOf(8)] }), codec) as { UpdateLanes: Json })
      .UpdateLanes
    expect((await post(path, change)).status).toBe(401)
    const signed = async (body: Json) => {
      const request = {
        chain: CHAIN,
        networkKey: first().core.services.info.networkKey,
        method: 'POST',
        target: path,
        body: Buffer.from(JSON.stringify(body)),
      }
      return post(path, body, await signRequest(request, admin.pair))
    }
    const draft = await signed(change)
    expect(draft.status, JSON.stringify(draft.json)).toBe(200)
    expect(draft.json).toMatchObject({
      instructions: [{ UpdateLanes: change }],
      tx_instructions: [{ wire_id: 31, payload_hex: expect.any(String) }],
      teu: expect.any(Number),
      activation_height: first().core.height + 3,
    })
    const taken = anyInstruction.toJson(updateLanes({ retire: [1] }), codec) as { UpdateLanes: Json }
    expect(await signed(taken.UpdateLanes)).toMatchObject({ status: 422, json: { code: 'lane_in_use' } })
  })

  it('return 404 for the envelope of a lane without a settlement', async () => {
    await get('/v1/lanes/envelopes/2/0', 404)
    await get('/v1/lanes/envelopes/1/0', 404)
    await get('/v1/lanes/envelopes/900/0', 404)
  })
})

describe('a relay envelope', () => {
  const anchor = () => genesisAnchor(cluster.pinned.genesis)

  it('can be verified from the genesis of its chain alone, in binary and in JSON form', async () => {
    expect(verifyEnvelope(envelope, anchor())).toMatchObject({ valid: true, lane: 2, height: settledAt, receipts: 2 })
    const jsonForm = await get<Json>(`/v1/lanes/envelopes/${settledAt}/2`)
    const decoded = relayEnvelope.fromJson(jsonForm)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    expect(relayEnvelope.encode(decoded.value)).toEqual(relayEnvelope.encode(envelope))
  })

  it('identifies the same settlement with any valid certificate', async () => {
    const other = { ...envelope, certificate: { ...envelope.certificate, view: 7 } }
    expect(identityHash(identityOf(other))).toEqual(identityHash(identityOf(envelope)))
  })

  it('is invalid if any one field is changed', () => {
    const broken: string[] = []
    for (const { path, value } of flipped(envelope)) {
      try {
        relayEnvelope.encode(value as RelayEnvelope)
      } catch {
        // Not even a record any more.
        broken.push(path)
        continue
      }
      expect(() => verifyEnvelope(value as RelayEnvelope, anchor()), path).toThrow(LedgerError)
      broken.push(path)
    }
    // Every part was tried.
    for (const part of Object.keys(envelope)) expect(broken.some((path) => path.startsWith(part))).toBe(true)
    expect(broken.length).toBeGreaterThan(60)
  })

  it('is invalid with another path shape, with another committee, or for another trusted chain', () => {
    const { lanePath, committeeKeys } = envelope
    const wrong: readonly (readonly [Partial<RelayEnvelope>, string])[] = [
      [{ lanePath: { ...lanePath, leafCount: 2 } }, 'lane_path'],
      [{ lanePath: { ...lanePath, index: 1, leafCount: 2, path: [Buffer.alloc(32)] } }, 'lane_path'],
      [{ committeeKeys: [...committeeKeys].reverse() }, 'committee'],
      [{ committeeKeys: committeeKeys.slice(1) }, 'committee'],
      [{ certificate: { ...envelope.certificate, phase: 'prepare' } }, 'phase'],
    ]
    for (const [change, fault] of wrong) {
      const run = () => verifyEnvelope({ ...envelope, ...change }, anchor())
      expect(run).toThrow(expect.objectContaining({ details: { fault } }))
    }
    expect(() => verifyEnvelope(envelope, () => undefined)).toThrow(
      expect.objectContaining({ details: { fault: 'anchor' } }),
    )
    expect(() => verifyEnvelope(envelope, () => Buffer.alloc(32))).toThrow(
      expect.objectContaining({ details: { fault: 'anchor' } }),
    )
  })

  const manager = accountNamed('manager')
  const outsider = accountNamed('stranger')
  /** Another chain, on which the manager may say whom it trusts. */
  function otherChain(abi: Abi): Bench {
    const bench = new Bench(EMPTY_ROWS, abi)
    bench.genesis(manager, instruction(domains.registerDomain, { id: 'x', dataspace: undefined, metadata: new Map() }))
    for (const id of [manager, outsider]) {
      bench.genesis(
        manager,
        instruction(accounts.registerAccount, { id, domain: 'x', label: undefined, metadata: new Map() }),
      )
    }
    bench.genesis(
      manager,
      instruction(permissions.grant, {
        subject: { kind: 'permission', value: { name: 'CanManageRelayAnchors', object: undefined } },
        to: { kind: 'account', value: manager },
      }),
    )
    return bench
  }
  const trusted = (height: number, committeeHash: Uint8Array | undefined): Instruction =>
    instruction(laneInstructions.setRelayAnchor, { chainHash: envelope.chainHash, height, committeeHash })

  it('is accepted once from any account by a chain that trusts its committee, and anchors the next envelope', () => {
    const bench = otherChain(ABI_1)
    const { chainHash, header } = envelope
    const accept: Instruction = instruction(laneInstructions.acceptRelayEnvelope, { envelope })
    const trust = (committeeHash: Uint8Array | undefined) => trusted(header.height, committeeHash)
    expect(bench.run(outsider, accept)).toBe('relay_envelope_invalid')
    expect(bench.run(outsider, trust(header.committeeHash))).toBe('not_permitted')
    expect(bench.run(manager, trust(undefined))).toBe('absent')
    expect(bench.run(manager, trust(Buffer.alloc(32)))).toBeUndefined()
    expect(bench.run(outsider, accept)).toBe('relay_envelope_invalid')
    expect(bench.run(manager, trust(header.committeeHash))).toBeUndefined()
    const forged = { ...envelope, certificate: { ...envelope.certificate, aggregate: Buffer.alloc(96) } }
    expect(bench.run(outsider, instruction(laneInstructions.acceptRelayEnvelope, { envelope: forged }))).toBe(
      'relay_envelope_invalid',
    )
    expect(bench.run(outsider, accept)).toBeUndefined()
    expect(bench.run(outsider, accept)).toBe('exists')
    expect(bench.events.at(-1)).toEqual({ kind: 'relayEnvelopeAccepted', value: identityOf(envelope) })
    expect(bench.state.get(relayAnchors, { chainHash, height: header.height + 1 })).toEqual(header.nextCommitteeHash)
    expect(bench.run(manager, trust(undefined))).toBeUndefined()
  })

  it('cannot restore a revoked committee: a revocation includes lower heights, except under ABI 1', () => {
    const { chainHash, header } = envelope
    const accept: Instruction = instruction(laneInstructions.acceptRelayEnvelope, { envelope })
    const next = header.height + 1
    const revokedBy = (abi: Abi) => {
      const bench = otherChain(abi)
      bench.genesis(manager, trusted(header.height, header.committeeHash), trusted(next, header.nextCommitteeHash))
      expect(bench.run(manager, trusted(next, undefined))).toBeUndefined()
      return bench
    }
    const first = revokedBy(ABI_1)
    expect(first.run(outsider, accept)).toBeUndefined()
    expect(first.state.get(relayAnchors, { chainHash, height: next })).toEqual(header.nextCommitteeHash)
    const mended = revokedBy(ABI_2)
    expect(mended.run(outsider, accept)).toBe('relay_envelope_invalid')
    expect(mended.run(manager, trusted(next, undefined))).toBe('absent')
    // Trusted again, it is followed again.
    expect(mended.run(manager, trusted(header.height, header.committeeHash))).toBeUndefined()
    expect(mended.run(outsider, accept)).toBeUndefined()
    expect(mended.run(manager, trusted(next, undefined))).toBeUndefined()
  })
})

/** Every leaf of a record changed, one at a time, with its path. */
function* flipped(value: unknown, path = ''): Generator<{ path: string; value: unknown }> {
  const other = leafFlipped(value)
  if (other !== undefined) {
    yield { path, value: other }
    return
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const one of flipped(item, `${path}[${index}]`)) {
        yield { path: one.path, value: value.map((kept, at) => (at === index ? one.value : kept)) }
      }
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    for (const one of flipped(item, path === '' ? key : `${path}.${key}`))
      yield { path: one.path, value: { ...value, [key]: one.value } }
  }
}

function leafFlipped(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    const copy = Buffer.from(value)
    if (copy.length === 0) return undefined
    copy[copy.length - 1] = (copy[copy.length - 1] as number) ^ 1
    return copy
  }
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'string') {
    const last = value.charCodeAt(value.length - 1)
    return `${value.slice(0, -1)}${String.fromCharCode(last ^ 1)}`
  }
  return undefined
}
