/**
 * Owns random histories of all instructions: their generators, both executors in their initial state, and the compared
 * properties.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Numeric, normalizeNumeric } from '../../src/codec/index.js'
import { accounts, accountUse, metadataOf, parameters, triggers } from '../../src/executor/index.js'
import { instructions as accountsInstructions } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import {
  FEE_ASSET,
  FEE_PER_TEU,
  FEE_SINK,
  FEE_SPONSORSHIP,
  instructions as feesInstructions,
} from '../../src/features/fees/schema.js'
import { instructions as lanes, settlementObject } from '../../src/features/lanes/schema/instructions.js'
import { instructions as parametersInstructions } from '../../src/features/parameters/schema.js'
import { instructions as peers } from '../../src/features/peers/schema.js'
import { instructions as permissionsInstructions } from '../../src/features/permissions/schema.js'
import { assetObject } from '../../src/ledger/asset-permissions.js'
import { multisigs, proposals } from '../../src/ledger/multisig-tables.js'
import { accountObject } from '../../src/ledger/permission-kinds.js'
import { balances, definitions, domainMembers, domains, feePools, nfts, roles } from '../../src/ledger/tables.js'
import { instruction as instructionOf } from '../../src/model/definition.js'
import {
  ACCOUNT_ADMISSION,
  type AccountId,
  type Instruction,
  multisigAccount,
  type ParameterDef,
  type Target,
} from '../../src/model/index.js'
import { slice } from '../suites.mjs'
import { codec } from './chain.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'
import {
  ADMITTED,
  type Grant,
  Naive,
  type NaiveFees,
  type NaiveFilter,
  type NaiveInstruction,
  type NaiveLeg,
  type NaiveSettlement,
  partsOf,
  SPONSORED,
} from './naive.js'

/** Number of histories per run; `npm run soak -- --histories 20000` sets more. */
export const HISTORIES = Number(process.env.CAUSEWAY_HISTORIES ?? slice(60, 150))
/** Number of steps: enough for objects to be created, removed and created again. */
export const STEPS = { minLength: 30, maxLength: 80 }

export const people = ['p0', 'p1', 'p2', 'p3', 'p4'].map((name) => accountNamed(name))
const [p0, p1, p2, p3] = people as [AccountId, AccountId, AccountId, AccountId]
const POLICY = {
  members: [
    [p1, 1],
    [p2, 1],
  ] as const,
  quorum: 2,
  ttlMs: 10_000,
}
const sorted = (policy: { members: readonly (readonly [AccountId, number])[]; quorum: number; ttlMs: number }) =>
  core.policyOf(policy.members, policy.quorum, policy.ttlMs)
/** Policy of an account shared by two others. */
export const PAIR = sorted(POLICY)
export const pair = multisigAccount(PAIR)
export const everyAccount = [...people, pair]
/** Unregistered accounts. */
export const newcomers: ReadonlySet<AccountId> = new Set(['n0', 'n1', 'n2'].map((name) => accountNamed(name)))
const UNKNOWN = Buffer.alloc(32, 9)

/** Step in readable form: accounts by index. */
export const textOf = (step: unknown): string =>
  everyAccount.reduce(
    (text, id, index) =>
      text.replaceAll(JSON.stringify(id).slice(1, -1), index === people.length ? 'pair' : `p${index}`),
    JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )

/** Objects of grants in ledger form. */
function objectOf(object: string): string {
  if (object.startsWith('trigger:')) return object.slice(8)
  if (object.startsWith('account:')) return accountObject(object.slice(8))
  if (object.startsWith('settle:')) return object.slice(7, object.indexOf('@@'))
  const [definition = '', account] = object.split(/ (.*)/s)
  return account === undefined || account === '' ? object : assetObject({ definition, account })
}
function subjectOf(grant: Grant) {
  const [name = '', object] = grant.split(/ (.*)/s)
  return { name, object: object === undefined || object === '' ? undefined : objectOf(object) }
}

const definitionOf = (id: string, scale: number | undefined, once: boolean): Instruction =>
  instructionOf(assets.registerAssetDefinition, {
    id,
    scale,
    mintable: { kind: once ? 'once' : 'infinitely', value: undefined },
    metadata: new Map(),
  })
const legOf = ({ of, from, to, amount }: NaiveLeg) => ({ asset: core.balance(from, of), to, amount })
function settlementOf({ id, pvp, legs: [first, second] }: Pick<NaiveSettlement, 'id' | 'pvp' | 'legs'>): Instruction {
  return pvp
    ? instructionOf(lanes.settlePvp, { id, first: legOf(first), second: legOf(second) })
    : instructionOf(lanes.settleDvp, { id, delivery: legOf(first), payment: legOf(second) })
}
function filterOf(filter: NaiveFilter) {
  switch (filter.kind) {
    case 'event':
      return core.onData('asset', undefined, [filter.event])
    case 'time':
      return core.every(filter.startMs, filter.periodMs)
    case 'preCommit':
      return { kind: 'preCommit', value: undefined } as const
    case 'call':
      return core.BY_CALL
  }
}

/** The real instruction of a naive one. `known`: ids of the proposals so far. */
export function real(i: NaiveInstruction, known: readonly Uint8Array[]): Instruction {
  const list = (of: readonly NaiveInstruction[]) => of.map((one) => real(one, known))
  switch (i.op) {
    case 'log':
      return core.log('x')
    case 'registerDomain':
      return core.registerDomain(i.domain)
    case 'unregisterDomain':
      return core.unregister('Domain', i.domain)
    case 'registerAccount':
      return core.registerAccount(i.id, i.label, i.domain)
    case 'unregisterAccount':
      return core.unregister('Account', i.id)
    case 'setLabel':
      return instructionOf(accountsInstructions.setLabel, { account: i.id, label: i.label })
    case 'registerDefinition':
      return definitionOf(i.id, i.scale, i.once)
    case 'unregisterDefinition':
      return core.unregister('AssetDefinition', i.id)
    case 'mint':
      return instructionOf(assets.mint, { asset: core.balance(i.on, i.of), amount: i.amount })
    case 'burn':
      return instructionOf(assets.burn, { asset: core.balance(i.on, i.of), amount: i.amount })
    case 'transfer':
      return instructionOf(assets.transfer, legOf(i))
    case 'batch': {
      const transfers = i.to.map((to) => legOf({ ...i, to }))
      return instructionOf(assets.transferBatch, { transfers })
    }
    case 'settle':
      return settlementOf(i.settlement)
    case 'registerNft':
      return core.registerNft(i.id)
    case 'unregisterNft':
      return core.unregister('Nft', i.id)
    case 'own':
      return core.passOn(i.kind, i.id, i.to)
    case 'setKey':
      return core.setKey({ kind: i.kind, value: i.id }, 'k', 1)
    case 'removeKey':
      return core.removeKey({ kind: i.kind, value: i.id }, 'k')
    case 'registerRole': {
      const permissions = i.grants.map(subjectOf)
      return instructionOf(permissionsInstructions.registerRole, { id: i.id, permissions, managers: i.managers })
    }
    case 'unregisterRole':
      return core.unregister('Role', i.id)
    case 'grant':
    case 'revoke': {
      const to = i.role === undefined ? { kind: 'account', value: i.account } : { kind: 'role', value: i.role }
      return { kind: i.op, value: { subject: { kind: 'permission', value: subjectOf(i.grant) }, to } }
    }
    case 'grantRole':
    case 'revokeRole':
      return core.roleOf(i.op === 'grantRole' ? 'grant' : 'revoke', i.role, i.account)
    case 'registerTrigger': {
      return core.registerTrigger(i.id, i.authority, filterOf(i.filter), list(i.list), i.repeats)
    }
    case 'unregisterTrigger':
      return core.unregister('Trigger', i.id)
    case 'callTrigger':
      return core.callTrigger(i.id)
    case 'changeTrigger':
      return core.changeRepeats(i.id, i.repeats, i.enabled)
    case 'createMultisig':
      return core.registerMultisig(sorted(i.policy))
    case 'replacePolicy':
      return core.replacePolicy(i.account, sorted(i.policy))
    case 'propose':
      return core.propose(i.account, ...list(i.list))
    case 'approve':
    case 'cancel':
      return { kind: i.op, value: { account: i.account, proposal: known[i.proposal] ?? UNKNOWN } }
    case 'freeze':
      return instructionOf(assets.setFreeze, { asset: core.balance(i.on, i.of), frozen: i.value, reason: undefined })
    case 'blacklist':
      return instructionOf(assets.setBlacklist, { asset: core.balance(i.on, i.of), blacklisted: i.value })
    case 'cap': {
      const limits = i.cap === undefined ? [] : [{ window: 'month' as const, cap: core.units(i.cap) }]
      return instructionOf(assets.setLimits, { asset: core.balance(i.on, i.of), limits })
    }
    case 'sponsor': {
      const terms = {
        maxPerTx: core.units(SPONSORED.perTx),
        maxPerDay: core.units(SPONSORED.perDay),
        expiresMs: undefined,
      }
      const beneficiary = { kind: 'account', value: i.beneficiary } as const
      return instructionOf(feesInstructions.sponsorFees, { beneficiary, terms: i.end ? undefined : terms })
    }
    case 'admission': {
      const policy = {
        mode: i.implicit ? ('implicit' as const) : ('explicit' as const),
        maxPerTx: ADMITTED.perTx,
        maxPerBlock: ADMITTED.perBlock,
        minimum: i.minimum === undefined ? undefined : core.units(i.minimum),
        defaultRole: i.role,
      }
      return instructionOf(accountsInstructions.setAdmission, { domain: i.domain, policy })
    }
    case 'parameter':
      return instructionOf(parametersInstructions.setParameter, {
        name: 'block_max_transactions',
        value: i.isGood ? 512 : 0,
      })
    case 'relabelLane':
      return instructionOf(lanes.updateLanes, { add: [], retire: [], relabel: [{ lane: 0, alias: i.alias }] })
    case 'dropPeer':
      return instructionOf(peers.unregisterPeer, { peer: 'a'.repeat(48), force: false })
  }
}

const person = fc.constantFrom(...people)
const anyAccount = fc.constantFrom(...everyAccount)
const receiver = fc.oneof({ weight: 3, arbitrary: anyAccount }, { weight: 1, arbitrary: fc.constantFrom(...newcomers) })
const domain = fc.constantFrom('bank', 'shop')
const definition = fc.constantFrom('d0#bank', 'd0#bank', 'd0#bank', 'd1#bank', 'd2#shop')
const nft = fc.constantFrom('n0$bank', 'n1$shop')
const role = fc.constantFrom('r0', 'r1')
const trigger = fc.constantFrom('t0', 't1', 't2')
const label = fc.constantFrom(undefined, 'x', 'y')
/** Caps of a balance, in whole units. */
const CAPS = [5n, 20n]
/** Amounts: mostly a few units, some that exactly reach a cap, some fine, some beyond any supply. */
const amount: fc.Arbitrary<Numeric> = fc
  .oneof(
    { weight: 8, arbitrary: fc.record({ mantissa: fc.bigInt({ min: -1n, max: 30n }), scale: fc.constant(0) }) },
    { weight: 3, arbitrary: fc.constantFrom(...CAPS.map((cap) => core.units(cap))) },
    { weight: 3, arbitrary: fc.record({ mantissa: fc.bigInt({ min: 1n, max: 3_000n }), scale: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ mantissa: fc.bigInt({ min: 1n, max: 30n }), scale: fc.constantFrom(27, 28) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        mantissa: fc
          .tuple(fc.nat(511), fc.bigInt({ min: -1n, max: 1n }))
          .map(([bits, by]) => (1n << BigInt(bits)) + by),
        scale: fc.nat(28),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ mantissa: fc.nat(153).map((zeros) => 10n ** BigInt(zeros)), scale: fc.nat(28) }),
    },
  )
  .map(normalizeNumeric)
  .filter((value) => value !== undefined)
const scale = fc.constantFrom(undefined, 0, 2, 2, 28)
const filter: fc.Arbitrary<NaiveFilter> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'call' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      event: fc.constantFrom('minted', 'burned', 'transferred'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      startMs: fc.constantFrom(1, 5_000, 20_000, 40_000, 60_000),
      periodMs: fc.constantFrom(undefined, 1, 5_000),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'preCommit' as const }) },
)

/** A few settlements, so that agreements can match them. */
const SETTLEMENTS: readonly NaiveSettlement[] = (
  [
    ['s0', false, ['d0#bank', p1, p2, 3n], ['d0#bank', p2, p1, 2n]],
    ['s1', true, ['d0#bank', p1, p3, 4n], ['d0#bank', p3, p1, 1n]],
    ['s1', false, ['d1#bank', p0, p1, 1n], ['d0#bank', p1, p0, 5n]],
    ['s2', true, ['d0#bank', p3, p1, 5n], ['d2#shop', p1, p3, 1n << 260n]],
    ['s3', false, ['d0#bank', p2, p2, 1n], ['d0#bank', p1, pair, 1n]],
    ['s4', false, ['d0#bank', pair, p0, 0n], ['d0#bank', p0, pair, 1n]],
    ['s5', true, ['d0#bank', p0, p3, 2n], ['d0#bank', p0, p2, 2n]],
  ] as const
).map(([id, pvp, ...rows]) => {
  const [first, second] = rows.map(([of, from, to, units]): NaiveLeg => ({ of, from, to, amount: core.units(units) }))
  const legs = [first, second] as [NaiveLeg, NaiveLeg]
  // In the order of the terms: what is delivered or paid first.
  const agreements = legs.map(({ from }) => [
    from,
    `CanSettle settle:${settlementObject(id, legs.map(legOf), from)}@@${from}`,
  ])
  return { id, pvp, legs, agreements: Object.fromEntries(agreements) as Record<AccountId, Grant> }
})
const settlement = fc.constantFrom(...SETTLEMENTS)
const repeats = fc.constantFrom(undefined, 1, 2)
const grant: fc.Arbitrary<Grant> = fc.oneof(
  fc.constantFrom('CanRegisterDomain', 'CanManageRoles', 'CanWatchEvents', 'CanSetParameters', 'CanManageLanes'),
  fc.constantFrom(...SETTLEMENTS.flatMap((one) => Object.values(one.agreements))),
  fc
    .tuple(fc.constantFrom('CanRegisterAccount', 'CanRegisterNft', 'CanUnregisterDomain'), domain)
    .map((words) => words.join(' ')),
  fc
    .tuple(fc.constantFrom('CanMint', 'CanBurn', 'CanTransfer', 'CanControl'), definition)
    .map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom('CanMintAsset', 'CanTransferAsset'), definition, anyAccount).map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom('CanTransferNft', 'CanModifyNftMetadata'), nft).map((words) => words.join(' ')),
  trigger.map((id) => `CanExecuteTrigger trigger:${id}`),
  person.map((id) => `CanRegisterTrigger account:${id}`),
)

const money: fc.Arbitrary<NaiveInstruction> = fc.oneof(
  fc.record({ op: fc.constantFrom('mint' as const, 'burn' as const), of: definition, on: receiver, amount }),
  fc.record({ op: fc.constant('transfer' as const), of: definition, from: anyAccount, to: receiver, amount }),
  fc.record({
    op: fc.constant('batch' as const),
    of: definition,
    from: anyAccount,
    to: fc.array(receiver, { maxLength: 3 }),
    amount,
  }),
)
const settles: fc.Arbitrary<NaiveInstruction> = fc.record({ op: fc.constant('settle' as const), settlement })
/** Content of triggers and proposals: without proposals of their own, whose numbers would shift. */
const stored: fc.Arbitrary<readonly NaiveInstruction[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: money },
    { weight: 1, arbitrary: settles },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('callTrigger' as const), id: trigger }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterTrigger' as const), id: trigger }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('registerNft' as const), id: nft }) },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('replacePolicy' as const),
        account: fc.constant(pair),
        policy: fc.constantFrom(
          POLICY,
          {
            ...POLICY,
            members: [
              [p2, 1],
              [p3, 2],
            ] as const,
          },
          { ...POLICY, quorum: 1 },
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterAccount' as const), id: fc.constant(pair) }) },
  ),
  { minLength: 1, maxLength: 3 },
)
const instruction: fc.Arbitrary<NaiveInstruction> = fc.oneof(
  { weight: 12, arbitrary: money },
  { weight: 3, arbitrary: settles },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constantFrom('registerDomain' as const, 'unregisterDomain' as const), domain }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('registerAccount' as const), id: anyAccount, domain, label }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterAccount' as const), id: anyAccount }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('setLabel' as const), id: anyAccount, label }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('registerDefinition' as const), id: definition, once: fc.boolean(), scale }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterDefinition' as const), id: definition }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('registerNft' as const, 'unregisterNft' as const), id: nft }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('own' as const),
      kind: fc.constant('domain' as const),
      id: domain,
      to: anyAccount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('own' as const),
      kind: fc.constant('definition' as const),
      id: definition,
      to: anyAccount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('own' as const),
      kind: fc.constant('nft' as const),
      id: nft,
      to: anyAccount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom('setKey' as const, 'removeKey' as const),
      kind: fc.constant('domain' as const),
      id: domain,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constantFrom('setKey' as const, 'removeKey' as const),
      kind: fc.constant('nft' as const),
      id: nft,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('registerRole' as const),
      id: role,
      grants: fc.uniqueArray(grant, { maxLength: 2 }),
      managers: fc.uniqueArray(person, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterRole' as const), id: role }) },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constantFrom('grant' as const, 'revoke' as const),
      grant,
      account: anyAccount,
      role: fc.constant(undefined),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom('grant' as const, 'revoke' as const),
      grant,
      account: fc.constant(undefined),
      role,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom('grantRole' as const, 'revokeRole' as const),
      role,
      account: anyAccount,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('registerTrigger' as const),
      id: trigger,
      authority: anyAccount,
      filter,
      list: stored,
      repeats,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterTrigger' as const), id: trigger }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('callTrigger' as const), id: trigger }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('changeTrigger' as const), id: trigger, repeats, enabled: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('createMultisig' as const),
      account: fc.constant(pair),
      policy: fc.constant(POLICY),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('propose' as const), account: fc.constant(pair), list: stored }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom('approve' as const, 'cancel' as const),
      account: fc.constant(pair),
      proposal: fc.nat(6),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom('freeze' as const, 'blacklist' as const),
      of: definition,
      on: anyAccount,
      value: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('cap' as const),
      of: definition,
      on: anyAccount,
      cap: fc.constantFrom(undefined, ...CAPS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('sponsor' as const), beneficiary: person, end: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('admission' as const),
      domain,
      implicit: fc.boolean(),
      minimum: fc.constantFrom(undefined, 2n),
      role: fc.constantFrom(undefined, 'r0'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('parameter' as const), isGood: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('relabelLane' as const), alias: fc.constantFrom('a', 'b') }) },
  { weight: 1, arbitrary: fc.constant({ op: 'dropPeer' as const }) },
)
/** Transactions, mostly of permitted accounts, sometimes after a delay. */
export const step: fc.Arbitrary<Step> = fc.record({
  by: fc.oneof({ weight: 4, arbitrary: person }, { weight: 1, arbitrary: fc.constant(pair) }),
  wise: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  list: fc.oneof(
    { weight: 4, arbitrary: fc.array(instruction, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(instruction, { minLength: 2, maxLength: 3 }) },
  ),
  waitMs: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(6_000) }),
})

/** Transaction of a history. */
export interface Step {
  readonly by: AccountId
  readonly wise: boolean
  readonly list: readonly NaiveInstruction[]
  readonly waitMs: number
}
/** Account that probably has the right to the first instruction of a list. */
function likely({ state }: Naive, i: NaiveInstruction | undefined): AccountId | undefined {
  switch (i?.op) {
    case 'settle':
      return i.settlement.legs[1].from
    case 'transfer':
    case 'batch':
      return i.from
    case 'burn':
      return i.on
    case 'mint':
    case 'freeze':
    case 'blacklist':
    case 'cap':
      return state.definitions.get(i.of)?.owner
    case 'unregisterDefinition':
      return state.definitions.get(i.id)?.owner
    case 'registerDefinition':
    case 'registerNft':
      return state.domains.get(i.id.slice(-4))?.owner
    case 'unregisterDomain':
    case 'registerAccount':
    case 'admission':
      return state.domains.get(i.domain)?.owner
    case 'unregisterAccount':
    case 'setLabel':
      return i.id
    case 'unregisterNft':
      return state.nfts.get(i.id)?.owner
    case 'own':
      return { domain: state.domains, definition: state.definitions, nft: state.nfts }[i.kind].get(i.id)?.owner
    case 'setKey':
    case 'removeKey':
      return state.domains.get(i.id.slice(-4))?.owner
    case 'grantRole':
    case 'revokeRole':
      return state.roles.get(i.role)?.managers[0]
    case 'grant':
    case 'revoke': {
      const object = i.grant.slice(i.grant.indexOf(' ') + 1)
      if (object.startsWith('trigger:')) return state.triggers.get(object.slice(8))?.authority
      if (object.startsWith('account:')) return object.slice(8)
      if (object.startsWith('settle:')) return object.slice(object.indexOf('@@') + 2)
      if (i.grant.startsWith('CanTransferAsset')) return object.split(/ (.*)/s)[1]
      return (
        state.definitions.get(object.split(' ')[0] ?? '')?.owner ??
        state.nfts.get(object)?.owner ??
        state.domains.get(object)?.owner
      )
    }
    case 'registerTrigger':
      return i.authority
    case 'unregisterTrigger':
    case 'changeTrigger':
    case 'callTrigger':
      return state.triggers.get(i.id)?.authority
    case 'propose':
    case 'approve':
    case 'cancel':
      return [p1, p2][state.proposals.length % 2]
    default:
      return undefined
  }
}

function setParameter<T>(bench: Bench, def: ParameterDef<T>, value: T): void {
  bench.state.set(parameters, def.name, { current: def.schema.encode(value, codec), staged: [] })
}

/** Transfer of as much as a capped balance may still send, in place of a transfer of the amount of a cap. */
function upToCap({ state }: Naive, i: NaiveInstruction): NaiveInstruction {
  if (i.op !== 'transfer' || !CAPS.some((cap) => partsOf(core.units(cap)) === partsOf(i.amount))) return i
  for (const [key, { frozen, blacklisted, cap = 0n, spent }] of state.controls) {
    const end = key.indexOf(' ')
    const left = normalizeNumeric({ mantissa: cap - spent, scale: 28 })
    if (left === undefined || frozen || blacklisted || spent >= cap) continue
    if ((state.balances.get(key) ?? 0n) < cap - spent) continue
    return { ...i, of: key.slice(0, end), from: key.slice(end + 1), amount: left }
  }
  return i
}

/** Request derived from the state: mostly one that its authority is permitted to make, and that meets a cap exactly. */
export function wisely(naive: Naive, { by, wise, list }: Step): Pick<Step, 'by' | 'list'> {
  if (!wise) return { by, list }
  const sensible = list.map((one) =>
    one.op === 'registerTrigger'
      ? { ...one, authority: likely(naive, one.list[0]) ?? one.authority }
      : upToCap(naive, one),
  )
  return { by: likely(naive, sensible[0]) ?? by, list: sensible }
}

/** Global permissions of the first account. */
export const GLOBALS = ['CanRegisterDomain', 'CanManageRoles', 'CanSetParameters', 'CanManageLanes', 'CanManagePeers']

/**
 * Both executors with the same initial state: a bank and a shop with their objects, a joint account, and money for
 * every account.
 */
export function begin(fees?: NaiveFees) {
  const bench = new Bench()
  const naive = new Naive()
  naive.fees = fees
  setParameter(bench, ACCOUNT_ADMISSION as ParameterDef<unknown>, { mode: 'implicit', maxPerTx: 16, maxPerBlock: 256 })
  if (fees !== undefined) {
    const { asset, perTeu, sink } = fees
    const to =
      typeof sink === 'object' ? { kind: 'account' as const, value: sink.account } : { kind: sink, value: undefined }
    setParameter(bench, FEE_ASSET, asset)
    setParameter(bench, FEE_PER_TEU, normalizeNumeric({ mantissa: perTeu, scale: 28 }) ?? core.units(0n))
    setParameter(bench, FEE_SINK, to)
    setParameter(bench, FEE_SPONSORSHIP, true)
  }
  const { state } = naive
  bench.genesis(p0, core.registerDomain('bank'))
  bench.genesis(p3, core.registerDomain('shop'))
  state.domains.set('bank', { owner: p0, keys: new Set() }).set('shop', { owner: p3, keys: new Set() })
  bench.genesis(p0, ...people.map((id) => core.registerAccount(id)), core.registerMultisig(PAIR))
  for (const [uid, id] of everyAccount.entries()) {
    state.accounts.set(id, { uid: uid - everyAccount.length, domain: 'bank', label: undefined })
  }
  state.policies.set(pair, { ...POLICY, first: POLICY })
  bench.genesis(p0, ...GLOBALS.map((name) => core.permission('grant', name, undefined, p0)))
  state.tokens.set(p0, new Set(GLOBALS))
  bench.genesis(p0, ...[p0, p1, pair].map((id) => core.permission('grant', 'CanWatchEvents', undefined, id)))
  for (const id of [p0, p1, pair]) state.tokens.set(id, new Set([...(state.tokens.get(id) ?? []), 'CanWatchEvents']))
  bench.genesis(p0, core.registerDefinition('d0#bank'), core.registerNft('n0$bank'), core.registerRole('r0', [], [p1]))
  state.definitions.set('d0#bank', { owner: p0, mints: undefined, scale: 2 })
  state.nfts.set('n0$bank', { owner: p0, keys: new Set() })
  state.roles.set('r0', { grants: new Set(), managers: [p1], members: new Set() })
  bench.genesis(p0, real({ op: 'admission', domain: 'bank', implicit: true, minimum: undefined, role: undefined }, []))
  state.admissions.set('bank', { minimum: 0n, role: undefined })
  bench.genesis(p0, ...everyAccount.map((id) => core.mint(id, 20n, 'd0#bank')))
  for (const id of everyAccount) state.balances.set(`d0#bank ${id}`, partsOf(core.units(20n)))
  return { bench, naive }
}

export function compare(bench: Bench, naive: Naive, known: readonly Uint8Array[]): void {
  const { state } = bench
  const other = naive.state
  const keysOf = (object: Target): string[] => [...metadataOf(state, object).keys()]
  for (const id of ['d0#bank', 'd1#bank', 'd2#shop']) {
    expect(state.get(definitions, id)?.owner).toBe(other.definitions.get(id)?.owner)
    const total = state.get(definitions, id)?.total
    expect(total === undefined ? 0n : partsOf(total)).toBe(naive.held(id))
    for (const account of [...everyAccount, ...newcomers]) {
      const held = state.get(balances, { definition: id, account })
      expect(held === undefined ? undefined : partsOf(held)).toBe(other.balances.get(`${id} ${account}`))
    }
  }
  const pot = naive.fees === undefined ? undefined : state.get(feePools, naive.fees.asset)
  expect(pot === undefined ? 0n : partsOf(pot)).toBe(other.pot)
  for (const id of ['bank', 'shop']) {
    expect(state.get(domains, id)?.owner).toBe(other.domains.get(id)?.owner)
    expect(keysOf({ kind: 'domain', value: id })).toEqual([...(other.domains.get(id)?.keys ?? [])])
    const inside = [...other.accounts.values()].filter((one) => one.domain === id).length
    const objects = [...other.definitions.keys(), ...other.nfts.keys()].filter(
      (one) => /[#$](.*)/.exec(one)?.[1] === id,
    )
    expect(state.get(domainMembers, id) ?? 0).toBe(inside + objects.length)
  }
  for (const id of ['n0$bank', 'n1$shop']) {
    expect(state.get(nfts, id)?.owner).toBe(other.nfts.get(id)?.owner)
    expect(keysOf({ kind: 'nft', value: id })).toEqual([...(other.nfts.get(id)?.keys ?? [])])
  }
  for (const id of ['r0', 'r1']) expect(state.get(roles, id)?.members).toBe(other.roles.get(id)?.members.size)
  for (const account of [...everyAccount, ...newcomers]) {
    expect(state.has(accounts, account)).toBe(other.accounts.has(account))
    expect(state.get(accounts, account)?.label).toBe(other.accounts.get(account)?.label)
    const count = [...other.balances.keys()].filter((key) => key.endsWith(` ${account}`)).length
    expect(state.get(accountUse, account)?.balances ?? 0).toBe(count)
  }
  for (const id of ['t0', 't1', 't2']) {
    const { enabled, repeats: left, dueMs, failures } = state.get(triggers, id) ?? {}
    const { [id]: found } = Object.fromEntries(other.triggers)
    expect({ enabled, left, dueMs, failures }, id).toEqual({
      enabled: found?.enabled,
      left: found?.repeats,
      dueMs: found?.dueMs,
      failures: found?.failures,
    })
  }
  expect(state.get(multisigs, pair)?.quorum).toBe(other.policies.get(pair)?.quorum)
  for (const [index, proposal] of known.entries()) {
    const row = state.get(proposals, { account: pair, proposal })
    // Those of a removed account are dropped.
    if (row !== undefined) expect(row.status).toBe(other.proposals[index]?.status)
  }
}
