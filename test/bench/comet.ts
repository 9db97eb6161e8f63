/**
 * Owns the comparison with CometBFT: four validators of each on this machine, one after the other, if its program is
 * installed.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type CometFigures, loadComet, startComet } from './comet-network.js'
import { accountsOf, fundAccounts, prepareTransfers } from './load.js'
import { startNetwork, stopNetwork } from './localnet.js'
import { saturation } from './measure.js'
import { latency, WARM_SECONDS } from './network.js'

const run = promisify(execFile)
const PROGRAM = process.env['CAUSEWAY_BENCH_COMETBFT'] ?? 'cometbft'
const ACCOUNTS = 10_000
const WARM_TRANSFERS = Number(process.env['BENCH_WARM_TRANSFERS'] ?? 15_000)
const TRANSFERS = Number(process.env['BENCH_TRANSFERS'] ?? 30_000)
const LATENCY_SECONDS = 10
const SATURATION_SECONDS = { warm: 5, measured: 20 }

/** Saturation of a network of this ledger, and latency at half of it. */
async function ours() {
  const network = await startNetwork()
  try {
    const { target } = network
    const accounts = accountsOf(ACCOUNTS, 'comet')
    const warm = await prepareTransfers(target, accounts, WARM_TRANSFERS)
    const transfers = await prepareTransfers(target, accounts, TRANSFERS)
    await fundAccounts(target, accounts)
    await saturation(network, warm)
    const { perSecond } = await saturation(network, transfers)
    const rate = Math.floor(perSecond / 2)
    const load = await prepareTransfers(target, accounts, rate * (WARM_SECONDS + LATENCY_SECONDS))
    return { perSecond, rate, atHalf: await latency(network, load, rate) }
  } finally {
    await stopNetwork(network)
  }
}

/** Saturation of a CometBFT network, and latency at the rate of this ledger. */
async function theirs(timeoutCommit: string | undefined, rate: number) {
  const network = await startComet(PROGRAM, timeoutCommit)
  try {
    const most = await loadComet(network, undefined, SATURATION_SECONDS)
    const atRate: CometFigures = await loadComet(network, rate, { warm: WARM_SECONDS, measured: LATENCY_SECONDS })
    return { perSecond: most.perSecond, atRate }
  } finally {
    await network.stop()
  }
}

/** Signed transfers of this ledger beside unsigned puts of CometBFT; or the reason why the comparison is impossible. */
export async function benchComet() {
  const version = await run(PROGRAM, ['version']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
  if (version === undefined) {
    const how = 'put cometbft 0.38 on the PATH, or its path into CAUSEWAY_BENCH_COMETBFT'
    return { notRun: `there is no program ${PROGRAM}: ${how}` }
  }
  const own = await ours()
  const byDefault = await theirs(undefined, own.rate)
  const withoutWaiting = await theirs('0s', own.rate)
  return {
    version,
    own,
    comet: { byDefault, timeoutCommit0: withoutWaiting },
    share: own.perSecond / withoutWaiting.perSecond,
  }
}
