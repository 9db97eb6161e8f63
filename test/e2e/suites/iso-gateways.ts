/** Messages at several gateways of one network: every node tells the same of them, and none waits for a payment in vain. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '../../cli/run.js'
import { bulkMessage } from '../../support/bulk-messages.js'
import { getJson, type TestNet, until } from '../localnet.js'
import { type IsoRecord, post, TODAY } from '../messages.js'

let net: TestNet

const CREDITOR = 'FR7630006000011234567890189'

/** A message between accounts that the network knows. */
const message = (id: string, amount = '10.00'): string =>
  [
    'MsgDefIdr=pacs.008.001.08',
    `MsgId=${id}`,
    `EndToEndId=E2E-${id}`,
    `InstrId=I-${id}`,
    `IntrBkSttlmAmt=${amount}`,
    'IntrBkSttlmCcy=EUR',
    `IntrBkSttlmDt=${TODAY}`,
    'DbtrAcct=DE75512108001245126199',
    `CdtrAcct=${CREDITOR}`,
    'DbtrAgt=ALPHDEFF',
    'CdtrAgt=BETAFRPP',
  ].join('\n')
async function messageFile(id: string, amount?: string): Promise<string> {
  const path = join(net.root, `${id}.txt`)
  await writeFile(path, message(id, amount))
  return path
}

const at = (gateway: number, ...words: string[]): Promise<Run> =>
  net.cli(...words, '--json', '--gateway', net.gateways[gateway] ?? '')
const statusAt = (gateway: string, id: string) => getJson<Record<string, unknown>>(gateway, `/v1/iso20022/status/${id}`)

/** Response of every gateway about a message once all of them have its block. */
const everywhere = (id: string): Promise<Record<string, unknown>[]> =>
  until(`message ${id} in a block of every node`, async () => {
    const answers = await Promise.all(net.gateways.map((gateway) => statusAt(gateway, id).catch(() => undefined)))
    const known = answers.filter((one) => one !== undefined && one['gateway'] === null)
    return known.length === answers.length ? (known as Record<string, unknown>[]) : undefined
  })

/** Messages at all gateways of a network that runs. */
export function isoGatewaySuite(network: () => TestNet): void {
  beforeAll(() => {
    net = network()
  })

  describe('a message accepted by one gateway', () => {
    it('has the same status, parties, times, hash and pacs.002 at every other gateway', async () => {
      const paid = await at(0, 'iso', 'submit', 'pacs008', await messageFile('AT-0'))
      expect([paid.code, paid.json()]).toMatchObject([0, { pacs002_code: 'ACSC', replayed: false }])
      const [first, ...others] = await everywhere('AT-0')
      expect(first).toMatchObject({
        pacs002_code: 'ACSC',
        replayed: false,
        transaction_hash: paid.json()['transaction_hash'],
      })
      for (const other of others) expect(other).toEqual(first)
      const documents = await Promise.all(
        [0, 3].map((one) => net.cli('iso', 'status', 'AT-0', '--xml', '--gateway', net.gateways[one] ?? '')),
      )
      expect(documents[1]?.stdout).toBe(documents[0]?.stdout)
    })

    it('is replayed by another gateway only when it is submitted there', async () => {
      const again = await post(net.gateways[2] ?? '', message('AT-0'))
      expect([again.status, again.json]).toMatchObject([200, { pacs002_code: 'ACSC', replayed: true }])
      expect(await statusAt(net.gateways[2] ?? '', 'AT-0')).toMatchObject({ replayed: false })
      const other = await post(net.gateways[3] ?? '', message('AT-0', '7.00'))
      expect([other.status, other.json]).toMatchObject([409, { code: 'iso_duplicate_message' }])
    })

    it('is rejected at every gateway if the ledger rejected it', async () => {
      const file = await messageFile('TOO-MUCH', '99000000.00')
      const refused = await at(1, 'iso', 'submit', 'pacs008', file)
      expect([refused.code, refused.json()]).toMatchObject([6, { pacs002_code: 'RJCT', rejection_reason_code: 'AM04' }])
      const [first, ...others] = await everywhere('TOO-MUCH')
      expect(first).toMatchObject({ pacs002_code: 'RJCT', rejection_reason_code: 'AM04', detail: 'not_enough' })
      for (const other of others) expect(other).toEqual(first)
    })

    it('is known to that gateway alone if it was refused before it was sent', async () => {
      const unbound = message('UNBOUND').replace(CREDITOR, 'GB33BUKB20201555555555')
      expect((await post(net.gateways[0] ?? '', unbound)).status).toBe(422)
      const { network_key: key } = await getJson<{ network_key: string }>(
        net.gateways[0] ?? '',
        '/v1/node/capabilities',
      )
      expect(await statusAt(net.gateways[0] ?? '', 'UNBOUND')).toMatchObject({ pacs002_code: 'RJCT', gateway: key })
      expect((await at(1, 'iso', 'status', 'UNBOUND')).json()).toMatchObject({ error: { code: 'iso_unknown_message' } })
    })
  })

  describe('a message of several payments', () => {
    const dated = (text: string): string => text.replaceAll('2026-03-02', TODAY)
    const payments = [{}, { creditor: 'GB33BUKB20201555555555' }, { amount: '2.50' }, {}]
    const body = dated(bulkMessage('BULK-1', payments, ['BtchBookg=true']))

    it('is paid except for the refused payment, and every gateway shows the same statuses', async () => {
      const path = join(net.root, 'BULK-1.txt')
      await writeFile(path, body)
      const run = await at(0, 'iso', 'submit', 'pacs008', path)
      expect([run.code, run.json()]).toMatchObject([
        6,
        { pacs002_code: 'PART', status: 'Partial', number_of_transactions: 4, replayed: false },
      ])
      const answers = await everywhere('BULK-1')
      for (const answer of answers) {
        expect(answer).toMatchObject({ pacs002_code: 'PART', body_hash: run.json()['body_hash'] })
        const transactions = answer['transactions'] as {
          place: number
          pacs002_code: string
          rejection_reason_code: string
        }[]
        expect(transactions.map((one) => `${one.place} ${one.pacs002_code} ${one.rejection_reason_code}`)).toEqual([
          '1 ACSC null',
          '2 RJCT AC03',
          '3 ACSC null',
          '4 ACSC null',
        ])
      }
      const listed = await net.cli(
        'iso',
        'status',
        'BULK-1',
        '--payments',
        '--status',
        'RJCT',
        '--gateway',
        net.gateways[3] ?? '',
      )
      expect(listed.stdout).toMatch(/^2 +RJCT +AC03/m)
      const document = await net.cli('iso', 'status', 'BULK-1', '--xml', '--gateway', net.gateways[1] ?? '')
      expect(document.stdout).toContain('<OrgnlNbOfTxs>4</OrgnlNbOfTxs>')
      expect(document.stdout.match(/<TxInfAndSts>/g)).toHaveLength(4)
    })

    it('is replayed at another gateway without repeating a payment', async () => {
      const again = await post(net.gateways[2] ?? '', body)
      expect([again.status, again.json]).toMatchObject([200, { pacs002_code: 'PART', replayed: true }])
      const other = await post(net.gateways[3] ?? '', body.replace('2.50', '2.51'))
      expect([other.status, other.json]).toMatchObject([409, { code: 'iso_duplicate_message' }])
    })

    it('is one entry of a statement if its sender asks for batch booking', async () => {
      const statement = await net.cli(
        'account',
        'statement',
        'alice@bank',
        '--format',
        'camt053',
        '--gateway',
        net.gateways[0] ?? '',
      )
      const [entry = ''] = /<Ntry><NtryRef>BULK-1<.*?<\/Ntry>/.exec(statement.stdout) ?? []
      expect(entry).toContain('<Btch><MsgId>BULK-1</MsgId><NbOfTxs>3</NbOfTxs><TtlAmt Ccy="EUR">22.5</TtlAmt>')
      expect([...entry.matchAll(/<EndToEndId>(\w+)</g)].map(([, id]) => id)).toEqual(['E1', 'E3', 'E4'])
    })

    it('may exceed the size limit of unregistered senders', async () => {
      const many = dated(
        bulkMessage(
          'BULK-2',
          Array.from({ length: 1_000 }, () => ({ amount: '0.01', more: [`RmtInf/Ustrd[1]=${'x'.repeat(140)}`] })),
        ),
      )
      expect(many.length).toBeGreaterThan(256 * 1024)
      const answer = await post(net.gateways[1] ?? '', many)
      expect([answer.status, answer.json]).toMatchObject([202, { number_of_transactions: 1_000 }])
      const settled = await until('1,000 payments settled', async () => {
        const answers = await Promise.all(
          net.gateways.map((gateway) => statusAt(gateway, 'BULK-2').catch(() => undefined)),
        )
        return answers.every((one) => one?.['pacs002_code'] === 'ACSC') ? answers : undefined
      })
      expect(settled[0]).toMatchObject({ status: 'Settled', next_cursor: '100', amount: '10' })
    })
  })

  describe('the same message at three gateways at once', () => {
    it('is settled for every waiting client by one transaction', async () => {
      const file = await messageFile('RACE-1', '3.00')
      const runs = await Promise.all([0, 1, 2].map((gateway) => at(gateway, 'iso', 'submit', 'pacs008', file)))
      expect(runs.map((run) => [run.code, run.json()['pacs002_code']])).toEqual(runs.map(() => [0, 'ACSC']))
      expect(new Set(runs.map((run) => run.json()['transaction_hash'])).size).toBe(1)
    })

    it('resolves every returned transaction hash to the transaction that paid', async () => {
      const body = message('RACE-2', '4.00')
      const answers = await Promise.all([0, 1, 2].map((gateway) => post(net.gateways[gateway] ?? '', body)))
      const hashes = [...new Set(answers.map(({ json }) => (json as IsoRecord).transaction_hash ?? ''))]
      const [settled] = await everywhere('RACE-2')
      const payer = settled?.['transaction_hash']
      expect(hashes).toContain(payer)
      for (const hash of hashes) {
        const waited = await at(3, 'tx', 'wait', hash)
        expect([waited.code, waited.json()['state']]).toEqual([0, 'approved'])
        const path = `/v1/pipeline/transactions/status?hash=${hash}`
        const { content } = await getJson<{ content: { payments: readonly { message_id: string }[] } }>(
          net.gateways[3] ?? '',
          path,
        )
        const payment = content.payments.find(({ message_id: id }) => id === 'RACE-2')
        if (hash === payer) expect(payment).toMatchObject({ outcome: 'Settled', code: null })
        else {
          expect(payment).toMatchObject({ outcome: 'Rejected', code: 'iso_duplicate_message', superseded_by: payer })
        }
      }
    })
  })
}
