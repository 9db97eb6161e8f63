/** Rules that ABI 1 keeps as release 0.1.0 has them, and later ABIs have mended (docs/decisions/reviews/0072, 0073). */

import { describe, expect, it } from 'vitest'
import { type Abi, triggers } from '../../../src/executor/index.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { ibans } from '../../../src/ledger/iso-bindings.js'
import { roles, tokens } from '../../../src/ledger/tables.js'
import {
  type Instruction,
  instruction,
  keyBytes,
  type MultisigPolicy,
  multisigAccount,
  TOKENS_MAX,
} from '../../../src/model/index.js'
import { registerKey } from '../../support/conference.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const { owner, alice, bob, agent, outsider } = core
const IBAN = 'DE89370400440532013000'

describe.each([
  ['ABI 1', ABI_1, true],
  ['ABI 2', ABI_2, false],
])('a domain with the name of another object, under %s', (_, abi, isFirst) => {
  const bar = (bench: Bench, id: string, subject: string, object: string) =>
    bench.run(
      bob,
      core.registerTrigger(id, bob, core.onData(subject, { kind: 'object', value: object }), [
        core.transfer(bob, owner, 1_000_000n),
      ]),
    )
  const worldOf = (name: string): Bench => {
    const bench = core.smallWorld(abi)
    bench.genesis(bob, core.registerDomain(name))
    return bench
  }
  const setParameter: Instruction = instruction(parameters.setParameter, { name: 'block_teu', value: 5_000 })

  it('gives its owner a veto over the parameter of that name only under ABI 1', () => {
    const bench = worldOf('block_teu')
    bench.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, owner))
    expect(bar(bench, 'bar', 'parameter', 'block_teu')).toBe(isFirst ? undefined : 'not_permitted')
    expect(bench.run(owner, setParameter)).toBe(isFirst ? 'not_enough' : undefined)
  })

  it('gives its owner a veto over events in the domain', () => {
    const bench = worldOf('block_teu')
    for (const subject of ['domain', 'account', 'metadata', 'ownership'])
      expect(bar(bench, `bar-${subject}`, subject, 'block_teu')).toBeUndefined()
    expect(bench.run(bob, core.registerAccount(accountNamed('new'), undefined, 'block_teu'))).not.toBeUndefined()
  })

  if (!isFirst)
    it('has no power over a parameter through a trigger that was registered under ABI 1', () => {
      const first = core.smallWorld(ABI_1)
      first.genesis(bob, core.registerDomain('block_teu'))
      first.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, owner))
      expect(bar(first, 'bar', 'parameter', 'block_teu')).toBeUndefined()
      expect(first.run(owner, setParameter)).toBe('not_enough')
      const { triggerAuthority } = ABI_2.policies
      const row = first.state.get(triggers, 'bar')
      if (row === undefined) throw new Error('no trigger')
      expect(triggerAuthority?.({ abi: ABI_2 }, first.state, row, owner)).toBe('none')
      expect(triggerAuthority?.({ abi: ABI_1 }, first.state, row, owner)).toBe('veto')
    })
})

describe.each([
  ['ABI 1', ABI_1, true],
  ['ABI 2', ABI_2, false],
])('under %s', (_, abi: Abi, isFirst) => {
  it('the default role of a domain can be set only by a manager of that role, from ABI 2 on', () => {
    const bench = core.smallWorld(abi)
    const admit = (defaultRole: string): Instruction =>
      instruction(accounts.setAdmission, {
        domain: 'shop',
        policy: { mode: 'implicit', maxPerTx: 3, maxPerBlock: 5, minimum: undefined, defaultRole },
      })
    bench.genesis(owner, core.registerRole('treasurer', [], [owner]), core.registerRole('guest', [], [alice]))
    expect(bench.run(alice, admit('treasurer'))).toBe(isFirst ? undefined : 'not_permitted')
    expect(bench.run(alice, admit('guest'))).toBeUndefined()
  })

  it('an account can drop permissions that other accounts granted to fill its list, from ABI 2 on', () => {
    const bench = core.smallWorld(abi)
    const object = (at: number) => `i${at}:${'ab'.repeat(32)}#${Buffer.from(keyBytes(outsider)).toString('hex')}`
    for (let at = 0; at < TOKENS_MAX; at += 1)
      expect(bench.run(outsider, core.permission('grant', 'CanSettle', object(at), agent))).toBeUndefined()
    const grant = core.permission('grant', 'CanTransfer', core.USD, agent)
    expect(bench.run(owner, grant)).toBe('too_many_tokens')
    const layDown = core.permission('revoke', 'CanSettle', object(7), agent)
    expect(bench.run(bob, layDown)).toBe('not_permitted')
    expect(bench.run(agent, layDown)).toBe(isFirst ? 'not_permitted' : undefined)
    expect(bench.run(owner, grant)).toBe(isFirst ? 'too_many_tokens' : undefined)
    expect(bench.state.get(tokens, agent)).toHaveLength(TOKENS_MAX)
  })

  it('an account can drop its own role, but an unrelated account cannot remove it, from ABI 2 on', () => {
    const bench = core.smallWorld(abi)
    bench.genesis(owner, core.roleOf('grant', 'clerk', agent))
    const layDown = core.roleOf('revoke', 'clerk', agent)
    expect(bench.run(outsider, layDown)).toBe('not_permitted')
    expect(bench.run(agent, layDown)).toBe(isFirst ? 'not_permitted' : undefined)
    expect(bench.state.get(roles, 'clerk')?.members).toBe(isFirst ? 1 : 0)
    if (isFirst) return
    expect(bench.run(agent, layDown)).toBe('absent')
    expect(bench.run(agent, core.roleOf('revoke', 'nobody', agent))).toBe('absent')
  })

  it('the last holder of a global permission can drop neither the permission nor its role', () => {
    const bench = core.smallWorld(abi)
    bench.genesis(owner, core.rolePermission('grant', 'CanSetParameters', undefined, 'clerk'))
    bench.genesis(owner, core.roleOf('grant', 'clerk', agent))
    expect(bench.run(agent, core.roleOf('revoke', 'clerk', agent))).toBe(isFirst ? 'not_permitted' : 'last_holder')
    bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, agent))
    expect(bench.run(agent, core.permission('revoke', 'CanManageRoles', undefined, agent))).toBe('last_holder')
  })

  it('one member of a multisig account cannot use up the proposal slots of other members, from ABI 2 on', () => {
    const bench = core.smallWorld(abi)
    const policy: MultisigPolicy = core.policyOf(
      [
        [alice, 1],
        [bob, 1],
        [agent, 1],
      ],
      2,
    )
    const account = multisigAccount(policy)
    bench.genesis(owner, core.registerMultisig(policy))
    const open = (by: typeof alice) => bench.run(by, core.propose(account, core.log('x')))
    const codes = Array.from({ length: 64 }, () => open(alice))
    expect(codes.filter((code) => code === undefined)).toHaveLength(isFirst ? 64 : 21)
    expect(open(bob)).toBe(isFirst ? 'too_many_proposals' : undefined)
    if (isFirst) return
    expect(codes.at(-1)).toBe('too_many_proposals')
    // Its own place comes back when it cancels.
    expect(bench.run(bob, core.cancel(account, core.lastProposal(bench.events)))).toBeUndefined()
    for (let at = 0; at < 21; at += 1) expect(open(bob)).toBeUndefined()
    for (let at = 0; at < 21; at += 1) expect(open(agent)).toBeUndefined()
    expect([open(bob), open(agent)]).toEqual(['too_many_proposals', 'too_many_proposals'])
  })

  it('a trigger without authority can be removed by an account that may watch the same object, from ABI 2 on', () => {
    const bench = core.smallWorld(abi)
    bench.genesis(alice, core.passOn('nft', core.ART, bob))
    const watch = (by: typeof alice, id: string): Instruction =>
      core.registerTrigger(id, by, core.onData('nft', { kind: 'object', value: core.ART }), [core.log('x')])
    const remove = (by: typeof alice, id: string) => bench.run(by, core.unregister('Trigger', id))
    for (let at = 0; at < 64; at += 1) expect(bench.run(bob, watch(bob, `t${at}`))).toBeUndefined()
    expect(remove(agent, 't0')).toBe('not_permitted')
    expect(bench.run(bob, core.passOn('nft', core.ART, agent))).toBeUndefined()
    expect(bench.run(agent, watch(agent, 'mine'))).toBe('too_many_triggers')
    expect(remove(outsider, 't0')).toBe('not_permitted')
    expect(remove(agent, 't0')).toBe(isFirst ? 'not_permitted' : undefined)
    expect(bench.run(agent, watch(agent, 'mine'))).toBe(isFirst ? 'too_many_triggers' : undefined)
    if (isFirst) return
    // One that has its power is not for others who may watch the same.
    bench.genesis(owner, core.registerRole('desk', [], [bob, agent]))
    const onRole = core.onData('role', { kind: 'object', value: 'desk' })
    expect(bench.run(bob, core.registerTrigger('own', bob, onRole, [core.log('x')]))).toBeUndefined()
    expect(remove(agent, 'own')).toBe('not_permitted')
  })

  it('a manager of currencies can remove the disputed binding of an IBAN, from ABI 2 on', () => {
    const bench = core.smallWorld(abi)
    const bind = (account: typeof alice): Instruction => instruction(iso.bindIban, { iban: IBAN, account })
    const unbind: Instruction = instruction(iso.unbindIban, { iban: IBAN })
    bench.genesis(owner, core.permission('grant', 'CanManageIsoCurrencies', undefined, agent))
    bench.genesis(alice, core.registerAccount(accountNamed('squatter'), undefined, 'shop'))
    expect(bench.run(alice, bind(accountNamed('squatter')))).toBeUndefined()
    expect(bench.run(owner, bind(bob))).toBe('exists')
    expect(bench.run(owner, unbind)).toBe('not_permitted')
    expect(bench.run(agent, unbind)).toBe(isFirst ? 'not_permitted' : undefined)
    if (isFirst) return
    expect(bench.run(owner, bind(bob))).toBeUndefined()
    expect(bench.state.get(ibans, IBAN)).toBe(bob)
  })

  it.each(['.', '..'])('no object can be named %s, a relative path segment, from ABI 2 on', (name) => {
    const bench = core.smallWorld(abi)
    for (const right of ['CanRegisterDomain', 'CanManageRoles', ...(isFirst ? [] : ['CanManageVerifyingKeys'])])
      bench.genesis(owner, core.permission('grant', right, undefined, owner))
    const registrations: Instruction[] = [
      core.registerDomain(name),
      core.registerRole(name),
      core.registerTrigger(name, owner, core.BY_CALL, [core.log('x')]),
      // ABI 1 has no verifying keys.
      ...(isFirst ? [] : [registerKey('roster', { name }) as Instruction]),
    ]
    const expected = registrations.map(() => (isFirst ? undefined : 'bad_name'))
    expect(registrations.map((one) => bench.run(owner, one))).toEqual(expected)
    // Names that merely look like it are names.
    for (const other of ['...', '.x', '%2e']) expect(bench.run(owner, core.registerDomain(other))).toBeUndefined()
  })
})
