/**
 * Owns the checks of the exploration itself: merged states, the reduced mode against the full mode, and random walks.
 */
import { Broken } from '../cache-bounds.js'
import { type Random, randomOf } from '../prng.js'
import { copyOf } from './copy.js'
import { Exploration } from './exploration.js'
import type { LocalState } from './local-state.js'
import type { WorldOptions } from './options.js'
import type { NodeTable, OwnAction } from './table.js'

/** Share of merged states that are compared with the states kept. */
const MERGE_RATE = 0.002
/** Actions of one walk, and attempts to find an action that changes something. */
const WALK_STEPS = 80
const ATTEMPTS = 60
/** Share of the attempts that are own actions of a node. */
const OWN_RATE = 0.15

/** Result of a comparison. */
export interface Compared {
  readonly checked: number
  /** First difference. */
  readonly difference: string | undefined
}

/** Compares a sample of the merged states of an exploration with the states that they were merged into. */
export class MergeCheck {
  checked = 0
  difference: string | undefined
  private readonly random: Random
  private isChecking = false

  constructor(exploration: Exploration, seed = 1, rate = MERGE_RATE) {
    this.random = randomOf(seed, 'merged states')
    for (const table of exploration.tables) {
      table.onMerge = (known, merged) => {
        if (this.isChecking || this.difference !== undefined || !this.random.chance(rate)) return
        this.isChecking = true
        this.compare(table, known, merged)
        this.isChecking = false
      }
    }
  }

  /** Take each action whose result is known in both states, and compare the texts after it. */
  private compare(table: NodeTable, known: number, merged: LocalState): void {
    const { messages, canonical } = table
    this.checked += 1
    const copy = (): LocalState => ({ ...merged, machine: copyOf(merged.machine) })
    const expect = (action: string, to: number, run: () => LocalState): void => {
      const local = run()
      canonical.dropOld(local)
      const text = canonical.textOf(local)
      const wanted = table.texts[to] ?? ''
      if (text !== wanted) this.difference ??= `node ${table.number} after ${action}: ${text} instead of ${wanted}`
    }
    for (const [id, to] of (table.rows[known] ?? new Int32Array()).entries()) {
      if (to < 0) continue
      const sent = messages.at(id)
      if (sent.row === undefined && !table.ignores(known, sent))
        expect(sent.text, to, () => table.runMessage(copy(), sent))
    }
    for (const { action, to } of table.knownMovesOf(known)) {
      const same = table.actionsOf(merged).find((one) => isSameAction(one, action))
      if (same === undefined) this.difference ??= `node ${table.number} cannot do ${action.kind}`
      else expect(action.kind, to, () => table.act(copy(), same))
    }
  }
}

/** Results of late work are identified by the work, because their order differs between equal states. */
const isSameAction = (one: OwnAction, other: OwnAction): boolean =>
  one.kind === other.kind &&
  (one.kind !== 'answer' || other.kind !== 'answer' || one.work === other.work) &&
  (one.kind !== 'crash' || other.kind !== 'crash' || one.kept === other.kept)

/** Externally visible part of states: senders of votes, timeouts and proposals, and decisions. */
class Visible {
  private readonly texts: string[][]

  constructor(private readonly exploration: Exploration) {
    this.texts = exploration.tables.map(() => [])
  }

  of(vector: Int32Array): string {
    let text = ''
    for (let at = 0; at < vector.length; at++) {
      const local = vector[at] as number
      text += `${this.texts[at]?.[local] ?? this.textOf(at, local)} # `
    }
    return text
  }

  private textOf(at: number, local: number): string {
    const { tables, messages } = this.exploration
    const { sent, machine } = (tables[at] as NodeTable).state(local)
    const texts = sent.flatMap((id) => {
      const { content, text } = messages.at(id)
      return content.kind === 'other' ? [] : [text]
    })
    const { decided } = machine
    const block = decided === undefined ? '' : messages.setting.nameOf(decided.certificate.blockHash)
    const text = `${texts.sort().join(' ')}|${block}`
    ;(this.texts[at] as string[])[local] = text
    return text
  }
}

/** All visible states of a world; members are not exchanged. */
function visibleStates(options: WorldOptions): Set<string> {
  const exploration = new Exploration(options, false)
  const seen = new Set<string>()
  const visible = new Visible(exploration)
  exploration.onState = (vector) => seen.add(visible.of(vector))
  while (exploration.advance(10_000));
  if (exploration.violation !== undefined) throw new Broken(exploration.violation.text)
  return seen
}

/** Check that the visible states of a world are the same in both modes. */
export function compareModes(options: WorldOptions): Compared {
  const reduced = visibleStates({ ...options, mode: 'reduced' })
  const full = visibleStates({ ...options, mode: 'full' })
  const missing = [...full].find((one) => !reduced.has(one)) ?? [...reduced].find((one) => !full.has(one))
  return { checked: full.size, difference: missing && `visible in one mode only: ${missing}` }
}

/** Check that random walks in the full mode reach no state that the reduced mode has missed. */
export function walk(options: WorldOptions, walks: number, seed = 1): Compared {
  const reduced = visibleStates({ ...options, mode: 'reduced' })
  const exploration = new Exploration({ ...options, mode: 'full' })
  const visible = new Visible(exploration)
  const random = randomOf(seed, 'walks')
  const seen = new Set<string>()
  for (let count = 0; count < walks; count++) {
    const vector = new Int32Array(exploration.tables.length)
    exploration.states.read(0, vector)
    const path: string[] = []
    for (let steps = 0; steps < WALK_STEPS; steps++) {
      const action = stepOf(exploration, vector, random)
      if (action === undefined) break
      path.push(action)
      const text = visible.of(vector)
      if (seen.has(text)) continue
      seen.add(text)
      if (!reduced.has(text)) return { checked: seen.size, difference: `${path.join(', ')}: ${text}` }
    }
  }
  return { checked: seen.size, difference: undefined }
}

/** Move to a random next state; undefined if none was found. */
function stepOf(exploration: Exploration, vector: Int32Array, random: Random): string | undefined {
  const { ids } = exploration.deliveryAt(vector)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const at = random.below(vector.length)
    const table = exploration.tables[at] as NodeTable
    const local = vector[at] as number
    if (random.chance(OWN_RATE)) {
      const moves = table.movesOf(local)
      if (moves.length === 0) continue
      const { action, to } = random.pick(moves)
      vector[at] = to
      return `${table.number} ${action.kind}`
    }
    if (ids.length === 0) continue
    const id = ids[random.below(ids.length)] as number
    const to = table.deliver(local, id)
    if (to === local) continue
    vector[at] = to
    return `${table.number} <- ${exploration.messages.at(id).text}`
  }
  return undefined
}
