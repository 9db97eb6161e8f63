/** The dashboard's reducer, keys, lines and sentences: what is told, what is counted, what a key does. */

import { describe, expect, test } from 'vitest'
import { localNames, nameOf } from '../../../src/cli/gateway/node-names.js'
import { clean } from '../../../src/cli/text/escape.js'
import { count } from '../../../src/cli/text/figures.js'
import { modeOf } from '../../../src/cli/watch/command.js'
import { eventsSince, lineOf, Sentences, standingLine, standingSentence } from '../../../src/cli/watch/lines.js'
import { EVENTS_MAX, HISTORY_MAX, type WatchInput, type WatchModel } from '../../../src/cli/watch/model.js'
import { named } from '../../../src/cli/watch/names.js'
import { NodeRing } from '../../../src/cli/watch/nodes.js'
import { heightLines } from '../../../src/cli/watch/panes/consensus.js'
import { rateOf, throughputLines } from '../../../src/cli/watch/panes/load.js'
import { validatorLines } from '../../../src/cli/watch/panes/validators.js'
import { shownRows } from '../../../src/cli/watch/rows.js'
import { eventJson, snapshotJson } from '../../../src/cli/watch/snapshot.js'
import { Surface } from '../../../src/cli/watch/surface.js'
import { brief, bytesText, plainText, spark } from '../../../src/cli/watch/text.js'
import { type Key, type Pressed, press } from '../../../src/cli/watch/ui.js'
import { newUi, type Ui } from '../../../src/cli/watch/ui-state.js'
import { validatorRows } from '../../../src/cli/watch/validator-rows.js'
import { CausewayClient } from '../../../src/client/index.js'
import { LedgerError } from '../../../src/model/errors.js'
import { block, busy, consensusOf, empty, keyOf, modelAfter, peersOf, shortOf, stalled, T0 } from '../../tui/models.js'

const kinds = (model: WatchModel): string[] => model.events.map(({ kind }) => kind)
const seen = (height: number, more = {}): WatchInput => ({
  kind: 'consensus',
  atMs: T0 + height,
  value: consensusOf(height, more),
})

describe('events', () => {
  test('report a view change once, with its reason and the new leader', () => {
    const changed = { view: 1, viewChanges: 1, viewChangeReasons: new Map([['noProposal', 1]]) }
    const model = modelAfter([seen(5), seen(5, changed), seen(5, changed)])
    expect(kinds(model)).toEqual(['VIEW'])
    expect(model.events[0]).toMatchObject({
      trouble: true,
      fields: { height: 6, view: 1, reasons: ['noProposal'], changes: 1 },
    })
    expect(model.viewChangesMs).toHaveLength(1)
  })

  test('do not report a view change when a restarted node counts from zero', () => {
    expect(kinds(modelAfter([seen(5, { viewChanges: 7 }), seen(6, { viewChanges: 0 })]))).toEqual([])
  })

  test('report a stall with names, each change of its reason, and its end', () => {
    const model = modelAfter([{ kind: 'consensus', atMs: T0 + 25_000, value: consensusOf(18_404) }], stalled())
    const events = model.events.filter(({ kind }) => kind === 'STALL' || kind === 'MOVES')
    expect(events.map(({ kind }) => kind)).toEqual(['STALL', 'MOVES'])
    expect(events[0]?.text).toContain('waiting for val-2 (ECONNREFUSED, away for 14 s), val-3 (connected, no vote)')
    expect(events[0]?.fields).toMatchObject({ reason: 'votes_missing', missing: ['val-2', 'val-3'] })
    expect(events[1]?.fields).toEqual({ stalled_ms: 19_000 })
  })

  test('are shown with peer names even if they arrived before the peers were known', () => {
    const early = modelAfter([
      seen(5, {
        stall: { reason: 'votes_missing', sinceMs: T0, missing: [shortOf(2)], text: `waiting for ${shortOf(2)}` },
      }),
    ])
    expect(eventsSince(early, 0)[0]?.text).toBe(`earlier: waiting for ${shortOf(2)}`)
    const model = { ...early, node: { ...early.node, names: new Map([['10.0.0.2:7400', 'val-2']]) }, peers: peersOf() }
    expect(eventsSince(model, 0)[0]).toMatchObject({
      text: expect.stringContaining('waiting for val-2'),
      fields: { missing: ['val-2'] },
    })
    expect(shownRows(model, { ...newUi('plain', false), pane: 'events', filter: 'val-2' })).toHaveLength(1)
    expect(JSON.stringify(snapshotJson(model).events)).not.toContain('..')
  })

  test('report a stall as the pane shows it, without a timeout of another view', () => {
    const waiting = (model: WatchModel): string => plainText(heightLines(model, 80)[1]!)
    expect(waiting({ ...stalled(), nowMs: T0 + 54_000 })).toBe('waiting  48 s, 34 s of it in this view')
    const quiet = {
      heightTimeEmaMs: 0,
      backoffExponent: 0,
      backoffMultiplierPermille: 0,
      viewTimeoutRemainingMs: undefined,
    }
    const rest = { ...quiet, roundElapsedMs: 0, maxBackoffMs: 0, jitterFracPermille: 0 }
    const timer = { ...rest, height: 6, view: 1, viewTimeoutTargetMs: 700, armed: true }
    const model = modelAfter([seen(5), { kind: 'pacemaker', atMs: T0 + 300, value: { ...timer, view: 0 } }])
    expect(waiting(model)).toBe('waiting  295 ms in this view of 700 ms')
    expect(waiting({ ...model, pacemaker: timer })).toBe('waiting  295 ms in this view')
    expect(waiting({ ...model, nowMs: T0 + 2_205 })).toBe('waiting  2.2 s in this view')
  })

  test('report the loss and the return of a node once each, and keep its last data', () => {
    const lost = (atMs: number): WatchInput => ({ kind: 'lost', why: 'refused', atMs, retryMs: atMs + 2_000 })
    const away = modelAfter([seen(5), lost(T0 + 3_000), lost(T0 + 5_000)])
    expect([kinds(away), away.connection.state, away.consensus?.height]).toEqual([['LOST'], 'lost', 5])
    const back = modelAfter([{ kind: 'peers', atMs: T0 + 9_000, value: peersOf() }], away)
    expect([kinds(back), back.connection.state]).toEqual([['LOST', 'BACK'], 'live'])
    expect(back.events[1]?.fields).toEqual({ away_ms: 8_995 })
  })

  test('name the governance proposal with the next step due, without control characters in its title', () => {
    const next = { proposal: 7, title: 'Slower\u001b[2J', status: 'voting', dueMs: T0 + 69_000 }
    const linesOf = (value: typeof next | null): string => {
      const model = modelAfter([{ kind: 'proposal', atMs: T0 + 9_000, value }], busy())
      const { dueMs, ...shown } = next
      expect(snapshotJson(model)).toMatchObject({ next_proposal: value === null ? null : { ...shown, due_ms: dueMs } })
      return throughputLines(model, 100, { ascii: false }).map(plainText).join('\n')
    }
    expect(linesOf(next)).toContain('proposal 7 voting, in 1 min: Slower')
    expect(linesOf(next)).not.toContain('\u001b')
    expect(linesOf(null)).not.toContain('proposal')
  })

  test('show active calls beside the peers', () => {
    const linesOf = (value: number): string => {
      const model = modelAfter([{ kind: 'calls', atMs: T0 + 9_000, value }], busy())
      expect(snapshotJson(model)).toMatchObject({ calls_active: value })
      return throughputLines(model, 100, { ascii: false }).map(plainText).join('\n')
    }
    expect(linesOf(3)).toContain('3 calls active')
    expect(linesOf(1)).toContain('1 call active')
    expect(linesOf(0)).not.toContain('call')
  })

  test('report a broken and healed link, but not initial links', () => {
    const broken = peersOf().map((one, at) => (at === 0 ? { ...one, connected: false, lastError: 'reset' } : one))
    const model = modelAfter([
      { kind: 'peers', atMs: T0, value: peersOf() },
      { kind: 'peers', atMs: T0 + 1, value: broken },
      { kind: 'peers', atMs: T0 + 2, value: broken },
      { kind: 'peers', atMs: T0 + 3, value: peersOf() },
    ])
    expect(model.events.map(({ text }) => text)).toEqual(['val-1 is not connected (reset)', 'val-1 is connected'])
  })

  test('report a state that began before the first poll as an earlier state', () => {
    const away = peersOf().map((one, at) => (at === 1 ? { ...one, connected: false, lastError: 'refused' } : one))
    const model = modelAfter([
      seen(5, { halted: 'other roots' }),
      { kind: 'peers', atMs: T0, value: away },
      { kind: 'peers', atMs: T0 + 1, value: away.map((one, at) => (at === 0 ? { ...one, connected: false } : one)) },
    ])
    expect(model.events.map(({ text }) => text)).toEqual([
      'earlier: other roots',
      'earlier: val-2 is not connected (refused)',
      'val-1 is not connected',
    ])
  })

  test('attribute a signature to its signer, although the committee order differs at every height', () => {
    const [a, b, c, d] = [0, 1, 2, 3].map(keyOf) as [string, string, string, string]
    const qc = consensusOf(20).commitQc!
    const model = modelAfter([
      seen(20, { committee: [a, b, c, d], commitCommittee: [d, c, b, a], commitQc: { ...qc, signers: [0, 1, 2] } }),
    ])
    expect([a, b, c, d].map((key) => model.participation.get(key)?.at(-1))).toEqual([false, true, true, true])
  })

  test('for blocks do not displace transactions from their pane', () => {
    const rejected: WatchInput = {
      kind: 'event',
      atMs: T0,
      value: { atMs: T0, kind: 'REJECT', text: '5.0 rejected', trouble: true, fields: {} },
    }
    let model = modelAfter([rejected])
    for (let height = 1; height <= EVENTS_MAX + 10; height++) model = modelAfter([block(height, T0, 1)], model)
    expect(model.events.some(({ kind }) => kind === 'REJECT')).toBe(false)
    expect(shownRows(model, { ...newUi('plain', false), pane: 'transactions' })).toHaveLength(1)
  })

  test('keep the histories short during a flood of blocks', () => {
    let model = empty()
    for (let height = 1; height <= 2_000; height++) model = modelAfter([block(height, T0 + height * 100, 100)], model)
    expect([model.events.length, model.eventCount]).toEqual([EVENTS_MAX, 2_000])
    expect([model.blockTimesMs.length, model.rates.length <= HISTORY_MAX]).toEqual([HISTORY_MAX, true])
    expect([rateOf(model.rates), rateOf(model.paymentRates)]).toEqual([1_000, 2_000])
    const quiet = modelAfter([{ kind: 'tick', atMs: T0 + 1_000_000 }], model)
    expect([rateOf(quiet.rates), quiet.rates.length]).toEqual([0, HISTORY_MAX])
  })

  test('have no block time for missed blocks', () => {
    const model = modelAfter([block(5, T0), block(6, T0 + 40), block(9, T0 + 400)])
    expect(model.blockTimesMs).toEqual([40])
  })
})

describe('validators', () => {
  test('are counted as signers over the last certificates, even if the committee changes', () => {
    const turned = { committee: [3, 2, 1, 0].map(keyOf) }
    const next = { ...turned, commitCommittee: turned.committee }
    const rows = validatorRows(modelAfter([seen(5), seen(6), seen(7, turned), seen(8, next)]))
    expect(rows.map(({ key, signed, seen: of, silent }) => [key, signed, of, silent])).toEqual([
      [keyOf(3), 1, 4, 0],
      [keyOf(2), 4, 4, 0],
      [keyOf(1), 4, 4, 0],
      [keyOf(0), 3, 4, 1],
    ])
  })

  test('are named only by the local network of the node', () => {
    const peers = [{ name: 'val-0', gateway: 'http://a:1', p2p: 'a:2' }]
    expect([...localNames(peers, { gateway: 'http://a:1', validatorKey: 'k' })]).toEqual([
      ['a:2', 'val-0'],
      ['k', 'val-0'],
    ])
    expect(localNames(peers, { gateway: 'http://b:1', validatorKey: 'k' }).size).toBe(0)
    expect(named(busy(), `${shortOf(1)} and ${shortOf(9)}`)).toBe(`val-1 and ${shortOf(9)}`)
  })

  test('are named by host without a local network: first label, whole name if two share it, port on one machine', () => {
    const peer = (id: string, address: string) => ({ id, address })
    const model = {
      node: { names: new Map(), gateway: 'https://bank-a.example:8080', validatorKey: 'ea0130own' },
      peers: [
        peer('b', 'bank-b.example:7400'),
        peer('c', 'node.bank-c.example:7400'),
        peer('d', 'node.bank-d.example:7400'),
        peer('e', '10.0.0.5:7400'),
        peer('f', '[fd00::5]:7400'),
        peer('g', '127.0.0.1:7401'),
        peer('h', '127.0.0.1:7402'),
      ],
    } as unknown as WatchModel
    expect(
      ['ea0130own', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'ea0130aaaaaaaaaaaaaaaaaaffff'].map((key) => nameOf(model, key)),
    ).toEqual([
      'bank-a',
      'bank-b',
      'node.bank-c.example',
      'node.bank-d.example',
      '10.0.0.5',
      'fd00::5',
      ':7401',
      ':7402',
      'ea0130aa…aaffff',
    ])
  })
})

describe('a validator', () => {
  const rowOf = (model: WatchModel, place: number) => validatorRows(model).find(({ key }) => key === keyOf(place))
  const peersAt = (heights: readonly (number | undefined)[]): WatchInput => ({
    kind: 'peers',
    atMs: T0,
    value: peersOf().map((one, at) => ({ ...one, height: heights[at] })),
  })

  test('is behind according to its last report, and is listed as behind from three blocks on', () => {
    const model = modelAfter([seen(20), peersAt([20, 18, 11])])
    expect([0, 1, 2, 3].map((place) => rowOf(model, place)?.behind)).toEqual([0, 0, 2, 9])
    expect([1, 2, 3].map((place) => (rowOf(model, place)?.trouble ?? 0) > 0)).toEqual([false, false, true])
    expect(rowOf(modelAfter([seen(20), peersAt([25])]), 1)?.behind).toBe(0)
    expect(rowOf(modelAfter([seen(20), peersAt([])]), 1)?.behind).toBeUndefined()
  })

  test('has outdated votes while its link is down', () => {
    const model = modelAfter([
      seen(20),
      { kind: 'peers', atMs: T0, value: peersOf().map((one, at) => ({ ...one, connected: at !== 0 })) },
    ])
    expect([1, 2].map((place) => rowOf(model, place)?.isOld)).toEqual([true, false])
    const lines = validatorLines(model, { ...newUi('dark'), sort: 'place' }, 90, 10)
    const toneOf = (place: number) => lines[1 + place]?.find(({ text }) => text.startsWith('✓ yes'))?.tone
    expect([1, 2].map(toneOf)).toEqual(['dim', 'good'])
  })

  test('shows the votes that the node knows, and no votes if the node reports none', () => {
    const model = modelAfter([seen(20, { votes: { prepare: [1, 3], commit: [3] } }), peersAt([])])
    expect([1, 2, 3].map((place) => rowOf(model, place)?.votes)).toEqual([
      { prepare: true, commit: false },
      { prepare: false, commit: false },
      { prepare: true, commit: true },
    ])
    expect(rowOf(modelAfter([seen(20, { votes: undefined })]), 1)?.votes).toBeUndefined()
    const details = (place: number) => shownRows(model, { ...newUi('dark'), sort: 'place' })[place]?.pairs
    expect(details(3)).toContainEqual(['votes at this height and view', 'prepare, commit'])
    expect(details(2)).toContainEqual(['votes at this height and view', 'none on this node'])
  })
})

describe('other nodes', () => {
  const clientAt = (gateway: string): CausewayClient => new CausewayClient({ gateway })
  const identity = (gateway: string) => ({ ...empty().node, gateway })

  test('are tried in turn, and an unresponsive one is skipped at the next key press', async () => {
    const ring = new NodeRing(
      ['http://a', 'http://b', 'http://c'],
      'http://a',
      async (gateway) => clientAt(gateway),
      async (_, gateway) => {
        if (gateway === 'http://b') throw new LedgerError('unreachable', 'away')
        return identity(gateway)
      },
    )
    expect(await ring.next()).toMatch('http://b does not respond')
    expect(await ring.next()).toMatchObject({ node: { gateway: 'http://c' } })
    expect(await ring.next()).toMatchObject({ node: { gateway: 'http://a' } })
    await ring.close()
    const alone = new NodeRing(
      ['http://a'],
      'http://a',
      async (gateway) => clientAt(gateway),
      async () => identity('x'),
    )
    expect(await alone.next()).toContain('no other node is known')
  })
})

describe('keys', () => {
  const model = busy()
  const type = (ui: Ui, ...keys: readonly (string | Key)[]): Pressed =>
    keys.reduce<Pressed>((last, key) => press(last.ui, typeof key === 'string' ? { input: key } : key, model), { ui })

  test('the selection stays within the remaining rows', () => {
    const ui = type(newUi('dark'), '6', 'G').ui
    expect(ui.selected).toBe(shownRows(model, ui).length - 1)
    const filtered = type(ui, '/', 'z', 'z').ui
    expect([filtered.filter, shownRows(model, filtered)]).toEqual(['zz', []])
    expect(type(filtered, { input: '', name: 'enter' }, { input: '', name: 'enter' }).ui.message).toBe(
      'nothing is selected',
    )
  })

  test('letters extend a filter during its entry', () => {
    const { ui, effect } = type(newUi('dark'), '/', 'q', 'p', { input: '', name: 'backspace' })
    expect([ui.filter, ui.frozen, effect]).toEqual(['q', undefined, undefined])
    expect(type(ui, { input: 'c', ctrl: true }).effect).toEqual({ kind: 'quit' })
  })

  test('escape closes help, details, filter and pane, one after the other', () => {
    const leave: Key = { input: '', name: 'escape' }
    let { ui } = type(newUi('dark'), '6', '/', 'h', { input: '', name: 'enter' }, { input: '', name: 'enter' }, '?')
    const left: unknown[] = []
    for (let step = 0; step < 4; step++) {
      ui = press(ui, leave, model).ui
      left.push([ui.help, ui.detail, ui.filter, ui.pane])
    }
    expect(left).toEqual([
      [false, true, 'h', 'events'],
      [false, false, 'h', 'events'],
      [false, false, '', 'events'],
      [false, false, '', 'overview'],
    ])
  })

  test('pause keeps the current model, and export writes the shown one', () => {
    const { ui } = type(newUi('dark'), 'p')
    const later = modelAfter([block(18_404, T0 + 5_000)], model)
    expect(press(ui, { input: 'e' }, later).effect).toEqual({ kind: 'export', model })
    expect(press(ui, { input: 'p' }, later).ui.frozen).toBeUndefined()
  })

  test('n requests the next node', () => {
    expect(type(newUi('dark'), 'n').effect).toEqual({ kind: 'next' })
  })

  test('c copies the key of a validator or the hash of a block, and reports if nothing can be copied', () => {
    expect(type(newUi('dark'), 'j', 'c').effect).toEqual({ kind: 'copy', text: keyOf(1) })
    expect(type(newUi('dark'), '6', 'c').effect).toEqual({ kind: 'copy', text: 'e3'.repeat(32) })
    expect(type(newUi('dark'), '4', 'c').ui.message).toContain('no hash')
  })
})

describe('without a screen', () => {
  test.each([
    [{ once: true, json: true }, {}, true, 'once'],
    [{ json: true }, {}, true, 'lines'],
    [{}, {}, true, 'screen'],
    [{}, {}, false, 'lines'],
    [{}, { TERM: 'dumb' }, true, 'lines'],
    [{ lines: true }, {}, true, 'lines'],
    [{}, { INK_SCREEN_READER: 'true' }, true, 'sentences'],
    [{ 'screen-reader': true }, {}, false, 'sentences'],
  ])('flags %j with the environment %j and terminal %s select the mode %s', (flags, env, terminal, mode) => {
    const all = { once: false, lines: false, json: false, 'screen-reader': false, ...flags }
    expect(modeOf(all, env, terminal)).toBe(mode)
  })

  test('each event is printed once, even after the oldest events are evicted', () => {
    const model = busy()
    expect(eventsSince(model, 0)).toHaveLength(model.eventCount)
    expect(eventsSince(model, model.eventCount)).toEqual([])
    expect(eventsSince(modelAfter([block(18_404, T0 + 4_000)], model), model.eventCount).map(lineOf)).toEqual([
      '14:00:04  COMMIT  h18404 e4e4…e4e4 541 tx',
    ])
  })

  test('an event in JSON has its own fields in addition to kind, time and text', () => {
    expect(eventJson(busy().events[1]!)).toEqual({
      kind: 'commit',
      at_ms: T0 + 2_000,
      trouble: false,
      text: 'h18402 e2e2…e2e2 502 tx, 3 rejected',
      height: 18_402,
      block_hash: 'e2'.repeat(32),
      transactions: 502,
      rejected: 3,
      block_time_ms: T0 + 2_000,
    })
    expect(JSON.parse(JSON.stringify(snapshotJson(stalled())))).toMatchObject({
      consensus: { height: 18_403, stall: { reason: 'votes_missing' } },
      qc: null,
      validators: [{ name: 'val-0' }, { name: 'val-1' }, { name: 'val-2', link: 'down', missing: true }, {}, {}],
    })
  })

  test('sentences combine commits, and report problems immediately', () => {
    const sentences = new Sentences()
    const events = stalled().events
    const lines = sentences.take(events, T0 + 20_000)
    expect(lines[0]).toBe('Heights 18401 to 18403 were committed with 1506 transactions.')
    expect(lines[1]).toBe('View change: h18404 v3 leader val-2 (noProposal) and 2 before.')
    const [one] = modelAfter([block(5, T0, 7)]).events
    expect(sentences.take([one!], T0)).toEqual([])
    expect(sentences.take([], T0 + 10_000)).toEqual(['Height 5 was committed with 7 transactions.'])
    expect(standingSentence(busy())).toContain('4 validators, quorum 3. The leader is val-2.')
  })

  test('a node that does not serve its status is not shown with an empty queue', () => {
    const why = 'the telemetry profile disabled does not serve this route'
    const refused = (route: 'status' | 'consensus'): WatchInput => ({ kind: 'refused', route, why, atMs: T0 })
    const model = modelAfter([refused('status'), refused('consensus')])
    expect(standingLine(model)).toMatch(new RegExp(`: ${why}$`))
    expect(standingSentence(model)).toMatch(new RegExp(`The consensus status is not available: ${why}\\.$`))
    expect(standingLine(modelAfter([]))).toMatch(/: no status yet$/)
    expect(standingLine(busy())).toMatch(/, quorum 3 of 4, queue \d+$/)
  })
})

describe('texts', () => {
  test('format numbers, sizes and times', () => {
    expect([count(1_234_567), count(5), brief(9_871_204), brief(12_345), brief(999)]).toEqual([
      '1 234 567',
      '5',
      '9.9M',
      '12.3k',
      '999',
    ])
    expect([bytesText(5), bytesText(2_048), bytesText(64 * 2 ** 20)]).toEqual(['5 B', '2 KiB', '64.0 MiB'])
    expect(spark([0, 1, 4, 8], 6, { ascii: false })).toBe('   ▁▄█'.slice(-6).padStart(6))
    expect(spark([0, 1, 8], 4, { ascii: true })).toBe('0018')
  })

  test('peer text is one column per character and has no control sequences', () => {
    expect(clean('a\u001b[2J\u0007宽\u{1F600}b')).toBe('a?[2J???b')
    expect(clean('x'.repeat(1_000))).toHaveLength(401)
  })
})

describe('the terminal surface', () => {
  const written: string[] = []
  const stdout = {
    columns: 10,
    rows: 3,
    write: (text: string) => {
      written.push(text)
      return true
    },
  } as unknown as NodeJS.WriteStream

  test('writes changed rows, erases the rest of shorter rows, and writes nothing without changes', () => {
    const surface = new Surface(stdout)
    surface.enter()
    surface.draw('0123456789\nab\ncd')
    written.length = 0
    surface.draw('0123456789\nabc\ncd')
    expect(written).toEqual(['\u001b[?2026h\u001b[2;1Habc\u001b[0m\u001b[K\u001b[?2026l'])
    surface.draw('0123456789\nabc\ncd')
    expect(written).toHaveLength(1)
    surface.invalidate()
    surface.draw('0123456789\nabc\ncd')
    // Behind a full row nothing is erased: the cursor still stands on its last character.
    expect(written[1]).toContain('\u001b[1;1H0123456789\u001b[2;1H')
    surface.leave()
    surface.draw('late')
    expect(written.slice(2)).toEqual(['\u001b[?25h\u001b[?1049l'])
  })
})
