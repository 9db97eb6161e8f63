/** Owns the validators pane: leader, connections, signatures and missing votes. */
import type { WatchModel } from '../model.js'
import { shownValidators } from '../rows.js'
import { cell, type Line, line, type Span, span } from '../text.js'
import type { Ui } from '../ui-state.js'
import { BEHIND_BLOCKS, SILENT_COMMITS, type ValidatorRow } from '../validator-rows.js'
import { windowed } from './window.js'

/** Lines of the pane, at most `height`. */
export function validatorLines(model: WatchModel, ui: Ui, width: number, height: number): Line[] {
  const rows = shownValidators(model, ui)
  // During a stall, current votes matter more than recent signatures.
  const columns = columnsOf(width, model.consensus?.stall !== undefined)
  const head = line(
    span(`   # ${cell('name', columns.name)} ${cell('role', 11)} link  vote${HEADS[columns.votes]}`, 'dim'),
  )
  if (rows.length === 0)
    return [head, line(span(ui.filter === '' ? '  waiting for the node' : '  no validator matches', 'dim'))]
  const { shown, first, above, below } = windowed(rows, ui.selected, height - 1)
  const lines = shown.map((row, at) => validatorLine(row, first + at === ui.selected, columns))
  const hidden = rows.filter((_, at) => at < first || at >= first + shown.length)
  if (above + below === 0) return [head, ...lines]
  const well = hidden.filter(({ trouble }) => trouble === 0).length
  const ill = hidden.length - well
  return [head, ...lines, line(span(`     +${well} ok`, 'dim'), ill === 0 ? '' : span(`, ! ${ill} in trouble`, 'bad'))]
}

/** Column set by width: votes of the phases beside the share of signatures, in its place, or none. */
interface Columns {
  readonly name: number
  /** `beside`: with the lag of each validator. */
  readonly votes: 'beside' | 'instead' | 'none'
}

/** Headers after the vote column. */
const HEADS: Readonly<Record<Columns['votes'], string>> = {
  beside: '    P C  signed   rtt   lag',
  instead: '       P C    rtt',
  none: '     signed   rtt',
}

/** Width of the fixed columns. */
const ALWAYS = 46
/** Width of votes and lag. */
const MORE = 10

function columnsOf(width: number, showsStanding: boolean): Columns {
  const roomy = width >= ALWAYS + 8 + MORE
  const name = Math.max(8, Math.min(16, width - ALWAYS - (roomy ? MORE : 0)))
  return { name, votes: roomy ? 'beside' : showsStanding ? 'instead' : 'none' }
}

function validatorLine(row: ValidatorRow, chosen: boolean, { name: width, votes }: Columns): Line {
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
    votes === 'beside' ? phaseSpan(row) : '',
    votes === 'beside' ? ' ' : '',
    votes === 'instead' ? '   ' : `${row.place === undefined ? '–' : `${row.signed}/${row.seen}`}`.padStart(6),
    votes === 'instead' ? phaseSpan(row) : '',
    trip.padStart(6),
    votes === 'beside' ? lagSpan(row) : isBehind(row) ? span(` ! ${row.behind} behind`, 'bad') : '',
    row.silent >= SILENT_COMMITS ? span(` ! silent ${row.silent}`, 'bad') : '',
  )
}

const isBehind = ({ behind = 0 }: ValidatorRow): boolean => behind >= BEHIND_BLOCKS

function lagSpan(row: ValidatorRow): Span {
  const { behind } = row
  if (behind === undefined) return span('–'.padStart(6))
  return isBehind(row) ? span(`!${behind}`.padStart(6), 'bad') : span(String(behind).padStart(6))
}

function linkSpan({ link }: ValidatorRow): Span {
  if (link === 'DOWN') return span('✗ DOWN', 'bad')
  return link === 'unknown' ? span('– –   ', 'dim') : span(cell(link === 'self' ? '✓ self' : '✓ up', 6), 'good')
}

function voteSpan({ place, missing, signedLast, isOld }: ValidatorRow): Span {
  if (place === undefined) return span('–      ', 'dim')
  if (missing) return span('✗ WAIT ', 'bad')
  if (signedLast === undefined) return span('– none ', 'dim')
  return signedLast ? span('✓ yes  ', isOld ? 'dim' : 'good') : span('· late ', 'dim')
}

/** Votes of prepare and commit at this height and view, three columns. */
function phaseSpan({ votes, isOld }: ValidatorRow): Span {
  if (votes === undefined) return span('– –', 'dim')
  const mark = (voted: boolean): string => (voted ? '✓' : '·')
  const text = `${mark(votes.prepare)} ${mark(votes.commit)}`
  return span(text, isOld ? 'dim' : votes.commit ? 'good' : 'plain')
}
