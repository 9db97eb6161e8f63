/** Every route of a running network answers with real records what the OpenAPI document says, good and bad, in every form. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import {
  type AnyRoute,
  CODEC_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  SIGNED_QUERY_FRAME,
  signedQuery,
  TRANSACTION_FRAME,
} from '../../../src/api/index.js'
import { parameterFields } from '../../../src/api/parameters.js'
import { signQuery, signRequest } from '../../../src/client/index.js'
import type { Json } from '../../../src/codec/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { laneHandlers } from '../../../src/features/lanes/node.js'
import { laneSchema } from '../../../src/features/lanes/schema/index.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'
import { instructions as upgradeInstructions } from '../../../src/features/upgrades/schema.js'
import { Gateway } from '../../../src/gateway/index.js'
import {
  anyInstruction,
  evidence,
  formatAddress,
  type Instruction,
  instruction,
  multisigAccount,
  signedTransaction,
  transactionPayload,
} from '../../../src/model/index.js'
import { CHAIN, codec, DEFINITION, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import * as core from '../../support/core.js'
import { Documented } from '../../support/documented.js'
import { doubleVote } from '../../support/double-vote.js'
import { LANES_ON, laneSpecOf, threeLanes, updateLanes } from '../../support/lanes.js'
import { startOf } from '../../support/query.js'
import { CORE } from '../../support/served-routes.js'

let admin: TestAccount
let alice: TestAccount
let bob: TestAccount
/** Not on the ledger. */
let carol: TestAccount
let cluster: Cluster
let gateway: Gateway
let documented: Documented
/** A committed transaction, its block, the height of a settlement, a proposal of the multisig account. */
let hash: string
let height: number
let settledAt: number
let proposal: string
/** Id of a proposed upgrade. */
let upgrade: string

const first = (): Member => cluster.list[0] as Member
const definition = encodeURIComponent(DEFINITION)
const address = (account: TestAccount): string => formatAddress(account.id, 'cw')
const jsonForm = (one: Instruction): Json => anyInstruction.toJson(one, codec)

async function commit(account: TestAccount, ...instructions: readonly Instruction[]): Promise<string> {
  const { rejected } = first().core.tip
  const record = signedBy(account, instructions, Date.now())
  const before = first().core.services.status(true).txsApproved
  const answer = await first().core.services.submit(record.bytes)
  if (!answer.ok) throw answer.error
  await cluster.until('the block', () =>
    cluster.list.every(
      ({ core: { services, tip } }) => services.status(true).txsApproved + tip.rejected > before + rejected,
    ),
  )
  expect(first().core.tip.rejected).toBe(rejected)
  return Buffer.from(record.id).toString('hex')
}

/** An upgrade that is far away. */
const planned = () => ({
  name: 'far',
  description: '',
  abiVersion: 2,
  abiHash: Buffer.alloc(32, 1),
  startHeight: 10_000,
  endHeight: 20_000,
})

const policy = () =>
  core.policyOf(
    [
      [alice.id, 1],
      [bob.id, 1],
    ],
    2,
    60_000,
  )

beforeAll(async () => {
  ;[admin, alice, bob] = [await testAccount('genesis'), await testAccount('alice'), await testAccount('bob')]
  carol = await testAccount('carol')
  const objects = [core.registerRole('clerk'), core.registerTrigger('tick', alice.id, core.BY_CALL, [core.log('x')])]
  const managing = core.permission('grant', 'CanManageRuntimeUpgrades', undefined, admin.id)
  const genesis = [...threeLanes(bob.id, bob.id, admin.id), ...objects, managing]
  cluster = await Cluster.start(4, [alice, bob], genesis, undefined, LANES_ON)
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
  documented = await Documented.of(gateway, codec)
  hash = await commit(alice, transferOf(alice.id, bob.id, 1n))
  height = first().core.height
  const asset = { definition: DEFINITION, account: alice.id }
  await commit(
    admin,
    core.registerNft('art$bank', new Map([['name', 'art']])),
    core.registerMultisig(policy(), 'bank', 'pair'),
    instruction(upgradeInstructions.proposeUpgrade, { manifest: planned() }),
    instruction(assets.setLimits, { asset, limits: [{ window: 'day', cap: core.units(1_000n) }] }),
  )
  await commit(alice, core.propose(multisigAccount(policy()), transferOf(multisigAccount(policy()), bob.id, 1n)))
  const upgrades = JSON.parse((await gateway.inject({ url: '/v1/runtime/upgrades' })).body) as {
    items: { id: string }[]
  }
  upgrade = upgrades.items[0]?.id ?? ''
  const view = JSON.parse((await gateway.inject({ url: '/v1/multisig/pair@bank' })).body) as {
    open: { proposal: string }[]
  }
  proposal = view.open[0]?.proposal ?? ''
  const leg = (from: TestAccount, to: TestAccount, amount: bigint) => ({
    asset: { definition: DEFINITION, account: from.id },
    to: to.id,
    amount: { mantissa: amount, scale: 0 },
  })
  await commit(
    alice,
    instruction(lanes.settlePvp, { id: 'p1', first: leg(alice, bob, 2n), second: leg(alice, admin, 1n) }),
  )
  settledAt = first().core.height
})
afterAll(async () => {
  await gateway.close()
  await cluster.close()
})

/** Requests of a route: a target, and for POST a body in every accepted form. */
interface Question {
  readonly target: string
  readonly bodies?: Readonly<Record<string, string | Buffer>>
}
const json = (value: Json): Question['bodies'] => ({ [JSON_MEDIA_TYPE]: JSON.stringify(value) })

const manifest = (): Json => ({
  name: 'next',
  description: '',
  abi_version: 2,
  abi_hash: '1'.repeat(64),
  start_height: first().core.height + 3,
  end_height: first().core.height + 100,
})

async function queryBodies(): Promise<Question['bodies']> {
  const request = startOf()
  const frame = await signQuery(request, alice.pair, { chain: CHAIN, codec, nonce: 1 })
  const another = SIGNED_QUERY_FRAME.open(
    await signQuery(request, alice.pair, { chain: CHAIN, codec, nonce: 2 }),
    codec,
  )
  if (!another.ok) throw new Error(another.fault.message)
  return {
    [CODEC_MEDIA_TYPE]: frame,
    [JSON_MEDIA_TYPE]: JSON.stringify(signedQuery.toJson(another.value, codec)),
  }
}

/** Fresh transactions, one per form: none is taken twice. */
function transactionBodies(): Question['bodies'] {
  const [binary, text] = [1n, 2n].map((amount) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], Date.now()))
  const decoded = signedTransaction.decode(text?.bytes ?? Buffer.alloc(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return {
    [CODEC_MEDIA_TYPE]: TRANSACTION_FRAME.wrap(binary?.bytes ?? Buffer.alloc(0)),
    [JSON_MEDIA_TYPE]: JSON.stringify(signedTransaction.toJson(decoded.value, codec)),
  }
}

function dryRunBody(): Json {
  const signed = signedTransaction.decode(signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now()).bytes, codec)
  if (!signed.ok) throw new Error(signed.fault.message)
  return transactionPayload.toJson(signed.value.payload.value, codec)
}

/** Ids of objects by the part of the path that names their kind. */
const OBJECTS: readonly (readonly [RegExp, () => string])[] = [
  [/\/domains\/\{id\}/, () => 'bank'],
  [/definitions\/\{id\}/, () => definition],
  [/blocks\/\{id\}/, () => String(height)],
  [/\/nfts\/\{id\}/, () => encodeURIComponent('art$bank')],
  [/\/roles\/\{id\}/, () => 'clerk'],
  [/\/triggers\/\{id\}/, () => 'tick'],
  [/\/lanes\/\{id\}/, () => '2'],
  [/upgrades\/.*\{id\}/, () => upgrade],
  [/\{id\}/, () => address(alice)],
]

async function questionFor(row: AnyRoute): Promise<Question> {
  const { block_hash: last } = JSON.parse(
    (await gateway.inject({ url: '/v1/consensus/status', headers: { accept: JSON_MEDIA_TYPE } })).body,
  ) as { block_hash: string }
  const id = OBJECTS.find(([pattern]) => pattern.test(row.path))?.[1]() ?? ''
  const path = row.path
    .replace('envelopes/{height}/{lane}', `envelopes/${settledAt}/2`)
    .replace('{height}', String(height))
    .replace('commit_qc/{hash}', `commit_qc/${last}`)
    .replace('{hash}', hash)
    .replace('{position}', '0')
    .replace('{definition}', definition)
    .replace('/multisig/{account}', '/multisig/pair@bank')
    .replace('{proposal}', proposal)
    .replace('{account}', 'user0@bank')
    .replace('{id}', id)
  const searches: Readonly<Record<string, string>> = {
    'ledger.state.proof': `?table=accounts&key=${encodeURIComponent(address(alice))}`,
    'pipeline.transaction.status': `?hash=${hash}`,
    'explorer.series': '?metric=blocks',
    'controls.check': '?to=user1@bank&amount=1',
    // The drafts of an authority have the whole transaction; those of operators are asked for without.
    'controls.draft': '?authority=admin@bank',
    'ledger.account.onboarding': '?authority=admin@bank',
    'multisig.propose': '?authority=user0@bank',
    'multisig.approve': '?authority=user1@bank',
    'multisig.cancel': '?authority=user0@bank',
  }
  const bodies: Readonly<Record<string, () => Question['bodies'] | Promise<Question['bodies']>>> = {
    'transaction.submit': transactionBodies,
    'query.submit': queryBodies,
    'transaction.dry.run': () => json(dryRunBody()),
    'consensus.evidence.submit': () =>
      json({ evidence_hex: evidence.encode(doubleVote(cluster, height)).toString('hex') }),
    'consensus.evidence.post': () =>
      json({ evidence_hex: evidence.encode(doubleVote(cluster, height)).toString('hex') }),
    'runtime.upgrades.propose': () => json(manifest()),
    'controls.draft': () => json({ frozen: true, reason: 'x', limits: [{ window: 'Day', cap: '5' }] }),
    'ledger.account.onboarding': () =>
      json({ account: address(carol), domain: 'bank', permissions: [{ name: 'CanRegisterDomain' }] }),
    'multisig.propose': () => json({ instructions: [jsonForm(core.log('x'))] }),
    'multisig.approve': () => json({ proposal }),
    'multisig.cancel': () => json({ proposal }),
    'multisig.address': () => json({ members: [{ account: address(alice), weight: 1 }], quorum: 1, ttl_ms: 60_000 }),
    'lanes.lifecycle.draft': () => {
      const change = jsonForm(updateLanes({ add: [laneSpecOf(8)] })) as { UpdateLanes: Json }
      return json(change.UpdateLanes)
    },
    'lanes.route': () =>
      json({ authority: address(alice), instructions: [jsonForm(transferOf(alice.id, bob.id, 1n))] }),
  }
  const made = await bodies[row.id]?.()
  const target = `${path}${searches[row.id] ?? ''}`
  return made === undefined ? { target } : { target, bodies: made }
}

/** Invalid values of a parameter, and names of missing objects. */
const STRANGE = ['', '0', '999999', 'nobody', 'nobody@bank', 'nothing#bank', '1'.repeat(64)]

async function ask(row: AnyRoute, target: string, headers: Record<string, string>, payload?: string | Buffer) {
  const signing = {
    chain: CHAIN,
    networkKey: first().core.services.info.networkKey,
    method: row.method,
    target,
    body: Buffer.from(payload ?? ''),
  }
  const credentials = row.access === 'operator' ? await signRequest(signing, admin.pair) : {}
  const answer = await gateway.inject({
    method: row.method,
    url: target,
    headers: { ...headers, ...credentials },
    ...(payload === undefined ? {} : { payload }),
  })
  documented.check(row, answer)
  return answer
}

/** Rows that answer a record: streams have tests of their own, and metrics are text. */
const recordRows = (): readonly AnyRoute[] =>
  gateway.rows.filter((row) => !['sse', 'websocket', 'metrics'].includes(row.format))
const formsOf = (row: AnyRoute): readonly string[] =>
  row.format === 'json' ? [JSON_MEDIA_TYPE] : [CODEC_MEDIA_TYPE, JSON_MEDIA_TYPE]

describe('every route with a response record', () => {
  it('returns the record as documented, in every supported format', async () => {
    const wanted: string[] = []
    for (const row of recordRows()) {
      const { target, bodies } = await questionFor(row)
      const types = Object.keys(bodies ?? {})
      for (const [at, accept] of formsOf(row).entries()) {
        const type = types[at % Math.max(1, types.length)]
        const headers: Record<string, string> = type === undefined ? { accept } : { accept, 'content-type': type }
        const answer = await ask(row, target, headers, type === undefined ? undefined : bodies?.[type])
        expect(answer.statusCode, `${row.id} ${target}: ${answer.body}`).toBe(row.success ?? 200)
        wanted.push(`${row.id} ${accept}`)
      }
    }
    expect([...documented.good].sort()).toEqual(wanted.sort())
    expect(wanted.length).toBeGreaterThan(80)
  })

  it('responds to parameter values as documented, including empty and unknown values', async () => {
    for (const row of recordRows()) {
      const { target, bodies } = await questionFor(row)
      const [path, search] = target.split('?')
      const [type = JSON_MEDIA_TYPE] = Object.keys(bodies ?? {})
      const headers: Record<string, string> = bodies === undefined ? {} : { 'content-type': type }
      for (const { name } of row.query === undefined ? [] : parameterFields(row.query)) {
        for (const text of STRANGE) {
          const parameters = new URLSearchParams(search)
          parameters.set(name, text)
          const answer = await ask(row, `${path}?${parameters}`, headers, bodies?.[type])
          expect(answer.statusCode, `${row.id} ${name}=${text}: ${answer.body}`).toBeLessThan(500)
        }
      }
    }
  })

  it('rejects invalid formats, parameters, bodies and methods as documented', async () => {
    for (const row of recordRows()) {
      const { target, bodies } = await questionFor(row)
      const [type = JSON_MEDIA_TYPE] = Object.keys(bodies ?? {})
      const payload = bodies?.[type]
      const wrong = await ask(row, target, { accept: 'image/png', 'content-type': type }, payload)
      expect(wrong.statusCode, target).toBe(406)
      const binary = await ask(
        row,
        `${target}${target.includes('?') ? '&' : '?'}nonsense=1`,
        {
          accept: `${CODEC_MEDIA_TYPE}, ${JSON_MEDIA_TYPE};q=0.5`,
          ...(payload === undefined ? {} : { 'content-type': type }),
        },
        payload,
      )
      expect(binary.statusCode, target).toBe(400)
      if (row.body === undefined) continue
      const broken = await ask(row, target, { 'content-type': JSON_MEDIA_TYPE }, '{"nonsense":')
      expect(broken.statusCode, target).toBe(400)
      const typed = await ask(row, target, { 'content-type': 'image/png' }, 'x')
      expect(typed.statusCode, target).toBe(415)
    }
  })
})
