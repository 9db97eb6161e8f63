/**
 * Owns the benchmark of what surrounds a ledger: saturation beside fifteen webhooks, deliveries of one that catches up, and the
 * back-fill of a warehouse. `BENCH_TRANSFERS` counts the transfers of each of the two loads.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CausewayClient, formatAddress, routes } from '../../src/client/index.js'
import { accountsOf, fundAccounts, idOf, type LoadTarget, prepareTransfers } from './load.js'
import { causeway, startNetwork, stopNetwork } from './localnet.js'
import { saturation, sleep } from './measure.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 10_000)
/** With the transfers before them a hundred thousand. */
const TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 45_000)
const WARM_TRANSFERS = Number(process.env['BENCH_WARM_TRANSFERS'] ?? 10_000)
/** All that one account may have; the last of them is the one that catches up. */
const HOOKS = 16
/** Deliveries are counted for this long, in ms. */
const COUNTED_MS = 10_000

export interface IntegrationFigures {
  readonly plainPerSecond: number
  readonly withHooksPerSecond: number
  readonly shareWithHooks: number
  readonly deliveriesPerSecond: number
  readonly backfill: {
    readonly transfers: number
    readonly seconds: number
    readonly transfersPerSecond: number
    readonly shareOfSaturation: number
    /** What `sink verify` says of the totals. */
    readonly totals: string
  }
}

/** An endpoint that takes everything and counts it. */
async function receiver() {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      count += 1
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Adds a webhook of the admin at the first node; gives its id. */
async function addHook(target: LoadTarget, url: string, account: string | undefined, from?: number): Promise<string> {
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '', signer: target.admin })
  const filter = { kind: 'Transferred', ...(account === undefined ? {} : { account }) }
  const body = { url, filters: [filter], ...(from === undefined ? {} : { from }) }
  const sent = { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }
  const { id } = (await client.json('POST', routes.webhooks.create.path, sent)) as { id: string }
  await client.close()
  return id
}

/** Fills a warehouse from the chain as it is, and compares it with the node. */
async function backfill(folder: string, gateway: string, perSecond: number): Promise<IntegrationFigures['backfill']> {
  const file = join(folder, 'warehouse.db')
  const client = new CausewayClient({ gateway })
  const { txsApproved: transfers } = await client.status()
  await client.close()
  const started = performance.now()
  await causeway('sink', 'sqlite', file, '--once', '--quiet', '--gateway', gateway)
  const seconds = (performance.now() - started) / 1_000
  const totals = (await causeway('sink', 'verify', '--file', file, '--gateway', gateway)).trim()
  const transfersPerSecond = transfers / seconds
  return { transfers, seconds, transfersPerSecond, shareOfSaturation: transfersPerSecond / perSecond, totals }
}

/** Brings a network of four up, measures, and takes it down. */
export async function benchIntegrations(): Promise<IntegrationFigures> {
  const network = await startNetwork()
  const endpoint = await receiver()
  try {
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'load')
    const warm = await prepareTransfers(target, accounts, WARM_TRANSFERS)
    const [plainLoad, hooksLoad] = [
      await prepareTransfers(target, accounts, TRANSFERS),
      await prepareTransfers(target, accounts, TRANSFERS),
    ]
    await fundAccounts(target, accounts)
    await saturation(network, warm)
    const plain = await saturation(network, plainLoad)
    // Each hears of one account, as that of a back office does.
    for (let at = 0; at < HOOKS - 1; at++) {
      const { pair } = await accounts.at(at)
      await addHook(target, endpoint.url, formatAddress(idOf(pair), target.codec.addressPrefix ?? ''))
    }
    const hooks = await saturation(network, hooksLoad)
    await addHook(target, endpoint.url, undefined, 1)
    const before = endpoint.count()
    await sleep(COUNTED_MS)
    const deliveriesPerSecond = (endpoint.count() - before) / (COUNTED_MS / 1_000)
    const perSecond = Math.max(plain.perSecond, hooks.perSecond)
    return {
      plainPerSecond: plain.perSecond,
      withHooksPerSecond: hooks.perSecond,
      shareWithHooks: hooks.perSecond / plain.perSecond,
      deliveriesPerSecond,
      backfill: await backfill(network.folder, target.gateways[1] ?? '', perSecond),
    }
  } finally {
    await stopNetwork(network)
    await endpoint.close()
  }
}
