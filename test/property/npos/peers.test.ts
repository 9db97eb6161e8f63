/** Random histories of validators that come and go: in every state the peers are those that vote, listed candidates and members, and no others. */
import { describe, expect, it } from 'vitest'
import { hasPeerRoom } from '../../../src/executor/membership.js'
import { PEERS_MAX, peerList, peers, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { instructions as parametersInstructions } from '../../../src/features/parameters/schema.js'
import { instructions as peersInstructions } from '../../../src/features/peers/schema.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import { listedCandidates } from '../../../src/features/staking/ledger/validators/lists.js'
import { hasSeat, isElected, isInSnapshot } from '../../../src/features/staking/ledger/validators/removal.js'
import { peerValidators, validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import { instruction } from '../../../src/model/definition.js'
import type { AccountId, Instruction } from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'
import {
  accountNamed,
  amount,
  bond,
  chill,
  fillRooms,
  keyOf,
  type Node,
  NposChain,
  nodeNamed,
  registrationOf,
  rotationTo,
  unbond,
  unjail,
} from '../../support/npos/chain.js'
import { faultOf } from '../../support/npos/model.js'

const SEEDS = slice(4, 16)
const BLOCKS = 160
const NODES = 9
const SPARE = 4
const MAX_VALIDATORS = 4
const ADMIN = accountNamed('admin')

/** Fault of the peers of a state; undefined if there is none. */
function peerFault({ state }: NposChain, accounts: readonly AccountId[]): string | undefined {
  const list = state.get(peerList, SINGLETON_KEY) ?? []
  if (list.length > PEERS_MAX) return `${list.length} peers`
  const networkKeys = new Set(list.map((key) => state.get(peers, key)?.networkKey))
  if (networkKeys.has(undefined)) return 'a listed peer has no record'
  if (networkKeys.size !== list.length) return 'two peers have one network key'
  for (const key of list) {
    const account = state.get(peerValidators, key)
    if (account === undefined || state.get(peers, key)?.role === 'validator') continue
    const isListed = state.get(stakes, account)?.slot !== undefined
    if (!isListed && !hasSeat(state, account) && !isInSnapshot(state, account)) return `${key} is a peer for nothing`
  }
  const isPeer = (account: AccountId): boolean => state.has(peers, state.get(validators, account)?.peer ?? '')
  const candidates = [...listedCandidates(state)].map(([, { account }]) => account)
  if (!candidates.every(isPeer)) return 'a candidate is no peer'
  const members = accounts.filter((account) => hasSeat(state, account) || isElected(state, account))
  return members.every(isPeer) ? undefined : 'a member is no peer'
}

function act(
  random: Random,
  chain: NposChain,
  nodes: readonly Node[],
  spare: readonly Node[],
): readonly [AccountId, Instruction] {
  const node = random.pick(nodes)
  const sum = BigInt(1 + random.below(9_000))
  const acts: readonly (() => readonly [AccountId, Instruction])[] = [
    () => [node.account, bond(sum)],
    () => [node.account, bond(sum)],
    () => [node.account, unbond(sum)],
    () => [node.account, registrationOf(node.account, node, 0)],
    () => [node.account, registrationOf(node.account, node, 0)],
    () => [node.account, rotationTo(chain, node.account, random.pick(spare))],
    () => [node.account, chill],
    () => [node.account, unjail],
    () => [node.account, unjail],
    () => [ADMIN, instruction(peersInstructions.unregisterPeer, { peer: keyOf(node), force: true })],
    () => [
      ADMIN,
      instruction(parametersInstructions.setParameter, { name: 'min_peer_bond', value: String(random.below(4_000)) }),
    ],
    () => [
      ADMIN,
      instruction(staking.stageMode, {
        nextMode: random.chance(0.6) ? 'npos' : 'permissioned',
        modeActivationHeight: chain.height + 7 + random.below(20),
        force: true,
      }),
    ],
  ]
  return random.pick(acts)()
}

async function history(
  seed: number,
): Promise<{ readonly fault: string | undefined; readonly done: ReadonlySet<string> }> {
  const nodes = await Promise.all(Array.from({ length: NODES }, (_, index) => nodeNamed(`p${index}`)))
  const spare = await Promise.all(Array.from({ length: SPARE }, (_, index) => nodeNamed(`spare ${index}`)))
  const random = randomOf(seed, 'peers')
  const chain = new NposChain({
    validators: nodes.slice(0, 6).map((node) => ({ node, bond: BigInt(4_000 + random.below(5_000)) })),
    registered: nodes.slice(0, 2),
    holders: nodes.slice(6).map(({ name }) => name),
    grants: ['CanManagePeers'],
    parameters: { max_validators: MAX_VALIDATORS, max_candidates: 6, min_self_bond: amount(100n) },
  })
  if (random.chance(0.5)) fillRooms(chain, random.pick([0, 1, 2 * MAX_VALIDATORS, 2 * MAX_VALIDATORS + 2]))
  const done = new Set<string>()
  for (let block = 0; block < BLOCKS; block += 1) {
    if (random.chance(0.05)) chain.asleep.add(random.pick(nodes).account)
    if (random.chance(0.1)) chain.asleep.clear()
    const acts = Array.from({ length: random.below(3) }, () => act(random, chain, nodes, spare))
    const run = chain.block(acts.map(([authority, instruction]) => chain.tx(authority, instruction)))
    const broken = [...run.rejections.values()].find(({ code }) => code === 'executor_fault')
    const accounts = [ADMIN, ...nodes.map(({ account }) => account)]
    const fault = broken?.code ?? peerFault(chain, accounts) ?? faultOf(chain, accounts)
    if (fault !== undefined) return { fault: `seed ${seed} height ${chain.height}: ${fault}`, done }
    for (const [place, [, { kind }]] of acts.entries()) if (!run.rejections.has(place)) done.add(kind)
    if (!hasPeerRoom(chain.state)) done.add('full')
    if ((calendarOf(chain.state)?.epoch ?? 0) > 2) done.add('epochs')
  }
  return { fault: undefined, done }
}

describe('random histories of joining and leaving validators', () => {
  it(`keep every candidate and member as a peer, and no unneeded peers, in ${SEEDS} seeds`, async () => {
    const met = new Set<string>()
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { fault, done } = await history(seed)
      expect(fault).toBeUndefined()
      for (const one of done) met.add(one)
    }
    // Histories that never meet these prove nothing about them.
    for (const one of [
      'registerValidator',
      'chillValidator',
      'unjailValidator',
      'rotateValidatorKey',
      'unregisterPeer',
      'epochs',
      'full',
    ]) {
      expect(met).toContain(one)
    }
  })
})
