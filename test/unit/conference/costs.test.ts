/**
 * Costs and proof work of private instructions, places where they are not permitted, and the effect of an upgrade to
 * ABI 2.
 */

import { describe, expect, it } from 'vitest'
import { blockLimits, loadFault } from '../../../src/consensus/index.js'
import { transactionLimitsOf } from '../../../src/executor/index.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { instructions as triggers } from '../../../src/features/triggers/schema.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import {
  alice,
  bob,
  carol,
  conferenceBench,
  create,
  join,
  keyFor,
  leave,
  privately,
  registerKey,
  sendSignal,
  use,
  VK,
} from '../../support/conference.js'
import { Bench } from '../../support/executor.js'

const proof = (bytes: number) => ({ vkHash: VK.roster, bytes: Buffer.alloc(bytes) })
const costOf = (one: Instruction): number => ABI_2.costOf([one], 'record')
const workOf = (one: Instruction): number => ABI_2.proofWorkOf([one])

describe('the cost of a proof', () => {
  it.each([
    ['a transparent join', join(), 180, 0],
    ['an open join', join({ proof: proof(128) }), 1_520 + 640, 12],
    ['a listed join among 16', join({ proof: proof(608) }), 1_520 + 5 * 608 + 640, 16 + 8 + 16],
    ['a listed join among 64', join({ proof: proof(736) }), 7_760, 64 + 12 + 16],
    ['a listed join among 256', join({ proof: proof(864) }), 1_520 + 5 * 864 + 40 * 256, 256 + 16 + 16],
    ['a join with bytes that match no relation', join({ proof: proof(129) }), 1_520 + 645, 12],
    ['a leave', leave({ proof: proof(128) }), 2_160, 12],
    ['usage', use(1n, 0n, { proof: proof(64) }), 1_180 + 320, 10],
    ['a signal of a member', sendSignal('hi', { proof: proof(96) }), 900 + 2 + 480, 9],
    ['64 keys', privately({ admissionKeys: Array(64).fill(Buffer.alloc(32)) }), 420 + 1 + 64 * 30, 32],
    ['a transparent call', create(), 421, 0],
  ] as const)('is pinned for %s', (_, one, teu, units) => {
    expect(costOf(one as Instruction)).toBe(teu)
    expect(workOf(one as Instruction)).toBe(units)
  })

  it('is limited to 512 units per block, independent of caches, including the first proof', () => {
    const limits = transactionLimitsOf(conferenceBench().state)
    const load = { transactions: 1, teu: 0, work: 0, bytes: 0, evidence: 0 }
    expect(loadFault(blockLimits(limits, 0), { ...load, proofWork: 512 })).toBeUndefined()
    expect(loadFault(blockLimits(limits, 0), { ...load, proofWork: 513 })).toContain('units of proof work')
    expect(loadFault(blockLimits(limits, 5), { ...load, proofWork: 512 })).toBeUndefined()
  })
})

describe('a stored instruction list', () => {
  it('cannot contain proofs, in a trigger or in a proposal', () => {
    const bench = conferenceBench()
    bench.run(alice, privately({ admissionKeys: ['ann', 'ben'].map(keyFor) }))
    const trigger = (instructions: readonly Instruction[]) =>
      instruction(triggers.registerTrigger, {
        id: 'later',
        authority: bob,
        filter: { kind: 'byCall', value: undefined },
        repeats: undefined,
        instructions,
        metadata: NO_METADATA,
      })
    expect(bench.run(bob, trigger([join({ proof: proof(128) })]))).toBe('bad_trigger')
    expect(bench.last?.rejection?.message).toContain('proofs')
  })
})

describe('an upgrade of the ABI', () => {
  it('adds instruction kinds to ABI 1 without changing existing ones', () => {
    for (const [kind, def] of ABI_1.instructions) {
      expect(ABI_2.instructions.get(kind)?.id).toBe(def.id)
      expect(ABI_2.instructions.get(kind)?.schema.hash).toEqual(def.schema.hash)
      expect(ABI_2.instructions.get(kind)?.cost).toEqual(def.cost)
    }
    expect(ABI_1.instructions.has('createConference')).toBe(false)
    expect(ABI_1.parameters.some((def) => def.name === 'proof_work_per_block')).toBe(false)
  })

  it('adds a permission that has no holders and that upgrade managers can grant first', () => {
    const bench = new Bench(undefined, ABI_2)
    bench.genesis(
      alice,
      instruction(domains.registerDomain, { id: 'meet', dataspace: undefined, metadata: NO_METADATA }),
      ...[alice, bob, carol].map((id) => ({
        kind: 'registerAccount',
        value: { id, label: undefined, domain: 'meet', metadata: NO_METADATA },
      })),
    )
    const grant = (name: string, to: string) =>
      instruction(permissions.grant, {
        subject: { kind: 'permission', value: { name, object: undefined } },
        to: { kind: 'account', value: to },
      })
    bench.genesis(alice, grant('CanManageRuntimeUpgrades', alice))
    expect(bench.run(bob, grant('CanManageVerifyingKeys', bob))).toBe('not_permitted')
    expect(bench.run(alice, registerKey('roster'))).toBe('not_permitted')
    expect(bench.run(alice, grant('CanManageVerifyingKeys', bob))).toBeUndefined()
    expect(bench.run(alice, grant('CanManageVerifyingKeys', alice))).toBe('not_permitted')
    expect(bench.run(bob, registerKey('roster'))).toBeUndefined()
    expect(bench.run(bob, grant('CanManageVerifyingKeys', carol))).toBeUndefined()
    expect(bench.run(alice, grant('CanSetParameters', alice))).toBe('not_permitted')
  })
})
