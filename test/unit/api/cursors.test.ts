/** Places of lists: those that a list writes are accepted by its schema, made-up ones are refused. */
import { describe, expect, it } from 'vitest'
import { pairOfCursor, rewardOfCursor } from '../../../src/api/cursors.js'
import type { Schema } from '../../../src/codec/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { formatAddress } from '../../../src/model/index.js'
import { accountNamed } from '../../support/executor.js'

const codec = ABI_2.codec('cw')
const account = accountNamed('validator')
const address = formatAddress(account, 'cw')

/** Input of a query with a place, in JSON form; `more`: its other fields. */
const isPlace = (kind: string, after: string, more: object = {}): boolean => {
  const input = ABI_2.queries.get(kind)?.input as Schema<unknown> | undefined
  if (input === undefined) throw new Error(`there is no query ${kind}`)
  return input.fromJson({ limit: 1, after, ...more }, codec).ok
}
const OF_ACCOUNT = { account: address }

describe('a position in a list', () => {
  it.each([
    ['verifyingKeys', 'groth16 main', {}],
    ['reservedNames', 'bank desk', {}],
    ['reservedNames', ' desk', {}],
    ['stakingRewards', `0.${address}`, {}],
    ['stakingRewards', `17.${address}`, {}],
    ['stakingSlashes', '1', {}],
    ['stakingHistory', '0000000000020000000000ff', OF_ACCOUNT],
    ['stakingValidators', address, {}],
    ['conferenceRelays', address, {}],
    ['conferenceSignals', '0', { id: 'bank:call' }],
    ['nameHistory', '1', { domain: 'bank', label: 'desk' }],
  ])('of %s is accepted in the form that the list writes: %s', (kind, place, more) => {
    expect(isPlace(kind, place, more)).toBe(true)
  })

  it.each([
    ['verifyingKeys', 'x', {}],
    ['verifyingKeys', 'a b c', {}],
    ['reservedNames', `${'x'.repeat(200)} desk`, {}],
    ['stakingRewards', `01.${address}`, {}],
    ['stakingRewards', `1.5.${address}`, {}],
    ['stakingRewards', '1.ff', {}],
    ['stakingSlashes', '1.5', {}],
    ['stakingHistory', 'ff', OF_ACCOUNT],
    ['stakingValidators', 'x', {}],
    ['conferenceRelays', 'x', {}],
    ['conferenceSignals', '-1', { id: 'bank:call' }],
    ['nameHistory', 'x', { domain: 'bank', label: 'desk' }],
  ])('of %s is refused in a form that no list writes: %s', (kind, place, more) => {
    expect(isPlace(kind, place, more)).toBe(false)
  })

  it('is decoded into its parts', () => {
    expect(rewardOfCursor(`0.${address}`)).toEqual({ epoch: 0, account })
    expect(pairOfCursor('bank desk')).toEqual(['bank', 'desk'])
  })
})
