import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { ed25519Signer } from '../../../src/crypto/index.js'
import { Batches } from '../../../src/features/iso20022/bridge/batches.js'
import { type BridgeRecord, ONLY } from '../../../src/features/iso20022/bridge/record.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { claimedPayment, partsOf } from '../../../src/features/iso20022/schema/claimed.js'
import {
  accountKeyOf,
  accountOfKey,
  type ErrorCode,
  LedgerError,
  signedTransaction,
  type TransactionPayload,
} from '../../../src/model/index.js'
import { accountNamed } from '../../support/executor.js'
import { CODEC, FakeNode } from '../gateway/support.js'
import { DETAILS } from './support.js'

const signer = ed25519Signer(Buffer.alloc(32, 9))
const key = accountKeyOf('ed25519', signer.publicKey)
const bank = accountNamed('bank')
const other = accountNamed('other')

let folder: string
let store: RecordStore
let batches: Batches
/** Submitted transactions, and the pending responses to them, which each test resolves. */
let submitted: TransactionPayload[]
let answers: ((code?: ErrorCode) => void)[]
let abi: number
let maxTeu: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-batches-'))
  store = await RecordStore.open(folder)
  submitted = []
  answers = []
  abi = 2
  maxTeu = 60_000
  const { services } = new FakeNode()
  const fake: NodeServices = {
    ...services,
    info: {
      ...services.info,
      get abi() {
        return abi
      },
    },
    maxTeuPerTx: () => maxTeu,
    submit: (bytes) => {
      const decoded = signedTransaction.decode(bytes, CODEC)
      if (!decoded.ok) throw new Error(decoded.fault.message)
      submitted.push(decoded.value.payload.value)
      return new Promise((resolve) => {
        answers.push((code) =>
          resolve(
            code === undefined
              ? { ok: true, receipt: undefined as never, lane: 0, dataspace: 0n }
              : { ok: false, error: new LedgerError(code, code) },
          ),
        )
      })
    },
  }
  const account = { account: accountOfKey(key), key, sign: (id: Uint8Array) => signer.sign(id) }
  batches = new Batches({ services: fake, store, signer: account, wallMs: () => 1_000_000 })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const recordOf = (messageId: string, submitter = bank): BridgeRecord => ({
  submitter,
  family: 'pacs008',
  messageId,
  bodyHash: Buffer.alloc(32, 1),
  details: DETAILS,
  amount: { mantissa: 1n, scale: 0 },
  source: undefined,
  target: undefined,
  definition: undefined,
  body: undefined,
  transaction: undefined,
  transactionHash: undefined,
  expiresAtMs: 0,
  state: 'sent',
  reasonCode: undefined,
  detail: undefined,
  holdReason: undefined,
  decidedBy: undefined,
  attempt: 1,
  receivedAtMs: 1,
  updatedAtMs: 1,
  ...ONLY,
})
const submit = (messageId: string, { submitter = bank, definition = 'eur#bank' } = {}) =>
  batches.submit({
    record: recordOf(messageId, submitter),
    parties: { source: accountNamed('alice'), target: accountNamed('bob'), definition, aliases: [] },
    refused: [],
  })
/** Maximum turns of the event loop for a transaction: its records are written to disk first. */
const TURNS_MAX = 1_000_000
/** Wait until this many transactions were submitted. */
async function sent(count: number): Promise<void> {
  for (let turn = 0; submitted.length < count; turn += 1) {
    if (turn === TURNS_MAX) throw new Error(`${submitted.length} of ${count} transactions were submitted`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const idsIn = (at: number): string[] =>
  partsOf(submitted[at]?.executable.value ?? []).map(([{ messageId }]) => messageId)
const stateOf = async (messageId: string, submitter = bank) => store.get({ submitter, family: 'pacs008', messageId })

describe('payments of a bridge', () => {
  it('are sent at once while idle, and together after a pending transaction', async () => {
    const first = submit('A')
    await sent(1)
    expect(idsIn(0)).toEqual(['A'])
    const rest = ['B', 'C', 'D'].map((id) => submit(id))
    await new Promise((resolve) => setImmediate(resolve))
    expect(submitted).toHaveLength(1)
    answers[0]?.()
    await sent(2)
    expect(idsIn(1)).toEqual(['B', 'C', 'D'])
    answers[1]?.()
    const records = await Promise.all([first, ...rest])
    expect(records.map((one) => (one as BridgeRecord).state)).toEqual(['sent', 'sent', 'sent', 'sent'])
    const [, b, c] = records as BridgeRecord[]
    expect(b?.transactionHash).toEqual(c?.transactionHash)
    expect(await store.ofTransaction(b?.transactionHash ?? Buffer.alloc(0))).toHaveLength(3)
  })

  it('are stored on disk with their transaction before the transaction is queued', async () => {
    void submit('A')
    await sent(1)
    const record = await stateOf('A')
    expect(record).toMatchObject({ state: 'sent', transaction: undefined })
    expect((await store.shared(record?.transactionHash ?? Buffer.alloc(0)))?.records).toHaveLength(1)
    answers[0]?.()
  })

  it('of several submitters are ordered round-robin', async () => {
    maxTeu = 1_000 + 3 * 600
    void submit('first')
    await sent(1)
    const flood = ['A', 'B', 'C', 'D'].map((id) => submit(id))
    const late = submit('X', { submitter: other })
    answers[0]?.()
    await sent(2)
    expect(idsIn(1)).toEqual(['A', 'X', 'B'])
    answers[1]?.()
    await sent(3)
    expect(idsIn(2)).toEqual(['C', 'D'])
    answers[2]?.()
    await Promise.all([...flood, late])
  })

  it('of a flooding submitter delay another submitter by at most the pending transaction', async () => {
    void submit('first')
    await sent(1)
    const all = Array.from({ length: 600 }, (_, at) => submit(`F${at}`))
    for (let underWay = 0; underWay < 3; underWay += 1) {
      all.push(submit(`X${underWay}`, { submitter: other }))
      answers[underWay]?.()
      await sent(underWay + 2)
      expect(idsIn(underWay + 1)).toContain(`X${underWay}`)
      expect(idsIn(underWay + 1).length).toBeGreaterThan(1)
    }
    let isDone = false
    const done = Promise.all(all).then(() => {
      isDone = true
    })
    for (let underWay = 3; !isDone; underWay += 1) {
      answers[underWay]?.()
      await Promise.race([done, sent(underWay + 2)])
    }
  })

  it('of definitions in different domains are sent in separate transactions', async () => {
    void submit('first')
    await sent(1)
    const all = [submit('A'), submit('B', { definition: 'usd#fed' }), submit('C', { definition: 'usd#fed' })]
    answers[0]?.()
    for (const at of [1, 2]) {
      await sent(at + 1)
      answers[at]?.()
    }
    await Promise.all(all)
    expect([idsIn(1), idsIn(2)]).toEqual([['A'], ['B', 'C']])
  })

  it('are bisected after a joint rejection, so that only the invalid payment is rejected', async () => {
    void submit('first')
    await sent(1)
    const all = ['A', 'B', 'C', 'D'].map((id) => submit(id))
    answers[0]?.()
    for (let at = 1; at < 6; at += 1) {
      await sent(at + 1)
      answers[at]?.(idsIn(at).includes('C') ? 'transaction_limit' : undefined)
    }
    const records = (await Promise.all(all)) as BridgeRecord[]
    expect(records.map(({ state }) => state)).toEqual(['sent', 'sent', 'rejected', 'sent'])
    expect(submitted.slice(1).map((_, at) => idsIn(at + 1).join(''))).toEqual(['ABCD', 'AB', 'CD', 'C', 'D'])
  })

  it('are all rejected as retryable if the queue is full', async () => {
    void submit('first')
    await sent(1)
    const all = ['A', 'B'].map((id) => submit(id))
    answers[0]?.()
    await sent(2)
    answers[1]?.('queue_full')
    expect(await Promise.all(all)).toMatchObject([
      { state: 'rejected', reasonCode: 'ED06' },
      { state: 'rejected', reasonCode: 'ED06' },
    ])
    expect(submitted).toHaveLength(2)
  })

  it('count against the share of their submitter while they wait', async () => {
    const { services } = new FakeNode()
    const small = { ...services, info: { ...services.info, abi: 2 }, accountCapacity: () => 8 }
    const account = { account: accountOfKey(key), key, sign: (id: Uint8Array) => signer.sign(id) }
    batches = new Batches({ services: small, store, signer: account, wallMs: () => 1_000_000 })
    const outcomes = await Promise.all(['A', 'B', 'C'].map((id) => submit(id)))
    expect(outcomes[2]).toMatchObject({ code: 'per_user_queue_limit' })
    expect(await stateOf('C')).toBeUndefined()
  })

  it('have separate claims and transactions under ABI 1', async () => {
    abi = 1
    const all = ['A', 'B'].map((id) => submit(id))
    for (const at of [0, 1]) {
      await sent(at + 1)
      answers[at]?.()
    }
    await Promise.all(all)
    const claims = submitted.map((payload) => claimedPayment(payload, { kind: 'approved', value: undefined }))
    expect(claims.map((one) => one?.claim.messageId)).toEqual(['A', 'B'])
    expect((await stateOf('A'))?.transaction).toBeDefined()
  })

  it('are neither sent nor counted for their submitter if their record cannot be written', async () => {
    await store.close()
    await expect(submit('A')).rejects.toThrow('not open')
    expect(submitted).toEqual([])
    expect(store.openAt({ submitter: bank, family: 'pacs008', messageId: 'A' }, 1)).toEqual([])
  })

  it('stay counted if their record is written and the node does not respond', async () => {
    const { services } = new FakeNode()
    const failing = { ...services, submit: () => Promise.reject(new Error('the ledger thread ended')) }
    const account = { account: accountOfKey(key), key, sign: (id: Uint8Array) => signer.sign(id) }
    batches = new Batches({ services: failing, store, signer: account, wallMs: () => 1_000_000 })
    await expect(submit('A')).rejects.toThrow('the ledger thread ended')
    expect((await stateOf('A'))?.state).toBe('sent')
    expect(store.openAt({ submitter: bank, family: 'pacs008', messageId: 'A' }, 1)).toEqual(['only'])
  })
})
