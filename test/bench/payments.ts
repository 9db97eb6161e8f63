/** Owns the benchmark of payment messages from end to end: posted at gateways, settled as another gateway sees it. */
import { fork } from 'node:child_process'
import { loadavg } from 'node:os'
import { readLocalnet } from '../../src/cli/settings/localnet-record.js'
import { CausewayClient } from '../../src/client/index.js'
import { instructions as iso } from '../../src/features/iso20022/schema/instructions.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { type Instruction, instruction } from '../../src/model/index.js'
import { ibanOf } from '../fixtures/iso20022/ibans.js'
import { accountsOf, fundAccounts, idOf, type LoadAccounts, sealed } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork } from './localnet.js'
import { commitTimes, sleep } from './measure.js'
import { loadKinds } from './payment-loads.js'
import type { PaymentLoad, PaymentsSent } from './payment-sender.js'
import { quantile } from './quantile.js'
import { threadsOf } from './threads.js'

/** Debtors and creditors, drawn alike. */
const ACCOUNTS = 1_000
/** Requests under way together. */
const CONNECTIONS = 64
/** Payments before the figures: the compiler needs a while. */
const WARM_PAYMENTS = Number(process.env['BENCH_WARM_PAYMENTS'] ?? 4_000)
const WARM_BULK_PAYMENTS = 6_000
const PAYMENTS = Number(process.env['BENCH_PAYMENTS'] ?? 10_000)
/** Payments of one message of the bulk figures. */
const BULK = 100
/** Payments a second of the latency figures, and their duration. */
const RATES = (process.env['BENCH_RATES'] ?? '200').split(',').filter(Boolean).map(Number)
const SECONDS = 15
/** Loads as fast as they are answered, and how often each is measured: code is compiled for a long time. */
const LOADS = loadKinds(process.env['BENCH_PAYMENT_LOADS'])
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2)
/** Payments of a latency figure that are looked up. */
const SAMPLES = 500
/** IBANs that one preparing transaction binds. */
const BOUND_AT_ONCE = 250

/** What one load came to. */
export interface PaymentFigures {
  readonly load: string
  readonly accepted: number
  readonly refused: number
  readonly seconds: number
  readonly perSecond: number
  readonly answerP50Ms: number
  readonly answerP99Ms: number
  /** From the request to the commit at another gateway; of loads at a rate. */
  readonly settledP50Ms?: number
  readonly settledP99Ms?: number
  /** Mean number of payments that shared a transaction, and that a block made. */
  readonly perTransaction: number
  readonly perBlock: number
  /** Processor time of all nodes and of the loader for each payment, in ms; of nodes by thread. */
  readonly nodesMsPerPayment: number
  readonly loaderMsPerPayment: number
  readonly threads: Readonly<Record<string, number>>
}

/** Binds an IBAN to every account, and lets the bridge debit them. */
async function prepare(network: BenchNetwork, accounts: LoadAccounts): Promise<void> {
  const { target } = network
  await fundAccounts(target, accounts)
  const net = await readLocalnet(network.folder)
  const bridge = net?.accounts.find((account) => account.name === 'bridge')
  if (bridge === undefined) throw new Error('the local network has no bridge')
  const bridgeId = idOf(await readKeyFile(bridge.keyFile))
  const all: Instruction[] = [
    instruction(permissions.grant, {
      subject: { kind: 'permission', value: { name: 'CanTransfer', object: target.definition } },
      to: { kind: 'account', value: bridgeId },
    }),
  ]
  for (let index = 0; index < accounts.count; index += 1) {
    all.push(instruction(iso.bindIban, { iban: ibanOf(index), account: (await accounts.at(index)).id }))
  }
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '' })
  for (let from = 0; from < all.length; from += BOUND_AT_ONCE) {
    const { id, bytes } = await sealed(target, idOf(target.admin), target.admin, all.slice(from, from + BOUND_AT_ONCE))
    await client.submitTransaction(bytes)
    await client.waitTransaction(id)
  }
  await client.close()
}

/** Sends a load from a process of its own. */
async function send(load: PaymentLoad): Promise<PaymentsSent> {
  const child = fork(new URL('./payment-sender.js', import.meta.url).pathname, [])
  const sent = new Promise<PaymentsSent>((resolve, reject) => {
    child.once('message', (message) => resolve(message as PaymentsSent))
    child.once('exit', (code) => reject(new Error(`the sender of payments ended with ${code}`)))
  })
  child.send(load)
  return sent
}

/** Codes of messages whose payments are all decided, since none of the load is held or refused. */
const FINAL: ReadonlySet<string> = new Set(['ACSC', 'RJCT', 'PART'])

/** Waits until another gateway says of the last messages that they are final. */
async function settled(client: CausewayClient, ids: readonly string[]): Promise<void> {
  for (const id of ids.slice(-CONNECTIONS)) {
    for (;;) {
      const record = await client.isoStatus(id, {}).catch(() => undefined)
      if (FINAL.has(String(record?.pacs002_code))) break
      await sleep(10)
    }
  }
}

/** From the request to the commit, of samples. */
async function settlementTimes(network: BenchNetwork, sent: PaymentsSent): Promise<number[]> {
  const observer = network.peers[1]
  if (observer === undefined) throw new Error('a network of four')
  const seen = await commitTimes(observer)
  const client = new CausewayClient({ gateway: observer.gateway })
  const step = Math.max(1, Math.floor(sent.accepted.length / SAMPLES))
  const times: number[] = []
  for (let at = 0; at < sent.accepted.length; at += step) {
    const [id, sentMs] = sent.accepted[at] ?? ['', 0]
    const record = await client.isoStatus(id, {})
    const hash = record['transaction_hash']
    if (record['pacs002_code'] !== 'ACSC' || typeof hash !== 'string') continue
    const { height } = await client.transactionStatus(hash)
    const committed = height === undefined ? undefined : seen.get(height)
    if (committed !== undefined) times.push(committed - sentMs)
  }
  await client.close()
  return times
}

let loads = 0

async function measured(
  network: BenchNetwork,
  load: string,
  how: Pick<PaymentLoad, 'gateways' | 'count' | 'perMessage' | 'rate'>,
): Promise<PaymentFigures> {
  loads += 1
  const observer = new CausewayClient({ gateway: network.peers.at(-1)?.gateway ?? '' })
  const [statusBefore, before] = [await observer.status(), await threadsOf(network.peers)]
  const started = performance.now()
  const sent = await send({ ...how, accounts: ACCOUNTS, connections: CONNECTIONS, name: `L${loads}` })
  await settled(
    observer,
    sent.accepted.map(([id]) => id),
  )
  const seconds = (performance.now() - started - sent.preparedMs) / 1_000
  const [after, statusAfter] = [await threadsOf(network.peers), await observer.status()]
  await observer.close()
  const payments = sent.accepted.length * how.perMessage
  const threads: Record<string, number> = {}
  let nodes = 0
  for (const [name, time] of after) {
    const used = time - (before.get(name) ?? 0)
    nodes += used
    threads[name] = round((used * 1_000) / payments)
  }
  const times = how.rate === 0 ? undefined : await settlementTimes(network, sent)
  return {
    load,
    accepted: sent.accepted.length,
    refused: sent.refused,
    seconds: round(seconds),
    perSecond: Math.round(payments / seconds),
    answerP50Ms: round(quantile(sent.answerMs, 0.5)),
    answerP99Ms: round(quantile(sent.answerMs, 0.99)),
    ...(times === undefined
      ? {}
      : { settledP50Ms: round(quantile(times, 0.5)), settledP99Ms: round(quantile(times, 0.99)) }),
    perTransaction: round(payments / (statusAfter.txsApproved - statusBefore.txsApproved)),
    perBlock: round(payments / (statusAfter.blocks - statusBefore.blocks)),
    nodesMsPerPayment: round((nodes * 1_000) / payments),
    loaderMsPerPayment: round(sent.cpuMs / payments),
    threads,
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

export async function benchPayments() {
  const network = await startNetwork('--log-level', 'info')
  try {
    await prepare(network, accountsOf(ACCOUNTS, 'payments'))
    const { gateways } = network.target
    const one = gateways.slice(0, 1)
    await measured(network, 'warm', { gateways, count: WARM_PAYMENTS, perMessage: 1, rate: 0 })
    // Bulk messages are read, queued and executed by other code, which would be compiled during the figure.
    if (LOADS.includes('bulk')) {
      const count = Math.ceil(WARM_BULK_PAYMENTS / BULK)
      await measured(network, 'warm bulk', { gateways, count, perMessage: BULK, rate: 0 })
    }
    const bulk = Math.ceil(PAYMENTS / BULK)
    const figures: PaymentFigures[] = []
    const kinds = {
      bulk: { load: `${BULK} a message`, gateways, count: bulk, perMessage: BULK },
      four: { load: 'four gateways', gateways, count: PAYMENTS, perMessage: 1 },
      one: { load: 'one gateway', gateways: one, count: PAYMENTS, perMessage: 1 },
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of LOADS) {
        const { load, ...how } = kinds[kind]
        figures.push(await measured(network, load, { ...how, rate: 0 }))
      }
    }
    for (const rate of RATES) {
      figures.push(
        await measured(network, `${rate}/s, four gateways`, { gateways, count: rate * SECONDS, perMessage: 1, rate }),
      )
    }
    return { figures, loadAverage: loadavg() }
  } finally {
    await stopNetwork(network)
  }
}
