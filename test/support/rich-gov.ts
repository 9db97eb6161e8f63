/** Owns random requests about governance on a rich chain with three electorates, most of which succeed. */
import { stateOf } from '../../src/features/gov/ledger/account.js'
import { lastCouncil } from '../../src/features/gov/ledger/council.js'
import { electorOfPeer, rosterPeers } from '../../src/features/gov/ledger/electorates.js'
import { contents, locks, namespaces, referenda, seals } from '../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../src/features/gov/schema/instructions.js'
import type { CouncilSubject, Track } from '../../src/features/gov/schema/records.js'
import { allOf } from '../../src/features/upgrades/ledger.js'
import { type AccountId, type Instruction, instruction } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import * as core from './core.js'
import { keysIn } from './nodes.js'
import type { Asked } from './rich.js'

/** Chain state for the requests. */
export interface GovWorld {
  readonly random: Random
  readonly state: Overlay
  readonly now: () => number
  readonly height: () => number
  readonly admin: AccountId
  readonly people: readonly AccountId[]
}

const ROLE = 'electors'
const BALLOT = 'ballot#bank'
const track = (more: Partial<Track>): Track => ({
  name: 'track',
  scope: ['*'],
  electorate: { kind: 'validators', value: undefined },
  early: true,
  quorumBps: 1_000,
  approvalBps: 5_000,
  deposit: undefined,
  minLock: undefined,
  leadMs: 0,
  votingMs: 10_000,
  lateMs: 2_000,
  timelockMs: 1_000,
  graceMs: 600_000,
  stepMs: 60_000,
  places: 16,
  ...more,
})
const TRACKS = [
  { id: 0, track: track({ electorate: { kind: 'role', value: { role: ROLE } } }) },
  {
    id: 1,
    track: track({ scope: ['asset'], electorate: { kind: 'asset', value: { definition: BALLOT } }, quorumBps: 1 }),
  },
  { id: 2, track: track({ scope: ['log', 'parameter'], leadMs: 3_000 }) },
]

/** Generators by instruction kind. */
export function govMakers({ random, state, now, height, admin, people }: GovWorld) {
  const { pick } = random
  const amount = (most: number) => ({ mantissa: BigInt(1 + random.below(most)), scale: 0 })
  const isFounded = (): boolean => stateOf(state) !== undefined
  const peer = () => pick(rosterPeers(state, height()))
  const accountOf = (key: string): AccountId => electorOfPeer(state, key) ?? admin
  const open = () => {
    const found = (stateOf(state)?.open ?? []).map(({ proposal }) => proposal)
    const number = found.length === 0 ? 1 : pick(found)
    const row = state.get(referenda, number)
    return row && { number, row }
  }
  const numbered = (verb: 'finalizeProposal' | 'enactProposal'): Asked | undefined => {
    const found = open()
    return found && [pick(people), instruction(gov[verb], { proposal: found.number })]
  }
  const list = (): Instruction[] =>
    pick([
      () => [core.log('decided')],
      () => [{ kind: 'setParameter', value: { name: 'block_time_ms', value: 1_000 } }],
      () => [core.mint(pick(people), 5n, BALLOT)],
      () => [core.log('decided'), core.transfer(admin, pick(people), 1n, BALLOT)],
    ])()
  const subject = (): CouncilSubject =>
    random.chance(0.8)
      ? { kind: 'veto', value: { proposal: open()?.number ?? 1, forfeit: random.chance(0.5) } }
      : { kind: 'admit', value: { agenda: 'AC-2026-1' } }
  return {
    foundGovernance: (): Asked | undefined =>
      isFounded() && random.chance(0.8)
        ? undefined
        : [
            admin,
            ...(isFounded()
              ? []
              : [
                  core.registerDefinition(BALLOT),
                  ...people.map((id) => core.mint(id, 1_000n, BALLOT)),
                  core.registerRole(ROLE),
                  ...people.map((id) => core.roleOf('grant', ROLE, id)),
                  instruction(gov.sealRole, { role: ROLE, members: people }),
                ]),
            instruction(gov.foundGovernance, { domain: 'bank', tracks: TRACKS, vetoBps: 5_000 }),
          ],
    setTrack: (): Asked => [
      admin,
      instruction(gov.setTrack, {
        id: 3 + random.below(2),
        track: track({ scope: ['log'], places: 1 + random.below(16) }),
      }),
    ],
    removeTrack: (): Asked => [admin, instruction(gov.removeTrack, { id: 3 + random.below(2) })],
    sealRole: (): Asked => {
      const role = `sealed${random.below(3)}`
      const members = [pick(people)]
      const made = [core.registerRole(role), ...members.map((id) => core.roleOf('grant', role, id))]
      return [admin, ...(state.has(seals, role) ? [] : made), instruction(gov.sealRole, { role, members })]
    },
    setElector: (): Asked => {
      const key = peer()
      return [
        accountOf(key),
        instruction(gov.setElector, { peer: key, account: random.chance(0.3) ? undefined : pick(people) }),
      ]
    },
    lockVotes: (): Asked => [pick(people), instruction(gov.lockVotes, { definition: BALLOT, amount: amount(100) })],
    withdrawVotes: (): Asked => {
      const found = keysIn(state, locks)
      const key = found.length === 0 ? { definition: BALLOT, account: pick(people) } : pick(found)
      const part = random.chance(0.5) ? undefined : amount(20)
      return [key.account, instruction(gov.withdrawVotes, { definition: key.definition, amount: part })]
    },
    submitProposal: (): Asked => {
      const id = random.below(3)
      const key = id === 2 ? peer() : undefined
      const texts = { title: 'Title', summary: 'Summary', link: undefined }
      const value = { track: id, ...texts, instructions: list(), peer: key }
      return [key === undefined ? pick(people) : accountOf(key), instruction(gov.submitProposal, value)]
    },
    castBallot: (): Asked | undefined => {
      const found = open()
      if (found === undefined) return undefined
      const { number, row } = found
      const { kind } = row.rules.electorate
      const key = kind === 'validators' ? peer() : undefined
      const more = { amount: undefined, conviction: kind === 'asset' ? random.below(7) : 0, peer: key }
      const digest = state.get(contents, number)?.digest ?? Buffer.alloc(32)
      const choice = pick(['aye', 'aye', 'nay', 'abstain'] as const)
      const by = key === undefined ? pick(people) : accountOf(key)
      return [by, instruction(gov.castBallot, { proposal: number, digest, choice, ...more })]
    },
    withdrawProposal: (): Asked | undefined => {
      const found = open()
      return found && [found.row.proposer, instruction(gov.withdrawProposal, { proposal: found.number })]
    },
    cancelProposal: (): Asked | undefined => {
      const found = open()
      return found && [admin, instruction(gov.cancelProposal, { proposal: found.number, forfeit: random.chance(0.5) })]
    },
    finalizeProposal: () => numbered('finalizeProposal'),
    enactProposal: () => numbered('enactProposal'),
    attestAbi: (): Asked => {
      const key = peer()
      const manifest = allOf(state).at(-1)?.manifest
      const abi = manifest?.abiVersion ?? 5
      return [
        accountOf(key),
        instruction(gov.attestAbi, { peer: key, abi, hash: manifest?.abiHash ?? Buffer.alloc(32) }),
      ]
    },
    activateReadyUpgrade: (): Asked | undefined => {
      const found = allOf(state).findLast(({ status }) => status === 'proposed')
      return found && random.chance(0.3)
        ? [pick(people), instruction(gov.activateReadyUpgrade, { id: found.id })]
        : undefined
    },
    appointCouncil: (): Asked => {
      const members = people.map((account) => ({ account, weight: 1 + random.below(3) }))
      return [admin, instruction(gov.appointCouncil, { members, untilMs: now() + 60_000 })]
    },
    councilVote: (): Asked => {
      const members = lastCouncil(state)?.council.members ?? []
      const by = members.length === 0 ? pick(people) : pick(members).account
      return [by, instruction(gov.councilVote, { subject: subject() })]
    },
    setProtectedNamespaces: (): Asked => {
      const [add, remove] = state.has(namespaces, 'meet') ? [[], ['meet']] : [['meet'], []]
      return [admin, instruction(gov.setProtectedNamespaces, { add, remove })]
    },
    approveDeployment: (): Asked => {
      const value = { kind: pick(['contract', 'package'] as const), domain: 'meet', name: pick(['a', 'b']) }
      const approved = { ...value, digest: Buffer.alloc(32, random.below(3)), abiHash: undefined }
      return [admin, instruction(gov.approveDeployment, { ...approved, ttlMs: pick([0, 1_000, 60_000]) })]
    },
  }
}
