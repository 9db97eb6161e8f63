/** Owns the pages that cover the panes: help, and the details of a row. */
import type { PaneRow } from '../rows.js'
import { type Line, line, span } from '../text.js'

const KEYS: readonly (readonly [string, string])[] = [
  ['1 to 6, Tab', 'overview, validators, payload broadcast, lanes, transactions, events'],
  ['↑ ↓ or k j', 'select a row; page keys move ten; g and G go to the ends'],
  ['Enter, Esc', 'details of the selected row; Esc leaves details, filter, pane'],
  ['/', 'filter the list (the events in the overview)'],
  ['p', 'pause the screen; the node is still read'],
  ['s', 'sort validators by index, trouble or name'],
  ['c', 'copy the hash or key of the selected row (terminals with OSC 52)'],
  ['e', 'write what is known to a JSON file in this folder'],
  ['t', 'next theme: dark, light, plain'],
  ['n', 'look at the next node: of the local network, or of the profiles'],
  ['q, Ctrl-C', 'quit'],
]
const SIGNS: readonly (readonly [string, string])[] = [
  ['✓ yes', 'its signature is in the last commit certificate'],
  ['· late', 'it does not: certificates close when the quorum has signed'],
  ['✗ WAIT', 'the chain is stalled and waits for it'],
  ['P C', 'its prepare and commit votes at this height and view that this node received'],
  ['lag', 'blocks that it is behind this node, by its last report'],
]

/** What the keys and signs mean. */
export const helpLines = (): Line[] => [
  ...KEYS.map(([key, what]) => line(span(key.padEnd(13), 'strong'), what)),
  line(''),
  ...SIGNS.map(([sign, what]) => line(span(sign.padEnd(13), 'strong'), what)),
]

/** A row in full; long values go on in the next line. */
export function detailLines({ pairs }: PaneRow, width: number): Line[] {
  const label = Math.min(32, Math.max(...pairs.map(([name]) => name.length)) + 2)
  const room = Math.max(8, width - label)
  return pairs.flatMap(([name, value]) => {
    const parts = value.match(new RegExp(`.{1,${room}}`, 'gu')) ?? ['']
    return parts.map((part, at) => line(span((at === 0 ? name : '').padEnd(label), 'dim'), part))
  })
}
