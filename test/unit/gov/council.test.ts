/** Council, namespaces, upgrades and the founding of governance. */
import { describe, expect, it } from 'vitest'
import type { Agendas, ExecContext } from '../../../src/executor/contract.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { GOV_ACCOUNT, governs } from '../../../src/features/gov/ledger/account.js'
import { genesisGovernance } from '../../../src/features/gov/ledger/genesis.js'
import { namespaceGate } from '../../../src/features/gov/ledger/namespaces.js'
import { approvals, councilVotes, govState, namespaces, vetoes } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { type CouncilSubject, VETO_MS } from '../../../src/features/gov/schema/records.js'
import { agendas } from '../../../src/features/ministry/ledger/tables.js'
import { upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { domainMembers, tokens } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import {
  accountOfPeer,
  alice,
  assetTrack,
  bob,
  carol,
  dave,
  enact,
  finalize,
  found,
  GovChain,
  lock,
  outsider,
  owner,
  PEERS,
  START_MS,
  setParameter,
  submit,
  track,
  VOTERS,
} from '../../support/gov.js'
import * as ministry from '../../support/ministry.js'

const YEAR_MS = 365 * 86_400_000
const appoint = (members: readonly (readonly [AccountId, number])[], untilMs: number): Instruction =>
  instruction(gov.appointCouncil, { members: members.map(([account, weight]) => ({ account, weight })), untilMs })
const THREE = [
  [alice, 1],
  [bob, 2],
  [carol, 3],
] as const
const councilVote = (subject: CouncilSubject): Instruction => instruction(gov.councilVote, { subject })
const veto = (proposal: number, forfeit = false) => councilVote({ kind: 'veto', value: { proposal, forfeit } })
const withCouncil = (vetoBps: number | undefined = 5_000) => {
  const chain = new GovChain(
    [
      [0, track()],
      [2, assetTrack()],
    ],
    vetoBps,
  )
  chain.bench.genesis(owner, appoint(THREE, START_MS + YEAR_MS))
  return chain
}

describe('a council', () => {
  it('is appointed by governance, with 3 to 21 distinct registered members, for at most a year', () => {
    const chain = new GovChain()
    const untilMs = START_MS + 1_000
    expect(chain.run(alice, appoint(THREE, untilMs))).toBe('not_permitted')
    const by = (members: readonly (readonly [AccountId, number])[], end = untilMs) => {
      chain.bench.timeMs = chain.nowMs
      try {
        chain.bench.genesis(owner, appoint(members, end))
        return undefined
      } catch (error) {
        return String(error).split(': ')[2]
      }
    }
    expect(by(THREE.slice(0, 2))).toBe('bad_parameter')
    expect(by([...THREE.slice(0, 2), [alice, 1]])).toBe('exists')
    expect(by([...THREE.slice(0, 2), [carol, 0]])).toBe('bad_parameter')
    expect(by(THREE, chain.nowMs + YEAR_MS + 1)).toBe('bad_parameter')
    expect(by(THREE)).toBeUndefined()
  })

  it('vetoes by weight, but not the same list twice within 90 days', () => {
    const chain = withCouncil()
    const number = chain.approved([setParameter('block_time_ms', 60)])
    expect(chain.run(outsider, veto(99))).toBe('absent')
    expect(chain.run(dave, veto(number))).toBe('not_seated')
    expect(chain.run(alice, veto(number))).toBeUndefined()
    expect(chain.run(alice, veto(number))).toBe('exists')
    expect(chain.status(number)).toBe('approved')
    // 1 + 2 of 6.
    expect(chain.run(bob, veto(number))).toBeUndefined()
    expect(chain.status(number)).toBe('cancelled')
    expect(chain.state.has(councilVotes, `veto:${number}`)).toBe(false)
    expect(chain.run(carol, veto(number))).toBe('not_voting')
    const again = chain.approved([setParameter('block_time_ms', 60)], bob)
    // 75 % of three ayes and no nay.
    expect(chain.row(again)).toMatchObject({ isVetoable: false, rules: { approvalBps: 7_500 } })
    expect(chain.run(carol, veto(again))).toBe('not_voting')
  })

  it('can veto the same list after 90 days', () => {
    const chain = withCouncil()
    const list = [setParameter('block_time_ms', 60)]
    const number = chain.approved(list)
    chain.run(carol, veto(number))
    chain.pass(VETO_MS - 10)
    expect(chain.run(alice, submit(0, list))).toBeUndefined()
    expect(chain.row(number + 1).isVetoable).toBe(false)
    chain.pass(20)
    expect(chain.run(bob, submit(0, list))).toBeUndefined()
    expect(chain.row(number + 2).isVetoable).toBe(true)
    expect([...chain.state.changes()].some(({ table, value }) => table === vetoes && value !== undefined)).toBe(false)
  })

  it('forfeits a deposit only by a unanimous vote', () => {
    for (const isForfeit of [true, false]) {
      const chain = withCouncil()
      chain.run(dave, lock(500n))
      expect(chain.run(dave, submit(2))).toBeUndefined()
      chain.run(alice, veto(1, true))
      chain.run(bob, veto(1, isForfeit))
      expect(chain.status(1)).toBe('cancelled')
      const code = chain.run(dave, core.transfer(dave, bob, 1_000_000n, 'coin#bank'))
      expect(code).toBe(isForfeit ? 'not_enough' : undefined)
    }
  })

  it('has no veto if governance was founded without one, or after its term', () => {
    const without = withCouncil()
    const state = without.state.get(govState, '')
    if (state === undefined) throw new Error('governance is founded')
    without.state.set(govState, '', { ...state, vetoBps: undefined })
    const number = without.approved([setParameter('block_time_ms', 60)])
    expect(without.run(carol, veto(number))).toBe('not_permitted')
    const late = withCouncil()
    late.pass(YEAR_MS)
    const other = late.approved([setParameter('block_time_ms', 60)])
    expect(late.run(carol, veto(other))).toBe('not_seated')
  })

  it('ignores votes of the previous council, and members that were registered again', () => {
    const chain = withCouncil()
    const number = chain.approved([setParameter('block_time_ms', 60)])
    chain.run(bob, veto(number))
    chain.bench.timeMs = chain.nowMs
    chain.bench.genesis(owner, appoint([...THREE.slice(0, 2), [outsider, 3]], chain.nowMs + YEAR_MS))
    chain.run(alice, veto(number))
    expect(chain.status(number)).toBe('approved')
    expect(chain.run(outsider, core.unregister('Account', outsider))).toBeUndefined()
    expect(chain.run(owner, core.registerAccount(outsider))).toBeUndefined()
    expect(chain.run(outsider, veto(number))).toBe('not_seated')
    chain.run(bob, veto(number))
    expect(chain.status(number)).toBe('cancelled')
  })

  it('admits an agenda with a third of its weight, and dismisses it with half of its weight', () => {
    const settled: string[] = []
    const agendas: Agendas = {
      state: (_ctx, id) => (id === 'AC-2026-1' ? 'open' : id === 'AC-2026-2' ? 'applied' : undefined),
      settle: (_ctx, id, outcome) => {
        settled.push(`${id} ${outcome.kind}`)
        return undefined
      },
      isAdmitted: () => false,
    }
    const chain = withCouncil()
    chain.blocks.abi = { ...chain.blocks.abi, policies: { ...chain.blocks.abi.policies, agendas } }
    const admit = (agenda: string) => councilVote({ kind: 'admit', value: { agenda } })
    expect(chain.run(alice, admit('AC-2026-3'))).toBe('absent')
    expect(chain.run(alice, admit('AC-2026-2'))).toBe('not_voting')
    expect(chain.run(bob, admit('AC-2026-1'))).toBeUndefined()
    // 2 of 6 is below 33.34 %.
    expect(settled).toEqual([])
    chain.run(alice, admit('AC-2026-1'))
    expect(settled).toEqual(['AC-2026-1 admitted'])
    chain.run(carol, councilVote({ kind: 'dismiss', value: { agenda: 'AC-2026-1', reason: 'no' } }))
    expect(settled).toEqual(['AC-2026-1 admitted', 'AC-2026-1 dismissed'])
  })
})

describe('the council and the agendas of the ministry', () => {
  const id = 'AC-2026-1'
  const admit = councilVote({ kind: 'admit', value: { agenda: id } })
  const dismiss = councilVote({ kind: 'dismiss', value: { agenda: id, reason: 'no' } })
  const withAgenda = () => {
    const chain = withCouncil()
    expect(chain.run(outsider, ministry.submit()), chain.message).toBeUndefined()
    return chain
  }
  const standing = (chain: GovChain) => chain.state.get(agendas, id)?.standing

  it('dismisses an admitted agenda, which then cannot be applied', () => {
    const chain = withAgenda()
    expect(chain.run(carol, admit), chain.message).toBeUndefined()
    expect(standing(chain)).toBe('admitted')
    expect(chain.run(bob, admit)).toBe('not_voting')
    expect(chain.run(alice, dismiss), chain.message).toBeUndefined()
    expect(standing(chain)).toBe('admitted')
    expect(chain.run(carol, dismiss), chain.message).toBeUndefined()
    expect(standing(chain)).toBe('dismissed')
    expect(chain.run(bob, dismiss)).toBe('not_voting')
    expect(chain.enacted([ministry.apply(chain.state, id)])).toBe('agenda_closed')
  })

  it('neither admits nor dismisses an agenda that was applied, dismissed or has expired', () => {
    const applied = withAgenda()
    expect(applied.enacted([ministry.apply(applied.state, id)])).toBeUndefined()
    const dismissed = withAgenda()
    expect(dismissed.run(carol, dismiss)).toBeUndefined()
    const expired = withAgenda()
    expired.pass(30 * 86_400_000)
    for (const chain of [applied, dismissed, expired])
      for (const vote of [admit, dismiss]) expect(chain.run(bob, vote)).toBe('not_voting')
  })
})

describe('a protected namespace', () => {
  const digest = Buffer.alloc(32, 9)
  const approve = (more: { name?: string; ttlMs?: number; abiHash?: Buffer } = {}): Instruction =>
    instruction(gov.approveDeployment, {
      kind: 'package',
      domain: 'bank',
      name: 'kit',
      digest,
      abiHash: undefined,
      ttlMs: 1_000,
      ...more,
    })
  const protect = (add: readonly string[], remove: readonly string[] = []) =>
    instruction(gov.setProtectedNamespaces, { add, remove })
  /** Context of an authority on the state of a chain. */
  const asked = (chain: GovChain, authority: AccountId = alice): ExecContext =>
    ({
      authority,
      env: { genesis: false, timeMs: chain.nowMs },
      get: chain.state.get.bind(chain.state),
      set: chain.state.set.bind(chain.state),
      delete: chain.state.delete.bind(chain.state),
      emit: () => undefined,
    }) as unknown as ExecContext
  const use = { kind: 'package', domain: 'bank', name: 'kit', digest } as const

  it('allows an approved deployment once, by its digest and before the approval expires', () => {
    const chain = new GovChain()
    expect(namespaceGate(asked(chain), use)).toBeUndefined()
    expect(chain.enacted([protect(['bank'])])).toBeUndefined()
    expect(namespaceGate(asked(chain), use)?.code).toBe('namespace_protected')
    expect(namespaceGate(asked(chain, GOV_ACCOUNT), use)).toBeUndefined()
    expect(chain.enacted([approve({ ttlMs: 60_000 })])).toBeUndefined()
    expect(namespaceGate(asked(chain), { ...use, name: 'other' })?.code).toBe('namespace_protected')
    expect(namespaceGate(asked(chain), { ...use, kind: 'contract' })?.code).toBe('namespace_protected')
    expect(namespaceGate(asked(chain), use)).toBeUndefined()
    expect(namespaceGate(asked(chain), use)?.code).toBe('namespace_protected')
    expect(chain.enacted([approve({ ttlMs: 60_000 })])).toBeUndefined()
    chain.pass(60_000)
    expect(namespaceGate(asked(chain), use)?.code).toBe('namespace_protected')
  })

  it('requires the ABI that was approved', () => {
    const chain = new GovChain()
    const abiHash = Buffer.alloc(32, 1)
    expect(chain.enacted([protect(['bank']), approve({ ttlMs: 60_000, abiHash })])).toBeUndefined()
    expect(namespaceGate(asked(chain), use)?.code).toBe('namespace_protected')
    expect(namespaceGate(asked(chain), { ...use, abiHash: Buffer.alloc(32, 2) })?.code).toBe('namespace_protected')
    expect(namespaceGate(asked(chain), { ...use, abiHash })).toBeUndefined()
  })

  it('has at most 256 unexpired approvals, which are removed with the protection', () => {
    const chain = new GovChain()
    chain.bench.genesis(owner, core.permission('grant', 'CanManageGovernance', undefined, owner))
    const before = chain.state.get(domainMembers, 'bank') ?? 0
    expect(chain.run(owner, approve())).toBe('absent')
    expect(chain.run(owner, protect(['none']))).toBe('absent')
    expect(chain.run(owner, protect(['bank']))).toBeUndefined()
    expect(chain.state.get(domainMembers, 'bank')).toBe(before + 1)
    expect(chain.run(owner, protect(['bank']))).toBe('exists')
    expect(chain.run(owner, approve({ ttlMs: 90 * 86_400_000 + 1 }))).toBe('bad_parameter')
    expect(chain.run(owner, approve({ ttlMs: 0 }))).toBe('absent')
    for (let at = 0; at < 256; at += 1)
      expect(chain.run(owner, approve({ name: `kit${at}`, ttlMs: 10_000 }))).toBeUndefined()
    expect(chain.run(owner, approve())).toBe('bad_parameter')
    expect(chain.run(owner, approve({ name: 'kit0', ttlMs: 0 }), approve())).toBeUndefined()
    expect(chain.after(10_000, owner, approve())).toBeUndefined()
    expect(chain.state.get(namespaces, 'bank')?.approvals).toHaveLength(1)
    expect(chain.run(owner, protect([], ['bank']))).toBeUndefined()
    expect(chain.run(owner, protect([], ['bank']))).toBe('absent')
    expect([...chain.state.changes()].some(({ table, value }) => table === approvals && value !== undefined)).toBe(
      false,
    )
    expect(chain.state.get(domainMembers, 'bank')).toBe(before)
  })
})

describe('an upgrade under governance', () => {
  const manifest = {
    name: 'next',
    description: '',
    abiVersion: 3,
    abiHash: Buffer.alloc(32, 3),
    startHeight: 5,
    endHeight: 1_000,
  }
  const attest = (peer: string, hash = manifest.abiHash, abi = 3) => instruction(gov.attestAbi, { peer, abi, hash })

  it('requires attestations of its hash by a commit quorum, even if an administrator activates it', () => {
    const chain = new GovChain()
    const proposed = instruction(upgrades.proposeUpgrade, { manifest })
    chain.bench.genesis(
      owner,
      core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner),
      core.permission('grant', 'CanManageRuntimeUpgrades', undefined, GOV_ACCOUNT),
    )
    expect(chain.run(owner, proposed), chain.message).toBeUndefined()
    const id = upgradeId(manifest)
    const activate = instruction(upgrades.activateUpgrade, { id })
    for (let at = 0; at < 4; at += 1) chain.pass(1)
    expect(chain.run(owner, activate)).toBe('abi_not_ready')
    const [p0, p1, p2, p3] = PEERS
    if (p0 === undefined || p1 === undefined || p2 === undefined || p3 === undefined) throw new Error('four peers')
    expect(chain.run(alice, attest(p0.key))).toBe('not_permitted')
    for (const peer of [p0, p1]) expect(chain.run(accountOfPeer(peer), attest(peer.key))).toBeUndefined()
    expect(chain.run(accountOfPeer(p2), attest(p2.key, Buffer.alloc(32, 4)))).toBeUndefined()
    expect(chain.run(accountOfPeer(p3), attest(p3.key, undefined, 4))).toBeUndefined()
    expect(chain.run(owner, activate)).toBe('abi_not_ready')
    expect(chain.message).toContain('2 of 4')
    expect(chain.run(accountOfPeer(p2), attest(p2.key))).toBeUndefined()
    expect(chain.run(outsider, instruction(gov.activateReadyUpgrade, { id }))).toBeUndefined()
  })
})

describe('the founding instruction of governance', () => {
  const fresh = (...more: readonly Instruction[]) => {
    const bench = new Bench(undefined, ABI_2)
    bench.genesis(
      owner,
      core.registerDomain('bank'),
      ...[owner, ...VOTERS].map((id) => core.registerAccount(id)),
      core.registerDefinition('vote#bank'),
      core.mint(alice, 1_000n, 'vote#bank'),
      ...more,
    )
    return bench
  }
  const validators = track({ electorate: { kind: 'validators', value: undefined } })

  it('requires the upgrade permission, and succeeds only once', () => {
    const bench = fresh(core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner))
    expect(bench.run(alice, found([[0, validators]]))).toBe('not_permitted')
    expect(bench.run(owner, found([[1, validators]]))).toBe('bad_track')
    expect(bench.run(owner, found([[0, validators]], 4_999))).toBe('bad_track')
    expect(bench.run(owner, found([[0, track()]]))).toBe('bad_electorate')
    expect(bench.run(owner, found([[0, validators]]))).toBeUndefined()
    expect(governs(bench.state)).toBe(true)
    expect(bench.run(owner, found([[0, validators]]))).toBe('exists')
  })

  it('can be submitted only by the owner of the definitions of its electorates', () => {
    const bench = fresh(
      core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner),
      core.permission('grant', 'CanManageRuntimeUpgrades', undefined, alice),
    )
    const both = found([
      [0, validators],
      [2, track({ scope: ['asset'], electorate: { kind: 'asset', value: { definition: 'vote#bank' } } })],
    ])
    expect(bench.run(alice, both)).toBe('not_permitted')
    expect(bench.run(owner, both)).toBeUndefined()
  })

  it('can be a section of genesis, with seals, permissions and a council', () => {
    const bench = fresh(core.registerRole('voters'), ...VOTERS.map((id) => core.roleOf('grant', 'voters', id)))
    const council = { members: THREE.map(([account, weight]) => ({ account, weight })), untilMs: START_MS }
    const value = {
      domain: 'bank',
      seals: [{ role: 'voters', members: VOTERS }],
      tracks: [{ id: 0, track: track() }],
      permissions: [{ name: 'CanSetParameters', object: undefined }],
      vetoBps: undefined,
      council,
    }
    const codec = ABI_2.codec('cw')
    const json = genesisGovernance.schema.toJson(value, codec) as { tracks: { track: Record<string, unknown> }[] }
    for (const name of ['lead_ms', 'late_ms', 'places']) delete json.tracks[0]?.track[name]
    const read = genesisGovernance.schema.fromJson(json as never, codec)
    if (!read.ok) throw new Error(read.fault.message)
    expect(read.value).toEqual(value)
    bench.timeMs = START_MS
    bench.genesis(owner, ...genesisGovernance.instructionsOf(read.value))
    expect(governs(bench.state)).toBe(true)
    expect(bench.state.get(tokens, GOV_ACCOUNT)?.map(({ name }) => name)).toContain('CanSetParameters')
    expect(bench.state.get(govState, '')).toMatchObject({ terms: 1, tracks: [{ id: 0 }] })
  })

  it('is refused if the parameters of the chain are below the floor', () => {
    const bench = fresh(
      core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner),
      core.permission('grant', 'CanSetParameters', undefined, owner),
    )
    expect(bench.run(owner, setParameter('max_tx_bytes', 1_024), found([[0, validators]]))).toBe('below_floor')
  })

  it('must precede every other governance instruction', () => {
    const bench = fresh()
    expect(bench.run(alice, submit(0))).toBe('absent')
    expect(bench.run(alice, finalize(1))).toBe('absent')
    expect(bench.run(alice, enact(1))).toBe('absent')
    expect(bench.run(alice, lock(1n))).toBe('bad_electorate')
    expect(bench.run(alice, instruction(gov.removeTrack, { id: 0 }))).toBe('absent')
  })
})
