/** Owns the pane of validators: who leads, who is connected, who signs, who is waited for. */
import type { WatchModel } from '../model.js'
import { shownValidators } from '../rows.js'
import { cell, type Line, line, type Span, span } from '../text.js'
import type { Ui } from '../ui-state.js'
import { SILENT_COMMITS, type ValidatorRow } from '../validator-rows.js'
import { windowed } from './window.js'

/** Lines of the pane, at most `height`. */
export function validatorLines(model: WatchModel, ui: Ui, width: number, height: number): Line[] {
  const rows = shownValidators(model, ui)
  const name = Math.max(8, Math.min(16, width - 46))
  const head = line(span(`   # ${cell('name', name)} ${cell('role', 11)} link  vote     signed   rtt`, 'dim'))
  if (rows.length === 0)
    return [head, line(span(ui.filter === '' ? '  waiting for the node' : '  no validator matches', 'dim'))]
  const { shown, first, above, below } = windowed(rows, ui.selected, height - 1)
  const lines = shown.map((row, at) => validatorLine(row, first + at === ui.selected, name))
  const hidden = rows.filter((_, at) => at < first || at >= first + shown.length)
  if (above + below === 0) return [head, ...lines]
  const well = hidden.filter(({ trouble }) => trouble === 0).length
  const ill = hidden.length - well
  return [head, ...lines, line(span(`     +${well} ok`, 'dim'), ill === 0 ? '' : span(`, ! ${ill} in trouble`, 'bad'))]
}

function validatorLine(row: ValidatorRow, chosen: boolean, width: number): Line {
  const place = (row.place === undefined ? '–' : String(row.place)).padStart(3)
  const trip = row.roundTripMs === undefined ? '–' : `${row.roundTripMs}ms`
  return line(
    span(chosen ? '▸' : ' ', 'accent'),
    `${place} `,
    span(cell(row.name, width), row.trouble > 0 ? 'warn' : 'plain'),
    ' ',
    span(cell(row.role, 11), row.role.includes('LEADER') ? 'accent' : 'plain'),
    ' ',
    linkSpan(row),
    ' ',
    voteSpan(row),
    `${row.place === undefined ? '–' : `${row.signed}/${row.seen}`}`.padStart(6),
    trip.padStart(6),
    row.silent >= SILENT_COMMITS ? span(` ! silent ${row.silent}`, 'bad') : '',
  )
}

function linkSpan({ link }: ValidatorRow): Span {
  if (link === 'DOWN') return span('✗ DOWN', 'bad')
  return link === 'unknown' ? span('– –   ', 'dim') : span(cell(link === 'self' ? '✓ self' : '✓ up', 6), 'good')
}

function voteSpan({ place, missing, signedLast }: ValidatorRow): Span {
  if (place === undefined) return span('–      ', 'dim')
  if (missing) return span('✗ WAIT ', 'bad')
  if (signedLast === undefined) return span('– none ', 'dim')
  return signedLast ? span('✓ yes  ', 'good') : span('· late ', 'dim')
}
