/** Owns the header lines: the node, its liveness, and the reason of a stall. */
import { durationText } from '../../../base/duration-text.js'
import { nameOf } from '../../gateway/node-names.js'
import { clean } from '../../text/escape.js'
import type { WatchModel } from '../model.js'
import { named } from '../names.js'
import { type Line, line, type Span, span, spread, widthOf } from '../text.js'
import type { Ui } from '../ui-state.js'

/** Maximum lines of a stall text. */
const STALL_LINES = 3

/** `● LIVE 0.2s`, `● LOST 6s, retrying`. */
export function liveSpan({ connection, nowMs }: WatchModel): Span {
  const ageMs = nowMs - connection.contactMs
  if (connection.state === 'live') return span(`● LIVE ${durationText(ageMs)}`, 'good')
  const waitMs = connection.retryMs - nowMs
  return span(`● LOST ${durationText(ageMs)}, retrying${waitMs > 500 ? ` in ${durationText(waitMs)}` : ''}`, 'bad')
}

/** One line, and more during a stall or a lost connection. */
export function headerLines(model: WatchModel, ui: Ui, width: number): Line[] {
  const { node, status } = model
  const wide = width >= 110
  const up = status === undefined ? '' : `  up ${durationText(status.uptimeMs)}`
  const right = line(
    ui.frozen === undefined ? '' : span('PAUSED ', 'warn'),
    liveSpan(model),
    wide ? span(`  v${clean(node.version)}${up} `, 'dim') : ' ',
  )
  const left = line(
    span(' CAUSEWAY ', 'strong'),
    wide ? ` chain:${clean(node.chain)}  ` : ` ${clean(node.chain)} · `,
    span(nameOf(model, node.validatorKey), 'accent'),
    wide ? ` ${node.gateway}` : '',
    width >= 80 ? ` · ${clean(node.mode)}` : '',
  )
  const first = spread(left, right, width)
  return [first, ...troubleLines(model, width)]
}

function troubleLines(model: WatchModel, width: number): Line[] {
  const { connection, consensus, nowMs } = model
  if (connection.state === 'lost') return wrapped('! LOST: ', connection.why, width, 1)
  if (consensus?.halted !== undefined) return wrapped('! HALTED: ', clean(consensus.halted), width, STALL_LINES)
  if (consensus?.stall === undefined) return []
  const { sinceMs, text } = consensus.stall
  return wrapped(`! STALLED ${durationText(nowMs - sinceMs)}: `, named(model, text), width, STALL_LINES)
}

/** Text wrapped at words if possible. */
function wrapped(mark: string, text: string, width: number, most: number): Line[] {
  const lines: string[] = []
  let rest = ` ${mark}${text}`
  while (rest.length > width && lines.length < most - 1) {
    const blank = rest.lastIndexOf(' ', width)
    const at = blank > width / 2 ? blank : width
    lines.push(rest.slice(0, at))
    rest = `   ${rest.slice(at).trimStart()}`
  }
  return [...lines, rest].map((one) => line(span(one, 'bad')))
}

/** Active keys, or the last message. */
export function footerLine(ui: Ui, width: number): Line {
  if (ui.typing)
    return line(span(' filter: ', 'strong'), `${ui.filter}█`, span('   Enter keeps it, Esc clears it', 'dim'))
  if (ui.message !== '') return line(span(` ${ui.message}`, 'accent'))
  const words = width < 72 ? '  ↑↓  Enter  / filter  p pause' : '  ↑↓ select  Enter detail  / filter  p pause'
  const keys = line(span(` 1-6 panes${words}  ? help  q quit`, 'dim'))
  const names = line(span(' 1 overview  2 validators  3 rbc  4 lanes  5 txs  6 events │', 'dim'))
  const filter = ui.filter === '' ? [] : line(span(`  filter: ${ui.filter}`, 'accent'))
  const all = [...names, ...line(span(' ↑↓ select  Enter detail  / filter  p pause  ? help  q quit', 'dim')), ...filter]
  if (widthOf(all) <= width) return all
  return [...keys, ...filter]
}
