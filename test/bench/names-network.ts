/** Owns the rate of plain transfers on a network whose state has 100,000 names, beside a network without names. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CausewayClient } from '../../src/client/index.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'
import {
  COMMITMENT_MIN_MS,
  commitmentOf,
  DEFAULT_POLICY,
  SUBNAMES_MAX,
} from '../../src/features/names/schema/records.js'
import { type Instruction, instruction } from '../../src/model/index.js'
import {
  accountsOf,
  fundAccounts,
  heldAccounts,
  type LoadAccounts,
  type Prepared,
  prepareTransfers,
  sealed,
} from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork } from './localnet.js'
import { saturation } from './measure.js'
import { median } from './quantile.js'

const ACCOUNTS = 2_000
/** Names with as many subnames each as a name may have. */
const PARENTS = Number(process.env['BENCH_NAMES_PARENTS'] ?? 100)
const SUBNAMES_TOGETHER = 100
const WARM_TRANSFERS = 6_000
/** Transfers of each measurement, and pairs of measurements. */
const TRANSFERS = 4_000
const PAIRS = Number(process.env['BENCH_NAMES_NETWORK_PAIRS'] ?? 12)
const SALT = Buffer.alloc(32, 1)

const labelOf = (parent: number): string => `desk${parent}`

/** Run one transaction, or several, of each of the first accounts. */
async function ofParents(
  network: BenchNetwork,
  accounts: LoadAccounts,
  lists: (parent: number, account: string) => readonly (readonly Instruction[])[],
): Promise<void> {
  const prepared: Prepared[] = []
  for (let parent = 0; parent < PARENTS; parent += 1) {
    const { id, pair } = await accounts.at(parent)
    for (const list of lists(parent, id)) prepared.push(await sealed(network.target, id, pair, list))
  }
  const { committed } = await saturation(network, prepared)
  if (committed !== prepared.length) throw new Error(`${prepared.length - committed} transactions were rejected`)
}

/** Lease a name to each of the first accounts and fill it with subnames. */
async function fillNames(network: BenchNetwork, accounts: LoadAccounts): Promise<void> {
  const { chain, domain, gateways, admin } = network.target
  const client = new CausewayClient({ gateway: gateways[0] ?? '', signer: admin })
  const policy = { ...DEFAULT_POLICY, mode: 'leased' as const }
  const { state } = await client.transactAndWait([instruction(names.setNamePolicy, { domain, policy, version: 1 })])
  await client.close()
  if (state !== 'approved') throw new Error(`the policy of names is ${state}`)
  await ofParents(network, accounts, (parent, account) => {
    const name = { domain, label: labelOf(parent) }
    const commitment = commitmentOf({ chain, account, name, owner: account, salt: SALT })
    return [[instruction(names.commitName, { commitment })]]
  })
  await sleep(COMMITMENT_MIN_MS)
  await ofParents(network, accounts, (parent, owner) => [
    [
      instruction(names.registerName, {
        domain,
        label: labelOf(parent),
        owner,
        account: owner,
        years: 1,
        salt: SALT,
        maxPrice: undefined,
      }),
    ],
  ])
  await ofParents(network, accounts, (parent, owner) =>
    Array.from({ length: SUBNAMES_MAX / SUBNAMES_TOGETHER }, (_, list) =>
      Array.from({ length: SUBNAMES_TOGETHER }, (_, at) =>
        instruction(names.createSubname, {
          parent: `${labelOf(parent)}@${domain}`,
          label: `pay${list * SUBNAMES_TOGETHER + at}`,
          owner,
          account: owner,
          expiresMs: undefined,
        }),
      ),
    ),
  )
}

/** Measure transfers per second on both networks in alternation. */
export async function benchTransfersBesideNames() {
  const networks: BenchNetwork[] = []
  try {
    const accounts = heldAccounts(accountsOf(ACCOUNTS, 'names'))
    for (const isFilled of [false, true]) {
      const network = await startNetwork()
      networks.push(network)
      await fundAccounts(network.target, accounts)
      if (isFilled) await fillNames(network, accounts)
      await saturation(network, await prepareTransfers(network.target, accounts, WARM_TRANSFERS))
    }
    const rate = async (network: BenchNetwork): Promise<number> => {
      const prepared = await prepareTransfers(network.target, accounts, TRANSFERS)
      return (await saturation(network, prepared)).perSecond
    }
    const [without, beside] = networks as [BenchNetwork, BenchNetwork]
    const pairs: { readonly without: number; readonly beside: number }[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const isFirst = pair % 2 === 0
      const first = await rate(isFirst ? without : beside)
      const second = await rate(isFirst ? beside : without)
      const [plain, named] = isFirst ? [first, second] : [second, first]
      pairs.push({ without: Math.round(plain), beside: Math.round(named) })
    }
    const ratio = median(pairs.map((one) => one.beside / one.without))
    return { names: PARENTS * (1 + SUBNAMES_MAX), pairs, ratio }
  } finally {
    for (const network of networks) await stopNetwork(network)
  }
}
