/** Responses of every route of the bridge match the OpenAPI document: accepted, repeated, held, decided, refused. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import type { NodeServices } from '../../../src/api/services.js'
import { signRequest } from '../../../src/client/index.js'
import { toHex } from '../../../src/codec/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { bridgeHandlers } from '../../../src/features/iso20022/bridge/handlers.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { parsePayments } from '../../../src/features/iso20022/message/index.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { isoSchema } from '../../../src/features/iso20022/schema/index.js'
import { isoBodyHash } from '../../../src/features/iso20022/schema/instructions.js'
import { Gateway } from '../../../src/gateway/index.js'
import { envelope009, pacs008 } from '../../fixtures/iso20022/messages.js'
import { Documented } from '../../support/documented.js'
import { PATIENCE_MS, pause } from '../../support/ports.js'
import { CORE } from '../../support/served-routes.js'
import { alice, CHAIN, CODEC, FakeNode, NETWORK_KEY } from '../gateway/support.js'
import { bridgeOf, RESOLVED, servicesOf } from './support.js'

let folder: string
let store: RecordStore
let reader: MessageReader
let gateway: Gateway
let documented: Documented

/** Gateway of a node whose bridge holds all payments, or none. */
async function open(hold: boolean, more: Partial<NodeServices> = {}, isKnown = false): Promise<void> {
  const services = Object.assign(servicesOf(new FakeNode(), { resolution: RESOLVED, messages: [] }), more)
  const everything = {
    minAmount: undefined,
    minTotal: undefined,
    currency: undefined,
    submitter: undefined,
    bic: undefined,
  }
  const bridge = bridgeOf(services, { store, reader, holds: hold ? [everything] : [] })
  gateway = new Gateway(
    {
      address: '127.0.0.1:0',
      rateLimit: undefined,
      telemetryProfile: 'full',
      operatorKeys: [formatPublicKey(alice.publicKey)],
    },
    {
      services,
      routes: [...CORE.routes, ...routesOf(isoSchema)],
      streams: CORE.streams,
      handlers: new Map([...CORE.handlers, ...bridgeHandlers(bridge)]),
      largeBodies: new Map([['iso_pacs008', { isKnown: async () => isKnown }]]),
    },
  )
  documented = await Documented.of(gateway, CODEC)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-iso-routes-'))
  store = await RecordStore.open(folder)
  reader = new MessageReader()
})
afterEach(async () => {
  await gateway.close()
  await reader.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Send a request as the operator, who is also the submitter; returns HTTP status and error code or pacs.002 status, and
 * validates the response.
 */
async function ask(id: string, body?: string, accept = 'application/json', message = 'PAY-1') {
  const row = gateway.rows.find((one) => one.id === id)
  if (row === undefined) throw new Error(`no route ${id}`)
  const target = row.path.replace('{msg_id}', message)
  const signing = { chain: CHAIN, networkKey: NETWORK_KEY, method: row.method, target, body: Buffer.from(body ?? '') }
  const type = row.body?.as === 'bytes' ? 'application/xml' : 'application/json'
  const answer = await gateway.inject({
    method: row.method,
    url: target,
    // Each request from a different address, because each client may have only one query on the ledger.
    headers: {
      accept,
      ...(await signRequest(signing, alice)),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  documented.check(row, answer)
  const json = accept === 'application/json' ? (JSON.parse(answer.body) as Record<string, string>) : {}
  return [answer.statusCode, json['code'] ?? json['pacs002_code']] as const
}

/** Decision of an operator on the first attempt of a message. */
const decision = (message: string, fields: object = {}): string =>
  JSON.stringify({ body_hash: toHex(isoBodyHash(Buffer.from(message))), attempt: 1, ...fields })

describe('the routes of the ISO 20022 bridge', () => {
  it('accept a message, return the same result for a repetition, and show its status as JSON and pacs.002', async () => {
    await open(false)
    expect(await ask('iso_pacs008', pacs008())).toEqual([202, 'ACSP'])
    expect(await ask('iso_pacs008', pacs008())).toEqual([200, 'ACSP'])
    expect((await ask('iso_pacs008', pacs008(), 'application/xml'))[0]).toBe(200)
    expect((await ask('iso_pacs009', envelope009()))[0]).toBe(202)
    expect(await ask('iso_status')).toEqual([200, 'ACSP'])
    expect((await ask('iso_status', undefined, 'application/xml'))[0]).toBe(200)
    expect([...documented.good].sort()).toEqual([
      'iso_pacs008 application/json',
      'iso_pacs008 application/xml',
      'iso_pacs009 application/json',
      'iso_status application/json',
      'iso_status application/xml',
    ])
  })

  it('accept a body above 256 KiB from known submitters only', async () => {
    const large = pacs008({ Dbtr: `<!--${'x'.repeat(300 * 1024)}--><Dbtr><Nm>Alpha</Nm></Dbtr>` })
    reader = {
      read: async (...of: Parameters<typeof parsePayments>) => parsePayments(...of),
      close: async () => {},
    } as MessageReader
    await open(false)
    expect(await ask('iso_pacs008', large)).toEqual([413, 'payload_too_large'])
    await gateway.close()
    await open(false, {}, true)
    expect(await ask('iso_pacs008', large)).toEqual([202, 'ACSP'])
  })

  it('send ledger queries in turn with other requests', async () => {
    const waiting: (() => void)[] = []
    const query = () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)))
    await open(false, { query } as Partial<NodeServices>)
    const all = Promise.all(Array.from({ length: 8 }, () => ask('iso_status')))
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: PATIENCE_MS })
    // No other query is sent meanwhile, however long this one takes: each client may have only one.
    await pause(50)
    expect(waiting).toHaveLength(1)
    const answer = setInterval(() => {
      for (const one of waiting.splice(0)) one()
    }, 1)
    expect(new Set((await all).map(([status]) => status))).toEqual(new Set([404]))
    clearInterval(answer)
  })

  it('hold messages, list them, and apply decisions of an operator', async () => {
    await open(true)
    expect(await ask('iso_held')).toEqual([200, undefined])
    expect((await ask('iso_pacs008', pacs008()))[0]).toBe(202)
    expect((await ask('iso_held'))[0]).toBe(200)
    expect((await ask('iso_change', decision(pacs008(), { reference: 'NEW-1' })))[0]).toBe(200)
    expect((await ask('iso_release', decision(pacs008())))[0]).toBe(200)
    expect(await ask('iso_release', decision(pacs008()))).toEqual([409, 'iso_not_held'])
    expect((await ask('iso_pacs009', envelope009()))[0]).toBe(202)
    expect(
      await ask('iso_refuse', decision(envelope009(), { reason_code: 'AM04' }), 'application/json', 'BIZ-1'),
    ).toEqual([200, 'RJCT'])
    expect([...documented.good].filter((one) => /held|change|release|refuse/.test(one)).sort()).toEqual([
      'iso_change application/json',
      'iso_held application/json',
      'iso_refuse application/json',
      'iso_release application/json',
    ])
  })

  it('reject a request with an error record that contains every fault and its position', async () => {
    await open(false)
    expect(await ask('iso_pacs008', '<a>')).toEqual([400, 'iso_malformed'])
    expect(await ask('iso_pacs008', pacs008().replace(/<IBAN>[^<]*/, '<IBAN>DE00'))).toEqual([422, 'iso_invalid'])
    expect(await ask('iso_pacs008', `<a>${'x'.repeat(300_000)}</a>`)).toEqual([413, 'payload_too_large'])
    expect(await ask('iso_status', undefined, 'application/json', 'NOBODY')).toEqual([404, 'iso_unknown_message'])
    expect(await ask('iso_release', '{"nonsense":1}')).toEqual([400, 'unknown_field'])
    expect(await ask('iso_refuse', decision(pacs008()), 'application/json', 'NOBODY')).toEqual([
      404,
      'iso_unknown_message',
    ])
  })
})
