/** Proposals as commands show them. */
import { describe, expect, it } from 'vitest'
import { changeLine, electorateText, readyText, tallyText } from '../../../src/cli/gov/show.js'

const tally = { aye: '30', nay: '10', ayes: '3', nays: '1', abstains: '0', quorum: '2', is_quorate: true }

describe('a proposal in one line', () => {
  it('shows its votes, their weight and its last failure', () => {
    expect(tallyText({ tally })).toBe('aye 3, nay 1, 75 % of the weight, quorum 2 reached')
    const failed = { status: 'Approved', tally, error: { code: 1112, position: 0 }, attempts: 1 }
    expect(changeLine(failed)).toBe(
      'approved; aye 3, nay 1, 75 % of the weight, quorum 2 reached; error 1112 at instruction 0 in attempt 1',
    )
  })

  it('shows no share for a vote without ballots', () => {
    expect(tallyText({ tally: { ...tally, aye: '0', nay: '0', ayes: '0', nays: '0', is_quorate: false } })).toBe(
      'aye 0, nay 0, quorum 2',
    )
  })
})

it('an electorate is shown with its asset or role', () => {
  const of = (electorate: unknown) => electorateText({ track: { electorate } } as never)
  expect([of({ Asset: { definition: 'vote#bank' } }), of({ Role: { role: 'board' } }), of('Validators')]).toEqual([
    'asset vote#bank',
    'role board',
    'validators',
  ])
})

describe('validators ready for an upgrade', () => {
  const [first, second] = ['1'.repeat(64), '2'.repeat(64)]
  const shown = (...items: readonly object[]) => readyText({ peers: { items, quorum: 3 } } as never).split('\n')
  const needs = 'an upgrade needs 3 with its ABI and hash'

  it('are counted by ABI and hash, the most attested first', () => {
    const [old, wanted, other] = [
      { abi: '1', hash: first },
      { abi: '2', hash: first },
      { abi: '2', hash: second },
    ]
    expect(shown(old, wanted, other, wanted, { abi: null, hash: null }, {})).toEqual([
      `ABI 2 ${first}: 2 of 6; ${needs}`,
      `ABI 1 ${first}: 1 of 6; ${needs}`,
      `ABI 2 ${second}: 1 of 6; ${needs}`,
    ])
  })

  it('are none without an attestation', () => {
    expect(shown({}, {}, {}, {})).toEqual([`0 of 4; ${needs}`])
  })
})
