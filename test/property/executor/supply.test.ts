import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { balances, definitions } from '../../../src/ledger/tables.js'
import { type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'

const owner = accountNamed('owner')
const members = [owner, accountNamed('a'), accountNamed('b'), accountNamed('c')]
const DEFINITION = 'usd#bank'
const asset = (index: number) => ({ definition: DEFINITION, account: members[index] ?? owner })

type Move =
  | { readonly kind: 'mint' | 'burn'; readonly by: number; readonly on: number; readonly units: bigint }
  | {
      readonly kind: 'transfer'
      readonly by: number
      readonly from: number
      readonly to: number
      readonly units: bigint
    }

const party = fc.integer({ min: 0, max: members.length - 1 })
const units = fc.bigInt({ min: -1n, max: 60n })
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constantFrom('mint' as const, 'burn' as const), by: party, on: party, units }),
  fc.record({ kind: fc.constant('transfer' as const), by: party, from: party, to: party, units }),
)

/** The rules again, over plain numbers: what a second, naive executor says. */
function naive(holdings: bigint[], step: Move): boolean {
  const { units: amount } = step
  if (step.kind !== 'transfer') {
    const held = holdings[step.on] ?? 0n
    const allowed = step.by === 0 || (step.kind === 'burn' && step.by === step.on)
    if (!allowed || amount <= 0n || (step.kind === 'burn' && held < amount)) return false
    holdings[step.on] = step.kind === 'mint' ? held + amount : held - amount
    return true
  }
  const held = holdings[step.from] ?? 0n
  if (step.by !== step.from || step.from === step.to || amount <= 0n || held < amount) return false
  holdings[step.from] = held - amount
  holdings[step.to] = (holdings[step.to] ?? 0n) + amount
  return true
}

function instructionOf(step: Move): Instruction {
  const amount = { mantissa: step.units, scale: 0 }
  if (step.kind === 'transfer') {
    return instruction(assets.transfer, { asset: asset(step.from), to: members[step.to]!, amount })
  }
  return { kind: step.kind, value: { asset: asset(step.on), amount } }
}

describe('random histories of mint, burn and transfer', () => {
  it('conserve supply and match a naive executor', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (history) => {
        const bench = new Bench()
        bench.genesis(
          owner,
          instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
          ...members.map(
            (id): Instruction =>
              instruction(accounts.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA }),
          ),
          instruction(assets.registerAssetDefinition, {
            id: DEFINITION,
            scale: 0,
            mintable: { kind: 'infinitely', value: undefined },
            metadata: NO_METADATA,
          }),
        )
        const holdings = members.map(() => 0n)
        for (const step of history) {
          const accepted = bench.run(members[step.by] ?? owner, instructionOf(step)) === undefined
          expect(accepted).toBe(naive(holdings, step))
        }
        const real = members.map((_, index) => bench.state.get(balances, asset(index))?.mantissa ?? 0n)
        expect(real).toEqual(holdings)
        const total = bench.state.get(definitions, DEFINITION)?.total.mantissa
        expect(total).toBe(holdings.reduce((sum, held) => sum + held, 0n))
      }),
      { numRuns: 300 },
    )
  })
})
