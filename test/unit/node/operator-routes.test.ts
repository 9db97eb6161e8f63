/** Routes for operators only, on a running network: signed by an allowed key, once, and without side effects. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { signRequest } from '../../../src/client/index.js'
import type { Json } from '../../../src/codec/index.js'
import { formatPublicKey, type KeyPair } from '../../../src/crypto/index.js'
import { ABI_1, NEWEST_ABI } from '../../../src/features/abi.js'
import { instructions as explorer } from '../../../src/features/explorer/schema/log.js'
import { laneHandlers } from '../../../src/features/lanes/node.js'
import { laneSchema } from '../../../src/features/lanes/schema/index.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { Gateway } from '../../../src/gateway/index.js'
import {
  type AuditEntry,
  anyInstruction,
  evidence,
  formatAddress,
  type Instruction,
  instruction,
} from '../../../src/model/index.js'
import { CHAIN, codec, signedBy, type TestAccount, testAccount } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { Documented } from '../../support/documented.js'
import { doubleVote } from '../../support/double-vote.js'
import { laneSpecOf, updateLanes } from '../../support/lanes.js'
import { CORE } from '../../support/served-routes.js'

const PROPOSE = '/v1/runtime/upgrades/propose'
const EVIDENCE = '/v1/consensus/evidence/submit'
const EVIDENCE_TOO = '/v1/consensus/evidence'

let operator: TestAccount
let outsider: TestAccount
let cluster: Cluster
let gateway: Gateway
let documented: Documented
/** Entries of the audit log. */
const lines: AuditEntry[] = []

const first = (): Member => cluster.list[0] as Member

async function send(method: 'GET' | 'POST', url: string, payload: string, headers: Record<string, string>) {
  const row = gateway.rows.find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(/\{[a-z_]+\}/g, '[^/]+')}$`).test(url),
  )
  const body = method === 'GET' || payload === '' ? {} : { payload }
  const typed = payload === '' ? headers : { 'content-type': 'application/json', ...headers }
  const answer = await gateway.inject({ method, url, headers: typed, ...body })
  if (row !== undefined) documented.check(row, answer)
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, Json> }
}

/** A request with the headers of a signer. */
async function headersOf(pair: KeyPair, method: 'GET' | 'POST', target: string, payload = '') {
  return signRequest(
    { chain: CHAIN, networkKey: first().core.services.info.networkKey, method, target, body: Buffer.from(payload) },
    pair,
  )
}
async function signed(pair: KeyPair, url: string, body?: Json) {
  const payload = body === undefined ? '' : JSON.stringify(body)
  return send('POST', url, payload, await headersOf(pair, 'POST', url, payload))
}

/** Commit an instruction from a draft, signed by an account. */
async function commit(account: TestAccount, drafted: Instruction): Promise<void> {
  const { height } = first().core
  const { rejected } = first().core.tip
  const record = signedBy(account, [drafted], Date.now())
  expect((await first().core.services.submit(record.bytes)).ok).toBe(true)
  await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
  expect(first().core.tip.rejected).toBe(rejected)
}

/** The one instruction of a draft: its canonical bytes and its twin say the same. */
function draftedBy(json: Record<string, Json>): Instruction {
  const [row] = json['tx_instructions'] as readonly { readonly payload_hex: string }[]
  const decoded = anyInstruction.decode(Buffer.from(row?.payload_hex ?? '', 'hex'), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  expect(json['instructions']).toEqual([anyInstruction.toJson(decoded.value, codec)])
  return decoded.value
}

beforeAll(async () => {
  ;[operator, outsider] = [await testAccount('genesis'), await testAccount('stranger')]
  const permission = { name: 'CanManageRuntimeUpgrades', object: undefined }
  const granted: Instruction = instruction(permissions.grant, {
    subject: { kind: 'permission', value: permission },
    to: { kind: 'account', value: operator.id },
  })
  cluster = await Cluster.start(4, [outsider], [granted])
  gateway = new Gateway(
    { address: '127.0.0.1:0', rateLimit: undefined, operatorKeys: [formatPublicKey(operator.pair.publicKey)] },
    {
      services: first().core.services,
      routes: [...CORE.routes, ...routesOf(laneSchema)],
      streams: CORE.streams,
      handlers: new Map([...CORE.handlers, ...laneHandlers]),
      audit: { append: async (entry) => void lines.push(entry) },
    },
  )
  documented = await Documented.of(gateway, codec)
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

const manifest = (): Json => ({
  name: 'next',
  description: 'a release to come',
  abi_version: NEWEST_ABI.number + 1,
  abi_hash: 'a7'.repeat(32),
  start_height: first().core.height + 3,
  end_height: first().core.height + 100,
})

describe('an operator route', () => {
  const id = '0'.repeat(64)
  const paths = [`/v1/runtime/upgrades/activate/${id}`, `/v1/runtime/upgrades/cancel/${id}`]
  const wanted = [PROPOSE, ...paths, EVIDENCE, EVIDENCE_TOO]
  const isEvidence = (url: string): boolean => url === EVIDENCE || url === EVIDENCE_TOO
  const bodyFor = (url: string): Json | undefined =>
    url === PROPOSE ? manifest() : isEvidence(url) ? { evidence_hex: '00' } : undefined

  it.each(wanted)('%s rejects unsigned requests, and keys other than operator keys', async (url) => {
    const body = bodyFor(url)
    const payload = body === undefined ? '' : JSON.stringify(body)
    expect(await send('POST', url, payload, {})).toMatchObject({ status: 401, json: { code: 'unauthorised' } })
    expect(await signed(outsider.pair, url, body)).toMatchObject({ status: 403, json: { code: 'forbidden' } })
  })

  it.each(wanted)('%s accepts a signature once, and only for the signed content', async (url) => {
    const body = bodyFor(url)
    const payload = body === undefined ? '' : JSON.stringify(body)
    const headers = await headersOf(operator.pair, 'POST', url, payload)
    const other = await headersOf(operator.pair, 'POST', `${url}?x=1`, payload)
    expect(await send('POST', url, payload, other)).toMatchObject({ status: 401 })
    if (payload !== '') expect(await send('POST', url, `${payload} `, headers)).toMatchObject({ status: 401 })
    // A refused request did not use up the nonce.
    expect((await send('POST', url, payload, headers)).status).toBe(isEvidence(url) ? 400 : url === PROPOSE ? 200 : 404)
    const again = await send('POST', url, payload, headers)
    expect(again).toMatchObject({ status: 401, json: { code: 'unauthorised' } })
    expect(String(again.json['message'])).toContain('nonce')
  })
})

describe('drafts of runtime upgrades', () => {
  it('propose and cancel an upgrade once the caller signs their instructions, and change nothing before', async () => {
    const upgrades = async () =>
      (await send('GET', '/v1/runtime/upgrades', '', {})).json['items'] as { status: string }[]
    const { json } = await signed(operator.pair, PROPOSE, manifest())
    expect(await upgrades()).toEqual([])
    await commit(operator, draftedBy(json))
    expect((await upgrades()).map((one) => one.status)).toEqual(['Proposed'])
    const id = String(json['upgrade_id'])
    const cancelled = await signed(operator.pair, `/v1/runtime/upgrades/cancel/0x${id}`)
    expect(cancelled.json['upgrade_id']).toBe(id)
    expect((await upgrades()).map((one) => one.status)).toEqual(['Proposed'])
    await commit(operator, draftedBy(cancelled.json))
    expect((await upgrades()).map((one) => one.status)).toEqual(['Cancelled'])
    const activate = await signed(operator.pair, `/v1/runtime/upgrades/activate/${id}`)
    expect(draftedBy(activate.json)).toMatchObject({ kind: 'activateUpgrade' })
  })

  it('are refused if the hash differs from the ABI of this release', async () => {
    // A release that has ABI 2 too.
    const abis = first().core.services.info.supportedAbis as { number: number; hash: Uint8Array }[]
    abis.push({ number: 2, hash: Buffer.alloc(32, 7) })
    const slip = { ...(manifest() as object), abi_version: 2, abi_hash: ABI_1.hash.toString('hex') } as Json
    const refused = { status: 400, json: { code: 'bad_value', message: expect.stringContaining('abi_hash: ABI 2') } }
    expect(await signed(operator.pair, PROPOSE, slip)).toMatchObject(refused)
    // The ledger takes it: no node can tell what a release to come has.
    const proposal = anyInstruction.fromJson({ ProposeUpgrade: { manifest: slip } }, codec)
    if (!proposal.ok) throw new Error(proposal.fault.message)
    await commit(operator, proposal.value)
    const { items } = (await send('GET', '/v1/runtime/upgrades', '', {})).json as { items: { id: string }[] }
    const id = items.at(-1)?.id ?? ''
    expect(await signed(operator.pair, `/v1/runtime/upgrades/activate/${id}`)).toMatchObject(refused)
    const cancel = await signed(operator.pair, `/v1/runtime/upgrades/cancel/${id}`)
    await commit(operator, draftedBy(cancel.json))
    abis.pop()
  })

  it('are refused with every fault of an invalid manifest', async () => {
    const broken = await signed(operator.pair, PROPOSE, { name: 'x' })
    expect(broken).toMatchObject({ status: 400, json: { code: 'missing_field' } })
    expect(await signed(operator.pair, '/v1/runtime/upgrades/cancel/zz')).toMatchObject({ status: 400 })
  })

  it('are refused for an unknown upgrade, and for a body other than an empty object', async () => {
    for (const name of ['activate', 'cancel']) {
      const url = `/v1/runtime/upgrades/${name}/${'3'.repeat(64)}`
      const absent = { status: 404, json: { code: 'not_found' } }
      expect(await signed(operator.pair, url)).toMatchObject(absent)
      expect(await signed(operator.pair, url, {})).toMatchObject(absent)
      for (const body of [[1], 'x'.repeat(200)]) {
        const refused = await signed(operator.pair, url, body)
        expect(refused).toMatchObject({ status: 413, json: { code: 'payload_too_large' } })
        expect(refused.json['message']).toBe('this route does not accept a request body')
      }
    }
  })

  it('are in the audit log, each with its operator and result', async () => {
    const before = lines.length
    const { json } = await signed(operator.pair, PROPOSE, manifest())
    await signed(operator.pair, `/v1/runtime/upgrades/activate/${'3'.repeat(64)}`)
    await signed(operator.pair, `/v1/runtime/upgrades/cancel/${String(json['upgrade_id'])}`)
    const change = anyInstruction.toJson(updateLanes({ add: [laneSpecOf(8)] }), codec) as { UpdateLanes: Json }
    await signed(operator.pair, '/v1/lanes/lifecycle', change.UpdateLanes)
    const actor = formatAddress(operator.id, 'cw')
    const logged = lines.slice(before).map(({ action, fields, actor }) => [action, actor, fields?.['outcome']])
    expect(logged).toEqual([
      ['runtime_upgrades_propose', actor, 'done'],
      ['runtime_upgrades_activate', actor, 'not_found'],
      ['runtime_upgrades_cancel', actor, 'not_found'],
      ['lanes_lifecycle_draft', actor, expect.any(String)],
    ])
  })
})

describe('evidence submitted by an operator', () => {
  it('is accepted once if valid, reported as known afterwards, and included in a block', async () => {
    for (let block = 0; block < 2; block += 1)
      await commit(operator, instruction(explorer.log, { level: 'info', text: 'x' }))
    const hex = evidence.encode(doubleVote(cluster, 3)).toString('hex')
    const accepted = await signed(operator.pair, EVIDENCE, { evidence_hex: hex })
    expect(accepted).toMatchObject({ status: 202, json: { status: 'accepted', kind: 'double_prepare' } })
    await cluster.until('a block with it', () => cluster.list.every((member) => !member.core.hasEvidence))
    const known = await signed(operator.pair, EVIDENCE, { evidence_hex: `0x${hex}` })
    expect(known).toMatchObject({ status: 202, json: { status: 'known' } })
    const count = async (search: string) => (await send('GET', `/v1/consensus/evidence/count${search}`, '', {})).json
    expect(await count('')).toEqual({ count: 1 })
    expect(await count('?kind=double_prepare')).toEqual({ count: 1 })
    expect(await count('?kind=lock_amnesia')).toEqual({ count: 0 })
    expect(await count('?kind=double_prepar')).toMatchObject({ code: 'validation_failed' })
    expect(String((await count('?kind=double_prepar'))['message'])).toContain('Did you mean double_prepare?')
  })

  it('is rejected with the reason if invalid', async () => {
    for (const hex of ['zz', '0', '00ff']) {
      const refused = await signed(operator.pair, EVIDENCE, { evidence_hex: hex })
      expect(refused).toMatchObject({ status: 400, json: { code: 'evidence_invalid' } })
    }
  })
})
