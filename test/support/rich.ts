/**
 * Owns a chain with objects for every family of instructions, and a generator of instructions for each kind of the newest ABI, most of
 * which succeed.
 */

import { systemAccount } from '../../src/executor/index.js'
import { chainInfo, consensusKeys, peerList, SINGLETON_KEY } from '../../src/executor/tables.js'
import { ABI_2 } from '../../src/features/abi.js'
import { calls, manifests, participants, relays } from '../../src/features/conference/ledger/tables.js'
import { instructions as conferenceInstructions } from '../../src/features/conference/schema/instructions.js'
import { instructions as contractInstructions } from '../../src/features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../src/features/contracts/schema/records.js'
import { instructions as domainInstructions } from '../../src/features/domains/schema.js'
import { claimKey, instructions as iso } from '../../src/features/iso20022/schema/instructions.js'
import { instructions as laneInstructions } from '../../src/features/lanes/schema/instructions.js'
import { spaceManifests } from '../../src/features/spaces/ledger/tables.js'
import { calendarOf } from '../../src/features/staking/ledger/epochs/calendar.js'
import { stagedModes } from '../../src/features/staking/ledger/epochs/tables.js'
import { slashes } from '../../src/features/staking/ledger/slashing/tables.js'
import { stakes } from '../../src/features/staking/ledger/stake/tables.js'
import { validators } from '../../src/features/staking/ledger/validators/tables.js'
import { allOf } from '../../src/features/upgrades/ledger.js'
import { latestLanes } from '../../src/lanes/index.js'
import { accountObject } from '../../src/ledger/permission-kinds.js'
import { controls, domains, nfts } from '../../src/ledger/tables.js'
import { verifyingKeys } from '../../src/ledger/verifying-keys.js'
import {
  type AccountId,
  type DataEvent,
  type Instruction,
  instruction,
  multisigAccount,
  NO_METADATA,
  type Target,
} from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import { popOf } from './chain.js'
import * as meet from './conference.js'
import * as contract from './contracts.js'
import * as core from './core.js'
import { accountNamed, type Bench } from './executor.js'
import { laneSpecOf, updateLanes } from './lanes.js'
import { keysIn } from './nodes.js'
import * as npos from './npos/chain.js'
import { govMakers } from './rich-gov.js'
import { ministryMakers } from './rich-ministry.js'
import { nameMakers } from './rich-names.js'
import { registryMakers } from './rich-registry.js'
import { repoMakers } from './rich-repo.js'
import { bars, rwaMakers } from './rich-rwas.js'
import { subscriptionMakers } from './rich-subscriptions.js'
import { BOTH, DEPOT, publish, SPACES } from './spaces.js'

/** Owner of all genesis objects, with every permission of the chain. */
export const ADMIN = npos.accountNamed('admin')
const [p0, p1, p2, p3] = ['alice', 'bob', 'carol', 'dave'].map(accountNamed) as [
  AccountId,
  AccountId,
  AccountId,
  AccountId,
]
export const PEOPLE = [p0, p1, p2, p3]
const GOLD = 'gold#bank'
/** Domain of a restricted dataspace without accounts. */
export const SAFE = 'safe#depot'
export const PAIR = core.policyOf(
  [
    [p0, 1],
    [p1, 1],
  ],
  2,
)
export const pair = multisigAccount(PAIR)
const NODES = 16
/** Nodes with stake in genesis. */
const STAKED = 5
const MEET = { kind: 'domain', value: 'meet' } as const

// Contract that stores, emits events, and calls.
const INPUT = 1_024
const code = contract.handwritten({
  init: [],
  put: [
    ...contract.host('input', INPUT, 0, 8_192),
    contract.DROP,
    ...contract.host('state_set', INPUT, 1, INPUT + 1, 1),
    contract.DROP,
  ],
  take: [...contract.host('input', INPUT, 0, 8_192), contract.DROP, ...contract.host('event', INPUT, 1, INPUT, 1)],
})
const manifest = contract.manifestOf(code, [
  contract.entry('init', 'init'),
  contract.entry('put'),
  contract.entry('take', 'public', {}, { payable: true }),
])

/** Authority and instructions of a request. */
export type Asked = readonly [by: AccountId, ...list: Instruction[]]
type Maker = () => Asked | undefined

/** Instructions that take some 50 ms to verify. */
export const SLOW: ReadonlySet<string> = new Set([
  'registerPeer',
  'rotateConsensusKey',
  'registerValidator',
  'rotateValidatorKey',
  'acceptRelayEnvelope',
])

export class RichChain {
  readonly makers: Readonly<Record<string, Maker>>
  /** Generated ids from events. */
  readonly proposals: Uint8Array[] = []
  readonly contracts: AccountId[] = []
  private fresh = 0

  private constructor(
    readonly chain: npos.NposChain,
    private readonly random: Random,
    private readonly nodes: readonly npos.Node[],
  ) {
    this.makers = this.all()
  }

  static async begin(random: Random, parameters: Readonly<Record<string, unknown>>): Promise<RichChain> {
    const nodes = await Promise.all(Array.from({ length: NODES }, (_, at) => npos.nodeNamed(`v${at}`)))
    const globals = [...ABI_2.permissions.values()].filter(({ on }) => on === undefined).map(({ name }) => name)
    const chain = new npos.NposChain({
      name: meet.CHAIN,
      abi: ABI_2,
      validators: nodes.slice(0, STAKED).map((node) => ({ node, bond: 20_000n, commissionBps: 500 })),
      nominators: [{ name: 'n0', bond: 5_000n, targets: ['v0', 'v1'] }],
      holders: nodes.slice(STAKED).map(({ name }) => name),
      grants: globals.filter((name) => name !== 'CanSetParameters'),
      parameters: {
        min_self_bond: npos.amount(500n),
        min_nomination_bond: npos.amount(2n),
        reward_per_epoch: npos.amount(1_000n),
        slashing_delay_blocks: 5,
        ...parameters,
      },
      extra: [
        core.registerDomain('meet'),
        ...PEOPLE.map((id, at) => core.registerAccount(id, `p${at}`)),
        core.registerDefinition(GOLD),
        core.registerDefinition('free#bank'),
        core.registerNft('art$bank'),
        core.registerRole('clerk', [], [p1]),
        core.registerMultisig(PAIR),
        core.registerMultisig(core.policyOf([[p0, 1]], 1)),
        ...[ADMIN, ...PEOPLE, pair, ...nodes.map(({ account }) => account)].map((id) =>
          core.mint(id, 10n ** 12n, GOLD),
        ),
        ...[...PEOPLE, pair].map((id) => core.mint(id, 10n ** 9n, npos.STAKE)),
        ...[...PEOPLE, pair].map((id) => core.permission('grant', 'CanWatchEvents', undefined, id)),
        core.registerTrigger('tick', p0, core.BY_CALL, [core.log('tick')]),
        meet.registerKey('roster'),
        meet.registerKey('usage'),
        meet.create({ name: 'c0' }),
        meet.create({ name: 'c1', gasRatePerMinute: 5n }),
        instruction(contractInstructions.registerContract, { code, manifest }),
        BOTH,
        updateLanes({ add: [laneSpecOf(1, { dataspace: DEPOT }), laneSpecOf(2, { dataspace: 9n })] }),
        instruction(domainInstructions.registerDomain, { id: 'depot', dataspace: DEPOT, metadata: NO_METADATA }),
        core.registerDefinition(SAFE),
        ...[...PEOPLE, pair].map((id) => core.mint(id, 10n ** 9n, SAFE)),
        core.permission('grant', 'CanPublishManifests', '7', ADMIN),
        ...bars(PEOPLE),
      ],
    })
    return new RichChain(chain, random, nodes)
  }

  /** Record ids from an event. */
  record({ kind, value }: DataEvent): void {
    const fields = value as Record<string, unknown>
    if (kind === 'proposalCreated') this.proposals.push(fields.proposal as Uint8Array)
    if (kind === 'contractDeployed') this.contracts.push(fields.address as AccountId)
  }

  /** Accounts of every kind. */
  get everyAccount(): readonly AccountId[] {
    const operator = this.nodes.map((node) => node.operator)
    return [
      ...[ADMIN, ...PEOPLE, pair, multisigAccount(core.policyOf([[p0, 1]], 1))],
      ...this.nodes.map(({ account }) => account),
      ...[...operator, ...this.contracts.slice(-3)],
      ...[systemAccount('staking'), systemAccount('conference'), systemAccount('gov'), accountNamed('nobody')],
    ]
  }

  /** Transaction with an instruction of a kind; undefined if no sensible request is possible. */
  ask(kind: string): Asked | undefined {
    return this.makers[kind]?.()
  }

  private number(): number {
    this.fresh += 1
    return this.fresh
  }

  private all(): Record<string, Maker> {
    const { random, chain, nodes } = this
    const { state } = chain
    const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
    const person = (): AccountId => pick(PEOPLE)
    const anyAccount = (): AccountId => pick(this.everyAccount)
    const amount = (most = 50) => npos.amount(BigInt(1 + random.below(most)))
    const node = () => pick(nodes)
    /** Usually an item of a list; another value if it is empty. */
    const oneOf = <T>(items: readonly T[], other: () => T): T =>
      items.length > 0 && random.chance(0.9) ? pick(items) : other()
    /** Node whose key is not active anywhere. */
    const spare = () =>
      oneOf(
        nodes.filter((of) => !state.has(consensusKeys, npos.keyOf(of))),
        node,
      )
    const validator = (): AccountId => oneOf(keysIn(state, validators), () => node().account)
    const unbonding = (): AccountId =>
      oneOf(
        keysIn(state, stakes).filter((of) => (state.get(stakes, of)?.unbonding.length ?? 0) > 0),
        staked,
      )
    const id = (of: string) => `${of}${random.chance(0.2) ? this.number() : random.below(3)}`
    const now = () => chain.timeMs
    const next = () => chain.height + 1
    const one = (by: AccountId, kind: string, value: unknown): Asked => [by, { kind, value }]
    const ownerOf = (domain: string): AccountId => state.get(domains, domain)?.owner ?? ADMIN
    const definition = (): string => pick([GOLD, GOLD, GOLD, 'free#bank', 'free#bank', 'coin0#bank', SAFE, SAFE])
    const leg = (from: AccountId, to: AccountId) => ({ asset: core.balance(from, GOLD), to, amount: amount() })
    const target = (): Target =>
      pick<Target>([
        MEET,
        { kind: 'account', value: p0 },
        { kind: 'definition', value: GOLD },
        { kind: 'nft', value: 'art$bank' },
        { kind: 'trigger', value: 'tick' },
      ])
    const ownerOfTarget = ({ kind, value }: Target): AccountId =>
      kind === 'account' || kind === 'trigger' ? p0 : kind === 'domain' ? ownerOf(value) : ADMIN
    const signed = (name: string) => meet.keyFor(name)
    const peer = (): string => pick([...(state.get(peerList, SINGLETON_KEY) ?? [npos.keyOf(nodes[0] as npos.Node)])])
    const peerOf = (of: npos.Node) => ({
      key: npos.keyOf(of),
      pop: popOf(of.bls),
      networkKey: Buffer.from(of.network.publicKey.bytes).toString('latin1'),
      addresses: ['a.example:1'],
      role: pick(['validator', 'observer']),
    })
    const stored = (by: AccountId): Instruction[] =>
      Array.from({ length: 1 + random.below(2) }, () =>
        pick([
          () => core.log('x'),
          () => core.transfer(by, person(), 1n, GOLD),
          () => core.setKey({ kind: 'account', value: by }, 'k', random.below(9)),
          () => instruction(laneInstructions.settlePvp, { id: id('s'), first: leg(by, p2), second: leg(by, p3) }),
          () => core.callTrigger(id('t')),
        ])(),
      )
    const upgrade = (status: string) => allOf(state).findLast((known) => known.status === status)
    const relay = () => pick([p2, p3])
    const conference = (): string =>
      oneOf(
        keysIn(state, calls).filter((of) => state.get(calls, of)?.status === 'active'),
        () => `meet:${id('c')}`,
      )
    const hostOf = (of: string): AccountId => state.get(calls, of)?.host ?? ADMIN
    const hops = () => [p0, p1, p2, p3].filter((known) => state.has(relays, known)).map((known) => meet.hop(known))
    const bench = { state } as unknown as Bench
    const calendar = () => calendarOf(state)
    const staked = (): AccountId => pick([...nodes.map(({ account }) => account), p0, p1, npos.accountNamed('n0')])
    const filter = () =>
      pick([
        () => core.BY_CALL,
        () => core.every(now() + 500 + random.below(3_000), pick([undefined, 1_000, 5_000])),
        () => core.onData(pick(['asset', 'account', 'metadata']), { kind: 'any', value: undefined }),
        () => ({ kind: 'preCommit', value: undefined }) as const,
      ])()
    const submitter = (): AccountId => pick([p2, p3])
    const vkFor = (name: string) => ({ ...meet.registerKey('roster', { name }) })
    return {
      ...govMakers({ random, state, now, height: () => chain.height, admin: ADMIN, people: PEOPLE }),
      ...nameMakers({ random, state, chain: chain.name, now, admin: ADMIN, people: PEOPLE, asset: GOLD }),
      ...repoMakers({ random, state, now, admin: ADMIN, people: PEOPLE, cash: GOLD, collateral: npos.STAKE }),
      ...subscriptionMakers({ random, state, now, people: PEOPLE, asset: GOLD }),
      ...ministryMakers({ random, state, admin: ADMIN, people: PEOPLE }),
      ...registryMakers({ random, state, admin: ADMIN, people: PEOPLE, domain: 'bank' }),
      ...rwaMakers({ random, state, now, admin: ADMIN, people: PEOPLE, cash: GOLD }),
      registerDomain: () =>
        one(ADMIN, 'registerDomain', { id: id('shop'), dataspace: undefined, metadata: NO_METADATA }),
      unregisterDomain: () => {
        const of = id('shop')
        return [ownerOf(of), core.unregister('Domain', of)]
      },
      registerAccount: () => [
        ADMIN,
        core.registerAccount(accountNamed(id('new')), random.chance(0.5) ? id('l') : undefined),
      ],
      unregisterAccount: () => {
        const account = accountNamed(id('new'))
        return [pick([account, ADMIN]), core.unregister('Account', account)]
      },
      setLabel: () => {
        const account = person()
        return one(account, 'setLabel', { account, label: random.chance(0.5) ? id('l') : undefined })
      },
      registerAssetDefinition: () =>
        one(ADMIN, 'registerAssetDefinition', {
          id: `${id('coin')}#bank`,
          scale: pick([undefined, 0, 2, 28]),
          mintable: pick([
            { kind: 'infinitely', value: undefined },
            { kind: 'once', value: undefined },
            { kind: 'not', value: undefined },
            { kind: 'limited', value: 2 },
          ]),
          metadata: NO_METADATA,
        }),
      unregisterAssetDefinition: () => [ADMIN, core.unregister('AssetDefinition', `${id('coin')}#bank`)],
      mint: () => one(ADMIN, 'mint', { asset: core.balance(anyAccount(), definition()), amount: amount() }),
      burn: () => {
        const by = person()
        return one(by, 'burn', { asset: core.balance(by, definition()), amount: amount(3) })
      },
      transfer: () => {
        const by = person()
        return one(by, 'transfer', { asset: core.balance(by, definition()), to: anyAccount(), amount: amount(3) })
      },
      transferBatch: () => {
        const by = person()
        const transfers = Array.from({ length: 1 + random.below(4) }, () => leg(by, pick([p0, p1, p2, p3, ADMIN])))
        return one(by, 'transferBatch', { transfers: transfers.filter(({ to }) => to !== by) })
      },
      registerNft: () => [ADMIN, core.registerNft(`${id('n')}$bank`)],
      unregisterNft: () => {
        const nft = `${id('n')}$bank`
        return [state.get(nfts, nft)?.owner ?? ADMIN, core.unregister('Nft', nft)]
      },
      transferOwnership: () => {
        const nft = `${id('n')}$bank`
        return [state.get(nfts, nft)?.owner ?? ADMIN, core.passOn('nft', nft, pick([ADMIN, p0]))]
      },
      setKeyValue: () => {
        const of = target()
        return [ownerOfTarget(of), core.setKey(of, `k${random.below(3)}`, pick([1, 'x', [1, { a: null }], null]))]
      },
      removeKeyValue: () => {
        const of = target()
        return [ownerOfTarget(of), core.removeKey(of, `k${random.below(3)}`)]
      },
      registerRole: () => [ADMIN, core.registerRole(id('r'), [], [p1])],
      unregisterRole: () => [ADMIN, core.unregister('Role', id('r'))],
      grant: () =>
        pick([
          (): Asked => [p1, core.roleOf('grant', pick(['clerk', id('r')]), person())],
          (): Asked => [p0, core.permission('grant', 'CanTransferAsset', `${GOLD}#${accountObject(p0)}`, person())],
          (): Asked => [p2, core.permission('grant', 'CanClaimMessages', accountObject(p2), p3)],
          (): Asked => [ADMIN, core.permission('grant', 'CanRecordSettlement', '0', pick([ADMIN, p0]))],
          (): Asked => [ADMIN, core.permission('grant', 'CanManageContractAlias', 'bank', person())],
        ])(),
      revoke: () =>
        pick([
          (): Asked => [p1, core.roleOf('revoke', 'clerk', person())],
          (): Asked => [p0, core.permission('revoke', 'CanTransferAsset', `${GOLD}#${accountObject(p0)}`, person())],
        ])(),
      registerTrigger: () => {
        const by = person()
        return [by, core.registerTrigger(id('t'), by, filter(), stored(by), pick([undefined, 1, 3]))]
      },
      unregisterTrigger: () => [person(), core.unregister('Trigger', id('t'))],
      changeRepeats: () => [person(), core.changeRepeats(id('t'), pick([undefined, 2, 7]), random.chance(0.7))],
      executeTrigger: () => [p0, core.callTrigger(pick(['tick', id('t')]))],
      setParameter: () => {
        const [name, value] = pick<[string, unknown]>([
          ['block_time_ms', 1_000],
          ['max_teu_per_tx', 4_000_000],
          ['key_overlap_blocks', 10],
          ['conference_roster_vk', { backend: 'sigma-ristretto255', name: 'roster' }],
          ['conference_usage_vk', { backend: 'sigma-ristretto255', name: 'usage' }],
          ['reward_per_epoch', '7'],
          ['slashing_delay_blocks', 1 + random.below(20)],
          ['max_validators', 4 + random.below(20)],
        ])
        return one(ADMIN, 'setParameter', { name, value })
      },
      registerMultisig: () =>
        random.chance(0.3)
          ? [
              p0,
              core.propose(
                pair,
                core.replacePolicy(
                  pair,
                  core.policyOf(
                    [
                      [p0, 1],
                      [p1, 1],
                    ],
                    1 + random.below(2),
                  ),
                ),
              ),
            ]
          : [
              ADMIN,
              core.registerMultisig(core.policyOf([[person(), 1 + random.below(3)]], 1, 10_000 + random.below(500))),
            ],
      propose: () => [pick([p0, p1]), core.propose(pair, ...stored(pair))],
      approve: () => {
        const proposal = this.proposals.at(-1 - random.below(3))
        return proposal && [pick([p0, p1]), core.approve(pair, proposal)]
      },
      cancel: () => {
        const proposal = this.proposals.at(-1 - random.below(3))
        return proposal && [pick([p0, p1]), core.cancel(pair, proposal)]
      },
      setFreeze: () =>
        one(ADMIN, 'setFreeze', {
          asset: core.balance(pick([p3, anyAccount()]), 'free#bank'),
          frozen: random.chance(0.5),
          reason: random.chance(0.3) ? 'why' : undefined,
        }),
      setBlacklist: () =>
        one(ADMIN, 'setBlacklist', {
          asset: core.balance(pick([p3, anyAccount()]), 'free#bank'),
          blacklisted: !(state.get(controls, core.balance(p3, 'free#bank'))?.blacklisted ?? false),
        }),
      setLimits: () =>
        one(ADMIN, 'setLimits', {
          asset: core.balance(person(), GOLD),
          limits: pick([[], [{ window: 'day', cap: amount(100_000) }]]),
        }),
      sponsorFees: () =>
        one(person(), 'sponsorFees', {
          beneficiary: pick<unknown>([
            { kind: 'account', value: person() },
            { kind: 'domain', value: 'bank' },
          ]),
          terms: random.chance(0.7)
            ? { maxPerTx: amount(10_000), maxPerDay: amount(100_000), expiresMs: pick([undefined, now() + 60_000]) }
            : undefined,
        }),
      setAdmission: () => {
        const of = pick(['bank', 'meet'])
        return one(ownerOf(of), 'setAdmission', {
          domain: of,
          policy: {
            mode: pick(['explicit', 'implicit']),
            maxPerTx: 16,
            maxPerBlock: 64,
            minimum: random.chance(0.2) ? amount(2) : undefined,
            defaultRole: undefined,
          },
        })
      },
      proposeUpgrade: () => {
        const startHeight = next() + 1 + random.below(6)
        return one(ADMIN, 'proposeUpgrade', {
          manifest: {
            name: id('u'),
            description: 'an upgrade',
            abiVersion: 5 + random.below(3),
            abiHash: Buffer.alloc(32, 4),
            startHeight,
            endHeight: startHeight + 1 + random.below(20),
          },
        })
      },
      activateUpgrade: () => {
        const found = upgrade('proposed')
        // A decided one blocks every other, so it is rare.
        return found && random.chance(0.3) ? one(ADMIN, 'activateUpgrade', { id: found.id }) : undefined
      },
      cancelUpgrade: () => {
        const found = upgrade('proposed')
        return found && one(ADMIN, 'cancelUpgrade', { id: found.id })
      },
      log: () => [anyAccount(), core.log('x')],
      registerPeer: () => one(ADMIN, 'registerPeer', { peer: peerOf(spare()), force: random.chance(0.5) }),
      unregisterPeer: () => one(ADMIN, 'unregisterPeer', { peer: peer(), force: random.chance(0.5) }),
      rotateConsensusKey: () => {
        const fresh = spare()
        return one(ADMIN, 'rotateConsensusKey', {
          peer: peer(),
          newKey: npos.keyOf(fresh),
          pop: popOf(fresh.bls),
          activeFrom: undefined,
        })
      },
      disableConsensusKey: () =>
        one(ADMIN, 'disableConsensusKey', {
          key: pick([peer(), ...nodes.map(npos.keyOf).filter((key) => state.has(consensusKeys, key))]),
          force: random.chance(0.5),
        }),
      createConference: () => {
        const isPrivate = random.chance(0.5)
        const name = id(isPrivate ? 'p' : 'c')
        if (isPrivate && random.chance(0.5)) return [ADMIN, meet.privately({ admissionKeys: [signed('alice')] })]
        return [ADMIN, (isPrivate ? meet.privately : meet.create)({ name, gasRatePerMinute: 5n, maxParticipants: 9 })]
      },
      joinConference: () =>
        random.chance(0.5)
          ? [person(), meet.join({ call: conference() })]
          : this.provably(() => [p0, meet.privateJoin(bench, 'alice', p0, random.below(2))]),
      leaveConference: () => {
        const { account, call } = oneOf(keysIn(state, participants), () => ({ account: p0, call: conference() }))
        return random.chance(0.5)
          ? [account, meet.leave({ call })]
          : this.provably(() => [p0, meet.privateLeave(bench, 'alice', p0)])
      },
      recordConferenceUsage: () => {
        const call = conference()
        return [hostOf(call), meet.use(60_000n, BigInt(random.below(7)), { call })]
      },
      endConference: () => {
        const call = conference()
        return [hostOf(call), instruction(conferenceInstructions.endConference, { call, endedAtMs: undefined })]
      },
      setConferenceRelayManifest: () => {
        const call = conference()
        const relayManifest = random.chance(0.8) ? { hops: hops(), expiryMs: now() + 60_000 } : undefined
        return one(hostOf(call), 'setConferenceRelayManifest', { call, relayManifest })
      },
      registerConferenceRelay: () => {
        const by = person()
        return [by, meet.registerRelay(by)]
      },
      setConferenceRelayAllowList: () =>
        one(ownerOf('meet'), 'setConferenceRelayAllowList', { domain: 'meet', relays: pick([undefined, PEOPLE]) }),
      reportConferenceRelayHealth: () => {
        const call = oneOf(keysIn(state, manifests), conference)
        const fields = state.get(manifests, call)?.hops.map(({ relayId }) => relayId) ?? []
        const reported = { call, reportedAtMs: now(), status: pick(['healthy', 'degraded']) }
        return [hostOf(call), meet.report(oneOf(fields, relay), reported)]
      },
      admitConferenceMembers: () =>
        one(ADMIN, 'admitConferenceMembers', {
          call: `meet:${random.chance(0.3) ? 'daily' : id('p')}`,
          keys: [signed(pick(['alice', 'bob', 'carol'])), signed(`m${random.below(20)}`)],
        }),
      postConferenceSignal: () => {
        const call = conference()
        return [hostOf(call), meet.sendSignal('hello', { call })]
      },
      registerContract: () => {
        const name = id('made')
        return one(pick([ADMIN, p0]), 'registerContract', { code, manifest: { ...manifest, name } })
      },
      deployContract: () => [
        ADMIN,
        contract.deploy(artifactHashOf(code, manifest), { alias: random.chance(0.3) ? `${id('a')}@bank` : undefined }),
      ],
      deactivateContract: () => {
        const address = this.contracts.at(-1 - random.below(4))
        return address === undefined ? undefined : one(ADMIN, 'deactivateContract', { address, reason: 'old' })
      },
      removeContractArtifact: () => {
        const name = id('made')
        return one(pick([ADMIN, p0]), 'removeContractArtifact', {
          artifact: artifactHashOf(code, { ...manifest, name }),
        })
      },
      bindContractAlias: () => {
        const address = this.contracts.at(-1 - random.below(4))
        return address === undefined
          ? undefined
          : one(ADMIN, 'bindContractAlias', { alias: `${id('a')}@bank`, address })
      },
      releaseContractAlias: () => one(ADMIN, 'releaseContractAlias', { alias: `${id('a')}@bank` }),
      contractCall: () => {
        const address = this.contracts.at(-1 - random.below(4))
        if (address === undefined) return undefined
        const name = pick(['put', 'take'])
        const attach = name === 'take' && random.chance(0.7) ? [{ definition: GOLD, amount: amount(3) }] : []
        return [person(), contract.call(address, name, { input: Buffer.of(random.below(4), 7), attach })]
      },
      bindIban: () =>
        one(ADMIN, 'bindIban', { iban: pick(['GB29NWBK60161331926819', 'DE89370400440532013000']), account: p1 }),
      unbindIban: () => one(ADMIN, 'unbindIban', { iban: pick(['GB29NWBK60161331926819', 'DE89370400440532013000']) }),
      bindCurrency: () => one(ADMIN, 'bindCurrency', { currency: pick(['USD', 'EUR']), definition: definition() }),
      unbindCurrency: () => one(ADMIN, 'unbindCurrency', { currency: pick(['USD', 'EUR']) }),
      setSubmitter: () =>
        one(ADMIN, 'setSubmitter', {
          submitter: submitter(),
          bics: ['DEUTDEFF'],
          debtor: pick<unknown>([
            { kind: 'domain', value: 'bank' },
            { kind: 'accounts', value: [p2, p3] },
          ]),
          limits: pick([[], [{ definition: GOLD, perPayment: amount(100_000), perDay: undefined }]]),
        }),
      claimMessage: () => {
        const by = submitter()
        const messageId = id('m')
        const details = {
          currency: 'USD',
          settlementDate: '2026-01-01',
          instructionId: undefined,
          endToEndId: 'e',
          senderTransactionId: undefined,
          uetr: undefined,
          changes: [],
        }
        const value = {
          submitter: by,
          family: 'pacs008' as const,
          messageId,
          details,
          idHash: claimKey(by, 'pacs008', messageId),
          bodyHash: Buffer.alloc(32, 1),
        }
        return [by, instruction(iso.claimMessage, value), core.transfer(by, by === p2 ? p3 : p2, 1n, GOLD)]
      },
      updateLanes: () => {
        const known = latestLanes(state).lanes
        const lane = known.find((of) => of.id > 0 && of.state === 'active')?.id
        const change = pick<object>([
          { add: [laneSpecOf(known.length, { settlement: random.chance(0.5) ? ['*'] : [] })] },
          { retire: lane === undefined ? [] : [lane] },
          { relabel: [{ lane: lane ?? 0, alias: id('lane') }] },
        ])
        return one(ADMIN, 'updateLanes', { add: [], retire: [], relabel: [], ...change })
      },
      setRoutingPolicy: () => {
        const { policy, lanes } = latestLanes(state)
        const lane = pick(lanes.filter((of) => of.state === 'active')).id
        const rule = { lane, scope: undefined, account: { kind: 'account', value: person() }, instruction: undefined }
        return one(ADMIN, 'setRoutingPolicy', {
          policy: { version: policy.version + 1, defaultLane: 0, rules: random.chance(0.5) ? [rule] : [] },
        })
      },
      setDataspaces: () => {
        const plain = { faultTolerance: 1, relayers: [] }
        const more = { ...plain, id: 11n + BigInt(random.below(3)), alias: id('d'), restricted: random.chance(0.5) }
        return one(ADMIN, 'setDataspaces', { dataspaces: random.chance(0.5) ? SPACES : [...SPACES, more] })
      },
      settleDvp: () => {
        const by = person()
        const to = pick(PEOPLE.filter((of) => of !== by))
        return one(by, 'settleDvp', { id: id('s'), delivery: leg(by, to), payment: leg(by, to) })
      },
      settlePvp: () => {
        const by = person()
        const to = pick(PEOPLE.filter((of) => of !== by))
        return one(by, 'settlePvp', { id: id('s'), first: leg(by, to), second: leg(by, to) })
      },
      recordSettlement: () => {
        const due = amount()
        return one(pick([ADMIN, p0]), 'recordSettlement', {
          lane: 0,
          receipt: {
            localDefinition: GOLD,
            localAmount: amount(),
            unitDefinition: GOLD,
            unitDue: due,
            unitAfterHaircut: due,
            unitVariance: npos.amount(0n),
          },
          swap: random.chance(0.5)
            ? undefined
            : {
                epsilonBps: 5,
                twapWindowSeconds: 60,
                liquidityProfile: 'tier1',
                twapLocalPerUnit: amount(),
                volatilityClass: 'stable',
              },
        })
      },
      setRelayAnchor: () =>
        one(ADMIN, 'setRelayAnchor', {
          chainHash: Buffer.alloc(32, random.below(2)),
          height: random.below(3),
          committeeHash: random.chance(0.6) ? Buffer.alloc(32, 9) : undefined,
        }),
      stageMode: () =>
        one(ADMIN, 'stageMode', {
          nextMode: state.get(chainInfo, SINGLETON_KEY)?.consensusMode === 'npos' ? 'permissioned' : 'npos',
          modeActivationHeight: next() + 8 + random.below(20),
          force: random.chance(0.7),
        }),
      cancelMode: () => (state.has(stagedModes, '') ? one(ADMIN, 'cancelMode', {}) : undefined),
      bondStake: () => [staked(), npos.bond(BigInt(1 + random.below(3_000)))],
      rebondStake: () => [unbonding(), npos.rebond(BigInt(1 + random.below(20)))],
      unbondStake: () => [staked(), npos.unbond(BigInt(1 + random.below(60)))],
      withdrawStake: () => [unbonding(), npos.withdraw],
      nominateValidators: () => [
        pick([p0, p1, npos.accountNamed('n0')]),
        npos.nominate(...new Set([node(), node()].map(({ account }) => account))),
      ],
      registerValidator: () => {
        const of = pick(nodes.slice(STAKED))
        return [of.account, npos.bond(2_000n), npos.registrationOf(of.account, of, 100, chain.name)]
      },
      updateValidator: () =>
        one(node().account, 'updateValidator', {
          addresses: random.chance(0.5) ? ['b.example:2'] : undefined,
          commissionBps: pick([undefined, 600, 100]),
          entity: pick([undefined, 'acme']),
        }),
      rotateValidatorKey: () => {
        const account = validator()
        return [account, npos.rotationTo(chain, account, spare())]
      },
      chillValidator: () => [validator(), npos.chill],
      unjailValidator: () => [validator(), npos.unjail],
      attestReady: () => {
        const operator = chain.operatorOf(node().account)
        const value = { height: chain.height - 1, stateRoot: npos.rootOf(chain.height - 1) }
        return operator === undefined ? undefined : one(operator, 'attestReady', value)
      },
      commitRandomness: () => this.duty('commitRandomness'),
      revealRandomness: () => this.duty('revealRandomness'),
      payoutStakingReward: () =>
        one(person(), 'payoutStakingReward', {
          epoch: Math.max(0, (calendar()?.epoch ?? 0) - 1 - random.below(2)),
          validator: pick(nodes.slice(0, STAKED)).account,
          page: 0,
        }),
      fundStakingRewards: () => one(staked(), 'fundStakingRewards', { amount: amount() }),
      cancelSlash: () => {
        const open = [1, 2, 3, 4, 5, 6, 7].find((known) => state.get(slashes, known)?.status.kind === 'open')
        return open === undefined ? undefined : one(ADMIN, 'cancelSlash', { id: open, reason: 'a mistake' })
      },
      publishManifest: () => {
        const account = person()
        const version = (state.get(spaceManifests, { dataspace: DEPOT, account })?.version ?? 0) + 1
        const until = random.chance(0.5) ? { until: now() + 1 + random.below(30_000) } : {}
        const entries = Array.from({ length: 1 + random.below(3) }, () => ({
          ...pick([{}, { instruction: 'asset' }, { instruction: 'transfer' }]),
          ...pick([{}, { counterparty: '*@bank' }, { counterparty: person() }]),
          ...pick([{}, { isDenial: random.chance(0.3) }]),
          definition: SAFE,
          max: BigInt(1 + random.below(9)),
          window: pick(['transaction', 'minute'] as const),
        }))
        return [ADMIN, publish({ space: 7, account, version, ...until, entries })]
      },
      revokeManifest: () => one(ADMIN, 'revokeManifest', { dataspace: DEPOT, account: person(), reason: 'x' }),
      expireManifest: () => one(person(), 'expireManifest', { dataspace: DEPOT, account: person() }),
      registerVerifyingKey: () => [ADMIN, vkFor(id('vk'))],
      updateVerifyingKey: () => {
        const name = id('vk')
        const row = state.get(verifyingKeys, { backend: 'sigma-ristretto255', name })
        const { value } = vkFor(name)
        return one(ADMIN, 'updateVerifyingKey', { ...value, version: (row?.version ?? 0) + 1 })
      },
    }
  }

  /** Proof for the current state of the call; undefined if none is possible. */
  private provably(make: () => Asked): Asked | undefined {
    try {
      return make()
    } catch {
      return undefined
    }
  }

  /** Duties that nodes send by themselves. */
  private duty(kind: string): Asked | undefined {
    const found = this.chain.duties().find(({ signed }) => signed.payload.value.executable.value[0]?.kind === kind)
    const payload = found?.signed.payload.value
    const [first] = payload?.executable.value ?? []
    return payload && first && [payload.authority, first as Instruction]
  }
}
