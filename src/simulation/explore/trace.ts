/** Owns traces: the shortest path to a state, as text and as a file that the simulator replays. */
import { bool, bytes, enumOf, type Infer, list, option, string, struct, u32, unitEnum } from '../../codec/index.js'
import { consensusMessage } from '../../consensus/index.js'
import type { Exploration, Taken, Violation } from './exploration.js'
import type { WorldOptions } from './options.js'

/** Maximum bytes of one message in a trace; blocks of these worlds have one transaction. */
const MESSAGE_MAX_BYTES = 65_536
const TEXT_MAX_BYTES = 4_096
/** Maximum actions of one trace; the deepest world has several dozen. */
const STEPS_MAX = 1_000

const position = option(u32)
const worldRecord = struct('ExploredWorld', {
  name: string(TEXT_MAX_BYTES),
  members: u32,
  views: u32,
  faulty: position,
  forges: bool,
  crashes: u32,
  split: bool,
  mode: unitEnum('ExploreMode', { full: 0, reduced: 1 }),
  late: bool,
  signer: bool,
  statuses: bool,
  heights: u32,
  change: option(unitEnum('ExploredChange', { leave: 0, join: 1 })),
  behind: position,
  loser: position,
  loses: unitEnum('ExploredLoss', { votes: 0, data: 1 }),
  opening: unitEnum('ExploredOpening', { none: 0, hidden: 1 }),
})

const shown = struct('ShownMessage', { from: u32, text: string(TEXT_MAX_BYTES), message: bytes(MESSAGE_MAX_BYTES) })

const stepRecord = struct('TraceStep', {
  /** Number of the node: its position in the committee of the first height. */
  node: u32,
  action: enumOf('TraceAction', {
    /** Messages that arrive in a row. */
    deliver: [0, struct('Deliveries', { messages: list(shown, 16) })],
    timer: [1, undefined],
    sync: [2, undefined],
    crash: [3, struct('CrashKeeping', { kept: u32 })],
    answer: [4, struct('LateAnswer', { work: string(TEXT_MAX_BYTES) })],
    status: [5, undefined],
    overdue: [6, undefined],
    lose: [7, undefined],
  }),
})

/** A trace: the world, the actions from its first state, and the violated invariant. */
export interface Trace extends Infer<typeof traceRecord> {}
export const traceRecord = struct('ExploreTrace', {
  world: worldRecord,
  violation: string(TEXT_MAX_BYTES),
  steps: list(stepRecord, STEPS_MAX),
})
export type TraceStep = Trace['steps'][number]

/** The trace of a violation. */
export function traceOf(exploration: Exploration, { text, state, last }: Violation): Trace {
  const path = [...exploration.pathTo(state), ...(last === undefined ? [] : [last])]
  return {
    world: { ...exploration.options },
    violation: text,
    steps: path.map((taken) => stepOf(exploration, taken)),
  }
}

function stepOf({ tables, messages }: Exploration, { at, action }: Taken): TraceStep {
  const table = tables[at]
  if (table === undefined) throw new Error(`node ${at} does not exist`)
  const node = table.number
  switch (action.kind) {
    case 'deliver': {
      const { row } = messages.at(action.id)
      const value = (row ?? [action.id]).flatMap((id) => {
        const { message, text, from } = messages.at(id)
        if (message === undefined || (row !== undefined && from === node)) return []
        return [{ from: table.senderOf(messages.at(id)), text, message: consensusMessage.encode(message) }]
      })
      return { node, action: { kind: 'deliver', value: { messages: value } } }
    }
    case 'crash':
      return { node, action: { kind: 'crash', value: { kept: action.kept } } }
    case 'answer':
      return { node, action: { kind: 'answer', value: { work: action.work } } }
    default:
      return { node, action: { kind: action.kind, value: undefined } }
  }
}

/** Readable text of a trace, with one action per line. */
export function textOfTrace({ steps, violation }: Trace): string[] {
  const lines = steps.map(({ node, action }, at) => `${at + 1}. node ${node} <- ${textOfAction(action)}`)
  return [...lines, violation]
}

function textOfAction(action: TraceStep['action']): string {
  switch (action.kind) {
    case 'deliver':
      return action.value.messages.map(({ text }) => text).join(' ')
    case 'crash':
      return `crash, ${action.value.kept} unsynced records survive`
    case 'answer':
      return `result of: ${action.value.work}`
    case 'timer':
      return 'the view timer expires'
    case 'sync':
      return 'the oldest append is durable'
    case 'status':
      return 'sends its status'
    case 'overdue':
      return 'a request for blocks is overdue'
    case 'lose':
      return 'loses its records and comes back abstaining'
  }
}

/** The world of a trace. */
export const worldOf = ({ world }: Trace): WorldOptions => world
