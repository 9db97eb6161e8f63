/** The summary before a signature, and the cases in which a person is asked for confirmation. */

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { shortId } from '../../../src/base/ids.js'
import { Directory } from '../../../src/cli/gateway/directory.js'
import * as questions from '../../../src/cli/terminal/ask.js'
import { Output } from '../../../src/cli/terminal/output.js'
import { dryRunText } from '../../../src/cli/transaction/dry-run.js'
import { InstructionReader } from '../../../src/cli/transaction/instructions.js'
import { cautionOf, type Review, reviewed, reviewLines } from '../../../src/cli/transaction/review.js'
import { Deadline } from '../../../src/client/deadline.js'
import { clientCodec } from '../../../src/features/composed.js'
import type { AliasAnswer } from '../../../src/features/names/schema/aliases.js'

const asked = { terminal: false, answer: 'no' as string | undefined, lines: [] as string[] }

const REVIEW: Review = {
  chain: 'demo',
  authority: 'cw1alice',
  instructions: [{ Transfer: { asset: { definition: 'eur#bank', account: 'cw1alice' }, to: 'cw1bob', amount: '1.5' } }],
  aliases: new Map([
    ['bob@bank', { address: 'cw1bob', provenAt: 12 }],
    ['carol@bank', { address: 'cw1carol', provenAt: undefined }],
  ]),
}
const settings = (isLocal: boolean) => ({
  gateway: 'http://127.0.0.1:8080',
  gatewaySource: 'profile bank',
  signerCommand: undefined,
  keyFile: 'alice.json',
  keySource: 'flags',
  isLocal,
  deadline: new Deadline(1_000),
})

let printed = ''
beforeEach(() => {
  vi.spyOn(questions, 'canAsk').mockImplementation((noInput) => asked.terminal && !noInput)
  vi.spyOn(questions, 'withQuestions').mockImplementation((work) =>
    work({
      print: (line: string) => void asked.lines.push(line),
      ask: async () => asked.answer,
    } as unknown as questions.Questions),
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  printed = ''
  Object.assign(asked, { terminal: false, answer: 'no', lines: [] })
})
const output = (quiet = false): Output => {
  vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    printed += String(part)
    return true
  })
  return new Output(false, quiet)
}

describe('a name', () => {
  const day = 24 * 60 * 60 * 1000
  const now = 100 * day
  const answer: AliasAnswer = {
    alias: 'desk@bank',
    canonical: 'desk@bank',
    kind: 'leased',
    standing: 'active',
    homeDomain: 'bank',
    accountId: undefined,
    assetDefinitionId: undefined,
    sinceMs: now - 30 * day,
    expiresMs: undefined,
    height: 1,
  }

  test.each([
    ['whose owner has had it for 30 days', {}, false],
    ['whose owner has had it for less', { sinceMs: now - 30 * day + 1 }, true],
    ['in its grace period', { standing: 'grace' }, true],
    ['that the owner of the domain assigned today', { kind: 'assigned', standing: 'live', sinceMs: now }, false],
    ['below a name assigned today', { kind: 'sub', sinceMs: now }, true],
  ] as const)('%s needs a warning: %s', (_what, change, needsCare) => {
    expect(cautionOf({ ...answer, ...change }, now) !== undefined).toBe(needsCare)
  })
})

describe('an instruction', () => {
  const plain = new InstructionReader()
  test('is shown as text if it transfers money', () => {
    const asset = { definition: 'eur#bank', account: 'cw1alice' }
    expect(plain.lines({ Transfer: { asset, to: 'cw1bob', amount: '1.5' } })).toEqual([
      'Transfer 1.5 eur#bank from cw1alice to cw1bob',
    ])
    expect(plain.lines({ Burn: { asset, amount: '2' } })).toEqual(['Burn 2 eur#bank of cw1alice'])
  })
  test('shows a long text, such as a module, by its start, length and digest', () => {
    const code = 'AGFzbQ'.repeat(1_000)
    const digest = createHash('sha256').update(code).digest('hex')
    expect(plain.lines({ DeployContract: { code, alias: 'a'.repeat(1_024) } })).toEqual([
      `DeployContract code ${code.slice(0, 64)}… (6000 characters, SHA-256 ${digest}), alias ${'a'.repeat(1_024)}`,
    ])
  })
  test('shows only its present fields if it is of another kind', () => {
    expect(
      plain.lines({ Log: { level: 'Info', text: 'x', at_ms: 1_772_409_600_000, note: null, force: true } }),
    ).toEqual(['Log level Info, text x, at 2026-03-02T00:00:00.000Z, force yes'])
  })
  test('shows percentages and exact durations with units', () => {
    const eligible = [
      { definition: 'ore#bank', haircut_ppm: 20_000 },
      { definition: 'tin#bank', haircut_ppm: 1 },
    ]
    expect(plain.lines({ ProposeRepo: { eligible, rate_ppm: -36_500, grace_ms: 61_500 } })).toEqual([
      'ProposeRepo eligible 0 definition ore#bank, eligible 0 haircut 2%, eligible 1 definition tin#bank, ' +
        'eligible 1 haircut 0.0001%, rate -3.65%, grace 1 min 1 s 500 ms',
    ])
    expect(plain.lines({ CreatePlan: { terms: { retries: [86_400_000, 259_200_000] } } })).toEqual([
      'CreatePlan terms retries 1 d and 3 d',
    ])
    expect(plain.lines({ RecordConferenceUsage: { duration_ms: '60000', billed_gas: '7' } })).toEqual([
      'RecordConferenceUsage duration 1 min, billed gas 7',
    ])
  })
  test('shows variants as words, and texts unchanged', () => {
    const reader = new InstructionReader(clientCodec('cw'))
    expect(reader.lines({ CancelSubscription: { subscription: 'a'.repeat(64), at: 'PeriodEnd' } })).toEqual([
      `CancelSubscription subscription ${'a'.repeat(64)}, at period end`,
    ])
    expect(reader.lines({ Log: { level: 'Info', text: 'PeriodEnd' } })).toEqual(['Log level info, text PeriodEnd'])
  })
  test('shows an asserted alias with its account, without repeating that alias', () => {
    const address = `cw1${'q'.repeat(40)}`
    const reader = new InstructionReader({}, new Directory(new Map([[address, 'bob@bank']])))
    const asserting = (text: string): string[] =>
      reader.lines({ AssertAliases: { items: [{ text, target: { Account: address } }] } })
    expect(asserting('bob@bank')).toEqual([`AssertAliases bob@bank is ${shortId(address)}`])
    expect(asserting('robert@bank')).toEqual([`AssertAliases robert@bank is bob@bank (${shortId(address)})`])
  })
  test('is also shown in its signed form with --verbose', () => {
    const review = { ...REVIEW, instructions: [{ Log: { level: 'Info', note: null } }] }
    expect(reviewLines(review, '')).not.toContain('  {"Log":{"level":"Info","note":null}}')
    expect(reviewLines(review, '', true)).toContain('  {"Log":{"level":"Info","note":null}}')
  })
  test('cannot control the terminal', () => {
    const review = { ...REVIEW, instructions: [{ Log: { level: 'Info', text: '\u009b\u202e\nLog {}' } }] }
    expect(reviewLines(review, '').join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
  test('is only counted beyond the first fifty', () => {
    const review = { ...REVIEW, instructions: Array.from({ length: 60 }, () => ({ Log: {} })) }
    expect(reviewLines(review, '')).toContain('  and 10 more instructions')
  })
})

describe('content to be signed', () => {
  test('is shown with chain, gateway, key, amount and the accounts of aliases', async () => {
    await reviewed(output(), REVIEW, {}, settings(false))
    expect(printed).toContain('chain demo at http://127.0.0.1:8080 (from profile bank) as cw1alice')
    expect(printed).toContain('Transfer 1.5 eur#bank from cw1alice to cw1bob')
    expect(printed).toContain('bob@bank is cw1bob (proven at height 12)')
    expect(printed).toContain('carol@bank is cw1carol (as reported by the gateway)')
    expect(printed).toContain('with the key alice.json (from flags)')
  })

  test('requires a confirmation on a terminal', async () => {
    asked.terminal = true
    for (const answer of ['no', '', 'Y', undefined]) {
      asked.answer = answer
      await expect(reviewed(output(true), REVIEW, {}, settings(false))).rejects.toMatchObject({ code: 'usage' })
    }
    asked.answer = 'yes'
    await reviewed(output(true), REVIEW, {}, settings(false))
    expect(asked.lines.join('\n')).toContain('to cw1bob')
  })

  test.each([
    ['with --yes', { yes: true }, false],
    ['with --no-input', { 'no-input': true }, false],
    ['for a local network', {}, true],
  ])('requires no confirmation %s', async (_when, flags, isLocal) => {
    asked.terminal = true
    await reviewed(output(), REVIEW, flags, settings(isLocal))
    expect([asked.lines, printed]).toEqual([[], expect.stringContaining('to cw1bob')])
  })

  test.each([true, false])(
    'requires a confirmation or --yes for a name that needs a warning (local: %s)',
    async (isLocal) => {
      const careful = { ...REVIEW, cautions: ['desk@bank has had its owner for less than 30 days'] }
      await expect(reviewed(output(), careful, {}, settings(isLocal))).rejects.toMatchObject({ code: 'usage' })
      await reviewed(output(), careful, { yes: true }, settings(isLocal))
      expect(printed).toContain('Caution: desk@bank has had its owner for less than 30 days')
      Object.assign(asked, { terminal: true, answer: 'yes' })
      await reviewed(output(), careful, {}, settings(isLocal))
      expect(asked.lines.join('\n')).toContain('Caution: desk@bank')
    },
  )

  test('requires a confirmation for a file, whatever local network the folder has', async () => {
    asked.terminal = true
    await expect(reviewed(output(), REVIEW, {}, settings(true), true)).rejects.toMatchObject({ code: 'usage' })
    expect(asked.lines[0]).toBe('To be signed for chain demo as cw1alice:')
  })
})

test('the state of an alias is shown in words', () => {
  const answer = { homeDomain: 'bank', standing: 'live' } as AliasAnswer
  const aliases = new Map([['bob@bank', { address: 'cw1bob', provenAt: 12, answer }]])
  expect(reviewLines({ ...REVIEW, aliases }, '')).toContain(
    '  bob@bank is cw1bob, home domain bank, name in force (proven at height 12)',
  )
})

test('the events of a dry run are aligned with its other lines', () => {
  const view = {
    outcome: 'Approved',
    height: 3,
    lane: 0,
    dataspace: 0,
    teu: 9,
    events: [{ DomainCreated: { id: 'a' } }],
  }
  expect(dryRunText(view).split('\n')).toEqual([
    'would be  approved at height 3',
    'lane      0, dataspace 0',
    'cost      9 execution units',
    'event     DomainCreated {"id":"a"}',
  ])
})
