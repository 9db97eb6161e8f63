// Checks the lane router: the example of the design row by row, and every fault.
import { describe, expect, it } from 'vitest'
import { matchesLabel, type RouteFacts, routeTransaction, singleRoute } from '../../../src/lanes/index.js'
import { dataspaceOf, EXAMPLE, factsOf, laneOf, policyOf, routeState, ruleOf } from './support.js'

const example = routeState(EXAMPLE)
const decided = (facts: RouteFacts, state = example) => {
  const { kind, value } = routeTransaction(facts, state)
  return kind === 'routed'
    ? [value.stage, value.lane, value.dataspace, value.rule]
    : [value.stage, value.fault, value.rule]
}
const transfers = ['asset::transfer']

describe('the routing example of the design', () => {
  it('routes a transfer of the bank by the rule for transfers in its dataspace', () => {
    expect(decided(factsOf('banker', { domains: ['bank'], labels: transfers }))).toEqual(['scope', 2, 7n, 0])
  })
  it('routes a mint of the bank by the general rule of its dataspace', () => {
    expect(decided(factsOf('banker', { domains: ['bank'], labels: ['asset::mint'] }))).toEqual(['scope', 1, 7n, 1])
  })
  it('refuses an unauthorised account in a restricted dataspace', () => {
    expect(decided(factsOf('shopper', { domains: ['bank'], labels: transfers }))).toEqual([
      'scope',
      'dataspace_not_permitted',
      undefined,
    ])
  })
  it('accepts an account with a token', () => {
    const state = routeState({ ...EXAMPLE, tokens: new Set(['shopper 7']) })
    expect(decided(factsOf('shopper', { domains: ['bank'], labels: transfers }), state)).toEqual(['scope', 2, 7n, 0])
  })
  it('routes a delivery against payment to the lane that settles its payment', () => {
    const facts = factsOf('banker', { domains: ['cash'], labels: ['settlement::dvp'], settles: ['usd#cash'] })
    expect(decided(facts)).toEqual(['settlement', 3, 0n, undefined])
  })
  it('routes transactions of an account in domain cash by the rule for the domain', () => {
    expect(decided(factsOf('casher', { domains: ['new'], labels: ['domain::register'] }))).toEqual([
      'account',
      3,
      0n,
      2,
    ])
  })
  it('routes a registration of the shop by its verb', () => {
    expect(decided(factsOf('shopper', { domains: ['shop'], labels: ['account::register'] }))).toEqual([
      'explicit',
      0,
      0n,
      3,
    ])
  })
  it('routes a transaction over two dataspaces to the default lane', () => {
    expect(decided(factsOf('banker', { domains: ['bank', 'cash'], labels: transfers }))).toEqual([
      'default',
      0,
      0n,
      undefined,
    ])
  })
})

describe('the route of a transaction', () => {
  it('uses the domain of the authority for instructions without a domain', () => {
    expect(decided(factsOf('banker', { labels: ['log::write'] }))).toEqual(['scope', 1, 7n, 1])
    expect(decided(factsOf('nobody', { labels: ['log::write'] }))).toEqual(['default', 0, 0n, undefined])
  })

  it('is strict for a hint: an unknown or restricted dataspace, or one without a rule, is a fault', () => {
    expect(decided(factsOf('shopper', { hint: 9n }))).toEqual(['scope', 'unknown_dataspace', undefined])
    expect(decided(factsOf('shopper', { hint: 7n }))).toEqual(['scope', 'dataspace_not_permitted', undefined])
    expect(decided(factsOf('shopper', { hint: 0n }))).toEqual(['scope', 'no_scoped_rule', undefined])
    const open = routeState({ ...EXAMPLE, dataspaces: [dataspaceOf(0n), dataspaceOf(7n)] })
    expect(decided(factsOf('shopper', { hint: 7n }), open)).toEqual(['scope', 1, 7n, 1])
  })

  it('continues with later stages if no rule matches an implicit scope', () => {
    const state = routeState({ ...EXAMPLE, policy: policyOf([]) })
    expect(decided(factsOf('banker', { domains: ['bank'] }), state)).toEqual(['default', 0, 0n, undefined])
  })

  it('prefers the lowest lane that lists a definition to a lane for all definitions, and allows only one lane', () => {
    const lanes = [
      laneOf(0),
      laneOf(1, { settlement: ['*'] }),
      laneOf(4, { settlement: ['eur#x', 'usd#x'] }),
      laneOf(5, { settlement: ['eur#x'] }),
    ]
    const state = routeState({ ...EXAMPLE, lanes, policy: policyOf([]) })
    const settling = (...settles: string[]) => decided(factsOf('shopper', { domains: ['x'], settles }), state)
    expect(settling('eur#x')).toEqual(['settlement', 4, 0n, undefined])
    expect(settling('eur#x', 'usd#x')).toEqual(['settlement', 4, 0n, undefined])
    expect(settling('jpy#x')).toEqual(['settlement', 1, 0n, undefined])
    expect(settling('jpy#x', 'eur#x')).toEqual(['settlement', 'mixed_settlement', undefined])
  })

  it('is a fault if the lane of the matching rule is invalid', () => {
    const state = routeState({
      ...EXAMPLE,
      lanes: [laneOf(0), laneOf(1, { dataspace: 7n }), laneOf(2, { state: 'retired' }), laneOf(3, { dataspace: 8n })],
      policy: policyOf([
        ruleOf(0, { scope: 7n, instruction: 'burn' }),
        ruleOf(9, { instruction: 'mint' }),
        ruleOf(2, { instruction: 'grant' }),
        ruleOf(3, { instruction: 'transfer' }),
        ruleOf(1, { instruction: 'log' }),
      ]),
    })
    const of = (label: string, authority = 'shopper', domains: (string | undefined)[] = ['shop']) =>
      decided(factsOf(authority, { domains, labels: [label] }), state)
    expect(of('asset::burn', 'banker', ['bank'])).toEqual(['scope', 'lane_dataspace_mismatch', 0])
    expect(of('asset::mint')).toEqual(['explicit', 'unknown_lane', 1])
    expect(of('permission::grant')).toEqual(['explicit', 'lane_retired', 2])
    expect(of('asset::transfer')).toEqual(['explicit', 'unknown_dataspace', 3])
    expect(of('log::write')).toEqual(['explicit', 'dataspace_not_permitted', 4])
  })

  it('must match account and instruction of a rule, and rules for accounts precede other explicit rules', () => {
    const state = routeState({
      ...EXAMPLE,
      lanes: [laneOf(0), laneOf(1), laneOf(2)],
      policy: policyOf([
        ruleOf(1, { instruction: 'transfer', account: { kind: 'account', value: 'banker' } }),
        ruleOf(2, { account: { kind: 'account', value: 'shopper' } }),
      ]),
    })
    expect(decided(factsOf('casher', { labels: transfers }), state)).toEqual(['default', 0, 0n, undefined])
    expect(decided(factsOf('banker', { domains: ['shop'], labels: transfers }), state)).toEqual(['explicit', 1, 0n, 0])
    expect(decided(factsOf('shopper', { labels: transfers }), state)).toEqual(['account', 2, 0n, 1])
  })

  it('is lane 0 and the universal dataspace in single-lane mode, and other dataspaces are unknown', () => {
    expect(singleRoute(undefined)).toEqual(singleRoute(0n))
    expect(singleRoute(0n).value).toMatchObject({ lane: 0, dataspace: 0n })
    expect(singleRoute(7n).value).toMatchObject({ fault: 'unknown_dataspace' })
  })
})

it('a rule matches an instruction by label, subject or verb, but not by a part of a word', () => {
  const wanted = ['asset::transfer', 'asset', 'transfer', 'asset::transfer_batch', 'trans', 'transfer::asset', '']
  expect(wanted.map((one) => matchesLabel(one, 'asset::transfer'))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
