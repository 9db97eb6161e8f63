/** The bridge and messages of several payments: each is refused, held, sent, decided and retried separately. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reconcileRecords } from '../../../src/features/iso20022/bridge/bulk/known.js'
import { groupCode } from '../../../src/features/iso20022/bridge/bulk/view.js'
import type { BridgeContext } from '../../../src/features/iso20022/bridge/context.js'
import { changeHeld, listHeld, refuseHeld, releaseHeld } from '../../../src/features/iso20022/bridge/held.js'
import type { HoldRule } from '../../../src/features/iso20022/bridge/stages/hold.js'
import { messagePayments, messageStatus } from '../../../src/features/iso20022/bridge/status.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../../src/features/iso20022/bridge/submission.js'
import { parsePayments } from '../../../src/features/iso20022/message/index.js'
import type { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { partsOf } from '../../../src/features/iso20022/schema/claimed.js'
import { isoBodyHash } from '../../../src/features/iso20022/schema/instructions.js'
import { pacs002Xml } from '../../../src/features/iso20022/schema/pacs002.js'
import type { IsoRecordView, ReleaseRequest } from '../../../src/features/iso20022/schema/views.js'
import { type AuditEntry, LedgerError, signedTransaction } from '../../../src/model/index.js'
import { FLAT_008 } from '../../fixtures/iso20022/messages.js'
import { bulkMessage } from '../../support/bulk-messages.js'
import { accountNamed } from '../../support/executor.js'
import { CODEC, FakeNode } from '../gateway/support.js'
import { bridgeOf, type FakeLedger, paidMessage, RESOLVED, servicesOf } from './support.js'

const bank = accountNamed('bank')
const caller = { kind: 'account', account: bank } as const
const asker = { account: bank, operator: false }
const ANY = { family: undefined, submitter: undefined }
const PAGE = { ...ANY, status: undefined, cursor: undefined, limit: undefined }
/** Reader that reads large bodies on this thread too: unit tests start no threads. */
const HERE = { read: async (...of: Parameters<typeof parsePayments>) => parsePayments(...of) } as MessageReader
const FREE: HoldRule = {
  minAmount: undefined,
  minTotal: undefined,
  currency: undefined,
  submitter: undefined,
  bic: undefined,
}
const FROM_100: HoldRule = { ...FREE, minAmount: { mantissa: 100n, scale: 0 } }

let folder: string
let store: RecordStore
let node: FakeNode
let ledger: FakeLedger
let lines: AuditEntry[]
let bridge: BridgeContext
let abi: number

function open(holds: readonly HoldRule[] = []): void {
  const services = servicesOf(node, ledger)
  bridge = bridgeOf(
    { ...services, info: { ...services.info, abi } },
    {
      store,
      reader: HERE,
      holds,
      audit: { append: async (entry: AuditEntry) => void lines.push(entry) },
    },
  )
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-bulk-'))
  store = await RecordStore.open(folder)
  node = new FakeNode()
  ledger = { resolution: RESOLVED, messages: [] }
  lines = []
  abi = 2
  open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const submit = (text: string) => submitMessage(bridge, 'pacs008', Buffer.from(text), caller)
/** View of a response that must not be an error. */
function ok(answer: IsoRecordView | LedgerError): IsoRecordView {
  if (answer instanceof LedgerError) throw answer
  return answer
}
const counts = (view: IsoRecordView): string =>
  (view.statusCounts ?? []).map((one) => `${one.numberOfTransactions} ${one.pacs002Code}`).join(', ')
/** Payments of the submitted transactions: `message/place amount`. */
function sent(): string[][] {
  return node.submitted.map((bytes) => {
    const decoded = signedTransaction.decode(bytes, CODEC)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return partsOf(decoded.value.payload.value.executable.value).map(
      ([message, part]) => `${message.messageId}/${part.place} ${part.amount.mantissa}`,
    )
  })
}
/** Refused payments in the head of the last transaction, by place. */
function refusedInHead(): string[] {
  const last = node.submitted.at(-1)
  const decoded = last && signedTransaction.decode(last, CODEC)
  if (decoded?.ok !== true) throw new Error('nothing was submitted')
  const [[message] = []] = partsOf(decoded.value.payload.value.executable.value)
  return (message?.refused ?? []).map(({ place, reason }) => `${place} ${reason}`)
}
const codes = async (): Promise<string[]> => {
  const page = await messagePayments(bridge, 'B', asker, PAGE)
  if (page instanceof LedgerError) throw page
  return page.items.map(({ pacs002Code }) => pacs002Code)
}
const seen = (text: string, place?: number): ReleaseRequest => ({
  ...ANY,
  bodyHash: isoBodyHash(Buffer.from(text)),
  attempt: 1,
  place,
})

describe('the status code of a group', () => {
  it.each([
    [['ACSC', 'ACSC'], 'ACSC'],
    [['RJCT', 'RJCT'], 'RJCT'],
    [['PDNG', 'ACWC'], 'PDNG'],
    [['ACTC', 'ACTC'], 'ACTC'],
    [['ACTC', 'ACSP'], 'ACSP'],
    [['ACSC', 'ACSP'], 'ACSP'],
    [['ACSC', 'RJCT'], 'PART'],
    [['ACSP', 'RJCT'], 'PART'],
    [['ACSP', 'PDNG'], 'PART'],
    [['PDNG', 'RJCT'], 'PART'],
  ])('of payments %j is %s', (payments, code) => {
    expect(groupCode(payments)).toBe(code)
  })
})

describe('a message of several payments', () => {
  it('is one transaction, and returns counts, sums and its payments', async () => {
    const text = bulkMessage('B', [{}, { amount: '2.50' }, { amount: '0.01' }])
    const view = ok(await submit(text))
    expect(sent()).toEqual([['B/1 10', 'B/2 25', 'B/3 1']])
    expect(view).toMatchObject({
      messageId: 'B',
      status: 'queued',
      pacs002Code: 'ACSP',
      numberOfTransactions: 3,
      amount: { mantissa: 1251n, scale: 2 },
      currency: 'EUR',
      settlementDate: '2026-03-02',
      sourceAccountId: accountNamed('alice'),
      targetAccountId: accountNamed('bob'),
      endToEndId: undefined,
      replayed: false,
      attempt: 1,
      nextCursor: undefined,
    })
    expect(counts(view)).toBe('3 ACSP')
    expect(view.transactions?.map(({ place, endToEndId, status }) => [place, endToEndId, status])).toEqual([
      [1, 'E1', 'queued'],
      [2, 'E2', 'queued'],
      [3, 'E3', 'queued'],
    ])
    expect(view.transactionHashes).toEqual([view.transactionHash])
    expect(lines).toMatchObject([
      {
        action: 'iso_submission',
        fields: { message_id: 'B', number_of_transactions: 3, payments: '3 ACSP 12.51 EUR' },
      },
    ])
  })

  it('is split if it exceeds one transaction, and lists its first 100 payments', async () => {
    const view = ok(
      await submit(
        bulkMessage(
          'B',
          Array.from({ length: 300 }, () => ({})),
        ),
      ),
    )
    expect(sent().flat()).toHaveLength(300)
    expect(sent().length).toBeGreaterThan(1)
    expect(view.transactionHashes).toHaveLength(sent().length)
    expect([view.transactions?.length, view.nextCursor]).toEqual([100, '100'])
    const page = await messagePayments(bridge, 'B', asker, { ...PAGE, cursor: '290', limit: 5 })
    expect(page).toMatchObject({ numberOfTransactions: 300, nextCursor: '295' })
    expect('items' in page && page.items.map(({ place }) => place)).toEqual([291, 292, 293, 294, 295])
  })

  it('is refused while the chain runs ABI 1', async () => {
    abi = 1
    open()
    expect(await submit(bulkMessage('B', [{}, {}]))).toMatchObject({
      code: 'iso_invalid',
      details: { faults: [{ code: 'transactions_several' }] },
    })
  })

  it('keeps status ACSP while the block with its transaction is not yet applied', async () => {
    await submit(bulkMessage('B', [{}, {}]))
    node.pendingStates.clear()
    expect(await codes()).toEqual(['ACSP', 'ACSP'])
    expect(await messageStatus(bridge, 'B', asker, ANY)).toMatchObject({ pacs002Code: 'ACSP' })
  })

  it('is refused without any record if it exceeds the share of its submitter', async () => {
    const { services } = bridge
    bridge = { ...bridge, services: { ...services, accountCapacity: () => 8 } }
    expect(await submit(bulkMessage('B', [{}, {}, {}]))).toMatchObject({ code: 'per_user_queue_limit' })
    expect(await messageStatus(bridge, 'B', asker, ANY)).toMatchObject({ code: 'iso_unknown_message' })
    expect(await submit(bulkMessage('B', [{}, {}]))).toMatchObject({ pacs002Code: 'ACSP' })
  })
})

describe('a refused payment in a message of several', () => {
  const text = bulkMessage('B', [{}, { amount: '0' }, { currency: 'XXX' }, {}])

  it('does not prevent the other payments, and its reason is recorded in the message head', async () => {
    const view = ok(await submit(text))
    expect([view.status, view.pacs002Code, counts(view)]).toEqual(['partial', 'PART', '2 ACSP, 2 RJCT'])
    expect(sent()).toEqual([['B/1 10', 'B/4 10']])
    expect(refusedInHead()).toEqual(['2 AM01', '3 AM11'])
    const [, second, third] = view.transactions ?? []
    expect(second).toMatchObject({ endToEndId: 'E2', rejectionReasonCode: 'AM01', detail: 'amount_zero' })
    expect(third).toMatchObject({
      endToEndId: 'E3',
      amount: undefined,
      currency: undefined,
      detail: 'currency_unknown',
    })
    expect(view.amount).toBeUndefined()
  })

  it('has its number in the path of the fault if the ledger refuses it', async () => {
    ledger.resolution = { ...RESOLVED, target: undefined }
    expect(await submit(bulkMessage('B', [{}, {}]))).toMatchObject({
      code: 'iso_invalid',
      message: 'no payment of the message can be made: 2 AC03',
      details: {
        pacs002_code: 'RJCT',
        faults: [{ path: 'CdtTrfTxInf[1]/CdtrAcct/Id/IBAN' }, { path: 'CdtTrfTxInf[2]/CdtrAcct/Id/IBAN' }],
      },
    })
    expect(node.submitted).toEqual([])
    expect(await codes()).toEqual(['RJCT', 'RJCT'])
  })

  it('is refused individually if its alias no longer matches its pin', async () => {
    const pinned = (name: string) => ({ more: [`SplmtryData/TargetAccountId=${name}`] })
    const { services } = bridge
    const query: typeof services.query = async (def, input) => {
      if (def.kind !== 'account') return services.query(def, input)
      const { alias } = input as { alias?: string }
      return { id: accountNamed(alias === 'bob@bank' ? 'bob' : 'carol') } as never
    }
    bridge = { ...bridge, services: { ...services, query } }
    const view = ok(await submit(bulkMessage('B', [pinned('bob@bank'), pinned('moved@bank'), {}])))
    expect(view.transactions?.map(({ pacs002Code, detail }) => detail ?? pacs002Code)).toEqual([
      'ACSP',
      'pin_account',
      'ACSP',
    ])
    expect(sent()).toEqual([['B/1 10', 'B/3 10']])
  })

  it('can be retried with the same body without a second transfer of the others', async () => {
    ok(await submit(text))
    const again = ok(await submit(text))
    expect([again.replayed, counts(again)]).toEqual([true, '2 ACSP, 2 RJCT'])
    expect(sent()).toEqual([['B/1 10', 'B/4 10']])
  })

  it('allows a replacement of the body only if no payment was signed', async () => {
    ledger.resolution = { ...RESOLVED, source: undefined }
    await submit(bulkMessage('B', [{}, {}, {}]))
    ledger.resolution = RESOLVED
    const two = bulkMessage('B', [{}, { amount: '20' }])
    expect(counts(ok(await submit(two)))).toBe('2 ACSP')
    expect(await codes()).toEqual(['ACSP', 'ACSP'])
    expect(await submit(bulkMessage('B', [{}, { amount: '21' }]))).toMatchObject({ code: 'iso_duplicate_message' })
    expect(ok(await submit(two)).replayed).toBe(true)
  })

  it('leaves no record if the submitter is not registered', async () => {
    ledger.resolution = { ...RESOLVED, submitterKnown: false }
    bridge.submitters.has = async () => true
    expect(await submit(text)).toMatchObject({ code: 'iso_submitter' })
    expect(await store.ofMessage('B')).toEqual([])
  })
})

describe('held payments in a message of several', () => {
  const text = bulkMessage('B', [{}, { amount: '100' }, { amount: '150' }])

  beforeEach(() => open([FROM_100]))

  it('wait individually with their numbers, while the other payments are sent', async () => {
    const view = ok(await submit(text))
    expect(counts(view)).toBe('1 ACSP, 2 PDNG')
    expect(sent()).toEqual([['B/1 10']])
    const { items, total } = await listHeld(bridge)
    expect(total).toBe(2)
    expect(
      items.map(({ place, numberOfTransactions, amount }) => [place, numberOfTransactions, amount?.mantissa]),
    ).toEqual([
      [2, 3, 100n],
      [3, 3, 150n],
    ])
    expect(ok(await submit(text)).replayed).toBe(true)
    expect(sent()).toEqual([['B/1 10']])
  })

  it('can be released or refused by number', async () => {
    ok(await submit(text))
    const released = ok(await releaseHeld(bridge, 'B', seen(text, 3), 'op'))
    expect(counts(released)).toBe('2 ACSP, 1 PDNG')
    expect(sent()).toEqual([['B/1 10'], ['B/3 150']])
    const refused = await refuseHeld(bridge, 'B', { ...seen(text, 2), reasonCode: 'AG01', text: undefined }, 'op')
    expect(counts(ok(refused))).toBe('2 ACSP, 1 RJCT')
    expect(await releaseHeld(bridge, 'B', seen(text, 2), 'op')).toMatchObject({ code: 'iso_not_held' })
    expect(lines.slice(1)).toMatchObject([
      { action: 'iso_release', fields: { amount: '150', places: '3', number_of_transactions: 3 } },
      { action: 'iso_refuse', fields: { amount: '100', places: '2', outcome: 'PART', reason: 'AG01' } },
    ])
    // A decision of an operator is final.
    expect(counts(ok(await submit(text)))).toBe('2 ACSP, 1 RJCT')
  })

  it('appear in the audit log with sums by currency and the changes of a decision', async () => {
    const mixed = bulkMessage('M', [{ amount: '100' }, { amount: '150' }, { amount: '200', currency: 'USD' }])
    ok(await submit(mixed))
    const change = { settlementDate: '2026-03-03', reference: undefined, release: undefined }
    ok(await changeHeld(bridge, 'M', { ...seen(mixed), ...change }, 'op'))
    expect(lines.at(-1)?.fields).toMatchObject({
      amount: null,
      currency: null,
      amounts: '250 EUR, 200 USD',
      places: '1 2 3',
      settlement_date: '2026-03-03',
      reference: null,
      reason: null,
    })
    ok(await changeHeld(bridge, 'M', { ...seen(mixed, 1), ...change, settlementDate: undefined, reference: 'R' }, 'op'))
    expect(lines.at(-1)?.fields).toMatchObject({ amount: '100', currency: 'EUR', reference: 'R', places: '1' })
  })

  it('are released together if the request has no number', async () => {
    ok(await submit(text))
    expect(counts(ok(await releaseHeld(bridge, 'B', seen(text), 'op')))).toBe('3 ACSP')
    expect(sent()).toEqual([['B/1 10'], ['B/2 100', 'B/3 150']])
    expect(await store.bodyOf({ submitter: bank, family: 'pacs008', messageId: 'B' })).toBeUndefined()
  })

  it('can be decided only with the body and attempt that the operator has seen', async () => {
    ok(await submit(text))
    const stale = { ...seen(text), bodyHash: Buffer.alloc(32, 9) }
    expect(await releaseHeld(bridge, 'B', stale, 'op')).toMatchObject({ code: 'iso_held_changed' })
    expect(await releaseHeld(bridge, 'B', { ...seen(text), attempt: 2 }, 'op')).toMatchObject({
      code: 'iso_held_changed',
    })
  })

  it('can be held because of the sum of their message', async () => {
    open([{ ...FREE, minTotal: { mantissa: 30n, scale: 0 }, currency: 'EUR' }])
    const held = ok(await submit(bulkMessage('B', [{}, {}, {}])))
    expect([held.pacs002Code, held.holdReasonCode]).toEqual(['PDNG', 'HOLD_TOTAL'])
    expect(ok(await submit(bulkMessage('C', [{}, {}]))).pacs002Code).toBe('ACSP')
  })

  it('are counted individually, and are found again after a restart', async () => {
    ok(await submit(text))
    await store.close()
    store = await RecordStore.open(folder)
    open([FROM_100])
    expect(await codes()).toEqual(['ACSP', 'PDNG', 'PDNG'])
    expect(store.held.fault(bank, 0, 2_047)).toBeInstanceOf(LedgerError)
    expect(store.held.fault(bank, 0, 2_046)).toBeUndefined()
    expect(counts(ok(await releaseHeld(bridge, 'B', seen(text), 'op')))).toBe('3 ACSP')
  })
})

describe('a message id with two bodies', () => {
  const text = bulkMessage('B', [{}, {}, { amount: '100' }, { amount: '100' }])
  const one = Buffer.from(FLAT_008.map((line) => line.replace(/^MsgId=.*/, 'MsgId=B')).join('\n'))
  const submitOne = () => submitMessage(bridge, 'pacs008', one, caller)
  const identity = { submitter: bank, family: 'pacs008', messageId: 'B' } as const

  beforeEach(() => open([FROM_100]))

  it('keeps the body with several payments if one of them is signed or held', async () => {
    ok(await submit(text))
    expect(await submitOne()).toMatchObject({ code: 'iso_duplicate_message' })
    const held = bulkMessage('B', [{ amount: '100' }, { amount: '100' }])
    await store.removePlaces(identity)
    ok(await submit(held))
    expect(await submitOne()).toMatchObject({ code: 'iso_duplicate_message' })
    expect(sent()).toEqual([['B/1 10', 'B/2 10']])
  })

  it('can change to a body with one payment if no payment was signed', async () => {
    ledger.resolution = { ...RESOLVED, source: undefined }
    await submit(text)
    ledger.resolution = RESOLVED
    expect(ok(await submitOne()).pacs002Code).toBe('ACSP')
  })

  it('keeps the body with one payment if another gateway paid it', async () => {
    ledger.messages = [{ ...paidMessage(bank, Buffer.alloc(32, 7)), messageId: 'B' }]
    expect(await submit(text)).toMatchObject({ code: 'iso_duplicate_message' })
    expect(sent()).toEqual([])
  })

  it('belongs to the first body in a block, which ends sent and held payments of the other body', async () => {
    ok(await submit(text))
    ledger.heads = [
      {
        ...identity,
        ...paidMessage(bank, Buffer.alloc(32, 7)),
        messageId: 'B',
        payments: 2,
        settled: 0,
        rejected: 0,
        refused: 2,
      },
    ]
    const open = await store.placesOf(identity)
    expect(
      (await reconcileRecords(bridge, open)).map(({ place, state, reasonCode }) => `${place} ${state} ${reasonCode}`),
    ).toEqual([1, 2, 3, 4].map((place) => `${place} rejected DU01`))
    expect((await store.placesOf(identity)).map(({ state }) => state)).toEqual(Array(4).fill('rejected'))
    expect([store.held.fault(bank, 0, 2_048), store.sent.openOf(bank)]).toEqual([undefined, []])
    expect(await store.bodyOf(identity)).toBeUndefined()
    expect(await codes()).toHaveLength(2)
  })
})

describe('a UETR in messages of several payments', () => {
  it('is sent only once by two concurrent messages if the configuration requires unique UETRs', async () => {
    bridge = { ...bridge, duplicateUetr: 'refuse' }
    const [first, second] = ['4a0a0ed4-2b27-4f0e-8b4e-9a3c2f2b6f01', '4a0a0ed4-2b27-4f0e-8b4e-9a3c2f2b6f02']
    const answers = await Promise.all([
      submit(bulkMessage('B', [{ uetr: first }, { uetr: second }, {}])),
      submit(bulkMessage('C', [{ uetr: second }, { uetr: first }, {}])),
    ])
    expect(answers.map((answer) => counts(ok(answer))).sort()).toEqual(['2 RJCT, 1 ACSP', '3 ACSP'])
    expect(sent().flat()).toHaveLength(4)
  })
})

describe('a pacs.002 for several payments', () => {
  it('contains the group figures and a transaction entry for each payment', async () => {
    const view = ok(await submit(bulkMessage('B', [{}, { amount: '0' }, { amount: '2.5' }])))
    const xml = pacs002Xml(view)
    expect(xml).toContain(
      '<OrgnlMsgId>B</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId><OrgnlNbOfTxs>3</OrgnlNbOfTxs>' +
        '<OrgnlCtrlSum>12.5</OrgnlCtrlSum><GrpSts>PART</GrpSts>',
    )
    expect(xml).toContain(
      '<NbOfTxsPerSts><DtldNbOfTxs>2</DtldNbOfTxs><DtldSts>ACSP</DtldSts><DtldCtrlSum>12.5</DtldCtrlSum></NbOfTxsPerSts>',
    )
    expect(
      [...xml.matchAll(/<OrgnlEndToEndId>(E\d)<\/OrgnlEndToEndId><TxSts>(\w+)</g)].map((one) => one.slice(1)),
    ).toEqual([
      ['E1', 'ACSP'],
      ['E2', 'RJCT'],
      ['E3', 'ACSP'],
    ])
    expect(xml).toContain('<StsRsnInf><Rsn><Cd>AM01</Cd></Rsn>')
  })
})
