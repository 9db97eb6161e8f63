/** Drafts on a running network: what they say is done once it is signed and submitted, and nothing before. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealMultisig, signAsMember, signTransaction, type TransactionDraft } from '../../../src/client/transaction.js'
import type { Json } from '../../../src/codec/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { instructions as multisig } from '../../../src/features/multisig/schema.js'
import { Gateway } from '../../../src/gateway/index.js'
import {
  anyInstruction,
  formatAddress,
  type Instruction,
  instruction,
  multisigAccount,
  NO_METADATA,
  sortedPolicy,
  transactionId,
  transactionPayload,
} from '../../../src/model/index.js'
import { codec, DEFINITION, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { Documented } from '../../support/documented.js'
import { CORE } from '../../support/served-routes.js'

let admin: TestAccount
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let cluster: Cluster
let gateway: Gateway
let documented: Documented

const first = (): Member => cluster.list[0] as Member
const addressOf = ({ id }: TestAccount): string => formatAddress(id, 'cw')
type Answer = { readonly status: number; readonly json: Record<string, Json> }

async function ask(method: 'GET' | 'POST', url: string, body?: Json): Promise<Answer> {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
  const answer = await gateway.inject({
    method,
    url,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...payload,
  })
  const [path = ''] = url.split('?')
  const row = gateway.rows.find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path),
  )
  if (row !== undefined) documented.check(row, answer)
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, Json> }
}
const get = async (url: string): Promise<Record<string, Json>> => (await ask('GET', url)).json

/** The draft of a route that its authority would sign: all its parts say the same. */
async function drafted(url: string, authority: TestAccount, body: Json): Promise<TransactionDraft & Answer> {
  const { status, json } = await ask('POST', `${url}?authority=${addressOf(authority)}`, body)
  expect(status, JSON.stringify(json)).toBe(200)
  const payload = transactionPayload.fromJson(json['payload'] ?? null, codec)
  if (!payload.ok) throw new Error(payload.fault.message)
  const payloadBytes = transactionPayload.encode(payload.value, codec)
  const id = transactionId(payloadBytes)
  expect(json['bytes']).toBe(payloadBytes.toString('base64'))
  expect(json['hash']).toBe(id.toString('hex'))
  expect(payload.value.authority).toBe(authority.id)
  const own = payload.value.executable.value
  expect(json['instructions']).toEqual(own.map((one) => anyInstruction.toJson(one, codec)))
  expect(json['tx_instructions']).toEqual(
    own.map((one) => {
      const bytes = anyInstruction.encode(one, codec)
      return { wire_id: expect.any(Number), payload_hex: bytes.toString('hex') }
    }),
  )
  expect(json['dry_run']).toMatchObject({ hash: json['hash'], lane: json['lane'] })
  return { payload: payload.value, payloadBytes, id, codec, status, json }
}

async function submit(bytes: Uint8Array): Promise<void> {
  const { height, tip } = first().core
  expect(await first().core.services.submit(bytes)).toMatchObject({ ok: true })
  await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
  expect(first().core.tip.rejected).toBe(tip.rejected)
}
/** Signs a draft as it came and commits it. */
const commit = async (draft: TransactionDraft, { pair }: TestAccount): Promise<void> =>
  submit((await signTransaction(draft, pair)).bytes)

beforeAll(async () => {
  admin = await testAccount('genesis')
  ;[alice, bob, carol] = [await testAccount('alice'), await testAccount('bob'), await testAccount('carol')]
  cluster = await Cluster.start(4, [alice, bob])
  gateway = new Gateway({ address: '127.0.0.1:0', rateLimit: undefined }, { services: first().core.services, ...CORE })
  documented = await Documented.of(gateway, codec)
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

const ONBOARDING = '/v1/accounts/onboarding'

describe('the draft that onboards an account', () => {
  const wanted = (): Record<string, Json> => ({
    public_key: formatPublicKey(carol.pair.publicKey),
    domain: 'bank',
    label: 'carol',
    metadata: { tier: 'gold' },
    permissions: [{ name: 'CanTransferAsset', object: `${DEFINITION}#${addressOf(bob)}` }],
  })

  it('contains the instructions and their cost if no authority is given, and changes nothing', async () => {
    const { status, json } = await ask('POST', ONBOARDING, { ...wanted(), permissions: [] })
    expect(status).toBe(200)
    expect(json).toMatchObject({ account: addressOf(carol), teu: expect.any(Number) })
    expect(Object.keys(json).sort()).toEqual(['account', 'instructions', 'teu', 'tx_instructions'])
    expect((await ask('GET', `/v1/accounts/${addressOf(carol)}`)).status).toBe(404)
  })

  it('is refused for a registered account, a used alias, a missing domain, or a key next to an address', async () => {
    const { public_key: key, ...rest } = wanted()
    const refused = async (body: Json) => {
      const { status, json } = await ask('POST', ONBOARDING, body)
      return [status, json['code']]
    }
    expect(await refused({ ...rest, account: addressOf(alice) })).toEqual([422, 'exists'])
    expect(await refused({ ...wanted(), label: 'user0' })).toEqual([422, 'exists'])
    expect(await refused({ ...wanted(), domain: 'nowhere' })).toEqual([404, 'not_found'])
    expect(await refused({ ...rest, public_key: key ?? null, account: addressOf(carol) })).toEqual([
      400,
      'validation_failed',
    ])
    expect(await refused(rest)).toEqual([400, 'validation_failed'])
  })

  it('is refused with a private key, which is an unknown field', async () => {
    const { status, json } = await ask('POST', ONBOARDING, { ...wanted(), private_key: '00' })
    expect([status, json['code']]).toEqual([400, 'unknown_field'])
  })

  it('includes a dry run that is rejected if the authority lacks permission', async () => {
    const { json } = await drafted(ONBOARDING, alice, { ...wanted(), permissions: [] })
    expect(json['dry_run']).toMatchObject({ outcome: 'Rejected', rejection: { code: 'not_permitted' } })
  })

  it('includes a dry run that is rejected for an unregistered authority; an unknown alias is refused', async () => {
    const { json } = await drafted(ONBOARDING, carol, wanted())
    expect(json['dry_run']).toMatchObject({ outcome: 'Rejected', rejection: { code: 'unknown_account' } })
    expect((await ask('POST', `${ONBOARDING}?authority=nobody@bank`, wanted())).json['code']).toBe('not_found')
  })

  it('is refused with the same error code as admission if the transaction is invalid', async () => {
    const policy = { ...wanted(), permissions: Array.from({ length: 17 }, () => ({ name: 'CanMint' })) }
    expect((await ask('POST', `${ONBOARDING}?authority=${addressOf(admin)}`, policy)).json['code']).toBe(
      'out_of_bounds',
    )
  })

  it('registers the account once the owner of the domain has signed it', async () => {
    const draft = await drafted(ONBOARDING, admin, { ...wanted(), permissions: [] })
    expect(draft.json['dry_run']).toMatchObject({ outcome: 'Approved' })
    expect((await ask('GET', '/v1/accounts/carol@bank')).status).toBe(404)
    await commit(draft, admin)
    expect(await get('/v1/accounts/carol@bank')).toMatchObject({ id: addressOf(carol), metadata: { tier: 'gold' } })
  })
})

describe('drafts for the controls of a balance', () => {
  const url = () => `/v1/controls/${encodeURIComponent(DEFINITION)}/${addressOf(bob)}`

  it('can freeze a balance, set its caps and list it in one draft, for the given fields only', async () => {
    const draft = await drafted(url(), admin, {
      frozen: true,
      reason: 'court order 7',
      limits: [{ window: 'Day', cap: '10' }],
    })
    expect((draft.json['instructions'] as Json[]).map((one) => Object.keys(one as object))).toEqual([
      ['SetFreeze'],
      ['SetLimits'],
    ])
    expect(await get(url())).toMatchObject({ frozen: false, limits: [] })
    await commit(draft, admin)
    expect(await get(url())).toMatchObject({ frozen: true, blacklisted: false, limits: [{ window: 'Day', cap: '10' }] })
    await commit(await drafted(url(), admin, { frozen: false, limits: [] }), admin)
    expect(await get(url())).toMatchObject({ frozen: false, limits: [] })
  })

  it('are refused without a change, with only a reason, or for a missing asset', async () => {
    const empty: Json[] = [{}, { reason: 'x' }]
    for (const body of empty) expect((await ask('POST', url(), body)).json['code']).toBe('validation_failed')
    const unknown = `/v1/controls/${encodeURIComponent('gold#bank')}/${addressOf(bob)}`
    expect((await ask('POST', unknown, { frozen: true })).status).toBe(404)
  })
})

describe('the portfolio of an account', () => {
  it('lists each balance with its definition, its controls and its spendable amount, in pages', async () => {
    const url = `/v1/controls/${encodeURIComponent(DEFINITION)}/${addressOf(alice)}`
    await commit(await drafted(url, admin, { limits: [{ window: 'Month', cap: '500' }] }), admin)
    const portfolio = await get('/v1/accounts/user0@bank/portfolio')
    expect(portfolio).toMatchObject({
      account: addressOf(alice),
      domain: 'bank',
      label: 'user0',
      next_cursor: null,
      items: [
        {
          definition: DEFINITION,
          name: 'usd',
          scale: 2,
          amount: '1000000',
          total_quantity: '2000000',
          frozen: false,
          usage: [{ window: 'Month', spent: '0', left: '500' }],
        },
      ],
    })
    expect((await ask('GET', `/v1/accounts/${addressOf(await testAccount('nobody'))}/portfolio`)).status).toBe(404)
    expect((await ask('GET', '/v1/accounts/user0@bank/portfolio?limit=501')).status).toBe(400)
  })
})

describe('drafts for the proposals of a multisig account', () => {
  const policy = () =>
    sortedPolicy({
      members: [
        { account: alice.id, weight: 1 },
        { account: bob.id, weight: 1 },
      ],
      quorum: 2,
      ttlMs: 600_000,
    })
  const joint = (): string => formatAddress(multisigAccount(policy()), 'cw')
  const payout = (): Json => anyInstruction.toJson(transferOf(multisigAccount(policy()), carol.id, 7n), codec)
  const held = async (account: string): Promise<Json | undefined> =>
    ((await get(`/v1/accounts/${account}`))['balances'] as { amount: Json }[])[0]?.amount

  beforeAll(async () => {
    const home = { domain: 'bank', label: 'joint', metadata: NO_METADATA }
    const register: Instruction = instruction(multisig.registerMultisig, {
      policy: policy(),
      target: { kind: 'create', value: home },
    })
    await submit(signedBy(admin, [register], Date.now()).bytes)
    await submit(signedBy(alice, [transferOf(alice.id, multisigAccount(policy()), 100n)], Date.now()).bytes)
  })

  it('create a proposal, and execute it on the approval of the other member', async () => {
    const before = await held('carol@bank')
    const proposed = await drafted(`/v1/multisig/${joint()}/propose`, alice, { instructions: [payout()] })
    const id = String(proposed.json['proposal'])
    expect((await ask('GET', `/v1/multisig/${joint()}/proposals/${id}`)).status).toBe(404)
    await commit(proposed, alice)
    expect(await get(`/v1/multisig/${joint()}/proposals/${id}`)).toMatchObject({ status: 'Open', weight: 1 })
    const approved = await drafted('/v1/multisig/joint@bank/approve', bob, { proposal: id })
    expect(approved.json['proposal']).toMatchObject({ proposal: id, instructions: [payout()], quorum: 2 })
    await commit(approved, bob)
    expect(await get(`/v1/multisig/${joint()}/proposals/${id}`)).toMatchObject({ status: 'Executed' })
    expect([before, await held('carol@bank')]).toEqual([undefined, '7'])
  })

  it('cancel a proposal for its proposer, and then refuse to approve or cancel it', async () => {
    const proposed = await drafted(`/v1/multisig/${joint()}/propose`, alice, {
      instructions: [payout()],
      ttl_ms: 60_000,
    })
    await commit(proposed, alice)
    const proposal = String(proposed.json['proposal'])
    await commit(await drafted(`/v1/multisig/${joint()}/cancel`, alice, { proposal }), alice)
    for (const word of ['approve', 'cancel'])
      expect((await ask('POST', `/v1/multisig/${joint()}/${word}`, { proposal })).json['code']).toBe('proposal_expired')
  })

  it('are refused for a single-key account, for an unknown proposal, and without instructions', async () => {
    const codeOf = async (path: string, body: Json) => (await ask('POST', `/v1/multisig/${path}`, body)).json['code']
    expect(await codeOf(`${addressOf(alice)}/propose`, { instructions: [payout()] })).toBe('not_found')
    expect(await codeOf(`${joint()}/approve`, { proposal: '0'.repeat(64) })).toBe('not_found')
    expect(await codeOf(`${joint()}/propose`, { instructions: [] })).toBe('validation_failed')
  })

  it('can use the account as their authority, and are then signed by its members together', async () => {
    const url = `/v1/multisig/${joint()}/propose`
    const { status, json } = await ask('POST', `${url}?authority=joint@bank`, { instructions: [payout()] })
    expect(status, JSON.stringify(json)).toBe(200)
    // It is not a member of itself: the dry run reports this before signing.
    expect(json['dry_run']).toMatchObject({ outcome: 'Rejected', rejection: { code: 'not_a_member' } })
    const payload = transactionPayload.fromJson(json['payload'] ?? null, codec)
    if (!payload.ok) throw new Error(payload.fault.message)
    const payloadBytes = transactionPayload.encode(payload.value, codec)
    const draft = { payload: payload.value, payloadBytes, id: transactionId(payloadBytes), codec }
    const signatures = await Promise.all([alice, bob].map(({ pair }) => signAsMember(draft, pair)))
    const { height, tip } = first().core
    expect((await first().core.services.submit(sealMultisig(draft, signatures, policy()).bytes)).ok).toBe(true)
    await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
    expect(first().core.tip.rejected).toBe(tip.rejected + 1)
  })
})
