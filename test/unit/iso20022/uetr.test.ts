/** Payments with the UETR of an earlier payment of their submitter: logged, or refused by configuration. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BridgeContext } from '../../../src/features/iso20022/bridge/context.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../../src/features/iso20022/bridge/submission.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { formatAddress, LedgerError } from '../../../src/model/index.js'
import { P8_PARTS, pacs008 } from '../../fixtures/iso20022/messages.js'
import { accountNamed } from '../../support/executor.js'
import { FakeNode } from '../gateway/support.js'
import { bridgeOf, type FakeLedger, RESOLVED, servicesOf } from './support.js'

const bank = accountNamed('bank')
const other = accountNamed('other')
const DAY_MS = 86_400_000

let folder: string
let store: RecordStore
let node: FakeNode
let ledger: FakeLedger
let warned: unknown[]

const open = (duplicateUetr: BridgeContext['duplicateUetr']): BridgeContext =>
  bridgeOf(servicesOf(node, ledger), {
    store,
    reader: new MessageReader(),
    duplicateUetr,
    logger: { warn: (fields: unknown) => void warned.push(fields) },
  })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-uetr-'))
  store = await RecordStore.open(folder)
  node = new FakeNode()
  ledger = { resolution: RESOLVED, messages: [] }
  warned = []
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const uetrOf = (uetr: string): string =>
  P8_PARTS.PmtId.replace(/<UETR>.*<\/UETR>/, uetr === '' ? '' : `<UETR>${uetr}</UETR>`)
/** Submit a payment; returns its status or the codes of its faults. */
async function submit(bridge: BridgeContext, id: string, account = bank, PmtId = P8_PARTS.PmtId): Promise<unknown> {
  const body = Buffer.from(pacs008({ MsgId: `<MsgId>${id}</MsgId>`, PmtId }))
  const answer = await submitMessage(bridge, 'pacs008', body, { kind: 'account', account })
  if (!(answer instanceof LedgerError)) return answer.pacs002Code
  const { faults } = answer.details as { faults: readonly { code: string; reason_code: string }[] }
  return faults.map(({ code, reason_code }) => `${answer.code} ${code} ${reason_code}`)
}
const REFUSED = ['iso_invalid uetr_duplicate DU03']

describe('a second payment with the same UETR', () => {
  it('is paid, and a warning in the log lists the earlier payments', async () => {
    const bridge = open('warn')
    for (const id of ['PAY-1', 'PAY-1', 'PAY-2', 'PAY-3']) expect(await submit(bridge, id)).toBe('ACSP')
    expect(warned).toMatchObject([
      {
        message_id: 'PAY-2',
        submitter: formatAddress(bank, node.services.info.addressPrefix),
        earlier: ['pacs008 PAY-1'],
      },
      { message_id: 'PAY-3', earlier: expect.arrayContaining(['pacs008 PAY-1', 'pacs008 PAY-2']) },
    ])
  })

  it('is always rejected if the configuration requires unique UETRs', async () => {
    const bridge = open('refuse')
    expect(await submit(bridge, 'PAY-1')).toBe('ACSP')
    for (const _ of [1, 2]) expect(await submit(bridge, 'PAY-2')).toEqual(REFUSED)
    expect(node.submitted).toHaveLength(1)
    expect(await store.ofMessage('PAY-2')).toMatchObject([{ state: 'rejected', reasonCode: 'DU03' }])
    await store.close()
    store = await RecordStore.open(folder)
    expect(await submit(open('refuse'), 'PAY-3')).toEqual(REFUSED)
  })

  it('is detected even if it is sent concurrently', async () => {
    const bridge = open('refuse')
    const answers = await Promise.all(['PAY-1', 'PAY-2', 'PAY-3'].map((id) => submit(bridge, id)))
    expect(answers.filter((one) => one === 'ACSP')).toHaveLength(1)
  })

  it('is not treated as a duplicate if the submitter or the UETR differs, or the UETR is missing', async () => {
    const bridge = open('refuse')
    expect(await submit(bridge, 'PAY-1')).toBe('ACSP')
    expect(await submit(bridge, 'PAY-2', other)).toBe('ACSP')
    expect(await submit(bridge, 'PAY-3', bank, uetrOf('11111111-1111-4111-8111-111111111111'))).toBe('ACSP')
    for (const id of ['PAY-4', 'PAY-5']) expect(await submit(bridge, id, bank, uetrOf(''))).toBe('ACSP')
    expect(warned).toEqual([])
  })

  it('is not treated as a duplicate if earlier payments were rejected or pruned', async () => {
    const bridge = open('refuse')
    ledger.resolution = { ...RESOLVED, payerRefusal: 'asset_frozen' }
    expect(await submit(bridge, 'PAY-1')).toEqual(['asset_frozen asset_frozen AC06'])
    ledger.resolution = RESOLVED
    expect(await submit(bridge, 'PAY-2')).toBe('ACSP')
    const [sent] = await store.ofMessage('PAY-2')
    if (sent === undefined) throw new Error('no record')
    await store.put({ ...sent, state: 'settled' })
    expect(await submit(bridge, 'PAY-3')).toEqual(REFUSED)
    expect(await store.prune(Date.now() + DAY_MS)).toBe(3)
    expect(await submit(bridge, 'PAY-4')).toBe('ACSP')
  })
})
