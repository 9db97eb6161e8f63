/**
 * Random histories of several gateways over one ledger: kills, expiries, repetitions. Each payment is made once, and
 * all gateways report the same status of it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NodeServices, StoredBlock } from '../../../src/api/services.js'
import { ed25519Signer } from '../../../src/crypto/index.js'
import { definitionOf, EXECUTIONS, incarnations, runInstructions } from '../../../src/executor/index.js'
import type { QueryContext } from '../../../src/executor/reads.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { Batches } from '../../../src/features/iso20022/bridge/batches.js'
import { reconcileRecords } from '../../../src/features/iso20022/bridge/bulk/known.js'
import { CommittedBlocks } from '../../../src/features/iso20022/bridge/commits.js'
import type { BridgeContext } from '../../../src/features/iso20022/bridge/context.js'
import { MessageMutex } from '../../../src/features/iso20022/bridge/message-mutex.js'
import { messagePayments, messageStatus } from '../../../src/features/iso20022/bridge/status.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../../src/features/iso20022/bridge/submission.js'
import { isoPayments } from '../../../src/features/iso20022/ledger/queries.js'
import { claims, heads, payments } from '../../../src/features/iso20022/ledger/tables.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { claimKey, instructions as iso, paymentKey } from '../../../src/features/iso20022/schema/instructions.js'
import type { LedgerMessage, PaymentsQuery } from '../../../src/features/iso20022/schema/messages.js'
import { queries as isoQueries } from '../../../src/features/iso20022/schema/queries.js'
import type { ResolveAllQuery } from '../../../src/features/iso20022/schema/views.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import {
  accountKeyOf,
  accountOfKey,
  expiresAtMs,
  instruction,
  LedgerError,
  NO_METADATA,
  signedTransaction,
  transactionId,
} from '../../../src/model/index.js'
import { FLAT_008 } from '../../fixtures/iso20022/messages.js'
import type { Bench } from '../../support/executor.js'
import {
  alice,
  balanceOf,
  bank,
  bob,
  euros,
  owner,
  paymentsBench,
  permission,
  START,
} from '../../support/shared-payments.js'
import { CODEC, FakeNode } from '../../unit/gateway/support.js'
import { bridgeOf, RESOLVED } from '../../unit/iso20022/support.js'

const signer = ed25519Signer(Buffer.alloc(32, 9))
const key = accountKeyOf('ed25519', signer.publicKey)
const bridge = accountOfKey(key)
const GATEWAYS = 3
/** Number of messages with one payment; the following ones have several. */
const SINGLE = 8
const MESSAGES = 12
const RUNS = 40
const caller = { kind: 'account', account: bank } as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-gateways-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Number of payments of a message. */
const countOf = (message: number): number => (message < SINGLE ? 1 : 2 + (message % 3))
/**
 * Amounts of the payments, in whole units: the balance does not cover the last single messages and one bulk message
 * together.
 */
const amountOf = (message: number, place = 1): bigint =>
  message < 5 || (message >= SINGLE && message + place !== SINGLE + 2) ? BigInt(message + place) : START - 20n
const idOf = (message: number): string => `M${message}`

/** Body of a message; a bulk message has one faulty payment. */
const bodyOf = (message: number, isOther: boolean): Buffer =>
  message < SINGLE ? singleBody(message, isOther) : bulkBody(message, isOther)

const FAULTY_PLACE = 2
const bulkBody = (message: number, isOther: boolean): Buffer => {
  const own = FLAT_008.filter((line) => !/^(MsgId|IntrBkSttlm)/.test(line))
  const payment = (place: number): string[] => {
    const amount = place === FAULTY_PLACE && message % 2 === 1 ? '0' : `${isOther ? 3 : amountOf(message, place)}`
    return [...own, `IntrBkSttlmAmt=${amount}`, 'IntrBkSttlmCcy=EUR'].map((line) => `CdtTrfTxInf[${place}]/${line}`)
  }
  const places = Array.from({ length: countOf(message) }, (_, at) => at + 1)
  return Buffer.from([`MsgId=${idOf(message)}`, 'IntrBkSttlmDt=2026-03-02', ...places.flatMap(payment)].join('\n'))
}
const singleBody = (message: number, isOther: boolean): Buffer =>
  Buffer.from(
    FLAT_008.map((line) => {
      if (line.startsWith('MsgId=')) return `MsgId=M${message}`
      if (line.startsWith('IntrBkSttlmAmt=')) return `IntrBkSttlmAmt=${isOther ? 3 : amountOf(message)}`
      return line.startsWith('IntrBkSttlmCcy=') ? 'IntrBkSttlmCcy=EUR' : line
    }).join('\n'),
  )

/** A ledger, the queue that all gateways share, and its clock. */
class World {
  readonly bench: Bench = paymentsBench()
  readonly queue = new Map<string, Buffer>()
  /** Every transaction that was ever queued. */
  readonly seen = new Set<string>()
  readonly committed = new Map<string, { rejection: string | undefined; timeMs: number }>()
  readonly blocks: StoredBlock[] = []
  readonly gateways: Gateway[] = []
  nowMs = 1_000_000
  private readonly incarnation = incarnations(2)

  constructor() {
    const { bench } = this
    bench.genesis(
      owner,
      instruction(accounts.registerAccount, { id: bridge, domain: 'bank', label: undefined, metadata: NO_METADATA }),
    )
    bench.genesis(alice, permission('CanTransferAsset', assetObject(euros(alice)), bridge))
    bench.genesis(bank, permission('CanClaimMessages', accountObject(bank), bridge))
  }

  /** Execute queued transactions in a drawn order; expired ones are dropped. */
  async commit(order: readonly number[]): Promise<void> {
    const drawn = [...this.queue].map((entry, at) => [order[at % order.length] ?? 0, entry] as const)
    drawn.sort(([a], [b]) => a - b)
    const results: StoredBlock['outcome']['results'][number][] = []
    const events: StoredBlock['outcome']['events'][number][] = []
    for (const [, [id, bytes]] of drawn) {
      this.queue.delete(id)
      const decoded = signedTransaction.decode(bytes, CODEC)
      if (!decoded.ok) throw new Error(decoded.fault.message)
      const payload = decoded.value.payload.value
      if (expiresAtMs(payload) <= this.nowMs || this.committed.has(id)) continue
      const { abi } = this.bench
      const run = runInstructions(
        EXECUTIONS.transaction,
        abi,
        { height: this.blocks.length + 2, timeMs: this.nowMs, genesis: false, chain: 'test', gate: undefined },
        this.bench.state,
        {
          authority: payload.authority,
          id: Buffer.from(id, 'hex'),
          payload,
          lane: 0,
          instructions: payload.executable.value.map((one) => ({ def: definitionOf(abi, one), value: one.value })),
          content: { own: 60_000 },
          nextIncarnation: this.incarnation,
        },
      )
      this.committed.set(id, { rejection: run.rejection?.code, timeMs: this.nowMs })
      for (const event of run.events) events.push({ entry: results.length, event })
      results.push({ transactionId: Buffer.from(id, 'hex'), outcome: run.outcome, teu: 1 })
    }
    const header = { height: this.blocks.length + 8, timeMs: this.nowMs }
    this.blocks.push({ block: { header }, outcome: { results, events, texts: [] } } as never)
    for (const gateway of this.gateways) for (const listener of gateway.node.commitListeners) listener(header.height)
    for (const gateway of this.gateways) await gateway.commits.idle()
    this.nowMs += 1_000
  }

  /** Outcome on the ledger of a payment among several. */
  placeOf(message: number, place: number): { readonly amount: bigint; readonly isPaid: boolean } | undefined {
    const of = claimKey(bank, 'pacs008', idOf(message))
    const row = this.bench.state.get(payments, paymentKey(of, countOf(message), place))
    return row && { amount: row.amount.mantissa, isPaid: row.code === undefined }
  }

  /** Outcome on the ledger of a message with one payment. */
  messageOf(messageId: string): LedgerMessage | undefined {
    const of = claimKey(bank, 'pacs008', messageId)
    const paid = this.bench.state.get(claims, of)
    if (paid !== undefined) return { ...paid, rejection: undefined }
    const row = this.bench.state.get(payments, of)
    return row && { ...row, rejection: this.bench.abi.errorNames.get(row.code ?? 0) }
  }
}

/** A gateway that can be killed. */
class Gateway {
  readonly node = new FakeNode()
  store!: RecordStore
  context!: BridgeContext
  commits!: CommittedBlocks
  private readonly services: NodeServices

  constructor(
    private readonly world: World,
    private readonly place: string,
  ) {
    const { services } = this.node
    this.services = {
      ...services,
      info: { ...services.info, abi: 2 },
      height: () => world.blocks.length + 7,
      chainTimeMs: () => world.nowMs,
      awaitChainTime: () => undefined,
      pending: (id) => ({ kind: world.queue.has(Buffer.from(id).toString('hex')) ? 'queued' : 'unknown' }),
      history: { ...services.history, read: async (from, count) => world.blocks.slice(from - 8, from - 8 + count) },
      submit: async (bytes) => {
        const decoded = signedTransaction.decode(bytes, CODEC)
        if (!decoded.ok) throw new Error(decoded.fault.message)
        const id = transactionId(decoded.value.payload.bytes).toString('hex')
        const code = world.committed.has(id)
          ? 'already_committed'
          : world.queue.has(id)
            ? 'already_enqueued'
            : undefined
        if (code !== undefined) return { ok: false, error: new LedgerError(code, code) }
        world.queue.set(id, Buffer.from(bytes))
        world.seen.add(id)
        return { ok: true, receipt: undefined as never, lane: 0, dataspace: 0n }
      },
      query: async (def, input) => this.answer(def.kind, input) as never,
    }
  }

  private answer(kind: string, input: unknown): unknown {
    const { world } = this
    if (kind === isoQueries.isoMessages.kind) {
      const { messageId } = input as { messageId: string }
      const found = world.messageOf(messageId)
      const head = world.bench.state.get(heads, claimKey(bank, 'pacs008', messageId))
      return { items: found === undefined ? [] : [found], heads: head === undefined ? [] : [head] }
    }
    if (kind === isoQueries.isoPayments.kind) {
      const { state: reader, abi } = world.bench
      const errorName = (code: number) => abi.errorNames.get(code)
      return isoPayments({ reader, errorName } as unknown as QueryContext, input as PaymentsQuery)
    }
    if (kind === isoQueries.isoResolve.kind) return RESOLVED
    if (kind === isoQueries.isoResolveAll.kind) return { items: (input as ResolveAllQuery).items.map(() => RESOLVED) }
    if (kind !== explorerQueries.transaction.kind) throw new Error(`nothing asks for ${kind}`)
    return world.committed.get(Buffer.from((input as { hash: Uint8Array }).hash).toString('hex'))
  }

  async start(): Promise<void> {
    this.store = await RecordStore.open(this.place)
    const account = { account: bridge, key, sign: (id: Uint8Array) => signer.sign(id) }
    const wallMs = () => this.world.nowMs
    this.context = bridgeOf(this.services, { store: this.store, reader: new MessageReader(), signer: account, wallMs })
    const { services, store } = this
    const fresh = { batches: new Batches({ services, store, signer: account, wallMs }), mutex: new MessageMutex() }
    this.context = { ...this.context, ...fresh }
    this.commits = new CommittedBlocks(this.context, (error) => {
      throw error
    })
    await this.commits.start()
  }

  async kill(): Promise<void> {
    await this.commits.stop()
    await this.store.close()
    await this.start()
  }

  /** Status codes of the payments of a message, by place; undefined: unknown here. */
  async codesOf(messageId: string): Promise<readonly string[] | undefined> {
    const asker = { account: bank, operator: false }
    const filter = { family: undefined, submitter: undefined, status: undefined, cursor: undefined, limit: undefined }
    const found = await messagePayments(this.context, messageId, asker, filter)
    return found instanceof LedgerError ? undefined : found.items.map(({ pacs002Code }) => pacs002Code)
  }

  /** Status code of a message; undefined: unknown here. */
  async statusOf(messageId: string): Promise<string | undefined> {
    const asker = { account: bank, operator: false }
    const found = await messageStatus(this.context, messageId, asker, { family: undefined, submitter: undefined })
    return found instanceof LedgerError ? undefined : found.pacs002Code
  }
}

const gateway = fc.integer({ min: 0, max: GATEWAYS - 1 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      list: fc.array(
        fc.record({
          message: fc.integer({ min: 0, max: MESSAGES - 1 }),
          at: gateway,
          isOther: fc.integer({ min: 0, max: 9 }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      order: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), at: gateway }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const) }) },
)

let run = 0
async function begin(): Promise<World> {
  run += 1
  const world = new World()
  for (let at = 0; at < GATEWAYS; at += 1) {
    const one = new Gateway(world, join(folder, `${run}-${at}`))
    await one.start()
    world.gateways.push(one)
  }
  return world
}

describe('random histories of gateways', () => {
  it('make each payment once, and every gateway reports the status of the ledger', {
    timeout: 10 * 60_000,
  }, async () => {
    const met = { shared: 0, settled: 0, rejected: 0, bulkSettled: 0, bulkRejected: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (history) => {
        const world = await begin()
        for (const one of history) {
          if (one.kind === 'submit') {
            await Promise.all(
              one.list.map(({ message, at, isOther }) =>
                submitMessage(
                  world.gateways[at]?.context as BridgeContext,
                  'pacs008',
                  bodyOf(message, isOther === 0),
                  caller,
                ),
              ),
            )
          } else if (one.kind === 'commit') await world.commit(one.order)
          else if (one.kind === 'kill') await world.gateways[one.at]?.kill()
          else world.nowMs += 200_000
        }
        for (const bytes of world.queue.values()) {
          const decoded = signedTransaction.decode(bytes, CODEC)
          const [only] = decoded.ok ? decoded.value.payload.value.executable.value : []
          if (only?.kind === iso.settlePayments.kind) met.shared += 1
        }
        await world.commit([1])
        let paid = 0n
        for (let message = SINGLE; message < MESSAGES; message += 1) {
          const places = Array.from({ length: countOf(message) }, (_, at) => world.placeOf(message, at + 1))
          for (const one of places) if (one?.isPaid === true) paid += one.amount
          const isPaid = places.map((one) => one?.isPaid)
          if (isPaid.includes(true)) met.bulkSettled += 1
          if (isPaid.includes(false)) met.bulkRejected += 1
          for (const one of world.gateways) {
            const codes = await one.codesOf(idOf(message))
            if (isPaid.every((was) => was === undefined)) continue
            for (const [at, was] of isPaid.entries()) {
              // Without an outcome: refused, expired, or sent by another gateway.
              const wanted = was === undefined ? ['RJCT', 'ACSP'] : [was ? 'ACSC' : 'RJCT']
              expect(wanted).toContain(codes?.[at])
            }
          }
        }
        for (let message = 0; message < SINGLE; message += 1) {
          const found = world.messageOf(`M${message}`)
          if (found !== undefined && found.rejection === undefined) paid += found.amount.mantissa
          met.settled += found !== undefined && found.rejection === undefined ? 1 : 0
          met.rejected += found?.rejection === undefined ? 0 : 1
          for (const one of world.gateways) {
            const status = await one.statusOf(`M${message}`)
            if (found !== undefined && found.rejection === undefined) expect(status).toBe('ACSC')
            else expect([undefined, 'RJCT']).toContain(status)
          }
        }
        expect(balanceOf(world.bench, bob)).toBe(paid)
        expect(balanceOf(world.bench, alice)).toBe(START - paid)
        for (const one of world.gateways) {
          // The next sweep closes expired payments.
          for await (const open of one.store.unsettledMessages()) await reconcileRecords(one.context, open)
          expect(await one.store.hasOpen()).toBe(false)
          await one.store.pruneShared()
          for (const id of world.seen) expect(one.store.isShared(Buffer.from(id, 'hex'))).toBe(false)
          await one.commits.stop()
          await one.store.close()
        }
      }),
      { numRuns: RUNS },
    )
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(0)
  })
})
