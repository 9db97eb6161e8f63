/**
 * Owns the benchmark of contracts in a network: transfers of a contract token, committed by four validators beside
 * plain ones.
 */
import { TOKEN_CODE } from '../../src/features/contracts/ledger/self-check-data.js'
import { artifactHashOf } from '../../src/features/contracts/schema/records.js'
import { type AccountId, formatAddress, type Instruction, parseAddress } from '../../src/model/index.js'
import { args, call, deploy, manifestOf, register, TOKEN } from '../support/contracts.js'
import {
  accountsOf,
  fundAccounts,
  idOf,
  type LoadAccounts,
  type LoadTarget,
  type Prepared,
  prepareTransfers,
  sealed,
  send,
  uniformPick,
} from './load.js'
import { startNetwork, stopNetwork } from './localnet.js'
import { saturation, sleep } from './measure.js'

const ACCOUNTS = Number(process.env['BENCH_ACCOUNTS'] ?? 1_000)
const TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 20_000)
const CALLS = Number(process.env['BENCH_CALLS'] ?? 10_000)
/** Share of each load that is sent before the measurement. */
const WARM = 0.3
/** Gas of a mint, and of a transfer: the measured use plus a margin for longer balances. */
const MINT_GAS = 40_000
const TRANSFER_GAS = Number(process.env['BENCH_CALL_GAS'] ?? 20_000)
/** Number of mints per transaction: below `max_teu_per_tx`. */
const MINTS_AT_ONCE = 50
const PREFIX = 'cw'

const addressed = (id: AccountId): string => formatAddress(id, PREFIX)

/** Send transactions of the administrator and wait until all of them are approved. */
async function settled(target: LoadTarget, lists: readonly (readonly Instruction[])[]): Promise<void> {
  for (const list of lists) {
    const one = await sealed(target, idOf(target.admin), target.admin, list)
    await send(target, [one], 0)
    const path = `${target.gateways[0]}/v1/explorer/transactions/${one.id}`
    for (let left = 300; (await fetch(path)).status !== 200; left -= 1) {
      if (left === 0) throw new Error('a transaction of the preparation was not committed')
      await sleep(100)
    }
  }
}

/** Deploy the token and give each account some of it; returns its address. */
async function deployToken(target: LoadTarget, accounts: LoadAccounts): Promise<AccountId> {
  const code = Buffer.from(TOKEN_CODE, 'base64')
  const manifest = manifestOf(code, TOKEN)
  const input = args(TOKEN, 'init', { digits: 2, initial: '1' })
  await settled(target, [
    [register(code, manifest)],
    [deploy(artifactHashOf(code, manifest), { domain: target.domain, input })],
  ])
  const answer = await fetch(`${target.gateways[0]}/v1/contracts/instances`)
  const { items } = (await answer.json()) as { readonly items: readonly { readonly address: string }[] }
  const token = parseAddress(items[0]?.address ?? '', PREFIX)
  if (token === undefined) throw new Error('the token is not deployed')
  const mints: Instruction[][] = []
  for (let index = 0; index < accounts.count; index += 1) {
    if (index % MINTS_AT_ONCE === 0) mints.push([])
    const to = addressed((await accounts.at(index)).id)
    const minted = args(TOKEN, 'mint', { to, amount: '1000' })
    mints.at(-1)?.push(call(token, 'mint', { input: minted, gasLimit: MINT_GAS }))
  }
  await settled(target, mints)
  return token
}

async function prepareCalls(target: LoadTarget, accounts: LoadAccounts, token: AccountId, count: number) {
  const prepared: Prepared[] = []
  const pick = uniformPick(accounts.count)
  for (let made = 0; made < count; made += 1) {
    const from = await accounts.at(pick())
    const to = addressed((await accounts.at(pick())).id)
    const input = args(TOKEN, 'transfer', { to, amount: '0.01' })
    prepared.push(
      await sealed(target, from.id, from.pair, [call(token, 'transfer', { input, gasLimit: TRANSFER_GAS })]),
    )
  }
  return prepared
}

/** Start a network of four, load it with plain transfers and then with calls, and stop it. */
export async function benchCalls() {
  const network = await startNetwork()
  try {
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'calls')
    await fundAccounts(target, accounts)
    const token = await deployToken(target, accounts)
    const measured = async (prepared: readonly Prepared[]) => {
      const warm = Math.floor(WARM * prepared.length)
      await saturation(network, prepared.slice(0, warm))
      return saturation(network, prepared.slice(warm))
    }
    const transfers = await measured(await prepareTransfers(target, accounts, TRANSFERS))
    const calls = await measured(await prepareCalls(target, accounts, token, CALLS))
    return { transfers, calls, ofPlain: calls.perSecond / transfers.perSecond }
  } finally {
    await stopNetwork(network)
  }
}
