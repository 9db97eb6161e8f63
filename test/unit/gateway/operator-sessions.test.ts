/** Operator sessions: a signature is exchanged for a token that stands for it until it ends, and every step is in the audit log. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPERATOR, SESSION_HEADER } from '../../../src/api/index.js'
import { CausewayClient, signRequest } from '../../../src/client/index.js'
import { formatPublicKey, type KeyPair } from '../../../src/crypto/index.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { OperatorSessions, SESSION_MS } from '../../../src/gateway/sessions.js'
import { type AuditEntry, formatAddress } from '../../../src/model/index.js'
import { Documented } from '../../support/documented.js'
import { accountOf, alice, bob, CHAIN, CODEC, FakeNode, gatewayOf, NETWORK_KEY } from './support.js'

const { session, end } = OPERATOR
const EVIDENCE = '/v1/consensus/evidence/submit'

let gateway: Gateway
let documented: Documented
let monotonicMs: number
let lines: AuditEntry[]
let auditFault: Error | undefined

beforeEach(async () => {
  monotonicMs = 0
  lines = []
  auditFault = undefined
  const audit = {
    append: async (line: AuditEntry) => {
      if (auditFault !== undefined) throw auditFault
      lines.push(line)
    },
  }
  gateway = gatewayOf(
    new FakeNode(),
    { operatorKeys: [formatPublicKey(alice.publicKey)], telemetryProfile: 'disabled' },
    { audit, clocks: { wallMs: () => Date.now(), monotonicMs: () => monotonicMs } },
  )
  // It has run for an hour: what is signed now was signed since its start.
  monotonicMs = 3_600_000
  documented = await Documented.of(gateway, CODEC)
})
afterEach(() => gateway.close())

async function post(row: typeof session | typeof end, headers: Record<string, string>) {
  const answer = await gateway.inject({ method: 'POST', url: row.path, headers })
  documented.check(row as never, answer)
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, unknown> }
}
const signed = (row: typeof session | typeof end, pair: KeyPair = alice) =>
  signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, method: 'POST', target: row.path }, pair)
const openOne = async (): Promise<string> => String((await post(session, await signed(session))).json['token'])
/** Status of a route that the profile keeps from everybody but operators. */
const metricsWith = async (token: string): Promise<number> =>
  (await gateway.inject({ url: '/metrics', headers: { [SESSION_HEADER]: token } })).statusCode

describe('an operator session', () => {
  it('is opened, used and ended by the client', async () => {
    const { url } = await gateway.listen()
    const operator = new CausewayClient({ gateway: url, signer: alice })
    const { token, account } = await operator.openSession()
    expect(account).toBe(accountOf(alice))
    const page = new CausewayClient({ gateway: url, session: token })
    expect((await page.api('GET', '/metrics', { accept: 'text/plain' })).status).toBe(200)
    await expect(page.openSession()).rejects.toMatchObject({ code: 'unauthorised' })
    await page.endSession()
    await expect(page.api('GET', '/metrics', { accept: 'text/plain' })).rejects.toThrow()
    await Promise.all([operator.close(), page.close()])
  })

  it('is opened with a signature, and then authenticates requests without one', async () => {
    const before = Date.now()
    const { status, json } = await post(session, await signed(session))
    expect(status).toBe(200)
    expect(json).toMatchObject({ account: formatAddress(accountOf(alice), 'cw') })
    expect(json['expires_at_ms']).toBeGreaterThanOrEqual(before + SESSION_MS)
    const token = String(json['token'])
    expect(await metricsWith(token)).toBe(200)
    const headers = { [SESSION_HEADER]: token, 'content-type': 'application/json' }
    const submitted = await gateway.inject({ method: 'POST', url: EVIDENCE, headers, payload: '{"evidence_hex":"00"}' })
    expect(submitted.statusCode).toBe(400)
  })

  it('is opened only for operators, and not by another session', async () => {
    expect(await post(session, {})).toMatchObject({ status: 401 })
    expect(await post(session, await signed(session, bob))).toMatchObject({ status: 403 })
    const token = await openOne()
    expect(await post(session, { [SESSION_HEADER]: token })).toMatchObject({ status: 401 })
  })

  it('ends on expiry or on logout with its token; a signed request ends all sessions', async () => {
    const late = await openOne()
    monotonicMs += SESSION_MS - 1
    expect(await metricsWith(late)).toBe(200)
    monotonicMs += 1
    expect(await metricsWith(late)).toBe(401)

    const [one, two] = [await openOne(), await openOne()]
    expect(await post(end, { [SESSION_HEADER]: one })).toMatchObject({ status: 200, json: { ended: true } })
    expect([await metricsWith(one), await metricsWith(two)]).toEqual([401, 200])
    expect(await post(end, { [SESSION_HEADER]: one })).toMatchObject({ status: 401 })
    expect(await post(end, await signed(end))).toMatchObject({ status: 200, json: { ended: true } })
    expect(await metricsWith(two)).toBe(401)
    expect(await post(end, await signed(end))).toMatchObject({ json: { ended: false } })
  })

  it('is refused with an invalid token', async () => {
    for (const token of ['', 'x', 'A'.repeat(43), 'A'.repeat(10_000)]) expect(await metricsWith(token)).toBe(401)
  })

  it('logs each request with its operator before the response', async () => {
    const token = await openOne()
    const headers = { [SESSION_HEADER]: token, 'content-type': 'application/json' }
    await gateway.inject({ method: 'POST', url: EVIDENCE, headers, payload: '{"evidence_hex":"00"}' })
    await post(end, { [SESSION_HEADER]: token })
    expect(lines.map(({ action, actor, fields }) => [action, actor, fields['outcome']])).toEqual([
      ['operator_auth_session', formatAddress(accountOf(alice), 'cw'), 'done'],
      ['consensus_evidence_submit', formatAddress(accountOf(alice), 'cw'), 'evidence_invalid'],
      ['operator_auth_end', formatAddress(accountOf(alice), 'cw'), 'done'],
    ])
    expect(JSON.stringify(lines)).not.toContain(token)
    auditFault = new Error('disk full')
    expect(await post(session, await signed(session))).toMatchObject({ status: 500, json: { code: 'internal' } })
  })

  it('is evicted when newer sessions exceed the limit, oldest first', () => {
    const sessions = new OperatorSessions()
    const tokens = Array.from({ length: 300 }, () => sessions.open('operator', 1))
    const alive = tokens.map((token) => sessions.find(token, 2) !== undefined)
    expect(alive.filter(Boolean)).toHaveLength(256)
    expect(alive.slice(0, 44)).toEqual(Array(44).fill(false))
  })
})
