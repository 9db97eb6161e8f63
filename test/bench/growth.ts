/**
 * Owns the benchmarks of size and time: a million accounts beside ten thousand, memory after minutes at saturation, and
 * catching up.
 */
import { CausewayClient } from '../../src/client/index.js'
import { accountsOf, fundAccounts, prepareTransfers, uniformPick, zipfPick } from './load.js'
import { killPeer, restartPeer, startNetwork, stopNetwork, usageOf } from './localnet.js'
import { saturation, sleep, wallMs } from './measure.js'

const MANY = Number(process.env['BENCH_MANY_ACCOUNTS'] ?? 1_000_000)
const FEW = 10_000
const TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 30_000)
const ZIPF_EXPONENT = 0.9
/** Seconds at saturation before memory is read. */
const SOAK_SECONDS = Number(process.env['BENCH_SOAK_SECONDS'] ?? 600)
/** Transfers prepared and sent at once during the soak. */
const SOAK_BATCH = 20_000

/** Throughput by the number of accounts in the state. */
export async function benchAccounts() {
  const network = await startNetwork()
  try {
    const { target } = network
    const all = accountsOf(MANY, 'load')
    const few = accountsOf(FEW, 'load')
    await fundAccounts(target, all, { from: 0, to: FEW })
    // The first load of a fresh process compiles its code, so it is not counted.
    await saturation(network, await prepareTransfers(target, few, SOAK_BATCH / 2))
    const small = await saturation(network, await prepareTransfers(target, few, TRANSFERS))
    await fundAccounts(target, all, { from: FEW, to: MANY })
    const uniform = await saturation(network, await prepareTransfers(target, all, TRANSFERS, uniformPick(MANY)))
    const zipf = await saturation(
      network,
      await prepareTransfers(target, all, TRANSFERS, zipfPick(MANY, ZIPF_EXPONENT)),
    )
    return {
      accounts: [FEW, MANY],
      perSecond: { few: small.perSecond, uniform: uniform.perSecond, zipf: zipf.perSecond },
      uniformShare: uniform.perSecond / small.perSecond,
      zipfShare: zipf.perSecond / small.perSecond,
    }
  } finally {
    await stopNetwork(network)
  }
}

/** Memory per node after a long load; then a node that missed the last part of it catches up. */
export async function benchSoak() {
  const network = await startNetwork()
  try {
    const { target, peers } = network
    const accounts = accountsOf(FEW, 'load')
    await fundAccounts(target, accounts)
    const started = wallMs()
    let committed = 0
    while (wallMs() - started < SOAK_SECONDS * 1_000) {
      committed += (await saturation(network, await prepareTransfers(target, accounts, SOAK_BATCH))).committed
    }
    const memory = await Promise.all(peers.map(usageOf))
    const late = peers[3]
    if (late === undefined) throw new Error('a network of four')
    const behind = await prepareTransfers(target, accounts, SOAK_BATCH)
    await killPeer(late)
    const gateways = target.gateways.slice(0, 3)
    const live = await saturation({ ...network, target: { ...target, gateways } }, behind)
    const catchUp = await timeToCatchUp(gateways[0] ?? '', late.gateway, () => restartPeer(late))
    const perSecond = live.committed / catchUp.seconds
    return {
      soak: {
        seconds: SOAK_SECONDS,
        committed,
        anonymousMib: memory.map((one) => one.anonymousMib),
        rssMib: memory.map((one) => one.rssMib),
      },
      catchUp: { ...catchUp, perSecond, timesLive: perSecond / live.perSecond },
    }
  } finally {
    await stopNetwork(network)
  }
}

/** Seconds from the first response of a restarted node until it has all blocks, and the number of missed blocks. */
async function timeToCatchUp(leader: string, late: string, restart: () => Promise<void>) {
  const ahead = new CausewayClient({ gateway: leader })
  const { blocks: goal } = await ahead.status()
  await ahead.close()
  await restart()
  const client = new CausewayClient({ gateway: late })
  const from = (await client.status()).blocks
  const started = wallMs()
  while ((await client.status()).blocks < goal) await sleep(20)
  const seconds = (wallMs() - started) / 1_000
  await client.close()
  return { blocks: goal - from, seconds }
}
