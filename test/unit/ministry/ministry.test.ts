/** The instructions of the ministry, their errors in order, and what the council settles. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Agendas, ExecContext } from '../../../src/executor/contract.js'
import { councilAgendas } from '../../../src/features/ministry/ledger/agendas.js'
import {
  agendas,
  deniedHashes,
  ministryState,
  ministryStates,
  policies,
} from '../../../src/features/ministry/ledger/tables.js'
import {
  AGENDA_OPEN_MS,
  type AgendaContent,
  agendaContent,
  agendaId,
  DENIED_MAX,
  OPEN_MAX,
} from '../../../src/features/ministry/schema/records.js'
import type { Instruction } from '../../../src/model/index.js'
import { accountNamed, type Bench } from '../../support/executor.js'
import {
  alice,
  amendment,
  apply,
  bob,
  contentOf,
  hashOf,
  ministryWorld,
  outsider,
  owner,
  START_MS,
  submit,
  target,
} from '../../support/ministry.js'

type Outcome = Parameters<Agendas['settle']>[2]

const FIRST = 'AC-2026-1'
let bench: Bench
beforeEach(() => {
  bench = ministryWorld()
})
const isDenied = (name: string, family: 'cid' | 'sha256' = 'sha256') =>
  bench.abi.policies.denyList?.(bench.state, family, hashOf(name))
const bytes = (content: AgendaContent): number => agendaContent.encode(content).length
const standing = (id = FIRST) => bench.state.get(agendas, id)?.standing
/** Actions of the council, without governance around it. */
const context = () =>
  ({
    env: { timeMs: bench.timeMs },
    get: bench.state.get.bind(bench.state),
    set: bench.state.set.bind(bench.state),
    emit: () => undefined,
  }) as unknown as ExecContext
const settle = (id: string, outcome: Outcome) => councilAgendas.settle(context(), id, outcome)?.code
const status = (id = FIRST) => councilAgendas.state(context(), id)

describe('the id of an agenda', () => {
  it.each(['AC-2026-1', 'AC-9999-4294967295'])('%s is accepted', (id) => {
    expect(agendaId.fromJson(id).ok).toBe(true)
  })
  it.each(['', 'AC-2026-0', 'AC-2026-01', 'AC-26-1', 'ac-2026-1', 'AC-2026-1 '])('"%s" is rejected', (id) => {
    expect(agendaId.fromJson(id).ok).toBe(false)
  })

  it('contains the year of the block and a number that is not reset each year', () => {
    bench.run(alice, submit())
    bench.timeMs = Date.UTC(2027, 0, 1) - 1
    bench.run(bob, submit())
    bench.timeMs += 1
    bench.run(bob, submit())
    expect(['AC-2026-1', 'AC-2026-2', 'AC-2027-3'].map((id) => bench.state.has(agendas, id))).toEqual([
      ...[true, true, true],
    ])
  })

  it('contains at most the year 9999', () => {
    bench.timeMs = Date.UTC(12_000, 0, 1)
    expect(bench.run(alice, submit())).toBeUndefined()
    expect(standing('AC-9999-1')).toBe('open')
  })
})

describe('SubmitAgenda', () => {
  it('rejects each invalid agenda with its error code, in the order of the checks', () => {
    const large = contentOf({
      motivation: 'x'.repeat(4_096),
      impact: 'x'.repeat(2_048),
      targets: Array.from({ length: 32 }, (_, at) => ({ ...target(`${at}`), reason: 'x'.repeat(60) })),
    })
    expect(bytes(large)).toBeGreaterThan(8_192)
    expect(bench.run(alice, submit(large))).toBe('bad_parameter')
    expect(bench.run(alice, submit({ ...amendment('content', 'v1'), policy: undefined }))).toBe('bad_parameter')
    expect(bench.run(alice, submit({ ...amendment('content', 'v1'), targets: [target('a')] }))).toBe('bad_parameter')
    expect(bench.run(alice, submit({ ...contentOf(), policy: amendment('content', 'v1').policy }))).toBe(
      'bad_parameter',
    )
    expect(bench.run(alice, submit(contentOf({ targets: [] })))).toBe('bad_parameter')
    expect(bench.run(alice, submit(contentOf({ targets: [target('a'), target('b'), target('a')] })))).toBe(
      'duplicate_target',
    )
    expect(bench.run(alice, submit(contentOf({ targets: [target('a'), target('a', 'cid')] })))).toBeUndefined()
    expect(bench.state.get(agendas, FIRST)).toMatchObject({ by: alice, submittedMs: START_MS, standing: 'open' })
  })

  it('accepts an agenda of exactly 8 KiB', () => {
    const base = contentOf({ motivation: 'x'.repeat(4_096), impact: 'x'.repeat(2_048) })
    const targets = Array.from({ length: 8 }, (_, at) => ({ ...target(`${at}`), reason: 'x'.repeat(200) }))
    const spare = 8_192 - bytes({ ...base, targets, title: 'x'.repeat(128) })
    const content = { ...base, targets, title: 'x'.repeat(128 + spare) }
    expect(bytes(content)).toBe(8_192)
    expect(bench.run(alice, submit({ ...content, title: `${content.title}x` }))).toBe('bad_parameter')
    expect(bench.run(alice, submit(content))).toBeUndefined()
  })

  it('counts an agenda against the limit of its account until exactly 30 days after submission', () => {
    bench.run(alice, submit())
    bench.timeMs += 1_000
    bench.run(alice, submit())
    expect(bench.run(alice, submit())).toBe('agenda_limit')
    bench.timeMs = START_MS + AGENDA_OPEN_MS - 1
    expect(bench.run(alice, submit())).toBe('agenda_limit')
    bench.timeMs += 1
    expect(bench.run(alice, submit())).toBeUndefined()
    expect(bench.run(alice, submit())).toBe('agenda_limit')
  })

  it('limits the number of open agendas over all accounts', () => {
    for (let at = 0; at < OPEN_MAX; at += 1) expect(bench.run(accountNamed(`a${at >> 1}`), submit())).toBeUndefined()
    expect(bench.run(outsider, submit())).toBe('agenda_limit')
    expect(settle('AC-2026-9', { kind: 'dismissed', reason: 'no' })).toBeUndefined()
    expect(bench.run(outsider, submit())).toBeUndefined()
    expect(ministryState(bench.state).open).toHaveLength(OPEN_MAX)
  })
})

describe('ApplyAgenda', () => {
  it('rejects each invalid application with its error code, in the order of the checks', () => {
    expect(bench.run(alice, apply(bench.state, FIRST))).toBe('absent')
    bench.run(alice, submit())
    expect(bench.run(alice, apply(bench.state, FIRST, hashOf('other')))).toBe('not_permitted')
    expect(bench.run(owner, apply(bench.state, FIRST, hashOf('other')))).toBe('agenda_changed')
    expect(bench.run(owner, apply(bench.state, FIRST))).toBeUndefined()
    expect(bench.run(owner, apply(bench.state, FIRST))).toBe('agenda_closed')
    bench.run(alice, submit())
    settle('AC-2026-2', { kind: 'dismissed', reason: 'no' })
    expect(bench.run(owner, apply(bench.state, 'AC-2026-2'))).toBe('agenda_closed')
  })

  it('adds the hashes of an agenda to the denylist, and removes them with a later agenda', () => {
    bench.run(alice, submit(contentOf({ targets: [target('a'), target('b', 'cid')] })))
    expect(isDenied('a')).toBe(false)
    bench.run(owner, apply(bench.state, FIRST))
    expect([isDenied('a'), isDenied('a', 'cid'), isDenied('b'), isDenied('b', 'cid')]).toEqual([
      ...[true, false, false, true],
    ])
    expect(ministryState(bench.state)).toMatchObject({ denied: 2, open: [] })
    const less = contentOf({ action: 'removeFromDenylist', targets: [target('a'), target('c')] })
    bench.run(alice, submit(less))
    bench.run(owner, apply(bench.state, 'AC-2026-2'))
    expect([isDenied('a'), isDenied('b', 'cid'), ministryState(bench.state).denied]).toEqual([false, true, 1])
  })

  it('counts an already denied hash once, and keeps its first agenda', () => {
    for (const _ of [1, 2]) bench.run(alice, submit())
    bench.run(owner, apply(bench.state, FIRST))
    bench.run(owner, apply(bench.state, 'AC-2026-2'))
    expect(ministryState(bench.state).denied).toBe(1)
    expect(bench.state.get(deniedHashes, { family: 'sha256', hash: hashOf('a') })?.agenda).toBe(FIRST)
    expect(bench.eventKinds.filter((kind) => kind === 'hashDenied')).toHaveLength(1)
  })

  it('rejects hashes beyond the limit of the denylist, and changes nothing', () => {
    bench.run(alice, submit(contentOf({ targets: [target('a'), target('b')] })))
    bench.run(alice, submit(contentOf({ targets: [target('c')] })))
    bench.state.set(ministryStates, '', { ...ministryState(bench.state), denied: DENIED_MAX - 1 })
    expect(bench.run(owner, apply(bench.state, FIRST))).toBe('denylist_full')
    expect([isDenied('a'), standing()]).toEqual([false, 'open'])
    expect(bench.run(owner, apply(bench.state, 'AC-2026-2'))).toBeUndefined()
  })

  it('sets a policy with the next revision', () => {
    bench.run(alice, submit(amendment('content', 'v1')))
    bench.run(bob, submit(amendment('content', 'v2')))
    bench.run(owner, apply(bench.state, FIRST))
    bench.run(owner, apply(bench.state, 'AC-2026-2'))
    expect(bench.state.get(policies, 'content')).toEqual({
      agenda: 'AC-2026-2',
      blake3: hashOf('v2'),
      revision: 2,
      sinceMs: START_MS,
    })
  })

  it('applies an agenda whose 30 days are over', () => {
    bench.run(alice, submit())
    bench.timeMs += AGENDA_OPEN_MS
    expect(bench.run(owner, apply(bench.state, FIRST))).toBeUndefined()
    expect(standing()).toBe('applied')
  })
})

describe('the council', () => {
  it('admits an open agenda once, and can dismiss an open or admitted agenda', () => {
    expect([status(), settle(FIRST, { kind: 'admitted' })]).toEqual([undefined, 'absent'])
    bench.run(alice, submit())
    expect(status()).toBe('open')
    expect(settle(FIRST, { kind: 'admitted' })).toBeUndefined()
    expect([status(), ministryState(bench.state).open]).toEqual(['admitted', []])
    expect(settle(FIRST, { kind: 'admitted' })).toBe('agenda_closed')
    expect(settle(FIRST, { kind: 'dismissed', reason: 'changed' })).toBeUndefined()
    expect([status(), bench.state.get(agendas, FIRST)?.reason]).toEqual(['dismissed', 'changed'])
    expect(settle(FIRST, { kind: 'dismissed', reason: 'again' })).toBe('agenda_closed')
  })

  it('can neither admit nor dismiss an agenda from the end of its 30 days on', () => {
    bench.run(alice, submit())
    bench.timeMs += AGENDA_OPEN_MS - 1
    expect(status()).toBe('open')
    bench.timeMs += 1
    expect(status()).toBe('expired')
    expect(settle(FIRST, { kind: 'admitted' })).toBe('agenda_closed')
    expect(settle(FIRST, { kind: 'dismissed', reason: 'late' })).toBe('agenda_closed')
  })

  it('waives the deposit of a proposal only if its one instruction applies an admitted agenda', () => {
    bench.run(alice, submit())
    const isFree = (...list: readonly Instruction[]) => councilAgendas.isAdmitted(context(), list)
    const application = apply(bench.state, FIRST)
    expect(isFree(application)).toBe(false)
    settle(FIRST, { kind: 'admitted' })
    expect(isFree(application)).toBe(true)
    expect([isFree(), isFree(application, application), isFree(submit())]).toEqual([false, false, false])
    expect(isFree(apply(bench.state, FIRST, hashOf('other')))).toBe(false)
    bench.run(owner, application)
    expect(isFree(application)).toBe(false)
  })
})
