/** Owns the tree that the pairs of a flat body represent, so that one reader serves every form. */
import type { Findings } from '../draft.js'
import { type Place, WHOLE_BODY } from '../fault.js'
import type { Pair } from '../flat.js'
import { collapse } from '../values/blanks.js'
import type { XmlElement } from '../xml/element.js'
import type { FieldGroup, ParsedFamily } from './table.js'

interface Node {
  readonly local: string
  readonly children: Node[]
  readonly byKey: Map<string, Node>
  text: string
  offset: number
}

const node = (local: string): Node => ({ local, children: [], byKey: new Map(), text: '', offset: -1 })

/** Maximum number of steps of a key. */
const STEPS_MAX = 16

/** Steps of a key without Document, body and leading slashes. */
function stepsOf(key: string, bodies: readonly string[]): string[] {
  const steps = key.split('/').filter((step) => step !== '')
  if (steps[0] === 'Document') steps.shift()
  if (bodies.includes(steps[0] ?? '')) steps.shift()
  if (steps[0] === 'AppHdr') steps.shift()
  return steps
}

/** Flat keys of a table, without numbers. */
function keysOf(group: FieldGroup, prefix: string, into: Set<string>): Set<string> {
  for (const field of group.fields) into.add(`${prefix}${field.name}`)
  for (const inner of group.groups) keysOf(inner, `${prefix}${inner.path.join('/')}/`, into)
  return into
}

/**
 * Build the tree of the pairs, with the place of each element. Unknown keys become warnings, duplicate keys become
 * faults.
 */
export function flatTree(
  pairs: readonly Pair[],
  family: ParsedFamily,
  { faults, warnings }: Findings,
): { readonly root: XmlElement; readonly placeOf: (element: XmlElement) => Place } {
  const known = keysOf(family.group, '', new Set())
  const root = node('')
  const places: Place[] = []
  for (const pair of pairs) {
    const steps = stepsOf(pair.key, family.bodies)
    const plain = steps.map((step) => step.replace(/\[[0-9]+\]$/, '')).join('/')
    if (!known.has(plain) || steps.length > STEPS_MAX) {
      if (plain !== 'MsgDefIdr') {
        warnings.add({ code: 'field_unknown', ...pair, expected: 'a key of this family', hint: 'It is not read.' })
      }
      continue
    }
    let at = root
    for (const step of steps) {
      let next = at.byKey.get(step)
      if (next === undefined) {
        next = node(step.replace(/\[[0-9]+\]$/, ''))
        at.byKey.set(step, next)
        at.children.push(next)
      }
      at = next
    }
    if (at.offset >= 0) {
      faults.add({ code: 'field_repeated', ...pair, expected: `${pair.key} once` })
      continue
    }
    at.text = collapse(pair.value)
    at.offset = places.push(pair.at) - 1
  }
  return { root: elementOf(root), placeOf: (element) => places[element.offset] ?? WHOLE_BODY }
}

const elementOf = ({ local, children, text, offset }: Node): XmlElement => ({
  namespace: '',
  local,
  attributes: [],
  children: children.map(elementOf),
  text,
  interrupted: undefined,
  offset,
})
