/** Frames of the dashboard as text: at three sizes through commits, a stall, a lost node; and what every frame holds to. */
import { describe, expect, test } from 'vitest'
import { frame, type Size } from '../../src/cli/watch/frame.js'
import type { WatchModel } from '../../src/cli/watch/model.js'
import { withoutColours } from '../../src/cli/watch/surface.js'
import { flowed, line, plainText, span, widthOf } from '../../src/cli/watch/text.js'
import { paint, THEMES } from '../../src/cli/watch/theme.js'
import { press } from '../../src/cli/watch/ui.js'
import { newUi, PANES, type Ui } from '../../src/cli/watch/ui-state.js'
import { busy, consensusOf, empty, keyOf, modelAfter, peersOf, stalled, statusOf, T0 } from './models.js'

const LARGEST: Size = { columns: 160, rows: 40 }
const LARGE: Size = { columns: 120, rows: 36 }
const MIDDLE: Size = { columns: 80, rows: 24 }
const SMALL: Size = { columns: 60, rows: 16 }
const ui = newUi('plain')

const textOf = (model: WatchModel, size: Size, chosen: Ui = ui): string =>
  frame(model, chosen, size, { ascii: false })
    .flatMap(({ lines }) => lines.map((one) => plainText(one)))
    .join('\n')
const asFile = (text: string): string => `${text.replaceAll(/ +$/gm, '')}\n`

const lost = (): WatchModel =>
  modelAfter(
    [
      { kind: 'lost', why: 'http://127.0.0.1:8180: no answer (ECONNREFUSED)', atMs: T0 + 7_600, retryMs: T0 + 11_600 },
      { kind: 'tick', atMs: T0 + 9_600 },
    ],
    busy(),
  )
const lanes = (): WatchModel =>
  modelAfter(
    [
      {
        kind: 'status',
        atMs: T0 + 3_700,
        value: statusOf({
          teuLaneCommit: [lane(0, 'core', 1_000, 880), lane(1, 'payments', 1_000, 380), lane(2, 'open', 0, 12)],
          teuDataspaceBacklog: [{ laneId: 1, dataspaceId: 7n, faultTolerance: 1, backlog: 40_000, ageBlocks: 9 }],
        }),
      },
    ],
    busy(),
  )
const lane = (laneId: number, alias: string, capacity: number, committed: number) => ({
  laneId,
  alias,
  capacity,
  committed,
  deferrals: { capExceeded: 1, blockFull: 0 },
  starvationBound: 4,
  blockHeight: 18_403,
})
/** Forty validators of which three are in trouble. */
const many = (): WatchModel =>
  modelAfter([
    {
      kind: 'peers',
      atMs: T0,
      value: peersOf(40).map((one) =>
        [keyOf(17), keyOf(38)].includes(one.id) ? { ...one, connected: false, lastError: 'ETIMEDOUT' } : one,
      ),
    },
    { kind: 'status', atMs: T0, value: statusOf() },
    { kind: 'consensus', atMs: T0, value: consensusOf(9, {}, 40) },
  ])

const STATES = { busy, stalled, lost, lanes, many, empty } as const

describe.each([
  ['160x40', LARGEST],
  ['120x36', LARGE],
  ['80x24', MIDDLE],
  ['60x16', SMALL],
] as const)('the dashboard at %s', (name, size) => {
  test.each(Object.entries(STATES))('draws a node that is %s', async (state, model) => {
    await expect(asFile(textOf(model(), size))).toMatchFileSnapshot(`frames/${state}-${name}.txt`)
  })
})

describe.each(PANES.slice(1))('the pane %s', (pane) => {
  test('fills the whole screen', async () => {
    const model = pane === 'lanes' ? lanes() : busy()
    await expect(asFile(textOf(model, MIDDLE, { ...ui, pane }))).toMatchFileSnapshot(`frames/pane-${pane}.txt`)
  })
})

describe('every frame', () => {
  test('fills its screen exactly, whatever its content', () => {
    for (const model of Object.values(STATES).map((make) => make()))
      for (const columns of [60, 61, 79, 80, 100, 119, 120, 121, 159, 160, 161, 200, 301])
        for (const rows of [16, 18, 22, 24, 31, 32, 36, 60])
          for (const pane of PANES)
            for (const chosen of [ui, { ...ui, help: true }, { ...ui, detail: true }, { ...ui, typing: true }]) {
              const lines = frame(model, { ...chosen, pane }, { columns, rows }, { ascii: true }).flatMap(
                (one) => one.lines,
              )
              expect([columns, rows, pane, lines.length]).toEqual([columns, rows, pane, rows])
              expect(new Set(lines.map((one) => widthOf(one)))).toEqual(new Set([columns]))
            }
  })

  test('shows the required size on a screen that is too small', () => {
    expect(textOf(busy(), { columns: 52, rows: 14 }).split('\n')[0]?.trim()).toBe('need 60x16, have 52x14')
    expect(textOf(busy(), { columns: 3, rows: 1 })).toHaveLength(3)
  })

  test('is pure ASCII on request, with the same widths', () => {
    for (const model of [busy(), stalled(), lanes()])
      for (const line of frame(model, ui, LARGE, { ascii: true }).flatMap((one) => one.lines)) {
        const text = paint(line, { name: 'plain', ascii: true })
        expect(text).toMatch(/^[\x20-\x7e]{120}$/)
      }
  })

  test('has the same text in every theme, so no meaning depends on colours', () => {
    const shown = THEMES.map((name) =>
      frame(stalled(), ui, LARGE, { ascii: false })
        .flatMap((one) => one.lines)
        .map((one) => withoutColours(paint(one, { name, ascii: false })))
        .join('\n'),
    )
    expect(new Set(shown).size).toBe(1)
  })

  test('contains no bytes from a peer that could control the terminal', () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e宽'
    const model = modelAfter(
      [
        {
          kind: 'peers',
          atMs: T0 + 4_000,
          value: peersOf().map((one) => ({ ...one, address: `${evil}:1`, connected: false, lastError: evil })),
        },
        {
          kind: 'consensus',
          atMs: T0 + 4_000,
          value: consensusOf(18_403, { halted: evil, phases: new Map([[evil, { lastUs: 1, emaUs: 1 }]]) }),
        },
        { kind: 'lost', atMs: T0 + 4_000, retryMs: T0, why: evil },
      ],
      busy(),
    )
    for (const chosen of [ui, { ...ui, detail: true, selected: 1 }, { ...ui, pane: 'events' as const, detail: true }])
      expect(textOf(model, LARGE, chosen)).toMatch(/^[\n\x20-\x7e…·→–─│┌┐└┘━█░●▸✓✗▁-█↑↓]+$/)
  })
})

describe('a line that is too long for its pane', () => {
  test('wraps at column borders if the pane has a spare line, and is truncated otherwise', () => {
    const long = line(span('total  ', 'dim'), 'approved 9 871 204   rejected 311', span(' (0.00%)', 'dim'))
    const texts = (height: number) => flowed([long, line('peers')], 40, height).map((one) => plainText(one))
    expect(texts(2)).toEqual(['total  approved 9 871 204   rejected 311 (0.00%)', 'peers'])
    expect(texts(3)).toEqual(['total  approved 9 871 204   rejected 311', '  (0.00%)', 'peers'])
    expect(flowed([line('x'.repeat(90))], 40, 5).map((one) => plainText(one))).toEqual(['x'.repeat(90)])
  })

  test('is not truncated at 160x50 if its pane has empty lines', () => {
    for (const model of [busy(), stalled(), lanes()]) {
      const text = textOf(model, { columns: 160, rows: 50 })
      expect(text.split('\n').filter((one) => / … *│/.test(one) || /[a-z0-9]… │/.test(one))).toEqual([])
    }
  })
})

describe('a list of many validators', () => {
  test('shows faulty validators first, and the rest as a count', () => {
    const text = textOf(many(), LARGE)
    const rows = text.split('\n').filter((line) => /│ [▸ ] +\d+ ea0130/.test(line))
    expect(rows.slice(0, 2).every((row) => row.includes('✗ DOWN'))).toBe(true)
    expect(text).toMatch(/\+3\d ok/)
  })

  test('can be scrolled to the end, and sorting by name keeps the selection in range', () => {
    const model = many()
    let chosen: Ui = { ...ui, pane: 'validators' }
    for (let step = 0; step < 100; step++) chosen = press(chosen, { input: 'j' }, model).ui
    expect(chosen.selected).toBe(40)
    expect(textOf(model, MIDDLE, chosen)).toContain('▸')
    chosen = press(press(chosen, { input: 's' }, model).ui, { input: 's' }, model).ui
    expect(textOf(model, MIDDLE, chosen)).toContain('▸')
  })
})
