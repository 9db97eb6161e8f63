/**
 * Rows 31 to 33 and 41 to 45 of the instruction table: with permission, role, lost permission, no permission, and a
 * void permission (docs/design/lanes.md 1).
 */

import { describe, expect, it } from 'vitest'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { laneSchema } from '../../../src/features/lanes/schema/index.js'
import { instructions as lanes, settlementObject } from '../../../src/features/lanes/schema/instructions.js'
import { instructions as permissionsInstructions } from '../../../src/features/permissions/schema.js'
import { type ErrorCode, type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { laneSpecOf, setPolicy, updateLanes } from '../../support/lanes.js'

const { owner, alice, bob, agent, outsider, USD, units } = core

const universal = { id: 0n, alias: 'universal', faultTolerance: 1, restricted: false, relayers: [] }
const leg = (from: string, to: string, amount: bigint) => ({
  asset: { definition: USD, account: from },
  to,
  amount: units(amount),
})
const LEGS = [leg(alice, bob, 5n), leg(alice, owner, 3n)] as const
const figures = {
  localDefinition: USD,
  localAmount: units(1n),
  unitDefinition: USD,
  unitDue: units(2n),
  unitAfterHaircut: units(2n),
  unitVariance: units(0n),
}

interface Row {
  readonly kind: string
  readonly instruction: Instruction
  /** Token that lets another account do it; who may grant it. */
  readonly token?: readonly [name: string, object: string | undefined]
  readonly grantor?: string
  /** Account that needs no token. */
  readonly owner?: string
  readonly outsider: ErrorCode
}
const ROWS: readonly Row[] = [
  ...(
    [
      ['updateLanes', updateLanes({ add: [laneSpecOf(1)] })],
      ['setRoutingPolicy', setPolicy(1, [{ lane: 0, instruction: 'asset' }])],
      ['setDataspaces', instruction(lanes.setDataspaces, { dataspaces: [universal] })],
    ] as const
  ).map(
    ([kind, instruction]): Row => ({
      kind,
      instruction,
      token: ['CanManageLanes', undefined],
      outsider: 'not_permitted',
    }),
  ),
  {
    kind: 'settleDvp',
    instruction: instruction(lanes.settleDvp, { id: 's1', delivery: LEGS[0], payment: LEGS[1] }),
    token: ['CanSettle', settlementObject('s1', LEGS, alice)],
    grantor: alice,
    owner: alice,
    outsider: 'not_permitted',
  },
  {
    kind: 'settlePvp',
    instruction: instruction(lanes.settlePvp, { id: 's2', first: LEGS[0], second: LEGS[1] }),
    token: ['CanSettle', settlementObject('s2', LEGS, alice)],
    grantor: alice,
    owner: alice,
    outsider: 'not_permitted',
  },
  {
    kind: 'recordSettlement',
    instruction: instruction(lanes.recordSettlement, { lane: 0, receipt: figures, swap: undefined }),
    token: ['CanRecordSettlement', '0'],
    outsider: 'not_permitted',
  },
  {
    kind: 'setRelayAnchor',
    instruction: instruction(lanes.setRelayAnchor, {
      chainHash: Buffer.alloc(32, 1),
      height: 9,
      committeeHash: Buffer.alloc(32, 2),
    }),
    token: ['CanManageRelayAnchors', undefined],
    outsider: 'not_permitted',
  },
]

const grant = (kind: 'grant' | 'revoke', [name, object]: readonly [string, string | undefined]): Instruction => ({
  kind,
  value: { subject: { kind: 'permission', value: { name, object } }, to: { kind: 'account', value: agent } },
})

/** A world in which the owner holds what a token is granted by. */
function world(token: Row['token']): Bench {
  const bench = core.smallWorld()
  bench.genesis(owner, core.permission('grant', 'CanManageLanes', undefined, owner))
  if (token !== undefined && token[1] === undefined && token[0] !== 'CanManageLanes') {
    bench.genesis(owner, core.permission('grant', token[0], undefined, owner))
  }
  return bench
}

describe('the instruction table of lanes', () => {
  it('has a row for each instruction except envelopes, which any account may submit (lane-routes.test.ts)', () => {
    const kinds = Object.keys(laneSchema.instructions).filter((kind) => kind !== 'acceptRelayEnvelope')
    expect(ROWS.map((row) => row.kind).sort()).toEqual(kinds.sort())
  })

  describe.each(ROWS)('$kind', ({ instruction: change, token, grantor = owner, owner: own, outsider: code }) => {
    it('refuses an unauthorised account, without effect', () => {
      const bench = world(token)
      const rows = bench.state.changes().length
      expect(bench.run(outsider, change)).toBe(code)
      expect(bench.state.changes()).toHaveLength(rows)
    })

    it('is allowed for its owner, if it has one', () => {
      if (own !== undefined) expect(world(token).run(own, change)).toBeUndefined()
      else expect(world(token).run(alice, change)).toBe(code)
    })

    it('is allowed for holders of its token, directly or by a role, until it is revoked', () => {
      if (token === undefined) throw new Error('every row has a token')
      const direct = world(token)
      expect(direct.run(outsider, grant('grant', token))).toBe('not_permitted')
      expect(direct.run(grantor, grant('grant', token))).toBeUndefined()
      expect(direct.run(agent, change)).toBeUndefined()

      const taken = world(token)
      expect(taken.run(grantor, grant('grant', token), grant('revoke', token))).toBeUndefined()
      expect(taken.run(agent, change)).toBe('not_permitted')

      const role = world(token)
      const permissions = [{ name: token[0], object: token[1] }]
      role.genesis(
        owner,
        instruction(permissionsInstructions.registerRole, { id: 'settlers', permissions, managers: [] }),
      )
      role.genesis(owner, core.roleOf('grant', 'settlers', agent))
      expect(role.run(agent, change)).toBeUndefined()
    })
  })

  it('a token for a settlement ends with its account, even if the id is registered again', () => {
    const fresh = outsider
    const bench = core.smallWorld()
    const legs = [leg(fresh, bob, 1n), leg(alice, fresh, 2n)] as const
    const settle: Instruction = instruction(lanes.settleDvp, { id: 's9', delivery: legs[0], payment: legs[1] })
    const object = settlementObject('s9', legs, fresh)
    expect(bench.run(fresh, core.permission('grant', 'CanSettle', object, alice))).toBeUndefined()
    expect(bench.run(fresh, core.unregister('Account', fresh))).toBeUndefined()
    const again = { id: fresh, domain: 'bank', label: undefined, metadata: NO_METADATA }
    expect(bench.run(owner, instruction(accounts.registerAccount, again), core.mint(fresh, 5n))).toBeUndefined()
    expect(bench.run(alice, settle)).toBe('not_permitted')
    expect(bench.run(fresh, core.permission('grant', 'CanSettle', object, alice))).toBeUndefined()
    expect(bench.run(alice, settle)).toBeUndefined()
  })

  it('an unset anchor cannot be revoked', () => {
    const bench = world(['CanManageRelayAnchors', undefined])
    const anchor = (committeeHash: Buffer | undefined): Instruction =>
      instruction(lanes.setRelayAnchor, { chainHash: Buffer.alloc(32, 1), height: 9, committeeHash })
    expect(bench.run(owner, anchor(undefined))).toBe('absent')
    expect(bench.run(owner, anchor(Buffer.alloc(32, 2)))).toBeUndefined()
    expect(bench.run(owner, anchor(undefined))).toBeUndefined()
    expect(bench.run(owner, anchor(undefined))).toBe('absent')
  })
})
