/** Held messages: hold rules, decisions of operators, limits per submitter, and restarts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../../src/codec/index.js'
import { CommittedBlocks } from '../../../src/features/iso20022/bridge/commits.js'
import type { BridgeContext, SettlementDays } from '../../../src/features/iso20022/bridge/context.js'
import { changeHeld, listHeld, refuseHeld, releaseHeld } from '../../../src/features/iso20022/bridge/held.js'
import {
  HELD_BYTES_MAX,
  HELD_BYTES_PER_SUBMITTER_MAX,
  HELD_MAX,
  HELD_PER_SUBMITTER_MAX,
} from '../../../src/features/iso20022/bridge/held-shares.js'
import { Maintenance } from '../../../src/features/iso20022/bridge/maintenance.js'
import { type HoldRule, holdReason } from '../../../src/features/iso20022/bridge/stages/hold.js'
import { messageStatus } from '../../../src/features/iso20022/bridge/status.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../../src/features/iso20022/bridge/submission.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import type { ClaimMessage } from '../../../src/features/iso20022/schema/instructions.js'
import { pacs002Xml } from '../../../src/features/iso20022/schema/pacs002.js'
import type { IsoRecordView } from '../../../src/features/iso20022/schema/views.js'
import { type AccountId, type AuditEntry, LedgerError, signedTransaction } from '../../../src/model/index.js'
import { accepted, FLAT_008, pacs008 } from '../../fixtures/iso20022/messages.js'
import { accountNamed } from '../../support/executor.js'
import { CODEC, FakeNode } from '../gateway/support.js'
import { bridgeOf, type FakeLedger, paidMessage, RESOLVED, servicesOf } from './support.js'

const bank = accountNamed('bank')
const caller = { kind: 'account', account: bank } as const
const ANY = { family: undefined, submitter: undefined }
/** PAY-1 as listed after its first submission. */
const SEEN = { ...ANY, bodyHash: accepted(pacs008()).bodyHash, attempt: 1, place: undefined }
const FREE: HoldRule = {
  minAmount: undefined,
  minTotal: undefined,
  currency: undefined,
  submitter: undefined,
  bic: undefined,
}
const FROM_100: HoldRule = { ...FREE, minAmount: { mantissa: 100n, scale: 0 } }
const DAY_MS = 86_400_000

let folder: string
let store: RecordStore
let node: FakeNode
let ledger: FakeLedger
let nowMs: number
let lines: AuditEntry[]
let bridge: BridgeContext

function open(holds: readonly HoldRule[] = [FROM_100], settlementWindow: SettlementDays = {}): void {
  bridge = bridgeOf(servicesOf(node, ledger), {
    store,
    reader: new MessageReader(),
    settlementWindow,
    holds,
    wallMs: () => nowMs,
    audit: { append: async (entry: AuditEntry) => void lines.push(entry) },
  })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-held-'))
  store = await RecordStore.open(folder)
  node = new FakeNode()
  ledger = { resolution: RESOLVED, messages: [] }
  nowMs = Date.parse('2026-03-02T10:00:00Z')
  lines = []
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const fail = (error: unknown): never => {
  throw error
}
const body = (text = pacs008()): Buffer => Buffer.from(text)
const ok = (answer: IsoRecordView | LedgerError): IsoRecordView => {
  if (answer instanceof LedgerError) throw answer
  return answer
}
const submit = async (text?: string) => ok(await submitMessage(bridge, 'pacs008', body(text), caller))
const statusOf = async () =>
  ok(await messageStatus(bridge, 'PAY-1', { account: bank, operator: false }, ANY)).pacs002Code

describe('a hold rule', () => {
  const { payment } = accepted(pacs008())
  it('holds messages that meet all its conditions', () => {
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

describe('a message with the instruction HOLD', () => {
  const HOLD = pacs008({
    end: '<InstrForCdtrAgt><Cd>PHOB</Cd></InstrForCdtrAgt><InstrForCdtrAgt><Cd>HOLD</Cd></InstrForCdtrAgt>',
  })

  it('waits for an operator even without a hold rule, and is paid when released', async () => {
    open([])
    expect(await submit(HOLD)).toMatchObject({ pacs002Code: 'PDNG', holdReasonCode: 'HOLD_INSTRUCTION' })
    expect(node.submitted).toEqual([])
    expect(
      ok(await releaseHeld(bridge, 'PAY-1', { ...SEEN, bodyHash: accepted(HOLD).bodyHash }, 'op')).pacs002Code,
    ).toBe('ACSP')
  })

  it('is also held as flat lines, but other instructions do not hold a message', () => {
    const lines = [...FLAT_008, 'InstrForCdtrAgt[1]/Cd=HOLD'].join('\n')
    expect(holdReason([], accepted(lines, { family: 'pacs.008' }).payment, bank)).toBe('HOLD_INSTRUCTION')
    const other = pacs008({ end: '<InstrForCdtrAgt><Cd>PHOB</Cd></InstrForCdtrAgt>' })
    expect(holdReason([], accepted(other).payment, bank)).toBeUndefined()
  })
})

describe('the settlement window', () => {
  const late = (id: string) => pacs008({ MsgId: `<MsgId>${id}</MsgId>` })

  it('rejects a date that is too far in the past, without a record', async () => {
    open([], { pastDays: 10 })
    nowMs += 10 * DAY_MS
    expect((await submit(late('IN-TIME'))).pacs002Code).toBe('ACSP')
    nowMs += DAY_MS
    const refused = await submitMessage(bridge, 'pacs008', body(late('LATE')), caller)
    expect(refused).toMatchObject({
      code: 'iso_invalid',
      details: { faults: [{ code: 'date_past', reason_code: 'DT01' }] },
    })
    expect(await store.ofMessage('LATE')).toEqual([])
  })

  it('does not change the response to a message that was accepted in time', async () => {
    open([], { pastDays: 10 })
    expect((await submit()).pacs002Code).toBe('ACSP')
    nowMs += 30 * DAY_MS
    ledger.messages.push(paidMessage(bank, accepted(pacs008()).bodyHash))
    expect(await submit()).toMatchObject({ pacs002Code: 'ACSC', replayed: true })
  })
})

describe('a held message', () => {
  it('is neither signed nor queued, and has status PDNG in reads and repeated submissions', async () => {
    expect(await submit()).toMatchObject({
      pacs002Code: 'PDNG',
      status: 'pending',
      holdReasonCode: 'HOLD_AMOUNT',
      transactionHash: undefined,
    })
    expect(await submit()).toMatchObject({ pacs002Code: 'PDNG', replayed: true })
    expect(
      await submitMessage(bridge, 'pacs008', body(pacs008({ ChrgBr: '<ChrgBr>DEBT</ChrgBr>' })), caller),
    ).toMatchObject({
      code: 'iso_duplicate_message',
    })
    expect(node.submitted).toEqual([])
  })

  it('remains held after a restart, and is not sent by the restart', async () => {
    await submit()
    await store.close()
    store = await RecordStore.open(folder)
    open()
    expect(await new CommittedBlocks(bridge, fail).start()).toBe(0)
    expect(await statusOf()).toBe('PDNG')
    const waiting = await listHeld(bridge)
    expect([waiting.items.map((one) => one.messageId), waiting.total]).toEqual([['PAY-1'], 1])
    expect(node.submitted).toEqual([])
    expect(ok(await releaseHeld(bridge, 'PAY-1', SEEN, 'op')).pacs002Code).toBe('ACSP')
  })

  it('is released only once, even by concurrent requests', async () => {
    await submit()
    const answers = await Promise.all([1, 2, 3].map((at) => releaseHeld(bridge, 'PAY-1', SEEN, `op-${at}`)))
    expect(answers.filter((one) => !(one instanceof LedgerError))).toHaveLength(1)
    expect(answers.filter((one) => one instanceof LedgerError && one.code === 'iso_not_held')).toHaveLength(2)
    expect(node.submitted).toHaveLength(1)
    expect(await listHeld(bridge)).toEqual({ items: [], total: 0 })
    expect(lines.at(-1)).toMatchObject({ action: 'iso_release', fields: { message_id: 'PAY-1', outcome: 'ACSP' } })
  })

  it('cannot be decided with an outdated body hash or attempt', async () => {
    await submit()
    ok(await refuseHeld(bridge, 'PAY-1', { ...SEEN, reasonCode: undefined, text: undefined }, 'op'))
    const large = pacs008().replace('>100.1<', '>99000.1<')
    expect((await submit(large)).pacs002Code).toBe('PDNG')
    const stale = [SEEN, { ...SEEN, attempt: 2 }, { ...SEEN, bodyHash: accepted(large).bodyHash }]
    for (const seen of stale) {
      expect(await releaseHeld(bridge, 'PAY-1', seen, 'op')).toMatchObject({
        code: 'iso_held_changed',
        http: 409,
        details: { message_id: 'PAY-1', body_hash: toHex(accepted(large).bodyHash), attempt: 2 },
      })
      expect(
        await refuseHeld(bridge, 'PAY-1', { ...seen, reasonCode: undefined, text: undefined }, 'op'),
      ).toMatchObject({ code: 'iso_held_changed' })
      expect(
        await changeHeld(bridge, 'PAY-1', { ...seen, settlementDate: undefined, reference: 'R', release: true }, 'op'),
      ).toMatchObject({ code: 'iso_held_changed' })
    }
    expect(node.submitted).toEqual([])
    const [shown] = (await listHeld(bridge)).items
    if (shown?.attempt === undefined) throw new Error('nothing is listed')
    const { bodyHash, attempt } = shown
    expect(
      ok(await releaseHeld(bridge, 'PAY-1', { ...ANY, bodyHash, attempt, place: undefined }, 'op')).pacs002Code,
    ).toBe('ACSP')
    expect(lines.at(-1)).toMatchObject({
      action: 'iso_release',
      fields: { body_hash: toHex(bodyHash), attempt: 2, amount: '99000.1', currency: 'EUR', outcome: 'ACSP' },
    })
  })

  it('cannot be decided with the number of another payment', async () => {
    await submit()
    expect(await releaseHeld(bridge, 'PAY-1', { ...SEEN, place: 2 }, 'op')).toMatchObject({ code: 'iso_not_held' })
    expect(ok(await releaseHeld(bridge, 'PAY-1', { ...SEEN, place: 1 }, 'op')).pacs002Code).toBe('ACSP')
  })

  it('is validated again at its release, and stays held if it is refused then', async () => {
    await submit()
    ledger.resolution = { ...RESOLVED, payerRefusal: 'asset_frozen' }
    const refused = await releaseHeld(bridge, 'PAY-1', SEEN, 'op')
    expect(refused).toMatchObject({ code: 'asset_frozen', details: { rejection_reason_code: 'AC06' } })
    expect(await statusOf()).toBe('PDNG')
    ledger.resolution = RESOLVED
    expect(ok(await releaseHeld(bridge, 'PAY-1', SEEN, 'op')).pacs002Code).toBe('ACSP')
  })

  it('can be refused permanently, so that the same body remains rejected', async () => {
    await submit()
    expect(await refuseHeld(bridge, 'PAY-1', { ...SEEN, reasonCode: 'XX99', text: undefined }, 'op')).toMatchObject({
      code: 'validation_failed',
    })
    const view = ok(await refuseHeld(bridge, 'PAY-1', { ...SEEN, reasonCode: 'AG01', text: 'not with them' }, 'op'))
    expect(view).toMatchObject({ pacs002Code: 'RJCT', rejectionReasonCode: 'AG01', detail: 'not with them' })
    expect(await submit()).toMatchObject({ pacs002Code: 'RJCT', replayed: true })
    expect(await releaseHeld(bridge, 'PAY-1', SEEN, 'op')).toMatchObject({ code: 'iso_not_held' })
    expect(node.submitted).toEqual([])
  })

  it('has status ACWC after a change, and ACSP after its release with the changes', async () => {
    await submit()
    const changed = ok(
      await changeHeld(
        bridge,
        'PAY-1',
        { ...SEEN, settlementDate: '2026-03-05', reference: 'NEW-REF', release: false },
        'op',
      ),
    )
    expect(changed).toMatchObject({
      pacs002Code: 'ACWC',
      changeReasonCodes: ['DT06', 'NARR'],
      settlementDate: '2026-03-05',
      endToEndId: 'NEW-REF',
    })
    expect(await statusOf()).toBe('ACWC')
    expect(ok(await releaseHeld(bridge, 'PAY-1', SEEN, 'op')).pacs002Code).toBe('ACSP')
    const decoded = signedTransaction.decode(node.submitted[0] ?? Buffer.alloc(0), CODEC)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    const { metadata, executable } = decoded.value.payload.value
    expect(metadata.get('reference')).toBe('NEW-REF')
    const [claim] = executable.value.map(({ value }) => value as ClaimMessage)
    expect(claim?.details).toMatchObject({
      endToEndId: 'NEW-REF',
      settlementDate: '2026-03-05',
      changes: ['DT06', 'NARR'],
    })
  })

  it('cannot be changed to an empty value, an invalid day, or a date outside of the window', async () => {
    await submit()
    const change = (settlementDate?: string, reference?: string) =>
      changeHeld(bridge, 'PAY-1', { ...SEEN, settlementDate, reference, release: true }, 'op')
    for (const bad of [change(), change('2026-02-30'), change(undefined, 'a\nb')]) {
      expect(await bad).toMatchObject({ code: 'validation_failed' })
    }
    open([FROM_100], { pastDays: 5, futureDays: 10 })
    expect(await change('2026-06-01')).toMatchObject({ code: 'iso_invalid' })
    expect(await statusOf()).toBe('ACWC')
  })

  it('is settled when another gateway paid it', async () => {
    const { bodyHash } = accepted(pacs008())
    await submit()
    ledger.messages.push(paidMessage(bank, bodyHash))
    expect(await releaseHeld(bridge, 'PAY-1', SEEN, 'op')).toMatchObject({ code: 'iso_not_held' })
    expect(await statusOf()).toBe('ACSC')
    expect(node.submitted).toEqual([])
  })
})

describe('the limit of held messages', () => {
  /** Count messages of others or of the submitter as held, without writing them. */
  const fill = (submitter: string, messages: number, bytes = 0): (() => void)[] =>
    Array.from({ length: messages }, (_, at) =>
      store.held.count(`${submitter}-${at}`, { submitter, state: 'held', body: Buffer.alloc(bytes) }),
    )
  const refused = () => submitMessage(bridge, 'pacs008', body(), caller)

  it('rejects excess messages of a submitter without a record, and accepts them once others are decided', async () => {
    const [first] = fill(bank, HELD_PER_SUBMITTER_MAX)
    expect(await refused()).toMatchObject({ code: 'iso_held_limit', http: 429, details: { retry_after_seconds: 60 } })
    expect(await store.ofMessage('PAY-1')).toEqual([])
    expect(lines.at(-1)).toMatchObject({ action: 'iso_submission', fields: { outcome: 'iso_held_limit' } })
    first?.()
    expect((await submit()).pacs002Code).toBe('PDNG')
  })

  it('leaves room for other submitters, up to the limit of the gateway', async () => {
    const full = Array.from({ length: HELD_MAX / HELD_PER_SUBMITTER_MAX }, (_, at) => `other-${at}`)
    for (const [at, other] of full.entries()) {
      if (at > 0) fill(other, HELD_PER_SUBMITTER_MAX)
    }
    expect((await submit()).pacs002Code).toBe('PDNG')
    ok(await refuseHeld(bridge, 'PAY-1', { ...SEEN, reasonCode: undefined, text: undefined }, 'op'))
    fill('other-0', HELD_PER_SUBMITTER_MAX)
    expect(
      await submitMessage(bridge, 'pacs008', body(pacs008({ MsgId: '<MsgId>PAY-2</MsgId>' })), caller),
    ).toMatchObject({
      code: 'iso_held_limit',
    })
  })

  it('counts the bytes of bodies too', async () => {
    const own = fill(bank, 1, HELD_BYTES_PER_SUBMITTER_MAX)
    expect(await refused()).toMatchObject({ code: 'iso_held_limit' })
    own[0]?.()
    fill('other', 1, HELD_BYTES_MAX)
    expect(await refused()).toMatchObject({ code: 'iso_held_limit' })
  })

  it('accepts only one of two concurrent messages if one more is allowed', async () => {
    fill(bank, HELD_PER_SUBMITTER_MAX - 1)
    const both = await Promise.all(
      ['PAY-1', 'PAY-2'].map((id) =>
        submitMessage(bridge, 'pacs008', body(pacs008({ MsgId: `<MsgId>${id}</MsgId>` })), caller),
      ),
    )
    expect(both.filter((one) => one instanceof LedgerError)).toHaveLength(1)
  })

  it('counts each message held before a restart once, even if rewritten, until it is decided', async () => {
    await submit()
    await store.close()
    store = await RecordStore.open(folder)
    open()
    fill(bank, HELD_PER_SUBMITTER_MAX - 1)
    const next = () => submitMessage(bridge, 'pacs008', body(pacs008({ MsgId: '<MsgId>PAY-2</MsgId>' })), caller)
    expect(await next()).toMatchObject({ code: 'iso_held_limit' })
    ok(
      await changeHeld(bridge, 'PAY-1', { ...SEEN, settlementDate: undefined, reference: 'NEW', release: false }, 'op'),
    )
    ok(await releaseHeld(bridge, 'PAY-1', SEEN, 'op'))
    expect(ok(await next()).pacs002Code).toBe('PDNG')
  })
})

describe('the share of a submitter in payments that wait for a block', () => {
  const of = (id: string) => pacs008({ MsgId: `<MsgId>${id}</MsgId>` })
  const from = (account: string, id: string) =>
    submitMessage(bridge, 'pacs008', body(of(id)), { kind: 'account', account: account as AccountId })

  beforeEach(() => {
    open([])
    node.accountCapacity = 8
  })

  it('leaves room for others, and further payments are rejected without a record until the next block', async () => {
    for (const id of ['PAY-1', 'PAY-2']) expect(ok(await from(bank, id)).pacs002Code).toBe('ACSP')
    expect(await from(bank, 'PAY-3')).toMatchObject({ code: 'per_user_queue_limit', http: 429 })
    expect(await store.ofMessage('PAY-3')).toEqual([])
    expect(ok(await from(accountNamed('other'), 'PAY-3')).pacs002Code).toBe('ACSP')
    expect(node.submitted).toHaveLength(3)
    ledger.messages.push(paidMessage(bank, accepted(of('PAY-1')).bodyHash))
    expect(ok(await from(bank, 'PAY-1')).pacs002Code).toBe('ACSC')
    expect(ok(await from(bank, 'PAY-3')).pacs002Code).toBe('ACSP')
  })

  it('allows at least one message', async () => {
    node.accountCapacity = 1
    const both = await Promise.all(['PAY-1', 'PAY-2'].map((id) => from(bank, id)))
    expect(both.filter((one) => one instanceof LedgerError)).toHaveLength(1)
  })

  it('counts each payment sent before a restart once, even if it is sent again', async () => {
    await from(bank, 'PAY-1')
    expect(ok(await from(bank, 'PAY-1')).replayed).toBe(true)
    await store.close()
    store = await RecordStore.open(folder)
    open([])
    expect(await new CommittedBlocks(bridge, fail).start()).toBe(1)
    expect(ok(await from(bank, 'PAY-2')).pacs002Code).toBe('ACSP')
    expect(await from(bank, 'PAY-3')).toMatchObject({ code: 'per_user_queue_limit' })
  })

  it('keeps a message held if its release would exceed the share', async () => {
    open()
    await from(bank, 'PAY-1')
    open([])
    for (const id of ['PAY-2', 'PAY-3']) await from(bank, id)
    expect(await releaseHeld(bridge, 'PAY-1', SEEN, 'op')).toMatchObject({ code: 'per_user_queue_limit' })
    expect(await statusOf()).toBe('PDNG')
  })
})

describe('maintenance of message records', () => {
  const sweep = (retentionDays: number) =>
    new Maintenance(bridge, {
      registry: node.services.metrics,
      retentionDays,
      refreshSeconds: 60,
      onError: fail,
    }).sweep()

  it('closes expired messages without a request, and never prunes open ones', async () => {
    await submit()
    await submit(
      pacs008({ MsgId: '<MsgId>SMALL</MsgId>', IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR">1</IntrBkSttlmAmt>' }),
    )
    node.pendingStates.clear()
    nowMs += 3_600_000
    // A block prepared before the expiry may contain it: chain time has to pass the expiry too.
    expect(await sweep(7)).toEqual({ closed: 0, held: 1, pruned: 0 })
    expect(node.awaitedMs).toBeGreaterThan(0)
    node.chainTimeMs = node.awaitedMs
    expect(await sweep(7)).toEqual({ closed: 1, held: 1, pruned: 0 })
    nowMs += 8 * DAY_MS
    expect(await sweep(7)).toEqual({ closed: 0, held: 1, pruned: 1 })
    expect(await statusOf()).toBe('PDNG')
    expect(await messageStatus(bridge, 'SMALL', { account: bank, operator: false }, ANY)).toMatchObject({
      code: 'iso_unknown_message',
    })
  })

  it('does not cause a second payment of a paid message after its record is removed', async () => {
    open([])
    await submit()
    const { bodyHash } = accepted(pacs008())
    ledger.messages.push(paidMessage(bank, bodyHash))
    expect(await statusOf()).toBe('ACSC')
    nowMs += 8 * DAY_MS
    expect(await sweep(7)).toMatchObject({ pruned: 1 })
    expect(await submit()).toMatchObject({ pacs002Code: 'ACSC', replayed: true })
    expect(node.submitted).toHaveLength(1)
  })
})

describe('a pacs.002 status report', () => {
  it('contains the message, the status and the reasons, with escaped values', async () => {
    const held = await submit()
    const xml = pacs002Xml(held)
    expect(xml).toContain('<OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>')
    expect(xml).toContain('<TxSts>PDNG</TxSts><StsRsnInf><Rsn><Prtry>HOLD_AMOUNT</Prtry></Rsn></StsRsnInf>')
    expect(pacs002Xml(held)).toBe(xml)
    const refused = pacs002Xml({ ...held, pacs002Code: 'RJCT', rejectionReasonCode: 'AM04', detail: '<&> \u0001' })
    expect(refused).toContain('<Rsn><Cd>AM04</Cd></Rsn><AddtlInf>&lt;&amp;&gt; \ufffd</AddtlInf>')
  })
})
