/** The bridge in front of a node that does nothing: what is answered, and what the audit log says of it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IsoCaller } from '../../src/features/iso20022/bridge/audit.js'
import { MessageMutex } from '../../src/features/iso20022/bridge/message-mutex.js'
import { RecordStore } from '../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../src/features/iso20022/bridge/submission.js'
import { Submitters } from '../../src/features/iso20022/bridge/submitters.js'
import { MessageReader } from '../../src/features/iso20022/reader/reader.js'
import { type AuditEntry, formatAddress, LedgerError } from '../../src/model/index.js'
import { pacs008 } from '../fixtures/iso20022/messages.js'
import { accountNamed } from '../support/executor.js'
import { FakeNode } from '../unit/gateway/support.js'
import { bridgeOf, type FakeLedger, RESOLVED, servicesOf } from '../unit/iso20022/support.js'

const bank = accountNamed('bank')
const BANK = formatAddress(bank, 'cw')
const signed: IsoCaller = { kind: 'account', account: bank }
const body = (text = pacs008()): Buffer => Buffer.from(text)

/** An audit log that keeps its lines; a test may make it fail. */
class Lines {
  readonly entries: AuditEntry[] = []
  fail: Error | undefined

  async append(entry: AuditEntry): Promise<void> {
    if (this.fail !== undefined) throw this.fail
    this.entries.push(entry)
  }

  get last(): AuditEntry | undefined {
    return this.entries.at(-1)
  }
}

let folder: string
let store: RecordStore
let lines: Lines
let node: FakeNode
let reader: MessageReader
let ledger: FakeLedger

const submit = (bytes: Buffer, caller: IsoCaller = signed, anonymous?: string) =>
  submitMessage(bridge(anonymous), 'pacs008', bytes, caller)
let mutex: MessageMutex
let submitters: Submitters
const bridge = (anonymousSubmitter?: string) =>
  bridgeOf(servicesOf(node, ledger), { store, reader, audit: lines, anonymousSubmitter, mutex, submitters })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-bridge-'))
  store = await RecordStore.open(folder)
  lines = new Lines()
  node = new FakeNode()
  reader = new MessageReader()
  ledger = { resolution: RESOLVED, messages: [] }
  mutex = new MessageMutex()
  submitters = new Submitters()
})
afterEach(async () => {
  await reader.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the audit line of a submission', () => {
  it('contains sender, message and outcome', async () => {
    const answer = await submit(body())
    if (answer instanceof LedgerError) throw answer
    expect(answer.pacs002Code).toBe('ACSP')
    expect(lines.entries).toEqual([
      {
        action: 'iso_submission',
        actor: BANK,
        fields: {
          credential: 'signature',
          family: 'pacs008',
          message_id: 'PAY-1',
          body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          outcome: 'ACSP',
          reason: null,
          replayed: false,
          transaction_hash: Buffer.from(answer.transactionHash ?? '').toString('hex'),
        },
      },
    ])
  })

  it('is also written for a repeated message and for another body with the same id', async () => {
    await submit(body())
    await submit(body())
    const other = body(pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR">7</IntrBkSttlmAmt>' }))
    expect(await submit(other)).toMatchObject({ code: 'iso_duplicate_message' })
    const [first, again, changed] = lines.entries.map(({ fields }) => fields)
    expect(again).toEqual({ ...first, replayed: true })
    expect(changed).toMatchObject({ message_id: 'PAY-1', outcome: 'iso_duplicate_message', transaction_hash: null })
    expect(changed?.['body_hash']).not.toBe(first?.['body_hash'])
    expect(node.submitted).toHaveLength(1)
  })

  it('is written for refusals, with the hash of an invalid body', async () => {
    await submit(body('<Document'))
    expect(lines.last?.fields).toMatchObject({ message_id: null, outcome: 'iso_malformed', transaction_hash: null })
    const broken = lines.last?.fields['body_hash']
    await submit(body('<Documents'))
    expect(lines.last?.fields['body_hash']).not.toBe(broken)
    ledger.resolution = { ...RESOLVED, source: undefined, mayDebit: false }
    await submit(body())
    expect(lines.last?.fields).toMatchObject({ message_id: 'PAY-1', outcome: 'iso_unbound' })
    ledger.resolution = { ...RESOLVED, mayDebit: false }
    await submit(body())
    expect(lines.last?.fields).toMatchObject({ outcome: 'iso_submitter' })
  })

  it('is not written for the key of an account that is not a submitter, and no record is stored', async () => {
    ledger.resolution = { ...RESOLVED, submitterKnown: false }
    const read = vi.spyOn(reader, 'read')
    for (const bytes of [body(), body('<Document'), body('x')])
      expect(await submit(bytes)).toMatchObject({ code: 'iso_submitter' })
    // Reading takes far longer than asking: strangers would keep the node busy.
    expect(read).not.toHaveBeenCalled()
    expect([lines.entries, await store.ofMessage('PAY-1')]).toEqual([[], []])
    // The operator gave out a token: what comes with it is told.
    expect(await submit(body(), { kind: 'token', account: bank, token: 'desk' })).toMatchObject({
      code: 'iso_submitter',
    })
    expect(lines.last?.fields).toMatchObject({ credential: 'token desk', outcome: 'iso_submitter' })
  })

  it('requires one ledger query per submitter, and another after a refusal', async () => {
    const asked = vi.spyOn(submitters, 'ask')
    await submit(body())
    await submit(body())
    expect(asked).toHaveBeenCalledTimes(1)
    ledger.resolution = { ...RESOLVED, submitterKnown: false }
    const next = body(pacs008({ MsgId: '<MsgId>PAY-2</MsgId>' }))
    expect(await submit(next)).toMatchObject({ code: 'iso_submitter' })
    const read = vi.spyOn(reader, 'read')
    expect(await submit(next)).toMatchObject({ code: 'iso_submitter' })
    expect(read).not.toHaveBeenCalled()
    expect(lines.entries).toHaveLength(2)
  })

  it('has the ISO reason of a refused message', async () => {
    node.admission = () => new LedgerError('queue_full', 'the queue is full')
    const answer = await submit(body())
    expect(answer).toMatchObject({ status: 'rejected', rejectionReasonCode: 'ED06' })
    expect(lines.last?.fields).toMatchObject({ outcome: 'RJCT', reason: 'ED06' })
  })

  it('names the credential', async () => {
    await submit(body(), { kind: 'token', account: bank, token: 'desk' }, bank)
    await submit(body(), { kind: 'anonymous', account: undefined }, bank)
    await submit(body(), { kind: 'token', account: undefined, token: 'door' }, bank)
    expect(lines.entries.map(({ actor, fields }) => [actor, fields['credential']])).toEqual([
      [BANK, 'token desk'],
      [BANK, 'anonymous'],
      [BANK, 'anonymous'],
    ])
  })

  it('is not written for refused unauthenticated clients', async () => {
    const answer = await submit(body(), { kind: 'anonymous', account: undefined })
    expect(answer).toMatchObject({ code: 'unauthorised' })
    expect(lines.entries).toEqual([])
  })

  it('is written when the bridge fails', async () => {
    await submit(body(pacs008({ MsgId: '<MsgId>PAY-0</MsgId>' })))
    ledger.resolution = new Error('the disk is gone')
    await expect(submit(body())).rejects.toThrow('the disk is gone')
    expect(lines.last?.fields).toMatchObject({ message_id: 'PAY-1', outcome: 'internal' })
  })

  it('is written before the response, so that a failed write fails the request and a retry pays once', async () => {
    lines.fail = new Error('no space left')
    await expect(submit(body())).rejects.toThrow('no space left')
    lines.fail = undefined
    expect(await submit(body())).toMatchObject({ replayed: true })
    expect(node.submitted).toHaveLength(1)
  })
})

describe('a large message', () => {
  const big = body(pacs008({ end: `<RmtInf>${`<Ustrd>${'x'.repeat(140)}</Ustrd>`.repeat(150)}</RmtInf>` }))

  it('is read on the reader thread, and paid once like any other', async () => {
    const [first, again] = await Promise.all([submit(big), submit(big)])
    expect(reader.hasThread).toBe(true)
    expect(first).toMatchObject({ pacs002Code: 'ACSP', replayed: false })
    expect(again).toMatchObject({ pacs002Code: 'ACSP', replayed: true })
    expect(node.submitted).toHaveLength(1)
    expect(lines.last?.fields).toMatchObject({ message_id: 'PAY-1', outcome: 'ACSP' })
  })

  it('is refused while the bridge closes, without a record', async () => {
    await reader.close()
    expect(await submit(big)).toMatchObject({ code: 'node_stopping' })
    expect(lines.last?.fields).toMatchObject({ message_id: null, outcome: 'node_stopping' })
    expect(await store.ofMessage('PAY-1')).toEqual([])
  })
})
