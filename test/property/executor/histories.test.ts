/** Random histories of all instructions: the executor and a naive one say the same, and no unit appears or is lost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accounts, accountUse } from '../../../src/executor/index.js'
import { multisigs, proposals } from '../../../src/features/core/multisig-tables.js'
import { accountObject, assetObject } from '../../../src/features/core/permissions.js'
import { balances, definitions, domainMembers, domains, nfts, roles } from '../../../src/features/core/tables.js'
import { type AccountId, type Instruction, multisigAccount } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { type Grant, Naive, type NaiveInstruction } from '../../support/naive.js'

/** Histories of one run; `npm run soak -- --histories 20000` takes more. */
const HISTORIES = Number(process.env.CAUSEWAY_HISTORIES ?? 150)
/** Steps of a history: enough for objects to come, go and come back. */
const STEPS = { minLength: 30, maxLength: 80 }

const people = ['p0', 'p1', 'p2', 'p3', 'p4'].map((name) => accountNamed(name))
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
const pair = multisigAccount(sorted(POLICY))
const everybody = [...people, pair]
const UNKNOWN = Buffer.alloc(32, 9)

/** A step for people: accounts by their place. */
const textOf = (step: unknown): string =>
  everybody.reduce(
    (text, id, index) =>
      text.replaceAll(JSON.stringify(id).slice(1, -1), index === people.length ? 'pair' : `p${index}`),
    JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )

/** The objects of grants, as the ledger writes them. */
function objectOf(object: string): string {
  if (object.startsWith('trigger:')) return object.slice(8)
  if (object.startsWith('account:')) return accountObject(object.slice(8))
  const [definition = '', account] = object.split(/ (.*)/s)
  return account === undefined || account === '' ? object : assetObject({ definition, account })
}
function subjectOf(grant: Grant) {
  const [name = '', object] = grant.split(/ (.*)/s)
  return { name, object: object === undefined || object === '' ? undefined : objectOf(object) }
}

/** The real instruction of a naive one. `known`: ids of the proposals so far. */
function real(i: NaiveInstruction, known: readonly Uint8Array[]): Instruction {
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
      return { kind: 'setLabel', value: { account: i.id, label: i.label } }
    case 'registerDefinition':
      return core.registerDefinition(i.id, { kind: i.once ? 'once' : 'infinitely', value: undefined })
    case 'unregisterDefinition':
      return core.unregister('AssetDefinition', i.id)
    case 'mint':
      return core.mint(i.on, i.amount, i.of)
    case 'burn':
      return core.burn(i.on, i.amount, i.of)
    case 'transfer':
      return core.transfer(i.from, i.to, i.amount, i.of)
    case 'batch': {
      const transfers = i.to.map((to) => core.transfer(i.from, to, i.amount, i.of).value)
      return { kind: 'transferBatch', value: { transfers } }
    }
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
      return { kind: 'registerRole', value: { id: i.id, permissions, managers: i.managers } }
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
      const filter = i.event === undefined ? core.BY_CALL : core.onData('asset', undefined, [i.event])
      return core.registerTrigger(i.id, i.authority, filter, list(i.list), i.repeats)
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
      return { kind: 'setFreeze', value: { asset: core.balance(i.on, i.of), frozen: i.value, reason: undefined } }
    case 'blacklist':
      return { kind: 'setBlacklist', value: { asset: core.balance(i.on, i.of), blacklisted: i.value } }
    case 'cap': {
      const limits = i.cap === undefined ? [] : [{ window: 'month', cap: core.units(i.cap) }]
      return { kind: 'setLimits', value: { asset: core.balance(i.on, i.of), limits } }
    }
    case 'sponsor': {
      const terms = { maxPerTx: core.units(1n), maxPerDay: core.units(1n), expiresMs: undefined }
      const beneficiary = { kind: 'account', value: i.beneficiary }
      return { kind: 'sponsorFees', value: { beneficiary, terms: i.end ? undefined : terms } }
    }
    case 'admission': {
      const policy = { mode: 'explicit', maxPerTx: 1, maxPerBlock: 1, minimum: undefined, defaultRole: undefined }
      return { kind: 'setAdmission', value: { domain: i.domain, policy } }
    }
  }
}

const person = fc.constantFrom(...people)
const anybody = fc.constantFrom(...everybody)
const domain = fc.constantFrom('bank', 'shop')
const definition = fc.constantFrom('d0#bank', 'd0#bank', 'd0#bank', 'd1#bank', 'd2#shop')
const nft = fc.constantFrom('n0$bank', 'n1$shop')
const role = fc.constantFrom('r0', 'r1')
const trigger = fc.constantFrom('t0', 't1', 't2')
const label = fc.constantFrom(undefined, 'x', 'y')
const amount = fc.bigInt({ min: -1n, max: 30n })
const repeats = fc.constantFrom(undefined, 1, 2)
const grant: fc.Arbitrary<Grant> = fc.oneof(
  fc.constantFrom('CanRegisterDomain', 'CanManageRoles', 'CanWatchEvents'),
  fc
    .tuple(fc.constantFrom('CanRegisterAccount', 'CanRegisterNft', 'CanUnregisterDomain'), domain)
    .map((words) => words.join(' ')),
  fc
    .tuple(fc.constantFrom('CanMint', 'CanBurn', 'CanTransfer', 'CanControl'), definition)
    .map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom('CanMintAsset', 'CanTransferAsset'), definition, anybody).map((words) => words.join(' ')),
  fc.tuple(fc.constantFrom('CanTransferNft', 'CanModifyNftMetadata'), nft).map((words) => words.join(' ')),
  trigger.map((id) => `CanExecuteTrigger trigger:${id}`),
  person.map((id) => `CanRegisterTrigger account:${id}`),
)

const money: fc.Arbitrary<NaiveInstruction> = fc.oneof(
  fc.record({ op: fc.constantFrom('mint' as const, 'burn' as const), of: definition, on: anybody, amount }),
  fc.record({ op: fc.constant('transfer' as const), of: definition, from: anybody, to: anybody, amount }),
  fc.record({
    op: fc.constant('batch' as const),
    of: definition,
    from: anybody,
    to: fc.array(anybody, { maxLength: 3 }),
    amount,
  }),
)
/** What triggers and proposals may hold: no proposals of their own, whose numbers would shift. */
const stored: fc.Arbitrary<readonly NaiveInstruction[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: money },
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
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constantFrom('registerDomain' as const, 'unregisterDomain' as const), domain }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('registerAccount' as const), id: anybody, domain, label }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unregisterAccount' as const), id: anybody }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('setLabel' as const), id: anybody, label }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('registerDefinition' as const), id: definition, once: fc.boolean() }),
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
      to: anybody,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('own' as const),
      kind: fc.constant('definition' as const),
      id: definition,
      to: anybody,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('own' as const), kind: fc.constant('nft' as const), id: nft, to: anybody }),
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
      account: anybody,
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
    arbitrary: fc.record({ op: fc.constantFrom('grantRole' as const, 'revokeRole' as const), role, account: anybody }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('registerTrigger' as const),
      id: trigger,
      authority: anybody,
      event: fc.constantFrom(undefined, 'minted', 'burned', 'transferred'),
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
      on: anybody,
      value: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('cap' as const),
      of: definition,
      on: anybody,
      cap: fc.constantFrom(undefined, 5n, 20n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('sponsor' as const), beneficiary: person, end: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('admission' as const), domain }) },
)
/** Transactions, mostly by somebody who may, now and then after a while. */
const step = fc.record({
  by: fc.oneof({ weight: 4, arbitrary: person }, { weight: 1, arbitrary: fc.constant(pair) }),
  wise: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  list: fc.oneof(
    { weight: 4, arbitrary: fc.array(instruction, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(instruction, { minLength: 2, maxLength: 3 }) },
  ),
  waitMs: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(6_000) }),
})

/** Somebody who probably may do what a list begins with. */
function likely({ state }: Naive, i: NaiveInstruction | undefined): AccountId | undefined {
  switch (i?.op) {
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

/** Both executors at the same start: a bank and a shop with what they have, the pair of two, everybody with some money. */
function begin() {
  const bench = new Bench()
  const globals = ['CanRegisterDomain', 'CanManageRoles']
  const naive = new Naive()
  const { state } = naive
  bench.genesis(p0, core.registerDomain('bank'))
  bench.genesis(p3, core.registerDomain('shop'))
  state.domains.set('bank', { owner: p0, keys: new Set() }).set('shop', { owner: p3, keys: new Set() })
  bench.genesis(p0, ...people.map((id) => core.registerAccount(id)), core.registerMultisig(sorted(POLICY)))
  for (const id of everybody) state.accounts.set(id, { domain: 'bank', label: undefined })
  state.policies.set(pair, { ...POLICY, first: POLICY })
  bench.genesis(p0, ...globals.map((name) => core.permission('grant', name, undefined, p0)))
  state.tokens.set(p0, new Set(globals))
  bench.genesis(p0, ...[p0, p1, pair].map((id) => core.permission('grant', 'CanWatchEvents', undefined, id)))
  for (const id of [p0, p1, pair]) state.tokens.set(id, new Set([...(state.tokens.get(id) ?? []), 'CanWatchEvents']))
  bench.genesis(p0, core.registerDefinition('d0#bank'), core.registerNft('n0$bank'), core.registerRole('r0', [], [p1]))
  state.definitions.set('d0#bank', { owner: p0, mints: undefined })
  state.nfts.set('n0$bank', { owner: p0, keys: new Set() })
  state.roles.set('r0', { grants: new Set(), managers: [p1], members: new Set() })
  bench.genesis(p0, ...everybody.map((id) => core.mint(id, 20n, 'd0#bank')))
  for (const id of everybody) state.balances.set(`d0#bank ${id}`, 20n)
  return { bench, naive }
}

function compare(bench: Bench, naive: Naive, known: readonly Uint8Array[]): void {
  const { state } = bench
  const other = naive.state
  for (const id of ['d0#bank', 'd1#bank', 'd2#shop']) {
    expect(state.get(definitions, id)?.owner).toBe(other.definitions.get(id)?.owner)
    expect(state.get(definitions, id)?.total.mantissa ?? 0n).toBe(naive.held(id))
    for (const account of everybody) {
      const held = state.get(balances, { definition: id, account })?.mantissa
      expect(held).toBe(other.balances.get(`${id} ${account}`))
    }
  }
  for (const id of ['bank', 'shop']) {
    expect(state.get(domains, id)?.owner).toBe(other.domains.get(id)?.owner)
    const inside = [...other.accounts.values()].filter((one) => one.domain === id).length
    const objects = [...other.definitions.keys(), ...other.nfts.keys()].filter(
      (one) => /[#$](.*)/.exec(one)?.[1] === id,
    )
    expect(state.get(domainMembers, id) ?? 0).toBe(inside + objects.length)
  }
  for (const id of ['n0$bank', 'n1$shop']) expect(state.get(nfts, id)?.owner).toBe(other.nfts.get(id)?.owner)
  for (const id of ['r0', 'r1']) expect(state.get(roles, id)?.members).toBe(other.roles.get(id)?.members.size)
  for (const account of everybody) {
    expect(state.get(accounts, account)?.label).toBe(other.accounts.get(account)?.label)
    const count = [...other.balances.keys()].filter((key) => key.endsWith(` ${account}`)).length
    expect(state.get(accountUse, account)?.balances ?? 0).toBe(count)
  }
  expect(state.get(multisigs, pair)?.quorum).toBe(other.policies.get(pair)?.quorum)
  for (const [index, proposal] of known.entries()) {
    const row = state.get(proposals, { account: pair, proposal })
    // Those of an account that went are forgotten.
    if (row !== undefined) expect(row.status).toBe(other.proposals[index]?.status)
  }
}

describe('random histories of all instructions', () => {
  it('give the same codes and states by two executors, and conserve every supply', { timeout: 20 * 60_000 }, () => {
    const codes = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(step, STEPS), (history) => {
        const { bench, naive } = begin()
        for (const { by: anyone, wise, list, waitMs } of history) {
          const by = (wise ? likely(naive, list[0]) : undefined) ?? anyone
          const known = bench.events
            .filter((event) => event.kind === 'proposalCreated')
            .map((event) => (event.value as { proposal: Uint8Array }).proposal)
          bench.timeMs += waitMs
          naive.nowMs += waitMs
          const code = bench.run(by, ...list.map((one) => real(one, known)))
          expect(code, textOf({ by, list })).toBe(naive.run(by, list))
          codes.set(code ?? 'approved', (codes.get(code ?? 'approved') ?? 0) + 1)
          compare(bench, naive, known)
        }
      }),
      { numRuns: HISTORIES },
    )
    // What never happens is not compared: the histories meet most of what there is.
    expect(codes.size).toBeGreaterThan(12)
    expect((codes.get('approved') ?? 0) / [...codes.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.1)
  })
})
