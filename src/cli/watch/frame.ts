/** Owns the layout: the panes of a screen size and their positions; a frame is lines of exactly its width. */
import type { WatchModel } from './model.js'
import { certificateLines, heightLines, heightShort, heightShortTitle, heightTitle } from './panes/consensus.js'
import { eventLines, eventsTitle, latestEvents } from './panes/events.js'
import { footerLine, headerLines } from './panes/header.js'
import { broadcastLines, broadcastTitle, laneLines, laneTitle, throughputLines, throughputShort } from './panes/load.js'
import { detailLines, helpLines } from './panes/pages.js'
import { validatorLines } from './panes/validators.js'
import { beside, box, fill, flowed, type Glyphs, type Line, line, span } from './text.js'
import { chosen } from './ui.js'
import type { Ui } from './ui-state.js'
import { validatorRows } from './validator-rows.js'

/** Minimum useful screen size. */
export const MIN_COLUMNS = 60
export const MIN_ROWS = 16

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Part of a frame that is drawn separately. */
export interface Region {
  readonly name: string
  readonly lines: readonly Line[]
}

const WIDEST_COLUMNS = 160
const WIDE_COLUMNS = 120
const COMPACT_COLUMNS = 80
/** Minimum rows between header and footer for each layout. */
const WIDE_BODY = 29
const COMPACT_BODY = 18

/** Regions of the frame from top to bottom; together they fill `rows` lines of `columns` characters. */
export function frame(model: WatchModel, ui: Ui, size: Size, glyphs: Glyphs): Region[] {
  const { columns, rows } = size
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) {
    const text = `need ${MIN_COLUMNS}x${MIN_ROWS}, have ${columns}x${rows}`
    return [region('small', filled([line(span(text, 'warn'))], columns, rows))]
  }
  const header = headerLines(model, ui, columns)
  const footer = footerLine(ui, columns)
  const height = rows - header.length - 1
  const body = bodyRegions(model, ui, columns, height, glyphs)
  return [
    region('header', filled(header, columns, header.length)),
    ...body,
    region('footer', filled([footer], columns, 1)),
  ]
}

const region = (name: string, lines: readonly Line[]): Region => ({ name, lines })

/** Lines of exactly this size. */
const filled = (lines: readonly Line[], width: number, height: number): Line[] =>
  Array.from({ length: height }, (_, at) => fill(lines[at] ?? [], width))

function bodyRegions(model: WatchModel, ui: Ui, width: number, height: number, glyphs: Glyphs): Region[] {
  if (ui.help) return [region('help', box('Keys', helpLines(), width, height, true))]
  if (ui.detail) {
    const row = chosen(ui, model)
    if (row !== undefined) return [region('detail', box(row.title, detailLines(row, width - 4), width, height, true))]
  }
  if (ui.pane !== 'overview') return [region(ui.pane, paneBox(model, ui, width, height, glyphs))]
  if (width >= WIDEST_COLUMNS && height >= WIDE_BODY) return widest(model, ui, width, height, glyphs)
  if (width >= WIDE_COLUMNS && height >= WIDE_BODY) return wide(model, ui, width, height, glyphs)
  if (width >= COMPACT_COLUMNS && height >= COMPACT_BODY) return compact(model, ui, width, height, glyphs)
  return small(model, ui, width, height, glyphs)
}

/** Pane that fills the screen. */
function paneBox(model: WatchModel, ui: Ui, width: number, height: number, glyphs: Glyphs): Line[] {
  const inner = width - 4
  const room = height - 2
  const filter = ui.filter === '' ? '' : `  filter: ${ui.filter}`
  switch (ui.pane) {
    case 'validators':
      return box(`Validators${filter}`, validatorLines(model, ui, inner, room), width, height, true)
    case 'broadcast':
      return box(`${broadcastTitle(model)}${filter}`, broadcastLines(model, ui, room), width, height, true)
    case 'lanes':
      return box(`${laneTitle(model)}${filter}`, laneLines(model, ui, room), width, height, true)
    case 'transactions': {
      const load = throughputLines(model, inner, glyphs)
      const lines = [...load, line(''), ...eventLines(model, ui, room - load.length - 1)]
      return box(eventsTitle('Transactions', ui), lines, width, height, true)
    }
    default:
      return box(eventsTitle('Events', ui), eventLines(model, ui, room), width, height, true)
  }
}

const PHASES_HEIGHT = 10
const LOAD_HEIGHT = 7
const EVENTS_MIN = 6
const VALIDATORS_MIN = 8

/** Layout with two columns above the events. */
function wide(model: WatchModel, ui: Ui, width: number, height: number, glyphs: Glyphs): Region[] {
  const left = Math.floor(width / 2)
  const right = width - left
  const rest = height - PHASES_HEIGHT - LOAD_HEIGHT
  const wanted = 3 + validatorRows(model).length
  const middle = Math.max(VALIDATORS_MIN, Math.min(wanted, rest - EVENTS_MIN))
  const events = rest - middle
  return [
    region(
      'height',
      beside(
        box(heightTitle(model), heightLines(model, left - 4), left, PHASES_HEIGHT),
        box('Certificates', certificateLines(model), right, PHASES_HEIGHT),
      ),
    ),
    region(
      'validators',
      beside(
        box(validatorTitle(model), validatorLines(model, ui, left - 4, middle - 2), left, middle),
        box(broadcastTitle(model), broadcastLines(model, ui, middle - 2), right, middle),
      ),
    ),
    region(
      'load',
      beside(
        box(laneTitle(model), laneLines(model, ui, LOAD_HEIGHT - 2), left, LOAD_HEIGHT),
        box('Throughput and queue', throughputLines(model, right - 4, glyphs), right, LOAD_HEIGHT),
      ),
    ),
    region('events', box(eventsTitle('Events', ui), latestEvents(model, ui, events - 2), width, events)),
  ]
}

/** Width of the first of three columns: validators with their votes and lag. */
const VALIDATORS_COLUMNS = 70

/** Layout with three columns above the events: more panes side by side, and more space for validators. */
function widest(model: WatchModel, ui: Ui, width: number, height: number, glyphs: Glyphs): Region[] {
  const left = Math.max(VALIDATORS_COLUMNS, Math.floor((width * 2) / 5))
  const middle = Math.floor((width - left) / 2)
  const right = width - left - middle
  const wanted = 3 + validatorRows(model).length
  const rest = height - PHASES_HEIGHT
  // Number of lines of a pane: overlong lines get more, as long as half of the rest is left to the events.
  const linesOf = (lines: readonly Line[], columns: number): number => 2 + flowed(lines, columns - 4, 2 * rest).length
  const members = linesOf(validatorLines(model, ui, left - 4, rest), left)
  const payloads = linesOf(broadcastLines(model, ui, rest), middle)
  const asked = Math.max(wanted, Math.min(Math.max(members, payloads), Math.floor(rest / 2)))
  const rows = Math.max(LOAD_HEIGHT, Math.min(asked, rest - EVENTS_MIN))
  return [
    region(
      'height',
      beside(
        beside(
          box(heightTitle(model), heightLines(model, left - 4), left, PHASES_HEIGHT),
          box('Certificates', certificateLines(model), middle, PHASES_HEIGHT),
        ),
        box('Throughput and queue', throughputLines(model, right - 4, glyphs), right, PHASES_HEIGHT),
      ),
    ),
    region(
      'validators',
      beside(
        beside(
          box(validatorTitle(model), validatorLines(model, ui, left - 4, rows - 2), left, rows),
          box(broadcastTitle(model), broadcastLines(model, ui, rows - 2), middle, rows),
        ),
        box(laneTitle(model), laneLines(model, ui, rows - 2), right, rows),
      ),
    ),
    region('events', box(eventsTitle('Events', ui), latestEvents(model, ui, rest - rows - 2), width, rest - rows)),
  ]
}

const validatorTitle = ({ consensus, peers }: WatchModel): string =>
  `Validators ${consensus?.committee.length ?? 0} · peers ${peers.length}`

/** Layout with one column: height, validators, one line of load, events. */
function compact(model: WatchModel, ui: Ui, width: number, height: number, glyphs: Glyphs): Region[] {
  const validators = Math.max(7, Math.min(3 + validatorRows(model).length, height - 4 - 1 - 5))
  const events = height - 4 - 1 - validators
  return [
    region('height', box(heightShortTitle(model), heightShort(model), width, 4)),
    region(
      'validators',
      box(validatorTitle(model), validatorLines(model, ui, width - 4, validators - 2), width, validators),
    ),
    region('load', [fill(throughputShort(model, width, glyphs), width)]),
    region('events', box(eventsTitle('Events', ui), latestEvents(model, ui, events - 2), width, events)),
  ]
}

/** Minimum layout: validators and events. */
function small(model: WatchModel, ui: Ui, width: number, height: number, glyphs: Glyphs): Region[] {
  const events = Math.max(3, Math.min(5, height - 10))
  const validators = height - 1 - events
  return [
    region(
      'validators',
      box(heightShortTitle(model), validatorLines(model, ui, width - 4, validators - 2), width, validators),
    ),
    region('load', [fill(throughputShort(model, width, glyphs), width)]),
    region('events', box(eventsTitle('Events', ui), latestEvents(model, ui, events - 2), width, events)),
  ]
}
