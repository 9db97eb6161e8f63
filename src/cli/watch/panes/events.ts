/** Owns the events pane, newest first if it can be scrolled and newest last in the overview. */
import { clockText, count } from '../../text/figures.js'
import type { WatchEvent, WatchModel } from '../model.js'
import { shownEvents } from '../rows.js'
import { type Line, line, span } from '../text.js'
import type { Ui } from '../ui-state.js'
import { windowed } from './window.js'

/** `Events`, with the filter. */
export const eventsTitle = (name: string, ui: Ui): string =>
  `${name}${ui.filter === '' ? '' : `  filter: ${ui.filter}`}${ui.frozen === undefined ? '' : '  paused'}`

const eventLine = ({ atMs, kind, text, trouble }: WatchEvent, mark: string): Line =>
  line(
    span(mark, 'accent'),
    span(`${clockText(atMs)} `, 'dim'),
    span(`${trouble ? '!' : ' '}${kind.padEnd(7)}`, trouble ? 'warn' : 'good'),
    text,
  )

/** Latest events, newest last. */
export function latestEvents(model: WatchModel, ui: Ui, height: number): Line[] {
  const rows = shownEvents(model, ui).slice(0, height).reverse()
  return rows.length === 0 ? nothing(model, ui) : rows.map((event) => eventLine(event, ''))
}

/** Events around the selected one, newest first. */
export function eventLines(model: WatchModel, ui: Ui, height: number): Line[] {
  const rows = shownEvents(model, ui)
  if (rows.length === 0) return nothing(model, ui)
  const { shown, first, below } = windowed(rows, ui.selected, height)
  const lines = shown.map((event, at) => eventLine(event, first + at === ui.selected ? '▸' : ' '))
  return below === 0 ? lines : [...lines, line(span(`  ${below} older`, 'dim'))]
}

function nothing({ status }: WatchModel, ui: Ui): Line[] {
  const dimmed = (text: string): Line => line(span(text, 'dim'))
  if (ui.filter !== '') return [dimmed('no event matches the filter')]
  if (ui.pane !== 'transactions') return [dimmed('no events since this dashboard started')]
  const before = status?.txsRejected ?? 0
  return [
    dimmed(`no rejected transactions since this dashboard started${before === 0 ? '' : ` (${count(before)} before)`}`),
    dimmed('--all-events also shows approved ones'),
  ]
}
