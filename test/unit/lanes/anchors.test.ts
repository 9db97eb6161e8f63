/** Revoking committees of another chain: the one that is named with all below it, and nothing that is set afterwards. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { Abi } from '../../../src/executor/index.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { relayAnchors } from '../../../src/features/lanes/ledger/tables.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import { EMPTY_ROWS } from '../../../src/state/index.js'
import { accountNamed, Bench } from '../../support/executor.js'

const manager = accountNamed('manager')
const chainHash = Buffer.alloc(32, 5)
const anchor = (height: number, committeeHash: Uint8Array | undefined, chain: Uint8Array = chainHash): Instruction =>
  instruction(lanes.setRelayAnchor, { chainHash: chain, height, committeeHash })
const trust = (height: number, chain?: Uint8Array) => anchor(height, Buffer.alloc(32, height), chain)
const revoke = (height: number, chain?: Uint8Array) => anchor(height, undefined, chain)

function benchOf(abi: Abi): Bench {
  const bench = new Bench(EMPTY_ROWS, abi)
  bench.genesis(manager, instruction(domains.registerDomain, { id: 'x', dataspace: undefined, metadata: new Map() }))
  bench.genesis(
    manager,
    instruction(accounts.registerAccount, { id: manager, domain: 'x', label: undefined, metadata: new Map() }),
  )
  bench.genesis(
    manager,
    instruction(permissions.grant, {
      subject: { kind: 'permission', value: { name: 'CanManageRelayAnchors', object: undefined } },
      to: { kind: 'account', value: manager },
    }),
  )
  return bench
}

describe('a revocation of relay anchors from ABI 2 on', () => {
  let bench: Bench
  /** True if a height is trusted, found by a revocation that is undone. */
  const isTrusted = (height: number, chain?: Uint8Array): boolean => {
    const probe = bench.run(manager, revoke(height, chain), trust(height, chain))
    return probe === undefined
  }
  beforeEach(() => {
    bench = benchOf(ABI_2)
    bench.genesis(manager, trust(5), trust(6), trust(7), trust(6, Buffer.alloc(32, 9)))
  })

  it('revokes all heights of a chain up to the given height', () => {
    expect(bench.run(manager, revoke(6))).toBeUndefined()
    for (const height of [5, 6]) expect(bench.run(manager, revoke(height))).toBe('absent')
    expect(isTrusted(6, Buffer.alloc(32, 9))).toBe(true)
    expect(isTrusted(7)).toBe(true)
  })

  it('leaves only anchors that are set after it', () => {
    bench.genesis(manager, revoke(7), trust(5))
    expect(bench.run(manager, revoke(6))).toBe('absent')
    expect(bench.run(manager, revoke(5))).toBeUndefined()
    expect(bench.run(manager, revoke(5))).toBe('absent')
  })

  it('also revokes restored anchors up to its height', () => {
    bench.genesis(manager, revoke(7), trust(5), trust(6), revoke(6))
    for (const height of [5, 6, 7]) expect(bench.run(manager, revoke(height))).toBe('absent')
  })

  it('revokes every height that was set again after an earlier revocation, even above the given height', () => {
    bench.genesis(manager, revoke(6), trust(5), trust(6), revoke(5))
    expect(bench.run(manager, revoke(6))).toBe('absent')
    expect(isTrusted(7)).toBe(true)
  })

  it('is refused for an untrusted height, and then revokes nothing', () => {
    expect(bench.run(manager, revoke(8))).toBe('absent')
    expect(isTrusted(5)).toBe(true)
  })
})

it('under ABI 1, a revocation of relay anchors covers only the given height, as in release 0.1.0', () => {
  const bench = benchOf(ABI_1)
  bench.genesis(manager, trust(5), trust(6), revoke(6))
  expect(bench.state.get(relayAnchors, { chainHash, height: 5 })).toEqual(Buffer.alloc(32, 5))
  expect(bench.run(manager, revoke(6))).toBe('absent')
  expect(bench.run(manager, revoke(5))).toBeUndefined()
})
