/** Owns the rate of ballots on a network beside the rate of transfers: the same accounts, in alternating rounds. */
import { readLocalnet } from '../../src/cli/settings/localnet-record.js'
import { CausewayClient } from '../../src/client/index.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as gov } from '../../src/features/gov/schema/instructions.js'
import { referendumRoute } from '../../src/features/gov/schema/routes.js'
import { instructions as parameters } from '../../src/features/parameters/schema.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { type Instruction, instruction } from '../../src/model/index.js'
import { accountsOf, fundAccounts, idOf, type LoadTarget, type Prepared, prepareTransfers, sealed } from './load.js'
import { type BenchNetwork, startNetwork, stopNetwork } from './localnet.js'
import { saturation } from './measure.js'
import { median } from './quantile.js'

const VOTERS = Number(process.env['BENCH_VOTERS'] ?? 2_700)
/** Rounds of ballots, each on a separate vote: as many as one account may propose. */
const ROUNDS = 2
/** Members of the board, and the number of votes that each one gives away: most of the 1,000 of the template. */
const MEMBERS = ['alice', 'bob', 'carol']
const VOTES_OF_MEMBER = 900
/** Transfers per transaction. */
const TOGETHER = 50
/** Track of the template `governance-4` whose electorate holds an asset. */
const TRACK = 2
const VOTE = 'vote#bank'
const ONE = { mantissa: 1n, scale: 0 }

type Accounts = ReturnType<typeof accountsOf>

/** One transaction of each account. */
async function ofEach(target: LoadTarget, accounts: Accounts, make: () => Instruction): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (let index = 0; index < accounts.count; index += 1) {
    const { id, pair } = await accounts.at(index)
    prepared.push(await sealed(target, id, pair, [make()]))
  }
  return prepared
}

/** Have the members of the board give each account a vote, which it locks. */
async function lockVotes(network: BenchNetwork, accounts: Accounts): Promise<void> {
  const { target } = network
  const { accounts: held = [] } = (await readLocalnet(network.folder)) ?? {}
  const gifts: Prepared[] = []
  for (let first = 0; first < accounts.count; first += TOGETHER) {
    const member = held.find(({ name }) => name === MEMBERS[Math.floor(first / VOTES_OF_MEMBER)])
    if (member === undefined) throw new Error('the local network has no member of the board with votes left')
    const key = await readKeyFile(member.keyFile)
    const list: Instruction[] = []
    for (let index = first; index < Math.min(first + TOGETHER, accounts.count); index += 1) {
      const asset = { definition: VOTE, account: idOf(key) }
      list.push(instruction(assets.transfer, { asset, to: (await accounts.at(index)).id, amount: ONE }))
    }
    gifts.push(await sealed(target, idOf(key), key, list))
  }
  await saturation(network, gifts)
  const locks = await ofEach(target, accounts, () => instruction(gov.lockVotes, { definition: VOTE, amount: ONE }))
  const { committed } = await saturation(network, locks)
  if (committed !== accounts.count) throw new Error(`${accounts.count - committed} locks were rejected`)
}

/** Propose a change and return the number and digest of its vote. */
async function propose(client: CausewayClient, proposal: number) {
  const list = [instruction(parameters.setParameter, { name: 'fee_sponsorship', value: proposal % 2 === 0 })]
  const fields = { track: TRACK, title: 'Fees', summary: '', link: undefined, instructions: list, peer: undefined }
  const { state, rejection } = await client.transactAndWait([instruction(gov.submitProposal, fields)])
  if (state !== 'approved') throw new Error(`the proposal is ${rejection?.code ?? state}`)
  const { digest } = await client.route(referendumRoute, { params: { id: proposal } })
  return { proposal, digest }
}

/** Run the rounds; rates in transactions per second. */
export async function benchBallots() {
  const network = await startNetwork('--manifest', 'governance-4')
  try {
    const { target } = network
    const accounts = accountsOf(VOTERS, 'voters')
    await fundAccounts(target, accounts)
    await lockVotes(network, accounts)
    // Only electors can propose.
    const client = new CausewayClient({ gateway: target.gateways[0] ?? '', signer: (await accounts.at(0)).pair })
    await saturation(network, await prepareTransfers(target, accounts, VOTERS))
    const rounds: { readonly transfers: number; readonly ballots: number }[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const vote = await propose(client, round)
      const cast = { ...vote, choice: 'aye', amount: ONE, conviction: 0, peer: undefined } as const
      const ballots = await ofEach(target, accounts, () => instruction(gov.castBallot, cast))
      const transfers = await prepareTransfers(target, accounts, VOTERS)
      const [plain, voted] = [await saturation(network, transfers), await saturation(network, ballots)]
      if (voted.committed !== VOTERS) throw new Error(`${VOTERS - voted.committed} ballots were rejected`)
      rounds.push({ transfers: plain.perSecond, ballots: voted.perSecond })
    }
    await client.close()
    return { locks: VOTERS, rounds, ratio: median(rounds.map(({ transfers, ballots }) => ballots / transfers)) }
  } finally {
    await stopNetwork(network)
  }
}
