/** Outcomes that no list of the governance account may have, whether it is enacted, called, due or started by an event. */
import { describe, expect, it } from 'vitest'
import { parameterOf } from '../../../src/executor/parameters.js'
import { BLOCK_TIME_MS } from '../../../src/executor/system-parameters.js'
import { lastSigned, peerList, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { triggers } from '../../../src/executor/triggers/tables.js'
import { governs } from '../../../src/features/gov/ledger/account.js'
import { unitsOf } from '../../../src/features/gov/ledger/amounts.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { balances, definitions } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction, isEvent, triggerEvents } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import {
  alice,
  assetTrack,
  BY_ASSET,
  bob,
  COIN,
  carol,
  dave,
  GOV,
  GovChain,
  lock,
  MINUTE_MS,
  outsider,
  owner,
  PEERS,
  ROLE,
  setParameter,
  submit,
  track,
  VOTE,
  VOTERS,
} from '../../support/gov.js'

const setTrack = (id: number, more: Parameters<typeof track>[0] = {}): Instruction =>
  instruction(gov.setTrack, { id, track: track(more) })
const assetOf = (definition: string) => ({ kind: 'asset', value: { definition } }) as const
const roleOf = (role: string) => ({ kind: 'role', value: { role } }) as const
const withAsset = () =>
  new GovChain([
    [0, track()],
    [2, assetTrack()],
  ])
const unregisterPeer = (force = false): Instruction =>
  instruction(peerInstructions.unregisterPeer, { peer: PEERS[0]?.key ?? '', force })
const seen = (chain: GovChain): void => {
  chain.state.set(lastSigned, SINGLETON_KEY, new Map(PEERS.map(({ key }) => [key, chain.blocks.height])))
}
const revokeG = core.permission('revoke', 'CanManageGovernance', undefined, GOV)
const grantG = (to: AccountId) => core.permission('grant', 'CanManageGovernance', undefined, to)

/** The chain continues: a proposal is submitted, decided and enacted. */
function expectAlive(chain: GovChain): void {
  expect(chain.enacted([setParameter('block_time_ms', 77)], dave), chain.message).toBeUndefined()
  chain.pass(1)
  chain.pass(1)
  expect(parameterOf(chain.state, BLOCK_TIME_MS)).toBe(77)
}

describe('an electorate that cannot decide', () => {
  it('is refused if its asset has no supply, on every track', () => {
    const chain = new GovChain()
    chain.bench.genesis(owner, core.registerDefinition('void#bank'), core.passOn('definition', 'void#bank', GOV))
    for (const id of [0, 1]) {
      const more = { electorate: assetOf('void#bank'), quorumBps: 100, ...(id === 0 ? {} : { scope: ['log'] }) }
      expect(chain.enacted([setTrack(id, more)], VOTERS[id])).toBe('bad_electorate')
    }
    expectAlive(chain)
  })

  it('is refused if the governance account holds so much of the asset that the others miss the quorum', () => {
    const chain = withAsset()
    const by = { electorate: BY_ASSET, quorumBps: 5_000 }
    // 4,000,000 of 8,000,001 are outside of the governance account.
    expect(chain.enacted([core.mint(GOV, 4_000_001n, VOTE), setTrack(0, by)])).toBe('bad_electorate')
    expect(chain.enacted([core.mint(GOV, 4_000_000n, VOTE), setTrack(0, by)], bob), chain.message).toBeUndefined()
  })

  it('cannot result from a list that mints votes for the governance account', () => {
    const chain = new GovChain([
      [0, track()],
      [2, assetTrack({ quorumBps: 5_000 })],
    ])
    expect(chain.enacted([core.mint(GOV, 4_000_001n, VOTE)])).toBe('below_floor')
    expect(chain.enacted([core.mint(GOV, 4_000_000n, VOTE)], bob)).toBeUndefined()
    expect(chain.enacted([core.mint(GOV, 1n, VOTE)], carol)).toBe('below_floor')
    expectAlive(chain)
  })

  it('is refused if too few members of its role have a key', () => {
    const chain = new GovChain()
    const seal = (members: readonly AccountId[]) => instruction(gov.sealRole, { role: 'keyless', members })
    const by = { electorate: roleOf('keyless'), quorumBps: 6_700 }
    chain.bench.genesis(
      owner,
      core.registerRole('keyless'),
      core.roleOf('grant', 'keyless', GOV),
      core.roleOf('grant', 'keyless', alice),
    )
    expect(chain.enacted([seal([GOV, alice]), setTrack(0, by)])).toBe('bad_electorate')
    const enough = { ...by, quorumBps: 5_000 }
    expect(chain.enacted([seal([GOV, alice]), setTrack(0, enough)], bob), chain.message).toBeUndefined()
  })

  it('is refused if its role is not sealed', () => {
    const chain = new GovChain()
    chain.bench.genesis(owner, core.registerRole('open'), core.roleOf('grant', 'open', alice))
    expect(chain.enacted([setTrack(0, { electorate: roleOf('open') })])).toBe('bad_electorate')
    expect(chain.message).toContain('role open is not sealed')
    const seal = instruction(gov.sealRole, { role: 'open', members: [alice] })
    expect(chain.enacted([seal, setTrack(0, { electorate: roleOf('open') })], bob), chain.message).toBeUndefined()
    expect(chain.run(alice, submit(0))).toBeUndefined()
  })
})

describe('the scope of track 0', () => {
  it('must admit SetTrack, so that the rules can still be changed', () => {
    const chain = new GovChain()
    for (const [at, scope] of [['log'], ['parameter', 'role'], ['gov::remove_track']].entries())
      expect(chain.enacted([setTrack(0, { scope })], VOTERS[at]), scope.join()).toBe('bad_track')
    for (const [at, scope] of [['gov', 'parameter'], ['gov::set_track'], ['*']].entries())
      expect(chain.enacted([setTrack(0, { scope })], VOTERS[at]), scope.join()).toBeUndefined()
    expectAlive(chain)
  })
})

describe('the governance account', () => {
  it('must keep its permission itself, not through a role', () => {
    const chain = new GovChain()
    chain.bench.genesis(
      owner,
      core.registerRole('lent'),
      core.rolePermission('grant', 'CanManageGovernance', undefined, 'lent'),
      core.roleOf('grant', 'lent', GOV),
    )
    expect(chain.enacted([revokeG])).toBe('below_floor')
    expectAlive(chain)
  })
})

describe('a limit that is already exceeded', () => {
  /** Chain whose maximum fee exceeds the limit after holders burned some of the fee asset. */
  const withFee = () => {
    const chain = new GovChain()
    expect(chain.run(owner, setParameter('fee_asset', COIN), setParameter('fee_per_teu', '0.0066'))).toBeUndefined()
    chain.bench.genesis(
      owner,
      core.burn(alice, 45_000n, COIN),
      core.permission('grant', 'CanSetParameters', undefined, bob),
    )
    return chain
  }

  it('does not prevent a list that leaves it as it is or improves it', () => {
    const chain = withFee()
    expect(chain.enacted([core.log('x')], bob), chain.message).toBeUndefined()
    expect(chain.enacted([setParameter('block_time_ms', 60)], carol), chain.message).toBeUndefined()
    // Still above the limit, but less.
    expect(chain.enacted([setParameter('fee_per_teu', '0.00659999')], dave), chain.message).toBeUndefined()
    expect(chain.run(bob, setParameter('fee_per_teu', '0.00659998'))).toBeUndefined()
    expectAlive(chain)
  })

  it('prevents a list or a SetParameter that exceeds it further', () => {
    const chain = withFee()
    expect(chain.enacted([setParameter('fee_per_teu', '0.00660001')], bob)).toBe('below_floor')
    expect(chain.run(bob, setParameter('fee_per_teu', '0.00660001'))).toBe('below_floor')
    chain.bench.genesis(owner, core.passOn('definition', COIN, GOV), core.transfer(bob, GOV, 10n, COIN))
    expect(chain.enacted([core.burn(GOV, 1n, COIN)], carol)).toBe('below_floor')
    expect(chain.enacted([setParameter('max_tx_bytes', 1_024)], dave)).toBe('below_floor')
  })

  it('does not permit another asset without supply', () => {
    const chain = withFee()
    chain.bench.genesis(owner, core.registerDefinition('void#bank'))
    expect(chain.run(bob, setParameter('fee_asset', 'void#bank'))).toBe('below_floor')
    // Before it acts, the price can be lifted.
    expect(chain.run(bob, setParameter('fee_asset', 'void#bank'), setParameter('fee_per_teu', '0'))).toBe('below_floor')
    expect(chain.run(bob, setParameter('fee_per_teu', '0'), setParameter('fee_asset', 'void#bank'))).toBeUndefined()
  })

  it('on a track that is already invalid does not prevent other lists', () => {
    const chain = withAsset()
    const row = chain.state.get(definitions, VOTE)
    if (row === undefined) throw new Error('a definition')
    chain.state.set(definitions, VOTE, { ...row, owner: alice })
    expect(chain.enacted([core.log('x')], bob), chain.message).toBeUndefined()
    expect(chain.enacted([core.roleOf('revoke', ROLE, alice)], bob), chain.message).toBeUndefined()
    const members = [bob, carol, dave].map((one) => core.roleOf('revoke', ROLE, one))
    expect(chain.enacted(members, bob)).toBe('below_floor')
  })
})

describe('the outcome of a list that the governance account runs without a decision', () => {
  /** Attempts to leave the chain or its governance unable to continue. */
  const attacks: Readonly<Record<string, readonly Instruction[]>> = {
    'shrinks the roster': [unregisterPeer()],
    'gives up its own permission': [revokeG],
    'gives a voting asset away': [core.passOn('definition', VOTE, alice)],
    'empties the role of track 0': VOTERS.map((one) => core.roleOf('revoke', ROLE, one)),
  }
  const expectUnharmed = (chain: GovChain, what: string): void => {
    expect(chain.state.get(peerList, SINGLETON_KEY), what).toHaveLength(4)
    expect(governs(chain.state), what).toBe(true)
    expect(chain.state.get(definitions, VOTE)?.owner, what).toBe(GOV)
    expectAlive(chain)
  }

  it('cannot be below the floor in a trigger by time', () => {
    for (const [what, list] of Object.entries(attacks)) {
      const chain = withAsset()
      const trigger = core.registerTrigger('later', GOV, core.every(chain.nowMs + 10_000, 60_000), list, 3)
      expect(chain.enacted([grantG(alice), trigger], bob), `${what}: ${chain.message}`).toBeUndefined()
      for (let at = 0; at < 3; at += 1) {
        seen(chain)
        const block = chain.pass(MINUTE_MS)
        expect(
          [...block.rejections.values()].map(({ code }) => code),
          what,
        ).toEqual(['below_floor'])
      }
      expectUnharmed(chain, what)
    }
  })

  it('cannot be below the floor in a trigger at the end of each block', () => {
    for (const [what, list] of Object.entries(attacks)) {
      const chain = withAsset()
      chain.bench.genesis(owner, core.permission('grant', 'CanWatchEvents', undefined, GOV))
      const trigger = core.registerTrigger('later', GOV, { kind: 'preCommit', value: undefined }, list)
      seen(chain)
      expect(chain.enacted([grantG(alice), trigger], bob), `${what}: ${chain.message}`).toBeUndefined()
      seen(chain)
      chain.pass(1)
      expectUnharmed(chain, what)
    }
  })

  it('cannot be below the floor in a trigger that another account calls', () => {
    for (const [what, list] of Object.entries(attacks)) {
      const chain = withAsset()
      const trigger = core.registerTrigger('later', GOV, core.BY_CALL, list)
      const grant = core.permission('grant', 'CanExecuteTrigger', 'later', outsider)
      expect(chain.enacted([grantG(alice), trigger, grant], bob), `${what}: ${chain.message}`).toBeUndefined()
      seen(chain)
      expect(chain.run(outsider, core.callTrigger('later')), what).toBe('below_floor')
      // In a trigger of its own that calls it.
      const nest = core.registerTrigger('nest', outsider, core.BY_CALL, [core.callTrigger('later')])
      expect(chain.run(outsider, nest, core.callTrigger('nest')), what).toBe('below_floor')
      expectUnharmed(chain, what)
    }
  })

  it('cannot be below the floor in a trigger on an event', () => {
    for (const [what, list] of Object.entries(attacks)) {
      const chain = withAsset()
      chain.bench.genesis(owner, core.permission('grant', 'CanWatchEvents', undefined, GOV))
      const trigger = core.registerTrigger('later', GOV, core.onData('metadata'), list)
      expect(chain.enacted([grantG(alice), trigger], bob), `${what}: ${chain.message}`).toBeUndefined()
      seen(chain)
      const block = chain.execute(alice, core.setKey({ kind: 'account', value: alice }, 'note', 1))
      const ran = block.events.map(({ event }) => event).filter((event) => isEvent(event, triggerEvents.triggerRan))
      expect(
        ran.map(({ value }) => (value as { error?: string }).error),
        what,
      ).toEqual(['below_floor'])
      expectUnharmed(chain, what)
    }
  })

  it('cannot be a veto over later proposals and ballots', () => {
    const chain = withAsset()
    chain.bench.genesis(owner, core.permission('grant', 'CanWatchEvents', undefined, GOV))
    for (const [at, subject] of ['gov', 'asset'].entries()) {
      const stop = core.registerTrigger(`stop-${subject}`, GOV, core.onData(subject), [core.log('x'), revokeG])
      expect(chain.enacted([stop], VOTERS[at]), chain.message).toBeUndefined()
    }
    expect(chain.run(alice, lock(1_000n)), chain.message).toBeUndefined()
    expect(chain.run(alice, submit(2)), chain.message).toBeUndefined()
    expectAlive(chain)
  })

  it('can be an intermediate state only', () => {
    const chain = withAsset()
    const list = [core.roleOf('revoke', ROLE, alice), core.roleOf('grant', ROLE, alice)]
    const trigger = core.registerTrigger('later', GOV, core.BY_CALL, list)
    const grant = core.permission('grant', 'CanExecuteTrigger', 'later', outsider)
    expect(chain.enacted([trigger, grant], bob), chain.message).toBeUndefined()
    expect(chain.run(outsider, core.callTrigger('later')), chain.message).toBeUndefined()
    expectAlive(chain)
  })

  it('cannot force a change of a roster that has grown to three members', () => {
    const chain = withAsset()
    chain.bench.genesis(owner, core.registerTrigger('old', GOV, core.BY_CALL, [unregisterPeer(true)]))
    chain.bench.genesis(owner, core.permission('grant', 'CanExecuteTrigger', 'old', alice))
    expect(chain.run(alice, core.callTrigger('old'))).toBe('forced_membership')
    expect(chain.state.get(triggers, 'old')).toBeDefined()
  })

  it('is not affected by a trigger of a member on its events', () => {
    const chain = new GovChain()
    expect(chain.run(owner, setParameter('fee_asset', COIN), setParameter('fee_per_teu', '0.0066'))).toBeUndefined()
    chain.bench.genesis(owner, core.passOn('definition', COIN, alice))
    const own = core.onData('permission', { kind: 'account', value: alice })
    const spite = core.registerTrigger('spite', alice, own, [core.burn(alice, 900_000n, COIN)])
    expect(chain.run(alice, spite), chain.message).toBeUndefined()
    expect(chain.enacted([core.roleOf('revoke', ROLE, alice)], bob), chain.message).toBeUndefined()
    // It follows the instructions of the list, which it cannot undo.
    const left = chain.state.get(balances, { definition: COIN, account: alice })
    expect(unitsOf(left ?? core.units(0n))).toBeLessThan(unitsOf(core.units(100_000n)))
    expect(chain.status()).toBe('enacted')
  })
})
