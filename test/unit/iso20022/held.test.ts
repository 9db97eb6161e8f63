/** Held messages: what holds them, what operators do with them, what survives a restart. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { ed25519Signer } from '../../../src/crypto/index.js'
import { HeldMessages } from '../../../src/features/iso20022/bridge/held.js'
import { type HoldRule, holdReason } from '../../../src/features/iso20022/bridge/holds.js'
import { Maintenance } from '../../../src/features/iso20022/bridge/maintenance.js'
import { IsoBridge } from '../../../src/features/iso20022/bridge/service.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { ReferenceData } from '../../../src/features/iso20022/refdata/service.js'
import { pacs002Xml } from '../../../src/features/iso20022/schema/pacs002.js'
import type { ClaimView, IsoRecordView, Resolution } from '../../../src/features/iso20022/schema/views.js'
import {
  type AuditEntry,
  accountKeyOf,
  accountOfKey,
  LedgerError,
  signedTransaction,
} from '../../../src/model/index.js'
import { accepted, pacs008 } from '../../fixtures/iso20022/messages.js'
import { accountNamed } from '../../support/executor.js'
import { CODEC, FakeNode } from '../gateway/support.js'
import { RESOLVED } from './support.js'

const bank = accountNamed('bank')
const caller = { kind: 'account', account: bank } as const
const ANY = { family: undefined, submitter: undefined }
const FREE: HoldRule = { minAmount: undefined, currency: undefined, submitter: undefined, bic: undefined }
const FROM_100: HoldRule = { ...FREE, minAmount: { mantissa: 100n, scale: 0 } }
const DAY_MS = 86_400_000

let folder: string
let store: RecordStore
let node: FakeNode
let resolution: Resolution
let claim: ClaimView | undefined
let nowMs: number
let lines: AuditEntry[]
let bridge: IsoBridge
let desk: HeldMessages

function open(holds: readonly HoldRule[] = [FROM_100], window?: { pastDays: number; futureDays: number }): void {
  const signer = ed25519Signer(Buffer.alloc(32, 9))
  const key = accountKeyOf('ed25519', signer.publicKey)
  const services: NodeServices = {
    ...node.services,
    query: async (def) =>
      (def.kind === 'isoClaim' ? claim : def.kind === 'isoResolve' ? resolution : undefined) as never,
  }
  const clockMs = () => nowMs
  const audit = { append: async (entry: AuditEntry) => void lines.push(entry) }
  bridge = new IsoBridge(services, store, {
    signer: { account: accountOfKey(key), key, sign: (id) => signer.sign(id) },
    anonymousSubmitter: undefined,
    settlementWindow: window,
    holds,
    pins: 'match',
    reference: new ReferenceData({}, clockMs),
    reader: new MessageReader(),
    clockMs,
    audit,
  })
  desk = new HeldMessages(services, store, bridge, { clockMs, audit })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-held-'))
  store = await RecordStore.open(folder)
  node = new FakeNode()
  resolution = RESOLVED
  claim = undefined
  nowMs = Date.parse('2026-03-02T10:00:00Z')
  lines = []
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const body = (text = pacs008()): Buffer => Buffer.from(text)
const ok = (answer: IsoRecordView | LedgerError): IsoRecordView => {
  if (answer instanceof LedgerError) throw answer
  return answer
}
const submit = async (text?: string) => ok(await bridge.submit('pacs008', body(text), caller))
const statusOf = async () => ok(await bridge.status('PAY-1', { account: bank, operator: false }, ANY)).pacs002Code

describe('a hold rule', () => {
  const { payment } = accepted(pacs008())
  it('holds what meets all its conditions', () => {
    const cases: [Partial<HoldRule>, string | undefined][] = [
      [{}, 'HOLD_ALL'],
      [{ minAmount: { mantissa: 1001n, scale: 1 } }, 'HOLD_AMOUNT'],
      [{ minAmount: { mantissa: 10011n, scale: 2 } }, undefined],
      [{ submitter: bank }, 'HOLD_SUBMITTER'],
      [{ submitter: accountNamed('other') }, undefined],
      [{ bic: 'BETAFRPP' }, 'HOLD_BIC'],
      [{ bic: 'BETAFRPPLON' }, undefined],
      [{ currency: 'USD' }, undefined],
      [{ currency: 'EUR' }, 'HOLD_CURRENCY'],
      [{ bic: 'ALPHDEFF', currency: 'USD' }, undefined],
    ]
    for (const [rule, reason] of cases) expect(holdReason([{ ...FREE, ...rule }], payment, bank)).toBe(reason)
  })
})

describe('a held message', () => {
  it('is neither signed nor queued, and says PDNG to whoever asks and repeats', async () => {
    expect(await submit()).toMatchObject({
      pacs002Code: 'PDNG',
      status: 'pending',
      holdReasonCode: 'HOLD_AMOUNT',
      transactionHash: undefined,
    })
    expect(await submit()).toMatchObject({ pacs002Code: 'PDNG', replayed: true })
    expect(await bridge.submit('pacs008', body(pacs008({ ChrgBr: '<ChrgBr>DEBT</ChrgBr>' })), caller)).toMatchObject({
      code: 'iso_duplicate_message',
    })
    expect(node.submitted).toEqual([])
  })

  it('survives a restart, and is not sent by it', async () => {
    await submit()
    await store.close()
    store = await RecordStore.open(folder)
    open()
    expect(await bridge.resume()).toBe(0)
    expect(await statusOf()).toBe('PDNG')
    const waiting = await desk.list()
    expect([waiting.items.map((one) => one.messageId), waiting.total]).toEqual([['PAY-1'], 1])
    expect(node.submitted).toEqual([])
    expect(ok(await desk.release('PAY-1', ANY, 'op')).pacs002Code).toBe('ACSP')
  })

  it('is released once, whoever else releases it at the same time', async () => {
    await submit()
    const answers = await Promise.all([1, 2, 3].map((at) => desk.release('PAY-1', ANY, `op-${at}`)))
    expect(answers.filter((one) => !(one instanceof LedgerError))).toHaveLength(1)
    expect(answers.filter((one) => one instanceof LedgerError && one.code === 'iso_not_held')).toHaveLength(2)
    expect(node.submitted).toHaveLength(1)
    expect(await desk.list()).toEqual({ items: [], total: 0 })
    expect(lines.at(-1)).toMatchObject({ action: 'iso_release', fields: { message_id: 'PAY-1', outcome: 'ACSP' } })
  })

  it('is judged again when it is released, and stays when that refuses it', async () => {
    await submit()
    resolution = { ...RESOLVED, barred: 'asset_frozen' }
    const refused = await desk.release('PAY-1', ANY, 'op')
    expect(refused).toMatchObject({ code: 'asset_frozen', details: { rejection_reason_code: 'AC06' } })
    expect(await statusOf()).toBe('PDNG')
    resolution = RESOLVED
    expect(ok(await desk.release('PAY-1', ANY, 'op')).pacs002Code).toBe('ACSP')
  })

  it('is refused for good: the same body does not come through again', async () => {
    await submit()
    expect(await desk.refuse('PAY-1', { ...ANY, reasonCode: 'XX99', text: undefined }, 'op')).toMatchObject({
      code: 'validation_failed',
    })
    const view = ok(await desk.refuse('PAY-1', { ...ANY, reasonCode: 'AG01', text: 'not with them' }, 'op'))
    expect(view).toMatchObject({ pacs002Code: 'RJCT', rejectionReasonCode: 'AG01', detail: 'not with them' })
    expect(await submit()).toMatchObject({ pacs002Code: 'RJCT', replayed: true })
    expect(await desk.release('PAY-1', ANY, 'op')).toMatchObject({ code: 'iso_not_held' })
    expect(node.submitted).toEqual([])
  })

  it('is changed to ACWC, then released to ACSP with what was changed', async () => {
    await submit()
    const changed = ok(
      await desk.change('PAY-1', { ...ANY, settlementDate: '2026-03-05', reference: 'NEW-REF', release: false }, 'op'),
    )
    expect(changed).toMatchObject({
      pacs002Code: 'ACWC',
      changeReasonCodes: ['DT06', 'NARR'],
      settlementDate: '2026-03-05',
      endToEndId: 'NEW-REF',
    })
    expect(await statusOf()).toBe('ACWC')
    expect(ok(await desk.release('PAY-1', ANY, 'op')).pacs002Code).toBe('ACSP')
    const decoded = signedTransaction.decode(node.submitted[0] ?? Buffer.alloc(0), CODEC)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    const { metadata } = decoded.value.payload.value
    expect(metadata.get('iso20022_end_to_end_id')).toBe('NEW-REF')
    expect(metadata.get('iso20022_settlement_date')).toBe('2026-03-05')
  })

  it('cannot be changed to nothing, to a day that is none, or to a date out of the window', async () => {
    await submit()
    const change = (settlementDate?: string, reference?: string) =>
      desk.change('PAY-1', { ...ANY, settlementDate, reference, release: true }, 'op')
    for (const bad of [change(), change('2026-02-30'), change(undefined, 'a\nb')]) {
      expect(await bad).toMatchObject({ code: 'validation_failed' })
    }
    open([FROM_100], { pastDays: 5, futureDays: 10 })
    expect(await change('2026-06-01')).toMatchObject({ code: 'iso_invalid' })
    expect(await statusOf()).toBe('ACWC')
  })

  it('is settled when another gateway paid it', async () => {
    const { payment } = accepted(pacs008())
    await submit()
    claim = { transactionHash: Buffer.alloc(32, 3), bodyHash: payment.bodyHash, height: 5 }
    expect(await desk.release('PAY-1', ANY, 'op')).toMatchObject({ code: 'iso_not_held' })
    expect(await statusOf()).toBe('ACSC')
    expect(node.submitted).toEqual([])
  })
})

describe('upkeep', () => {
  const sweep = (retentionDays: number) =>
    new Maintenance(store, bridge.settlement, new ReferenceData({}, () => nowMs), {
      registry: node.services.metrics,
      retentionDays,
      refreshSeconds: 60,
      clockMs: () => nowMs,
      onError: (error) => {
        throw error
      },
    }).sweep()

  it('ends what expired although nobody asks, and never prunes what is open', async () => {
    await submit()
    await submit(
      pacs008({ MsgId: '<MsgId>SMALL</MsgId>', IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR">1</IntrBkSttlmAmt>' }),
    )
    node.pendingStates.clear()
    nowMs += 3_600_000
    expect(await sweep(7)).toEqual({ settled: 1, held: 1, pruned: 0 })
    nowMs += 8 * DAY_MS
    expect(await sweep(7)).toEqual({ settled: 0, held: 1, pruned: 1 })
    expect(await statusOf()).toBe('PDNG')
    expect(await bridge.status('SMALL', { account: bank, operator: false }, ANY)).toMatchObject({
      code: 'iso_unknown_message',
    })
  })

  it('a pruned message that was paid is not paid again', async () => {
    open([])
    await submit()
    const { payment } = accepted(pacs008())
    claim = { transactionHash: Buffer.alloc(32, 3), bodyHash: payment.bodyHash, height: 5 }
    expect(await statusOf()).toBe('ACSC')
    nowMs += 8 * DAY_MS
    expect(await sweep(7)).toMatchObject({ pruned: 1 })
    expect(await submit()).toMatchObject({ pacs002Code: 'ACSC', replayed: true })
    expect(node.submitted).toHaveLength(1)
  })
})

describe('a status as pacs.002', () => {
  it('names message, status and reasons, and escapes what it repeats', async () => {
    const held = await submit()
    const xml = pacs002Xml(held)
    expect(xml).toContain('<OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>')
    expect(xml).toContain('<TxSts>PDNG</TxSts><StsRsnInf><Rsn><Prtry>HOLD_AMOUNT</Prtry></Rsn></StsRsnInf>')
    expect(pacs002Xml(held)).toBe(xml)
    const refused = pacs002Xml({ ...held, pacs002Code: 'RJCT', rejectionReasonCode: 'AM04', detail: '<&> \u0001' })
    expect(refused).toContain('<Rsn><Cd>AM04</Cd></Rsn><AddtlInf>&lt;&amp;&gt; \ufffd</AddtlInf>')
  })
})
