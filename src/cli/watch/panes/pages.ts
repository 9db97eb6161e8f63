/** Owns the pages that cover the panes: help, and the details of a row. */
import type { PaneRow } from '../rows.js'
import { type Line, line, span } from '../text.js'

const KEYS: readonly (readonly [string, string])[] = [
  ['1 to 6, Tab', 'overview, validators, payload broadcast, lanes, transactions, events'],
  ['↑ ↓ or k j', 'select a row; page keys move ten rows; g and G go to the first and last'],
  ['Enter, Esc', 'details of the selected row; Esc closes details, filter, pane'],
  ['/', 'filter the list (the events in the overview)'],
  ['p', 'pause the screen; the node is still polled'],
  ['s', 'sort validators by index, trouble or name'],
  ['c', 'copy the hash or key of the selected row (terminals with OSC 52)'],
  ['e', 'write the current data to a JSON file in this folder'],
  ['t', 'next theme: dark, light, plain'],
  ['n', 'switch to the next node: of the local network, or of the profiles'],
  ['q, Ctrl-C', 'quit'],
]
const SIGNS: readonly (readonly [string, string])[] = [
  ['✓ yes', 'its signature is in the last commit certificate'],
  ['· late', 'its signature is not in it: certificates close when the quorum has signed'],
  ['✗ WAIT', 'the chain is stalled and waits for this validator'],
  ['P C', 'its prepare and commit votes at this height and view that this node received'],
  ['lag', 'number of blocks behind this node, by its last report'],
]

/** Legend of the keys and signs. */
export const helpLines = (): Line[] => [
  ...KEYS.map(([key, what]) => line(span(key.padEnd(13), 'strong'), what)),
  line(''),
  ...SIGNS.map(([sign, what]) => line(span(sign.padEnd(13), 'strong'), what)),
]

/** Full row; long values continue on the next line. */
export function detailLines({ pairs }: PaneRow, width: number): Line[] {
  const label = Math.min(32, Math.max(...pairs.map(([name]) => name.length)) + 2)
  const room = Math.max(8, width - label)
  return pairs.flatMap(([name, value]) => {
    const parts = value.match(new RegExp(`.{1,${room}}`, 'gu')) ?? ['']
    return parts.map((part, at) => line(span((at === 0 ? name : '').padEnd(label), 'dim'), part))
  })
}
