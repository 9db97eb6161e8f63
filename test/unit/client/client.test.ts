/** The client against a real gateway on a loopback port, over a node without consensus. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineRoute, type HandlerInput, handle, routeTable } from '../../../src/api/index.js'
import type { NodeServices } from '../../../src/api/services.js'
import { CausewayClient } from '../../../src/client/index.js'
import { option, string, struct, toHex } from '../../../src/codec/index.js'
import { instructions as explorer } from '../../../src/features/explorer/schema/log.js'
import { isoRecordView, ONE_PAYMENT } from '../../../src/features/iso20022/schema/views.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { formatAddress, instruction, LedgerError, signedTransaction, transactionId } from '../../../src/model/index.js'
import { PATIENCE_MS } from '../../support/ports.js'
import { accountOf, alice, bob, CODEC, FakeNode, gatewayOf, signedBytes } from '../gateway/support.js'

const idOf = (bytes: Buffer): string => {
  const decoded = signedTransaction.decode(bytes, CODEC)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return toHex(transactionId(decoded.value.payload.bytes))
}

const isoRoute = defineRoute<undefined, undefined, Uint8Array, string>({
  id: 'iso.pacs008',
  method: 'POST',
  path: '/v1/iso20022/pacs008',
  summary: 'test double',
  access: 'account',
  format: 'json',
  body: { as: 'bytes', types: ['application/xml', 'application/octet-stream'], maxBytes: 1000 },
  success: 202,
})
const statusRoute = defineRoute({
  id: 'iso.status',
  method: 'GET',
  path: '/v1/iso20022/status/{msg_id}',
  summary: 'test double',
  access: 'account',
  format: 'json',
  params: struct('IsoTestPath', { msgId: string(64) }),
  query: struct('IsoTestQuery', { family: option(string(16)), submitter: option(string(100)) }),
})

/** The record of a message as a bridge answers it. */
const isoRecord = ({
  submitter = accountOf(alice),
  detail,
  msgId = 'M-1',
  code = 'ACTC',
}: Partial<Record<string, string>>): string =>
  JSON.stringify(
    isoRecordView.toJson(
      {
        messageId: msgId,
        family: 'pacs008',
        transactionHash: undefined,
        status: 'pending',
        pacs002Code: code,
        holdReasonCode: undefined,
        changeReasonCodes: [],
        rejectionReasonCode: undefined,
        detail,
        ledgerId: 'test-chain',
        sourceAccountId: undefined,
        targetAccountId: undefined,
        assetDefinitionId: undefined,
        assetId: undefined,
        amount: { mantissa: 1n, scale: 0 },
        currency: 'EUR',
        settlementDate: '2026-03-01',
        instructionId: undefined,
        endToEndId: undefined,
        senderTransactionId: undefined,
        uetr: undefined,
        submitter,
        bodyHash: Buffer.alloc(32, 3),
        attempt: 1,
        replayed: false,
        receivedAtMs: 1,
        updatedAtMs: 1,
        gateway: undefined,
        ...ONE_PAYMENT,
      },
      CODEC,
    ),
  )

describe('a client of a gateway', () => {
  const node = new FakeNode()
  let gateway: Gateway
  let client: CausewayClient
  let url = ''
  /** Statuses of the looks at a message that are to come; the last one stays. */
  let looks: string[] = ['ACTC']
  let held = false
  const nextLook = (): string => (looks.length > 1 ? (looks.shift() as string) : (looks[0] as string))
  beforeAll(async () => {
    gateway = gatewayOf(
      node,
      { telemetryProfile: 'full' },
      {
        routes: routeTable(isoRoute, statusRoute),
        handlers: new Map([
          handle(
            isoRoute,
            ({ caller, body, headers }: HandlerInput<NodeServices, undefined, undefined, Uint8Array>) => ({
              value: isoRecord({
                submitter: caller.account ?? accountOf(bob),
                code: held ? 'PDNG' : 'ACTC',
                detail: `${body.length} bytes of ${headers['content-type']}`,
              }),
            }),
          ),
          handle(statusRoute, ({ params }) => ({ value: isoRecord({ ...params, code: nextLook() }) })),
        ]),
      },
    )
    url = (await gateway.listen()).url
    client = new CausewayClient({ gateway: url, signer: alice, retries: 2 })
  })
  afterAll(async () => {
    await client.close()
    await gateway.close()
  })

  it('reads every record of the core routes', async () => {
    expect(await client.health()).toEqual({ status: 'healthy', height: 7, version: '0.1.0' })
    expect(await client.status()).toMatchObject({ blocks: 7, txsApproved: 5, uptimeMs: 13 })
    expect((await client.peers()).items).toHaveLength(2)
    expect((await client.versions()).default).toBe('1.1')
    expect(await client.capabilities()).toMatchObject({ chain: 'test-chain', addressPrefix: 'cw' })
    const consensus = await client.consensusStatus()
    expect(consensus.commitQc?.signers).toEqual([0, 2])
    expect(toHex(consensus.stateRoot)).toBe('02'.repeat(32))
    const page = await client.domains({ limit: 3 })
    expect(page.items.map((item) => item.id)).toEqual(['d000', 'd001', 'd002'])
    const next = await client.domains({ limit: 1, cursor: page.nextCursor ?? '' })
    expect(next.items[0]?.id).toBe('d003')
    expect((await client.assetDefinitions()).items).toEqual([])
    const account = await client.account('alice@d000')
    expect([account.id, account.balances[0]?.amount]).toEqual([accountOf(alice), { mantissa: 125n, scale: 1 }])
    expect((await client.account(formatAddress(accountOf(alice), 'cw'))).label).toBe('alice')
  })

  it('throws an error with the code and the message of the node', async () => {
    await expect(client.account('nobody@d000')).rejects.toMatchObject({
      code: 'not_found',
      details: { http_status: 404 },
    })
    await expect(client.api('GET', '/nope')).rejects.toMatchObject({
      code: 'route_not_found',
      hint: 'GET /openapi lists the routes of this node.',
      details: { request_id: expect.any(String) },
    })
    await expect(client.domains({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_pagination' })
    await expect(client.api('GET', '/a b')).rejects.toBeInstanceOf(LedgerError)
  })

  it('submits and waits until the transaction is in a block', async () => {
    const bytes = await signedBytes(100)
    const id = idOf(bytes)
    expect(await client.transactionStatus(id)).toEqual({ state: 'unknown' })
    const submission = await client.submitTransaction(bytes)
    expect([toHex(submission.transactionHash), submission.lane, submission.dataspace]).toEqual([id, 0, 0n])
    expect(await client.transactionStatus(id)).toEqual({ state: 'queued' })
    expect(await client.submitTransaction(bytes)).toMatchObject({ receipt: undefined, lane: undefined })
    setTimeout(() => {
      node.pendingStates.delete(id)
      node.committed.set(id, {
        hash: Buffer.from(id, 'hex'),
        height: 8,
        blockHash: Buffer.alloc(32, 8),
        index: 0,
        timeMs: 1,
        rejectionText: undefined,
        outcome: { kind: 'rejected', value: { code: 1 } } as never,
        rejection: 'not_enough',
        supersededBy: undefined,
        payments: [],
        authority: accountOf(alice),
      })
    }, 150)
    const state = await client.waitTransaction(id, { until: 'committed', timeoutMs: PATIENCE_MS })
    expect(state).toMatchObject({ state: 'rejected', height: 8, index: 0, rejection: { code: 'not_enough' } })
  })

  it('ends a wait as pending at the timeout, and immediately if the transaction has expired', async () => {
    await expect(client.waitTransaction('0'.repeat(64), { timeoutMs: 250 })).rejects.toMatchObject({ code: 'pending' })
    node.pendingStates.set('1'.repeat(64), { kind: 'expired' })
    expect(await client.waitTransaction('1'.repeat(64))).toEqual({ state: 'expired', proof: 'unverified' })
  })

  it('builds, signs, submits and waits in one call, with the given key', async () => {
    const log = [{ Log: { level: 'Info', text: 'paid in one call' } }]
    const queued = await client.transactAndWait(log, { signer: bob, until: 'queued' })
    expect(queued.state).toBe('queued')
    node.pendingStates.set(queued.hash, { kind: 'expired' })
    await expect(client.waitTransaction(queued.hash)).resolves.toMatchObject({ state: 'expired' })
  })

  it('accepts instructions and their JSON forms, and reports the position of a fault in both', async () => {
    const built = instruction(explorer.log, { level: 'info', text: 'm' })
    const jsonForm = { Log: { level: 'Info', text: 'm' } }
    const { payload } = await client.draft([built, jsonForm])
    expect(payload.executable.value).toEqual([built, built])
    await expect(client.draft([built, { Log: { level: 'Loud', text: 'm' } }])).rejects.toThrow(
      'instructions[1].Log.level',
    )
  })

  it('does not trust a reported expiry while the transaction may still be executed', async () => {
    const { id, bytes, expiresAtMs } = await client.sign([{ Log: { level: 'Info', text: 'm' } }], { ttlMs: 60_000 })
    await client.submitTransaction(bytes)
    node.pendingStates.set(toHex(id), { kind: 'expired' })
    await expect(client.waitTransaction(toHex(id), { expiresAtMs })).rejects.toMatchObject({ code: 'not_a_gateway' })
    expect(await client.waitTransaction(toHex(id), { expiresAtMs: Date.now() })).toMatchObject({ state: 'expired' })
  })

  it('submits a message and waits for its final status in one call, and reports each status once', async () => {
    looks = ['ACTC', 'ACSP', 'ACSP', 'ACSC']
    const seen: unknown[] = []
    const record = await client.isoSubmitAndWait('pacs008', Buffer.from('MsgId=1'), {
      onStatus: ({ pacs002_code }) => seen.push(pacs002_code),
    })
    expect(seen).toEqual(['ACTC', 'ACSP', 'ACSC'])
    expect(record).toMatchObject({ message_id: 'M-1', pacs002_code: 'ACSC', proof: 'unverified', replayed: false })
    looks = ['ACTC']
    const submitted = await client.isoSubmitAndWait('pacs008', Buffer.from('MsgId=1'), { until: 'submitted' })
    expect(submitted).toMatchObject({ pacs002_code: 'ACTC' })
    expect(looks).toEqual(['ACTC'])
  })

  it('ends a wait when a message is held, and at the timeout', async () => {
    looks = ['ACTC']
    const pending = await client.isoWait('M-1', { timeoutMs: 2_000 })
    expect(pending).toMatchObject({ pacs002_code: 'ACTC', proof: 'unverified' })
    held = true
    const record = await client.isoSubmitAndWait('pacs008', Buffer.from('MsgId=1'))
    held = false
    expect(record).toMatchObject({ pacs002_code: 'PDNG' })
  })

  it('signs requests to the bridge and detects the format of a message', async () => {
    const xml = await client.isoSubmit('pacs008', Buffer.from('\ufeff <Document/>'))
    expect(xml).toMatchObject({ submitter: formatAddress(accountOf(alice)), detail: '15 bytes of application/xml' })
    expect(await client.isoSubmit('pacs008', Buffer.from('MsgId=1'))).toMatchObject({
      detail: '7 bytes of application/octet-stream',
    })
    expect(await client.isoStatus('A/B 1', { family: 'pacs008' })).toMatchObject({
      message_id: 'A/B 1',
      family: 'Pacs008',
    })
    const other = new CausewayClient({
      gateway: url,
      signer: bob,
    })
    expect(await other.isoSubmit('pacs008', Buffer.from('MsgId=1'))).toMatchObject({
      submitter: formatAddress(accountOf(bob)),
    })
    await other.close()
  })
})

describe('a client of a gateway with faults', () => {
  /** A server that plays a list of answers. */
  async function playing(answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
    let calls = 0
    const server = createServer((request, response) => {
      request.resume()
      const answer = answers[Math.min(calls, answers.length - 1)]
      calls++
      answer?.(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return { url, calls: () => calls, close }
  }
  const drop = (request: IncomingMessage): void => void request.socket.destroy()
  const json =
    (status: number, body: object, headers: Record<string, string> = {}) =>
    (_: IncomingMessage, response: ServerResponse): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  const health = json(200, { status: 'healthy', height: 1, version: 'x' })

  it('retries reads on dropped connections, and on 429 and 503 with Retry-After', async () => {
    const server = await playing([
      drop,
      json(429, { code: 'rate_limited', message: 'm', request_id: 'r' }, { 'retry-after': '0' }),
      json(503, { code: 'node_starting', message: 'm', request_id: 'r' }, { 'retry-after': '0' }),
      health,
    ])
    const client = new CausewayClient({ gateway: server.url })
    expect((await client.health()).height).toBe(1)
    expect(server.calls()).toBe(4)
    await client.close()
    server.close()
  })

  it('reads no response longer than the limit of its caller', async () => {
    const padded = `${JSON.stringify({ status: 'healthy', height: 1, version: 'x' })}${' '.repeat(70_000)}`
    const server = await playing([
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(padded),
    ])
    const client = new CausewayClient({ gateway: server.url, answerMaxBytes: 64 * 1024, retries: 0 })
    await expect(client.health()).rejects.toMatchObject({ code: 'not_a_gateway' })
    const generous = new CausewayClient({ gateway: server.url, answerMaxBytes: 128 * 1024 })
    expect((await generous.health()).version).toBe('x')
    await Promise.all([client.close(), generous.close()])
    server.close()
  })

  it('does not retry permanent errors or calls that must not be repeated', async () => {
    const refusal = json(503, { code: 'telemetry_profile_restricted', message: 'm', request_id: 'r' })
    const server = await playing([refusal, refusal, drop])
    const client = new CausewayClient({ gateway: server.url })
    await expect(client.status()).rejects.toMatchObject({ code: 'telemetry_profile_restricted', exit: 9 })
    expect(server.calls()).toBe(1)
    await expect(client.api('POST', '/x')).rejects.toMatchObject({ code: 'telemetry_profile_restricted' })
    await expect(client.api('POST', '/x')).rejects.toMatchObject({ code: 'unreachable' })
    expect(server.calls()).toBe(3)
    await client.close()
    server.close()
  })

  it('treats a transaction submitted by an earlier retry as submitted', async () => {
    const node = new FakeNode()
    const bytes = await signedBytes(7)
    const known = json(409, { code: 'already_enqueued', message: 'm', request_id: 'r' })
    const gateway = gatewayOf(node)
    const server = await playing([drop, known, known])
    const client = new CausewayClient({ gateway: server.url })
    const submission = await client.submitTransaction(bytes)
    expect([toHex(submission.transactionHash), submission.receipt]).toEqual([idOf(bytes), undefined])
    expect((await client.submitTransaction(bytes)).receipt).toBeUndefined()
    await client.close()
    await gateway.close()
    server.close()
  })

  it('reports unreachable if no server listens or responds in time', async () => {
    const server = await playing([() => {}])
    const slow = new CausewayClient({ gateway: server.url, timeoutMs: 200 })
    await expect(slow.health()).rejects.toMatchObject({ code: 'unreachable', details: { reason: 'timeout' } })
    server.close()
    const gone = new CausewayClient({ gateway: server.url, retries: 0 })
    await expect(gone.health()).rejects.toMatchObject({ code: 'unreachable' })
    await slow.close()
    await gone.close()
  })

  it('distinguishes a response of a node from a response of another server', async () => {
    const server = await playing([
      (_, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    ])
    const client = new CausewayClient({ gateway: server.url, retries: 0 })
    await expect(client.health()).rejects.toMatchObject({ code: 'unreachable' })
    await expect(client.health()).rejects.toMatchObject({ code: 'not_a_gateway' })
    expect(() => new CausewayClient({ gateway: 'nope' })).toThrow('is not a URL')
    expect(() => new CausewayClient({ gateway: 'ftp://x' })).toThrow('http')
    await client.close()
    server.close()
  })
})
