/**
 * Owns the reading of traces of docs/spec/height.qnt in the Informal Trace Format (ITF) with the metadata that `quint
 * run --mbt` adds. Traces of another specification, or of another version of it, are refused.
 */
import { LedgerError } from '../../model/errors.js'
import {
  type BlockName,
  type Entry,
  entryText,
  type Local,
  type ProposalName,
  type RecordName,
  type Slot,
  slotText,
  type TimeoutName,
  type VoteName,
} from './names.js'

export const ACTIONS = [
  'init',
  'propose',
  'receive',
  'refuseProposal',
  'prepare',
  'fetch',
  'learnPrepare',
  'commit',
  'decide',
  'expire',
  'join',
  'enter',
  'refuseEntry',
  'persist',
  'crash',
  'forge',
] as const
export type Action = (typeof ACTIONS)[number]

/** Choices of the specification in one step; undefined if its action does not make them. */
export interface Picks {
  readonly n: string | undefined
  readonly id: string | undefined
  readonly p: ProposalName | undefined
  readonly s: Slot | undefined
  readonly e: Entry | undefined
  readonly v: number | undefined
  readonly one: TimeoutName | undefined
  readonly other: TimeoutName | undefined
  readonly kept: number | undefined
}

export interface TraceStep {
  readonly action: Action
  readonly picks: Picks
  /** State after the action. */
  readonly nodes: ReadonlyMap<string, Local>
  readonly pending: ReadonlyMap<string, readonly RecordName[]>
  readonly proposals: readonly ProposalName[]
  readonly votes: readonly VoteName[]
  readonly timeouts: readonly TimeoutName[]
}

/** Instance of the specification, and its steps from `init` on. */
export interface Trace {
  readonly module: string
  readonly steps: readonly TraceStep[]
}

/** Maximum steps of a trace: a state has some KiB, and the longest traces of `npm run spec` have a few hundred. */
const STEPS_MAX = 10_000

const refuse = (what: string): never => {
  throw new LedgerError('usage', `cannot follow the trace: ${what}`, {
    hint: 'Write traces with `npm run spec -- --write FOLDER` of this version.',
  })
}

/** Value of the trace with its position, for errors. */
class Value {
  constructor(
    private readonly raw: unknown,
    private readonly place: string,
  ) {}

  private mismatch(expected: string): never {
    return refuse(`${this.place} is not ${expected}`)
  }

  field(name: string): Value {
    const { raw } = this
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || !Object.hasOwn(raw, name))
      return this.mismatch(`a record with "${name}"`)
    return new Value((raw as Readonly<Record<string, unknown>>)[name], `${this.place}.${name}`)
  }
  has(name: string): boolean {
    return typeof this.raw === 'object' && this.raw !== null && Object.hasOwn(this.raw, name)
  }
  text(): string {
    return typeof this.raw === 'string' ? this.raw : this.mismatch('a string')
  }
  flag(): boolean {
    return typeof this.raw === 'boolean' ? this.raw : this.mismatch('a boolean')
  }
  /** Integer: a JSON number, or its text in `#bigint`. */
  integer(): number {
    const value = typeof this.raw === 'number' ? this.raw : Number(this.field('#bigint').text())
    return Number.isSafeInteger(value) ? value : this.mismatch('an integer')
  }
  list(): Value[] {
    const { raw } = this
    if (!Array.isArray(raw)) return this.mismatch('a list')
    return raw.map((one, at) => new Value(one, `${this.place}[${at}]`))
  }
  set(): Value[] {
    return this.field('#set').list()
  }
  map<T>(read: (value: Value) => T): Map<string, T> {
    return new Map(
      this.field('#map')
        .list()
        .map((pair) => {
          const [key, value] = pair.list()
          if (key === undefined || value === undefined) return pair.mismatch('a pair')
          return [key.text(), read(value)]
        }),
    )
  }
  option<T>(read: (value: Value) => T): T | undefined {
    return this.field('tag').text() === 'None' ? undefined : read(this.field('value'))
  }
}

const blockOf = (value: Value): BlockName => ({ origin: value.field('origin').integer(), id: value.field('id').text() })
const slotOf = (value: Value): Slot | undefined => {
  const view = value.field('view').integer()
  return view < 0 ? undefined : { view, block: blockOf(value.field('block')) }
}
const someSlot = (value: Value): Slot => slotOf(value) ?? refuse('a vote or a certificate has no block')
const entryOf = (value: Value): Entry | undefined => {
  const view = value.field('view').integer()
  return view < 0 ? undefined : { view, high: slotOf(value.field('high')) }
}
const someEntry = (value: Value): Entry => entryOf(value) ?? refuse('a timeout has no view')
const proposalOf = (value: Value): ProposalName => ({
  view: value.field('view').integer(),
  block: blockOf(value.field('block')),
  entry: entryOf(value.field('entry')),
})
const timeoutOf = (value: Value): TimeoutName => ({
  entry: someEntry(value.field('entry')),
  by: value.field('by').text(),
})
const voteOf = (value: Value): VoteName => {
  const phase = value.field('phase').text()
  if (phase !== 'prepare' && phase !== 'commit') return refuse(`"${phase}" is not a phase`)
  return { phase, slot: someSlot(value.field('slot')), by: value.field('by').text() }
}
const localOf = (value: Value): Local => ({
  view: value.field('view').integer(),
  high: slotOf(value.field('high')),
  entry: entryOf(value.field('entry')),
  current: slotOf(value.field('current')),
  known: value.field('known').set().map(blockOf),
  proposed: value.field('proposed').integer(),
  prepared: slotOf(value.field('prepared')),
  locked: slotOf(value.field('locked')),
  timedOut: value.field('timedOut').integer(),
  decided: slotOf(value.field('decided')),
})

const recordOf = (value: Value): RecordName => {
  const kind = value.field('tag').text()
  const content = value.field('value')
  switch (kind) {
    case 'Proposed': {
      const { view, block, entry } = proposalOf(content)
      const whole = content.field('whole').flag() ? 'whole' : 'header'
      return { kind, text: `${slotText({ view, block })} ${entryText(entry)} ${whole}` }
    }
    case 'Prepared':
    case 'Locked':
    case 'Decided':
      return { kind, text: slotText(slotOf(content)) }
    case 'TimedOut':
      return { kind, text: entryText(entryOf(content)) }
    case 'Entered': {
      const [view, entry, high] = [content.field('view').integer(), content.field('entry'), content.field('high')]
      return { kind, text: `${view} ${entryText(entryOf(entry))} ${slotText(slotOf(high))}` }
    }
    default:
      return refuse(`"${kind}" is not a record of the vote log`)
  }
}

function stepOf(state: Value, module: string): TraceStep {
  const name = state.field('mbt::actionTaken').text()
  const action = ACTIONS.find((one) => one === name) ?? refuse(`the specification has no action "${name}"`)
  const picks = state.field('mbt::nondetPicks')
  const picked = <T>(pick: string, read: (value: Value) => T): T | undefined => picks.field(pick).option(read)
  const variable = (one: string): Value => state.field(`${module}::height::${one}`)
  return {
    action,
    picks: {
      n: picked('n', (value) => value.text()),
      id: picked('id', (value) => value.text()),
      p: picked('p', proposalOf),
      s: picked('s', slotOf),
      e: picked('e', entryOf),
      v: picked('v', (value) => value.integer()),
      one: picked('one', timeoutOf),
      other: picked('other', timeoutOf),
      kept: picked('kept', (value) => value.integer()),
    },
    nodes: variable('nodes').map(localOf),
    pending: variable('pending').map((value) => value.list().map(recordOf)),
    proposals: variable('proposals').set().map(proposalOf),
    votes: variable('votes').set().map(voteOf),
    timeouts: variable('timeouts').set().map(timeoutOf),
  }
}

/** Read a trace from the text of an ITF file. Throws `usage` if it is cut, has a wrong type, or is not of this specification. */
export function readTrace(text: string): Trace {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    return refuse(`it is not JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  const document = new Value(raw, 'trace')
  const variables = document.field('vars').list()
  const suffix = '::height::nodes'
  const named = variables.map((one) => one.text()).find((one) => one.endsWith(suffix))
  if (named === undefined) return refuse('it is not a trace of docs/spec/height.qnt')
  const module = named.slice(0, -suffix.length)
  const states = document.field('states').list()
  if (states.length === 0 || states.length > STEPS_MAX)
    return refuse(`it has ${states.length} states, 1 to ${STEPS_MAX} can be followed`)
  const steps = states.map((state) => stepOf(state, module))
  if (steps[0]?.action !== 'init') return refuse('its first state is not that of "init"')
  return { module, steps }
}
