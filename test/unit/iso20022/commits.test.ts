/** Committed blocks as read by the bridge, and the status of messages of other gateways. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredBlock } from '../../../src/api/services.js'
import { CommittedBlocks } from '../../../src/features/iso20022/bridge/commits.js'
import type { BridgeContext } from '../../../src/features/iso20022/bridge/context.js'
import { isoMetrics } from '../../../src/features/iso20022/bridge/metrics.js'
import { messageStatus } from '../../../src/features/iso20022/bridge/status.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../../src/features/iso20022/bridge/submission.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { events as isoEvents } from '../../../src/features/iso20022/schema/events.js'
import { type DataEvent, event, LedgerError } from '../../../src/model/index.js'
import { accepted, pacs008 } from '../../fixtures/iso20022/messages.js'
import { accountNamed } from '../../support/executor.js'
import { blockAt } from '../gateway/fake-chain.js'
import { FakeNode } from '../gateway/support.js'
import { bridgeOf, type FakeLedger, paidMessage, RESOLVED, servicesOf } from './support.js'

const bank = accountNamed('bank')
const caller = { kind: 'account', account: bank } as const
const asker = { account: bank, operator: false }
const ANY = { family: undefined, submitter: undefined }
const identity = { submitter: bank, family: 'pacs008', messageId: 'PAY-1' } as const
const { bodyHash } = accepted(pacs008())
const claimed: DataEvent = event(isoEvents.messageClaimed, identity)

let folder: string
let store: RecordStore
let node: FakeNode
let ledger: FakeLedger
let bridge: BridgeContext
let commits: CommittedBlocks
const reads: number[] = []
const errors: unknown[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-commits-'))
  store = await RecordStore.open(folder)
  node = new FakeNode()
  reads.length = 0
  errors.length = 0
  node.onRead = async (from) => void reads.push(from)
  ledger = { resolution: RESOLVED, messages: [] }
  bridge = bridgeOf(servicesOf(node, ledger), { store, reader: new MessageReader() })
  commits = new CommittedBlocks(bridge, (error) => errors.push(error))
  await commits.start()
})
afterEach(async () => {
  await commits.stop()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const submit = async () => {
  const answer = await submitMessage(bridge, 'pacs008', Buffer.from(pacs008()), caller)
  if (answer instanceof LedgerError) throw answer
  return answer
}
/** Submit a message and close its stored record; returns the record as it was while open. */
async function opened() {
  await submit()
  const record = await store.get(identity)
  if (record === undefined) throw new Error('a message that was submitted has a record')
  await store.put({ ...record, state: 'settled' })
  return record
}
async function commit(block: StoredBlock): Promise<void> {
  node.commit(block)
  await commits.idle()
}
const stateOf = async () => (await store.get(identity))?.state
/** Payments counted by the metric, by outcome. */
const decidedPayments = async () =>
  (await isoMetrics(bridge.services.metrics).payments.get()).values.map(({ labels, value }) => [labels.outcome, value])
const status = () => messageStatus(bridge, 'PAY-1', asker, ANY)

describe('a committed block', () => {
  it('closes the record of a paid message, whichever gateway paid it', async () => {
    await submit()
    await commit(await blockAt(8, [[]]))
    expect(await stateOf()).toBe('sent')
    ledger.messages.push(paidMessage(bank, bodyHash))
    await commit(await blockAt(9, [[claimed]]))
    expect(await stateOf()).toBe('settled')
    expect(await store.hasOpen()).toBe(false)
    expect(await decidedPayments()).toEqual([['settled', 1]])
  })

  it('closes the record of a message if it rejected the transaction', async () => {
    const { transactionHash = Buffer.alloc(0) } = await submit()
    const block = await blockAt(8, ['rejected'])
    const [result] = block.outcome.results
    if (result === undefined) throw new Error('the block has an entry')
    const results = [{ ...result, transactionId: transactionHash }]
    ledger.messages.push({ ...paidMessage(bank, bodyHash), transactionHash, rejection: 'not_enough' })
    await commit({ ...block, outcome: { ...block.outcome, results } })
    expect(await store.get(identity)).toMatchObject({ state: 'rejected', reasonCode: 'AM04', updatedAtMs: 2_000 })
    expect(await decidedPayments()).toEqual([['rejected', 1]])
  })

  it('is not read while no message is open', async () => {
    await commit(await blockAt(8, [[claimed]]))
    expect(reads).toEqual([])
    await submit()
    await commit(await blockAt(9, [[]]))
    expect(reads).toEqual([9])
  })

  it('is read if a message is opened during the check for open messages', async () => {
    const record = { ...(await opened()), messageId: 'PAY-2' }
    await store.put({ ...record, state: 'settled' })
    expect(await store.hasOpen()).toBe(false)
    // A concurrent check may return either result; the next one must include the record.
    await Promise.all([store.put(record), store.hasOpen()])
    expect(await store.hasOpen()).toBe(true)
    await store.put({ ...record, state: 'rejected' })
    expect(await store.hasOpen()).toBe(false)
  })

  it('is read after a restart with an open message', async () => {
    await submit()
    await commits.stop()
    await store.close()
    store = await RecordStore.open(folder)
    expect(await store.hasOpen()).toBe(true)
  })

  it('is read with the next block if it could not be read', async () => {
    await submit()
    node.onRead = async () => {
      throw new Error('the disk is slow')
    }
    await commit(await blockAt(8, [[claimed]]))
    expect(errors).toHaveLength(1)
    node.onRead = async (from) => void reads.push(from)
    ledger.messages.push(paidMessage(bank, bodyHash))
    await commit(await blockAt(9, [[]]))
    expect([reads, await stateOf()]).toEqual([[8], 'settled'])
  })
})

describe('the status of a message', () => {
  it('matches the ledger at every gateway, independent of local records', async () => {
    expect(await submit()).toMatchObject({ pacs002Code: 'ACSP', gateway: node.services.info.networkKey })
    ledger.messages.push(paidMessage(bank, bodyHash))
    const here = await status()
    const elsewhere = await messageStatus({ ...bridge, store: undefined }, 'PAY-1', asker, ANY)
    expect(here).toMatchObject({ pacs002Code: 'ACSC', receivedAtMs: 1_000, updatedAtMs: 2_000, gateway: undefined })
    expect(elsewhere).toEqual(here)
    expect(await submit()).toMatchObject({ pacs002Code: 'ACSC', replayed: true })
  })

  it('matches the local record during a retry after a rejection by the ledger', async () => {
    ledger.messages.push({ ...paidMessage(bank, Buffer.alloc(32, 9)), rejection: 'not_enough' })
    expect(await status()).toMatchObject({ pacs002Code: 'RJCT', rejectionReasonCode: 'AM04', gateway: undefined })
    expect(await submit()).toMatchObject({ pacs002Code: 'ACSP', replayed: false })
    expect(await status()).toMatchObject({ pacs002Code: 'ACSP', gateway: node.services.info.networkKey })
  })

  it('is not a rejection if the cause is the payment by another gateway', async () => {
    const { transactionHash = Buffer.alloc(0) } = await submit()
    node.pendingStates.clear()
    node.committed.set(Buffer.from(transactionHash).toString('hex'), {
      hash: transactionHash,
      height: 8,
      blockHash: Buffer.alloc(32, 8),
      index: 0,
      timeMs: 1,
      outcome: { kind: 'rejected', value: { code: 300, instruction: 0 } },
      rejection: 'iso_duplicate_message',
      supersededBy: undefined,
      payments: [],
      rejectionText: undefined,
      authority: bank,
    })
    expect(await status()).toMatchObject({ status: 'pending' })
    ledger.messages.push(paidMessage(bank, bodyHash))
    expect(await status()).toMatchObject({ pacs002Code: 'ACSC' })
  })

  it('is unknown if the id is invalid', async () => {
    for (const id of ['NOBODY', 'ü', 'x'.repeat(105)]) {
      expect(await messageStatus(bridge, id, asker, ANY)).toMatchObject({ code: 'iso_unknown_message' })
    }
  })

  it('is ambiguous for an operator if two submitters used the id', async () => {
    ledger.messages.push(paidMessage(bank, bodyHash), paidMessage(accountNamed('other'), bodyHash))
    const operator = { account: undefined, operator: true }
    expect(await messageStatus(bridge, 'PAY-1', operator, ANY)).toMatchObject({ code: 'iso_ambiguous' })
    expect(await messageStatus(bridge, 'PAY-1', operator, { ...ANY, submitter: bank })).toMatchObject({
      submitter: bank,
    })
    expect(await messageStatus(bridge, 'PAY-1', asker, ANY)).toMatchObject({ submitter: bank })
  })
})
