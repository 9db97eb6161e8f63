/**
 * Random shared transactions and single claims: the ledger and a naive model agree on every payment, and each is made
 * once.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { claims, headRefusals, heads, payments } from '../../../src/features/iso20022/ledger/tables.js'
import { claimKey, instructions as iso, paymentKey } from '../../../src/features/iso20022/schema/instructions.js'
import { instruction } from '../../../src/model/index.js'
import type { Bench } from '../../support/executor.js'
import {
  alice,
  balanceOf,
  bank,
  bob,
  bridge,
  euros,
  outcomesOf,
  part,
  paymentsBench,
  START,
  settle,
  units,
} from '../../support/shared-payments.js'
import { DETAILS } from '../../unit/iso20022/support.js'

const IDS = ['A', 'B', 'C']
const UETRS = ['u1', 'u2', undefined]
const RUNS = 300

interface OnePart {
  readonly place: number
  readonly amount: bigint
  readonly uetr: string | undefined
}
interface OneMessage {
  readonly id: string
  readonly body: number
  readonly count: number
  readonly parts: readonly OnePart[]
}

const onePart = fc.record({
  place: fc.integer({ min: 1, max: 4 }),
  amount: fc.constantFrom(1n, 7n, 400n, 2_000n),
  uetr: fc.constantFrom(...UETRS),
})
const oneMessage = fc
  .record({
    id: fc.constantFrom(...IDS),
    body: fc.constantFrom(1, 1, 1, 2),
    count: fc.constantFrom(1, 1, 3, 3, 4),
    parts: fc.uniqueArray(onePart, { minLength: 1, maxLength: 4, selector: ({ place }) => place }),
  })
  .map(({ count, parts, ...rest }): OneMessage => {
    const within = parts.filter(({ place }) => place <= count).sort((a, b) => a.place - b.place)
    const only: OnePart = { place: 1, amount: parts[0]?.amount ?? 1n, uetr: parts[0]?.uetr }
    return { ...rest, count, parts: count === 1 || within.length === 0 ? [only] : within }
  })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      list: fc.array(oneMessage, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('claim' as const), one: oneMessage }) },
)

/** Model of the ledger that keeps everything in maps. */
class Model {
  readonly outcomes = new Map<string, 'settled' | 'rejected'>()
  readonly bodies = new Map<string, { readonly body: number; readonly count: number }>()
  private readonly uetrs = new Map<string, string>()
  left = START

  batch(list: readonly OneMessage[]): string[] {
    const results = list.map((one) => this.opened(one))
    return list.flatMap((one, index) =>
      one.parts.map((of) => `${one.id}/${of.place} ${this.make(one, of, results[index])}`),
    )
  }

  claim({ id, parts: [only] }: OneMessage): string {
    if (this.outcomes.get(this.keyOf(id, 1, 1)) === 'settled' || this.bodies.has(id)) return 'iso_duplicate_message'
    const refused = only === undefined ? undefined : this.pay(this.keyOf(id, 1, 1), only)
    return refused ?? 'approved'
  }

  private opened({ id, body, count }: OneMessage): boolean {
    const head = this.bodies.get(id)
    if (count === 1) return head === undefined
    if (head !== undefined) return head.body === body && head.count === count
    if (this.outcomes.get(this.keyOf(id, 1, 1)) === 'settled') return false
    this.outcomes.delete(this.keyOf(id, 1, 1))
    this.bodies.set(id, { body, count })
    return true
  }

  private make({ id, count }: OneMessage, of: OnePart, isOpen: boolean | undefined): string {
    const key = this.keyOf(id, count, of.place)
    const isTaken = this.outcomes.get(key) === 'settled' || (count === 1 && this.bodies.has(id))
    if (isOpen !== true || isTaken) return 'refused iso_duplicate_message'
    const refused = this.pay(key, of)
    if (refused !== undefined) this.outcomes.set(key, 'rejected')
    return refused ?? 'settled'
  }

  private pay(key: string, { amount, uetr }: OnePart): string | undefined {
    if (uetr !== undefined && (this.uetrs.get(uetr) ?? key) !== key) return 'iso_uetr'
    if (amount > this.left) return 'not_enough'
    if (uetr !== undefined) this.uetrs.set(uetr, key)
    this.left -= amount
    this.outcomes.set(key, 'settled')
    return undefined
  }

  keyOf = (id: string, count: number, place: number): string => (count === 1 ? id : `${id}/${place}`)
}

const messageOf = ({ id, body, count, parts }: OneMessage) => ({
  submitter: bank,
  family: 'pacs008' as const,
  messageId: id,
  bodyHash: Buffer.alloc(32, body),
  payments: count,
  batchBooking: false,
  refused: [],
  parts: parts.map(({ place, amount, uetr }) => part(place, amount, { details: { ...DETAILS, uetr } })),
})

/** Compare the state of every message on the ledger with the model. */
function compare(bench: Bench, model: Model): void {
  expect(balanceOf(bench, alice)).toBe(model.left)
  expect(balanceOf(bench, bob)).toBe(START - model.left)
  for (const id of IDS) {
    const key = claimKey(bank, 'pacs008', id)
    const body = model.bodies.get(id)
    const head = bench.state.get(heads, key)
    const outcomes = Array.from({ length: body?.count ?? 0 }, (_, at) => model.outcomes.get(`${id}/${at + 1}`))
    const counted = (one: 'settled' | 'rejected') => outcomes.filter((of) => of === one).length
    expect(head && [head.payments, head.settled, head.rejected]).toEqual(
      body && [body.count, counted('settled'), counted('rejected')],
    )
    for (const [at, outcome] of outcomes.entries()) {
      const row = bench.state.get(payments, paymentKey(key, body?.count ?? 0, at + 1))
      expect(row && (row.code === undefined ? 'settled' : 'rejected')).toBe(outcome)
    }
    const single = model.outcomes.get(id)
    expect(bench.state.get(claims, key) !== undefined).toBe(single === 'settled')
    expect(bench.state.get(payments, key) !== undefined).toBe(single === 'rejected')
    expect(bench.state.get(headRefusals, key)).toBeUndefined()
  }
}

describe('random shared transactions', () => {
  it('have the outcomes of a naive model, one for each payment', () => {
    const met = new Set<string>()
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (history) => {
        const bench = paymentsBench()
        const model = new Model()
        for (const one of history) {
          if (one.kind === 'batch') {
            expect(bench.run(bridge, settle(...one.list.map(messageOf)))).toBeUndefined()
            const expected = model.batch(one.list)
            expect(outcomesOf(bench)).toEqual(expected)
            for (const text of expected) met.add(text.replace(/^\S+ /, ''))
          } else {
            const { submitter, family, messageId, bodyHash, parts } = messageOf(one.one)
            const [only] = parts
            const code = bench.run(
              bridge,
              instruction(iso.claimMessage, {
                submitter,
                family,
                messageId,
                bodyHash,
                idHash: claimKey(bank, 'pacs008', messageId),
                details: only?.details ?? DETAILS,
              }),
              instruction(assets.transfer, { asset: euros(alice), to: bob, amount: only?.amount ?? units(1n) }),
            )
            expect(code ?? 'approved').toBe(model.claim(one.one))
          }
          compare(bench, model)
        }
      }),
      { numRuns: RUNS },
    )
    expect([...met].sort()).toEqual(['iso_uetr', 'not_enough', 'refused iso_duplicate_message', 'settled'])
  })
})
