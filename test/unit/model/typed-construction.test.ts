/** Types of instructions and events: a value with a wrong field does not compile. The compiler checks what is expected here. */
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { ExecContext } from '../../../src/executor/contract.js'
import { events as assetEvents } from '../../../src/features/assets/schema/events.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import {
  type DataEvent,
  defineEvents,
  type EventSubject,
  event,
  type Instruction,
  instruction,
  isEvent,
  isInstruction,
  name,
} from '../../../src/model/index.js'

const amount = { mantissa: 1n, scale: 0 }

/** Work that does not compile: never called, what the compiler refuses in it is the test. */
function refused(ctx: ExecContext, asset: { readonly definition: string; readonly account: string }): void {
  // @ts-expect-error: a field that is not there
  ctx.emit(assetEvents.burned, { asset, amount, reason: 'none' })
  // @ts-expect-error: a field that is missing
  ctx.emit(assetEvents.burned, { asset })
  // @ts-expect-error: a field of another type
  ctx.emit(assetEvents.burned, { asset, amount: 1n })
  // @ts-expect-error: a field that is not there
  instruction(assets.burn, { asset, amount, to: asset.account })
  // @ts-expect-error: a field that is missing
  instruction(assets.transfer, { asset, amount })
  // @ts-expect-error: a field of another type
  instruction(assets.setFreeze, { asset, frozen: 'yes', reason: undefined })
  const aboutDomain: EventSubject<{ readonly domain: string }> = { subject: 'domain' }
  const about = {
    ...aboutDomain,
    about: ({ domain }: { readonly domain: string }) => ({ objects: [domain], parties: [] }),
  }
  // @ts-expect-error: a subject of records with a field that this one has not
  defineEvents({ greeted: { id: 1, record: { name }, ...about } })
}

describe('an instruction built from its definition', () => {
  const built: Instruction = instruction(assets.burn, { asset: { definition: 'usd#bank', account: 'a' }, amount })

  it('with a wrong field does not compile', () => {
    expectTypeOf(refused).returns.toBeVoid()
  })

  it('has the kind of its definition and its value', () => {
    expect(built).toEqual({ kind: 'burn', value: { asset: { definition: 'usd#bank', account: 'a' }, amount } })
  })

  it('matches only its own definition, and then has a typed value', () => {
    expect(isInstruction(built, assets.mint)).toBe(false)
    expect(isInstruction(built, assets.burn) && built.value.asset.definition).toBe('usd#bank')
  })
})

describe('an event built from its definition', () => {
  const built: DataEvent = event(assetEvents.definitionDeleted, { definition: 'usd#bank' })

  it('matches only its own definition, and then has a typed value', () => {
    expect(isEvent(built, assetEvents.minted)).toBe(false)
    expect(isEvent(built, assetEvents.definitionDeleted) && built.value.definition).toBe('usd#bank')
  })
})
