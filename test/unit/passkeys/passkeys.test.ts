/** Passkeys of operators, through the gateway with an authenticator in software: what opens a session, and all that does not. */
import Module from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { SESSION_HEADER } from '../../../src/api/index.js'
import { SYSTEM_CLOCKS } from '../../../src/base/clocks.js'
import { signRequest } from '../../../src/client/index.js'
import { formatPublicKey, type KeyPair } from '../../../src/crypto/index.js'
import { Challenges } from '../../../src/features/passkeys/node/challenges.js'
import { passkeyConfig } from '../../../src/features/passkeys/node/config.js'
import {
  ANSWERED_MAX,
  CHALLENGE_MS,
  FAILURES_MAX,
  FAILURES_NOTED_PER_MINUTE,
  LOCK_MS,
  REQUESTS_PER_MINUTE,
  TICKET_MS,
  TICKETS_MAX,
} from '../../../src/features/passkeys/node/limits.js'
import { openPasskeys } from '../../../src/features/passkeys/node/open.js'
import { PASSKEYS_MAX, passkeySchema } from '../../../src/features/passkeys/schema.js'
import type { ServiceContext } from '../../../src/features/service.js'
import { type Gateway, OperatorSessions, operatorsOf } from '../../../src/gateway/index.js'
import type { AuditEntry } from '../../../src/model/index.js'
import { Authenticator, type Wrong } from '../../support/authenticator.js'
import { Documented } from '../../support/documented.js'
import { MemoryStore } from '../../support/memory-store.js'
import { alice, bob, CHAIN, CODEC, FakeNode, gatewayOf, NETWORK_KEY } from '../gateway/support.js'

const ORIGIN = 'http://localhost:8080'
const BASE = '/v1/operator/auth'

let disk: Map<string, Buffer>
let store: MemoryStore
let gateway: Gateway
let documented: Documented
let lines: AuditEntry[]

/** Keys of operators as the node has them, and what is done as a line of the audit log is written. */
let operatorKeys: string[]
let onLine: (line: AuditEntry) => void

/** Starts the node, with these operators. */
async function start(operators: readonly KeyPair[] = [alice]): Promise<void> {
  await gateway?.close()
  store = new MemoryStore(disk, Buffer.alloc(32, 1))
  const audit = { append: async (line: AuditEntry) => onLine(line) }
  operatorKeys = operators.map((pair) => formatPublicKey(pair.publicKey))
  onLine = (line) => void lines.push(line)
  const sessions = new OperatorSessions()
  const node = new FakeNode()
  const context = {
    services: node.services,
    integrations: store,
    operators: operatorsOf(() => operatorKeys, sessions, SYSTEM_CLOCKS),
    audit,
    logger: { error: () => undefined },
  } as unknown as ServiceContext
  const { handlers = new Map() } = openPasskeys(context, { rpId: 'localhost', origins: [ORIGIN] })
  const routes = routesOf(passkeySchema as never)
  gateway = gatewayOf(node, { operatorKeys, telemetryProfile: 'disabled' }, { routes, handlers, audit, sessions })
  documented = await Documented.of(gateway, CODEC)
}
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  disk = new Map()
  lines = []
  await start()
})
afterEach(async () => {
  vi.useRealTimers()
  await gateway.close()
})

interface Answer {
  readonly status: number
  readonly json: {
    readonly id: string
    readonly code: string
    readonly token: string
    readonly ticket: string
    readonly url: string
    readonly account: string
    readonly options: { readonly challenge: string }
    readonly items: unknown[]
  }
}

async function ask(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  { by, session, address = '10.0.0.1' }: { by?: KeyPair; session?: string; address?: string } = {},
): Promise<Answer> {
  const target = `${BASE}${path}`
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const signed =
    by === undefined
      ? {}
      : await signRequest(
          {
            chain: CHAIN,
            networkKey: NETWORK_KEY,
            method,
            target,
            ...(payload === undefined ? {} : { body: payload }),
          },
          by,
        )
  const answer = await gateway.inject({
    method,
    url: target,
    remoteAddress: address,
    headers: {
      ...signed,
      ...(session === undefined ? {} : { [SESSION_HEADER]: session }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const row = passkeySchemaRow(method, target)
  if (row !== undefined) documented.check(row as never, answer)
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Answer['json'] }
}
const passkeySchemaRow = (method: string, target: string) =>
  Object.values(passkeySchema.routes).find((row) => row.method === method && row.path === target)

async function ticketOf(by: KeyPair = alice): Promise<string> {
  const { status, json } = await ask('POST', '/registration/ticket', { label: 'laptop' }, { by })
  expect(status).toBe(201)
  return json.ticket
}
async function register(
  authenticator: Authenticator,
  { ticket, wrong, address }: { ticket?: string; wrong?: Wrong; address?: string } = {},
): Promise<Answer> {
  const by = { ...(address === undefined ? {} : { address }) }
  const used = ticket ?? (await ticketOf())
  const { json } = await ask('POST', '/registration/options', { ticket: used }, by)
  return ask('POST', '/registration/verify', { ticket: used, response: authenticator.create(json.options, wrong) }, by)
}
async function login(authenticator: Authenticator, wrong?: Wrong, address = '10.0.0.2'): Promise<Answer> {
  const { json, status } = await ask('POST', '/login/options', undefined, { address })
  if (status !== 200) return { json, status }
  return ask('POST', '/login/verify', { response: authenticator.get(json.options, wrong) }, { address })
}
const isOpen = async (session: string): Promise<boolean> =>
  (await ask('GET', '/passkeys', undefined, { session })).status === 200
const newOne = (...rest: [algorithm?: 'ES256' | 'EdDSA' | 'RS256', counts?: boolean]) =>
  new Authenticator(ORIGIN, 'localhost', ...rest)

describe('a passkey', () => {
  it.each([
    ['ES256', true],
    ['EdDSA', true],
    ['ES256', false],
  ] as const)(
    'of %s that counts %s can be registered with a ticket, opens sessions, and can be removed',
    async (algorithm, counts) => {
      const authenticator = newOne(algorithm, counts)
      const made = await register(authenticator)
      expect(made.status).toBe(201)
      for (let count = 0; count < 2; count++) {
        const { status, json } = await login(authenticator)
        expect(status).toBe(200)
        expect(await isOpen(json.token)).toBe(true)
      }
      const { json: listed } = await ask('GET', '/passkeys', undefined, { by: alice })
      expect(listed.items).toMatchObject([{ id: made.json.id, label: 'laptop', account: made.json.account }])
      const { json: last } = await login(authenticator)
      expect((await ask('DELETE', `/passkeys/${made.json.id}`, undefined, { by: alice })).status).toBe(200)
      expect(await isOpen(last.token)).toBe(false)
      expect(await login(authenticator)).toMatchObject({ status: 401, json: { code: 'passkey_refused' } })
      expect(lines.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['operator_passkeys_ticket', 'operator_passkey_registered', 'operator_passkey_login']),
      )
      expect(JSON.stringify(lines)).not.toContain(last.token)
    },
  )

  it('survives restarts of the node with its counter, and is removed with the operator key of its ticket', async () => {
    const authenticator = newOne()
    await register(authenticator)
    const counter = authenticator.counter
    await login(authenticator)
    await start()
    expect(await login(authenticator, { counter })).toMatchObject({ status: 401 })
    expect(await login(authenticator)).toMatchObject({ status: 200 })
    await start([bob])
    expect(await login(authenticator)).toMatchObject({ status: 401, json: { code: 'passkey_refused' } })
  })

  it.each<[string, Wrong]>([
    ['an unknown challenge', { challenge: Buffer.alloc(40).toString('base64url') }],
    ['no challenge', { challenge: '' }],
    ['a page of another port', { origin: 'http://localhost:3000' }],
    ['a page of another name', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a user who was not verified', { unverified: true }],
    ['the type of the other ceremony', { type: 'webauthn.create' }],
    ['a counter that does not rise', { counter: 1 }],
    ['another signature', { signature: Buffer.alloc(70, 48) }],
  ])('is refused at login for %s', async (_, wrong) => {
    const authenticator = newOne()
    await register(authenticator)
    await login(authenticator)
    expect(await login(authenticator, wrong)).toMatchObject({ status: 401, json: { code: 'passkey_refused' } })
    expect(await login(authenticator)).toMatchObject({ status: 200 })
  })

  it.each<[string, Wrong]>([
    ['an unknown challenge', { challenge: Buffer.alloc(40).toString('base64url') }],
    ['a page of another port', { origin: 'http://localhost:3000' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['a user who was not verified', { unverified: true }],
    ['an attestation with certificates', { format: 'packed', statement: new Map([['x5c', [Buffer.alloc(9)]]]) }],
    ['an attestation of another kind', { format: 'android-safetynet' }],
  ])('is not registered for %s', async (_, wrong) => {
    expect(await register(newOne(), { wrong })).toMatchObject({ status: 401, json: { code: 'passkey_refused' } })
    expect(disk.size).toBe(0)
  })

  it('is not registered with a key of another algorithm', async () => {
    expect(await register(newOne('RS256'))).toMatchObject({ status: 401 })
  })

  it('can be used once its library loads, and the failed load is not counted against the client', async () => {
    const authenticator = newOne()
    const ticket = await ticketOf()
    const { json } = await ask('POST', '/registration/options', { ticket })
    const body = { ticket, response: authenticator.create(json.options) }
    const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown }
    const load = loader._load
    const loads = vi.spyOn(loader, '_load')
    const missing =
      (part: string) =>
      (name: string, ...rest: unknown[]) => {
        if (name === part) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
        return load(name, ...rest)
      }
    try {
      loads.mockImplementation(missing('@simplewebauthn/server/helpers'))
      for (let count = 0; count <= FAILURES_MAX; count++) {
        expect((await ask('POST', '/registration/verify', body)).status).toBe(500)
      }
      loads.mockImplementation(missing('@simplewebauthn/server'))
      expect((await ask('POST', '/login/options')).status).toBe(500)
    } finally {
      loads.mockRestore()
    }
    expect((await ask('POST', '/registration/verify', body)).status).toBe(201)
    expect((await login(authenticator)).status).toBe(200)
  })

  it('is registered once even if its response is sent several times', async () => {
    const authenticator = newOne()
    const ticket = await ticketOf()
    const { json } = await ask('POST', '/registration/options', { ticket })
    const body = { ticket, response: authenticator.create(json.options) }
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/registration/verify', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401])
    expect(disk.size).toBe(1)
    expect(await register(authenticator)).toMatchObject({ status: 401 })
  })

  it('opens no session for an operator that a reload removes during the login', async () => {
    const authenticator = newOne()
    expect((await register(authenticator)).status).toBe(201)
    onLine = ({ action }) => {
      if (action === 'operator_passkey_login') operatorKeys = []
    }
    expect(await login(authenticator)).toMatchObject({ status: 401, json: { code: 'passkey_refused' } })
  })

  it('opens one session per response, even for concurrent requests', async () => {
    const authenticator = newOne('ES256', false)
    await register(authenticator)
    const { json } = await ask('POST', '/login/options')
    const body = { response: authenticator.get(json.options) }
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/login/verify', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  it('is refused at login with a registration challenge, or after two minutes', async () => {
    const authenticator = newOne('ES256', false)
    await register(authenticator)
    const { json: other } = await ask('POST', '/registration/options', { ticket: await ticketOf() })
    expect(await login(authenticator, { challenge: other.options.challenge })).toMatchObject({ status: 401 })
    const { json } = await ask('POST', '/login/options')
    vi.advanceTimersByTime(CHALLENGE_MS + 1)
    const late = await ask('POST', '/login/verify', { response: authenticator.get(json.options) })
    expect(late.status).toBe(401)
  })
})

describe('a registration ticket for a passkey', () => {
  it('requires the signature of an operator key', async () => {
    const authenticator = newOne()
    await register(authenticator)
    const { json } = await login(authenticator)
    const body = { label: 'another' }
    expect((await ask('POST', '/registration/ticket', body, { session: json.token })).status).toBe(401)
    expect((await ask('POST', '/registration/ticket', body, { by: bob })).status).toBe(403)
    expect((await ask('POST', '/registration/ticket', body)).status).toBe(401)
    expect((await ask('POST', '/registration/ticket', { label: '' }, { by: alice })).status).toBe(400)
  })

  it('is valid once, for ten minutes and its own challenge, but remains valid after a refused response', async () => {
    const ticket = await ticketOf()
    expect((await register(newOne(), { ticket, wrong: { origin: 'https://evil.example' } })).status).toBe(401)
    expect((await register(newOne(), { ticket })).status).toBe(201)
    expect((await ask('POST', '/registration/options', { ticket })).status).toBe(401)

    const [one, two] = [await ticketOf(), await ticketOf()]
    const { json } = await ask('POST', '/registration/options', { ticket: one })
    const response = newOne().create(json.options)
    expect((await ask('POST', '/registration/verify', { ticket: two, response })).status).toBe(401)
    vi.advanceTimersByTime(TICKET_MS + 1)
    expect((await ask('POST', '/registration/options', { ticket: two })).status).toBe(401)
  })

  it('is in the fragment of the page address, which is not sent to servers', async () => {
    const { json } = await ask('POST', '/registration/ticket', { label: 'laptop' }, { by: alice })
    expect(json.url).toBe(`${ORIGIN}/explorer/#/operator/${json.ticket}`)
    expect(JSON.stringify(lines)).not.toContain(json.ticket)
  })

  it('is limited in number', async () => {
    for (let count = 0; count < TICKETS_MAX; count++) await ticketOf()
    const { status, json } = await ask('POST', '/registration/ticket', { label: 'x' }, { by: alice })
    expect([status, json.code]).toEqual([429, 'passkey_limit'])
    vi.advanceTimersByTime(TICKET_MS + 1)
    await ticketOf()
  })
})

describe('a client of the passkey routes', () => {
  it('causes a bounded number of log lines a minute from any number of addresses, and omitted lines are counted', async () => {
    const failed = (at: number) =>
      ask('POST', '/registration/options', { ticket: 'x'.repeat(43) }, { address: `2001:db8:0:${at.toString(16)}::1` })
    for (let at = 1; at <= FAILURES_NOTED_PER_MINUTE + 3; at += 1) {
      expect(await failed(at)).toMatchObject({ json: { code: 'passkey_refused' } })
    }
    expect(lines).toHaveLength(FAILURES_NOTED_PER_MINUTE)
    vi.advanceTimersByTime(60_000)
    await failed(100)
    expect(lines).toHaveLength(FAILURES_NOTED_PER_MINUTE + 1)
    expect(lines.at(-1)).toMatchObject({ action: 'operator_passkey_registration', fields: { left_out: '3' } })
  })

  it('is locked for a quarter of an hour after five failures, without effect on other clients', async () => {
    const authenticator = newOne()
    await register(authenticator)
    for (let count = 0; count < FAILURES_MAX; count++) await login(authenticator, { rpId: 'evil' }, '6.6.6.6')
    expect(await login(authenticator, undefined, '6.6.6.6')).toMatchObject({
      status: 429,
      json: { code: 'passkey_locked' },
    })
    expect(await login(authenticator)).toMatchObject({ status: 200 })
    const before = lines.length
    await login(authenticator, undefined, '6.6.6.6')
    expect(lines).toHaveLength(before)
    // The operator key is never locked.
    expect((await ask('GET', '/passkeys', undefined, { by: alice, address: '6.6.6.6' })).status).toBe(200)
    vi.advanceTimersByTime(LOCK_MS)
    expect(await login(authenticator, undefined, '6.6.6.6')).toMatchObject({ status: 200 })
  })

  it('is limited to thirty requests a minute, and these requests store nothing', async () => {
    for (let count = 0; count < REQUESTS_PER_MINUTE; count++) {
      expect((await ask('POST', '/login/options')).status).toBe(200)
    }
    expect((await ask('POST', '/login/options')).status).toBe(429)
    vi.advanceTimersByTime(60_000)
    expect((await ask('POST', '/login/options')).status).toBe(200)
    expect(disk.size).toBe(0)
  })
})

describe('a node with passkeys', () => {
  it('stores at most 32 passkeys', async () => {
    for (let count = 0; count < PASSKEYS_MAX; count++) {
      expect((await register(newOne(), { address: `10.1.0.${count}` })).status).toBe(201)
    }
    expect((await ask('POST', '/registration/ticket', { label: 'x' }, { by: alice })).json.code).toBe('passkey_limit')
  })

  it('returns 503 while its disk is not available, and recovers', async () => {
    store.isBroken = true
    expect((await ask('GET', '/passkeys', undefined, { by: alice })).status).toBe(503)
    store.isBroken = false
    const authenticator = newOne()
    const ticket = await ticketOf()
    store.isBroken = true
    expect((await register(authenticator, { ticket })).status).toBe(503)
    store.isBroken = false
    expect((await register(newOne(), { ticket })).status).toBe(201)
  })

  it('refuses any malformed response', async () => {
    const authenticator = newOne()
    await register(authenticator)
    const good = authenticator.get({ challenge: 'x' })
    const deep = Buffer.alloc(5_000, 0x81).toString('base64url')
    const bad: unknown[] = [
      null,
      [],
      'x',
      {},
      { id: 5 },
      { ...good, response: null },
      { ...good, response: { clientDataJSON: 'e30', authenticatorData: '', signature: '' } },
      { ...good, response: { clientDataJSON: '!!', authenticatorData: deep, signature: deep } },
      { ...good, rawId: 'other' },
      { ...good, id: 'a'.repeat(9_000) },
    ]
    for (const [at, response] of bad.entries()) {
      const address = `10.2.0.${at}`
      const answer = await ask('POST', '/login/verify', { response }, { address })
      expect([at, answer.status]).toEqual([at, 401])
      const ticket = await ticketOf()
      const attestation = { ...good, response: { clientDataJSON: 'e30', attestationObject: deep } }
      for (const one of [response, attestation]) {
        const made = await ask('POST', '/registration/verify', { ticket, response: one }, { address })
        expect([at, made.status]).toEqual([at, 401])
      }
      vi.advanceTimersByTime(TICKET_MS + 1)
    }
    expect((await ask('POST', '/login/verify', { response: { id: 'x'.repeat(20_000) } })).status).toBe(413)
  })

  it('keeps a bounded number of used challenges', () => {
    const challenges = new Challenges(() => 0)
    const purpose = { kind: 'login' } as const
    const made = Array.from({ length: ANSWERED_MAX + 10 }, () => challenges.create(purpose).toString('base64url'))
    for (const one of made) expect(challenges.use(one, purpose)).toBe(true)
    expect(challenges.use(made.at(-1) ?? '', purpose)).toBe(false)
  })
})

describe('the passkey configuration', () => {
  const values = (given: Record<string, unknown>) => {
    const all: Record<string, unknown> = { 'operator.rp_id': 'localhost', 'gateway.listen': '0.0.0.0:8080', ...given }
    return { get: (key: string) => all[key], has: (key: string) => key in all, path: () => undefined } as never
  }
  it('defaults to localhost with the port of the gateway', () => {
    expect(passkeyConfig.build(values({}))).toEqual({ rpId: 'localhost', origins: [ORIGIN] })
    expect(passkeyConfig.build(values({ 'gateway.tls_cert': 'x' })).origins).toEqual(['https://localhost:8080'])
  })
  it.each([
    [{ 'operator.rp_id': '10.0.0.1' }, 'not an IP address'],
    [{ 'operator.rp_id': 'Bank.Example' }, 'lower case'],
    [{ 'operator.rp_id': 'bank.example', 'operator.origins': ['https://evil.example'] }, 'not an origin of'],
    [{ 'operator.rp_id': 'bank.example', 'operator.origins': ['http://bank.example'] }, 'over https'],
    [{ 'operator.origins': [] }, 'at least one'],
  ])('refuses %j', (given, why) => {
    expect(passkeyConfig.check?.(values(given))[0]?.message).toContain(why)
  })
  it('accepts a name and its origins', () => {
    const given = { 'operator.rp_id': 'bank.example', 'operator.origins': ['https://node1.bank.example:8443'] }
    expect(passkeyConfig.check?.(values(given))).toEqual([])
  })
})
