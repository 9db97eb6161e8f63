/**
 * Owns the benchmark of integrations: saturation beside fifteen webhooks, deliveries of one that catches up, and the
 * back-fill of a warehouse. `BENCH_TRANSFERS`: transfers of each of the four loads.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CausewayClient, formatAddress, routes } from '../../src/client/index.js'
import {
  accountsOf,
  fundAccounts,
  idOf,
  type LoadAccounts,
  type LoadTarget,
  type Prepared,
  prepareTransfers,
} from './load.js'
import { causeway, startNetwork, stopNetwork } from './localnet.js'
import { saturation, sleep } from './measure.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 10_000)
/** A hundred thousand with the transfers before them. */
const TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 22_500)
const WARM_TRANSFERS = Number(process.env['BENCH_WARM_TRANSFERS'] ?? 10_000)
/** Maximum webhooks of one account; the last of them catches up. */
const HOOKS = 16
/** Time for which deliveries are counted, in ms. */
const COUNTED_MS = 10_000
/** True for loads beside webhooks: a longer chain costs more, so both kinds have the same mean position. */
const LOADS_WITH_HOOKS = [false, true, true, false]

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
    /** Totals of `sink verify`. */
    readonly totals: string
  }
}

/** Endpoint that accepts and counts all deliveries. */
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

/** Add a webhook of the admin at the first node; returns its id. */
async function addHook(
  client: CausewayClient,
  url: string,
  account: string | undefined,
  from?: number,
): Promise<string> {
  const filter = { kind: 'Transferred', ...(account === undefined ? {} : { account }) }
  const body = { url, filters: [filter], ...(from === undefined ? {} : { from }) }
  const sent = { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }
  const { id } = (await client.json('POST', routes.webhooks.create.path, sent)) as { id: string }
  return id
}

/** Run work while webhooks of one account each, as in back offices, receive events. */
async function besideHooks<T>(
  target: LoadTarget,
  accounts: LoadAccounts,
  url: string,
  run: () => Promise<T>,
): Promise<T> {
  const client = new CausewayClient({ gateway: target.gateways[0] ?? '', signer: target.admin })
  const ids: string[] = []
  for (let at = 0; at < HOOKS - 1; at++) {
    const { pair } = await accounts.at(at)
    ids.push(await addHook(client, url, formatAddress(idOf(pair), target.codec.addressPrefix ?? '')))
  }
  const ran = await run()
  for (const id of ids) await client.json('DELETE', routes.webhooks.remove.path.replace('{id}', id))
  await client.close()
  return ran
}

/** Fill a warehouse from the current chain, and compare it with the node. */
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

/** Start a network of four, measure, and stop it. */
export async function benchIntegrations(): Promise<IntegrationFigures> {
  const network = await startNetwork()
  const endpoint = await receiver()
  try {
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'load')
    const warm = await prepareTransfers(target, accounts, WARM_TRANSFERS)
    const loads: Prepared[][] = []
    for (const _ of LOADS_WITH_HOOKS) loads.push(await prepareTransfers(target, accounts, TRANSFERS))
    await fundAccounts(target, accounts)
    await saturation(network, warm)
    const plain = { committed: 0, seconds: 0 }
    const hooks = { committed: 0, seconds: 0 }
    for (const [at, withHooks] of LOADS_WITH_HOOKS.entries()) {
      const load = () => saturation(network, loads[at] ?? [])
      const { committed, perSecond } = withHooks
        ? await besideHooks(target, accounts, endpoint.url, load)
        : await load()
      const sum = withHooks ? hooks : plain
      sum.committed += committed
      sum.seconds += committed / perSecond
    }
    const [plainPerSecond, withHooksPerSecond] = [plain.committed / plain.seconds, hooks.committed / hooks.seconds]
    const client = new CausewayClient({ gateway: target.gateways[0] ?? '', signer: target.admin })
    await addHook(client, endpoint.url, undefined, 1)
    await client.close()
    const before = endpoint.count()
    await sleep(COUNTED_MS)
    const deliveriesPerSecond = (endpoint.count() - before) / (COUNTED_MS / 1_000)
    return {
      plainPerSecond,
      withHooksPerSecond,
      shareWithHooks: withHooksPerSecond / plainPerSecond,
      deliveriesPerSecond,
      backfill: await backfill(network.folder, target.gateways[1] ?? '', Math.max(plainPerSecond, withHooksPerSecond)),
    }
  } finally {
    await stopNetwork(network)
    await endpoint.close()
  }
}
