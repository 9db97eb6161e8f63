/** Texts and figures of clients that are legal as bytes and mean nothing: each costs its transaction, none the node. */

import { describe, expect, it, vi } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import type { Abi } from '../../../src/executor/index.js'
import { BLOCK_TEU, MAX_TEU_PER_TX } from '../../../src/executor/system-parameters.js'
import { ABI_1, NEWEST_ABI } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as triggers } from '../../../src/features/triggers/schema.js'
import {
  add,
  blockOutcome,
  type ErrorCode,
  type Instruction,
  instruction,
  isSupply,
  NO_METADATA,
  subtract,
} from '../../../src/model/index.js'
import { Overlay } from '../../../src/state/index.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'

const { owner, alice, bob, agent, outsider } = core

/** Object texts that no kind of object has, and such that another kind has. */
const OBJECTS = [
  '',
  'nope',
  'zz',
  '00',
  '#',
  '$',
  ':',
  'x$',
  'a#b#c',
  'a b',
  'é',
  'bank#',
  'usd#bank',
  'usd#bank#zz',
  'usd#bank#00ff',
  '-1',
  '1e3',
  '007',
  '99999999999999999999',
  '__proto__',
  'toString',
  'a'.repeat(256),
  'ab'.repeat(40),
  `0100${'AB'.repeat(32)}`,
  `id:${'0'.repeat(64)}#00`,
]

/** Result of an instruction; a fault of the executor fails the test with its message. */
function codeOf(bench: Bench, by: string, instruction: Instruction): ErrorCode | undefined {
  const code = bench.run(by, instruction)
  expect(code, `${JSON.stringify(instruction.kind)}: ${bench.last?.rejection?.message}`).not.toBe('executor_fault')
  return code
}

describe('a malformed object text', () => {
  const withObject = [...ABI_1.permissions.values()].filter((def) => def.on !== undefined)

  it.each(withObject.map((def) => [def.name, def] as const))('is rejected by %s', (name, def) => {
    const bench = core.smallWorld()
    bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, owner))
    for (const [index, object] of OBJECTS.entries()) {
      for (const verb of ['grant', 'revoke'] as const) {
        const code = codeOf(bench, outsider, core.permission(verb, name, object, bob))
        expect(['absent', 'not_permitted'], `${verb} ${name} ${object}`).toContain(code)
        if (def.on?.isId(object) === false) expect(code).toBe('absent')
      }
      const role = codeOf(bench, owner, core.registerRole(`odd${index}`, [[name, object]]))
      if (def.on?.isId(object) === false) expect(role).toBe('absent')
    }
  })

  it('cannot be watched by a trigger', () => {
    const bench = core.smallWorld()
    for (const subject of ABI_1.eventSubjects.keys()) {
      for (const object of OBJECTS.filter((text) => text !== 'usd#bank')) {
        const filter = core.onData(subject, { kind: 'object', value: object })
        const trigger = core.registerTrigger('odd', outsider, filter, [core.log('x')])
        expect(codeOf(bench, outsider, trigger), `${subject} ${object}`).toBe('not_permitted')
      }
    }
  })
})

describe('the supply of a definition', () => {
  const GOLD = 'gold#bank'
  const TOO_MUCH = 2n ** 511n - 1n
  function world(): Bench {
    const bench = core.smallWorld()
    bench.genesis(
      owner,
      instruction(assets.registerAssetDefinition, {
        id: GOLD,
        scale: undefined,
        mintable: { kind: 'infinitely', value: undefined },
        metadata: NO_METADATA,
      }),
    )
    return bench
  }
  const gold = (kind: 'mint' | 'burn', account: string, mantissa: bigint, scale = 0): Instruction => ({
    kind,
    value: { asset: core.balance(account, GOLD), amount: { mantissa, scale } },
  })

  it('can be moved and burned to the last unit at full precision', () => {
    const bench = world()
    let most = 1n
    while (isSupply({ mantissa: most * 10n, scale: 0 })) most *= 10n
    expect(bench.run(owner, gold('mint', alice, most))).toBeUndefined()
    expect(bench.run(owner, gold('mint', alice, most * 9n))).toBe('overflow')
    expect(bench.run(owner, gold('mint', bob, TOO_MUCH))).toBe('overflow')
    expect(bench.run(owner, gold('mint', bob, 1n, 28))).toBeUndefined()
    expect(bench.run(bob, gold('burn', bob, 1n, 28))).toBeUndefined()
    expect(bench.run(alice, gold('burn', alice, 1n, 28))).toBeUndefined()
    expect(bench.run(alice, gold('burn', alice, 1n, 27))).toBeUndefined()
    const rest = subtract({ mantissa: most, scale: 0 }, { mantissa: 11n, scale: 28 })
    if (rest === undefined) throw new Error('the rest has a form')
    expect(bench.run(alice, gold('burn', alice, rest.mantissa, rest.scale))).toBeUndefined()
    expect(bench.run(alice, gold('burn', alice, 1n, 28))).toBe('not_enough')
  })

  it('can be added to and subtracted from at full precision, even at its limit', () => {
    const most = { mantissa: TOO_MUCH / 10n ** 28n, scale: 0 }
    expect(isSupply(most)).toBe(true)
    expect(subtract(most, { mantissa: 1n, scale: 28 })).toBeDefined()
    expect(add(most, { mantissa: 1n, scale: 28 })).toBeDefined()
    expect(isSupply({ mantissa: most.mantissa + 1n, scale: 0 })).toBe(false)
  })
})

describe('an instruction that throws', () => {
  it('is rejected as an executor fault without effect, and the next transaction runs', () => {
    const bench = core.smallWorld()
    // Past every check: the kind of value that no decoder lets through.
    const broken: Instruction = instruction(domains.registerDomain, {
      id: 'a b',
      dataspace: undefined,
      metadata: NO_METADATA,
    })
    const before = bench.state.changes()
    expect(bench.run(agent, core.log('x'), broken)).not.toBeUndefined()
    bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, agent))
    const granted = bench.state.changes()
    expect(granted).not.toEqual(before)
    expect(bench.run(agent, core.log('x'), broken)).toBe('executor_fault')
    expect(bench.last?.rejection?.message).toMatch(/^registerDomain: cannot encode/)
    expect(bench.state.changes()).toEqual(granted)
    expect(bench.run(agent, core.log('y'))).toBeUndefined()
  })
})

describe('the events of a block', () => {
  /** Bytes that one unit causes at most: the greatest values of the parameters in system-parameters.ts rest on it. */
  const BYTES_PER_TEU = 32
  const OUTCOME_MAX_BYTES = 64 * 1024 * 1024
  const LONG_ID = 'x'.repeat(128)

  const bytesOf = (bench: Bench): number => {
    const events = bench.events.map((event) => ({ entry: 16_383, event }))
    return blockOutcome.encode({ results: [], events, texts: [] }, ABI_1.codec('cw')).length
  }
  /** Bytes per unit that a run of these triggers causes, which a stranger calls; the call itself is not counted. */
  function density(list: readonly Instruction[], followers: number): number {
    const bench = core.smallWorld()
    bench.contentTeu = 1_000_000
    bench.genesis(
      alice,
      core.registerTrigger(LONG_ID, alice, core.BY_CALL, list),
      core.registerTrigger('args', alice, core.BY_CALL, [core.log('')]),
    )
    for (let index = 0; index < followers; index++) {
      const id = `${LONG_ID.slice(4)}${index}`
      const filter = core.onData('asset', { kind: 'account', value: alice })
      bench.genesis(alice, core.registerTrigger(id, alice, filter, [core.log('')]))
    }
    bench.events.length = 0
    expect(bench.run(alice, core.callTrigger(LONG_ID))).toBeUndefined()
    return bytesOf(bench) / (bench.last?.contentTeu ?? 0)
  }
  const many = (one: Instruction): Instruction[] => Array.from({ length: 64 }, () => one)
  const call = (args: Json): Instruction => instruction(triggers.executeTrigger, { id: 'args', args })

  it.each([
    ['empty log lines', many(core.log(''))],
    ['long log lines', many(core.log('x'.repeat(1_024)))],
    ['log lines of wide characters', many(core.log('€'.repeat(341)))],
    ['calls with large arguments', many(call('x'.repeat(1_800)))],
    ['metadata', many(core.setKey({ kind: 'account', value: alice }, LONG_ID, 'x'.repeat(1_700)))],
    ['the smallest metadata', many(core.setKey({ kind: 'account', value: alice }, LONG_ID, null))],
  ])('caused by %s have fewer bytes per unit than the limit', (_name, list) => {
    expect(density(list, 0)).toBeLessThan(BYTES_PER_TEU)
  })

  it('cause fewer lookups of observing triggers under the newest ABI', () => {
    const looksOf = (abi: Abi): number => {
      const bench = core.smallWorld(abi)
      for (let index = 0; index < 64; index++) {
        const filter = core.onData('asset', { kind: 'account', value: bob })
        expect(bench.run(bob, core.registerTrigger(`w${index}`, bob, filter, [core.log('')]))).toBeUndefined()
      }
      // A part of it is for those who follow.
      bench.contentTeu = 20_000
      let looks = 0
      const get = Overlay.prototype.get
      const seen = vi.spyOn(Overlay.prototype, 'get').mockImplementation(function (this: Overlay, table, key) {
        if (table.name === 'triggers') looks += 1
        return get.call(this, table, key)
      } as typeof get)
      const paid = Array.from({ length: 64 }, () => [alice, bob, 1n] as const)
      expect(bench.run(alice, core.batch(...paid))).toBeUndefined()
      seen.mockRestore()
      return looks
    }
    // Finding them is one look each, whatever comes of it.
    const found = 64 * 64
    expect(looksOf(NEWEST_ABI) - found).toBeLessThan((looksOf(ABI_1) - found) / 4)
  })

  it('caused by observing triggers also have fewer bytes per unit than the limit', () => {
    expect(density([core.transfer(alice, bob, 1n)], 64)).toBeLessThan(BYTES_PER_TEU)
  })

  it('fit the block record for all permitted parameter values', () => {
    const greatest = (def: typeof BLOCK_TEU): number => {
      let value = def.fallback
      while (def.check?.(value * 2) === undefined) value *= 2
      return value * 2
    }
    const units = 2 * (greatest(BLOCK_TEU) + greatest(MAX_TEU_PER_TX))
    expect(units).toBeGreaterThan(2 * (BLOCK_TEU.fallback + MAX_TEU_PER_TX.fallback))
    expect((units / 2) * BYTES_PER_TEU).toBeLessThan(OUTCOME_MAX_BYTES)
  })
})
