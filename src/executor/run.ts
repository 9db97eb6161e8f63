/** Owns the execution of instruction lists: their contexts, the triggers that they start, and their total cost. */
import { type CodecContext, Writer } from '../codec/index.js'
import {
  type AccountId,
  type DataEvent,
  dataEvent,
  type EventDef,
  event,
  type Incarnation,
  type Instruction,
  sameIncarnation,
  triggerEvents,
} from '../model/index.js'
import type { Overlay, TableDef } from '../state/index.js'
import { orRejected } from './boundary.js'
import {
  type BlockEnv,
  type CallNote,
  type ContextWork,
  type ExecContext,
  type ExecInstruction,
  type OutcomeCheck,
  type PartUnits,
  type Rejection,
  reject,
  type StoredList,
} from './contract.js'
import { MATCH_TEU } from './costs.js'
import type { Meter } from './meter.js'
import { type Abi, definitionOf } from './registry.js'
import { hasRule, REFUSED_TRIGGERS_ARE_PASSED } from './rules.js'
import { storedCost } from './stored-lists.js'
import { consumeRun } from './triggers/life.js'
import { type Match, type MatchMemory, matchesOf } from './triggers/lists.js'
import { instructionsOf } from './triggers/program.js'
import { type Trigger, triggers } from './triggers/tables.js'

/** Maximum nesting of triggers, and of proposals of multisig accounts for one another. */
const DEPTH_MAX = 3

/** Common state of one transaction, or one run of a trigger. */
export interface Run {
  readonly abi: Abi
  readonly env: BlockEnv
  readonly transaction: ExecContext['transaction']
  readonly meter: Meter
  readonly events: DataEvent[]
  /** Encoder of events, whose bytes are metered. */
  readonly codec: CodecContext
  /** Incarnation of the next registered object. */
  readonly nextIncarnation: () => Incarnation
  /** Results of its contract calls. */
  readonly calls: CallNote[]
  readonly matched: MatchMemory
}

/** Running list: its authority, its overlay, its nesting depth. */
export interface RunningList {
  readonly authority: AccountId
  readonly overlay: Overlay
  readonly instructions: readonly ExecInstruction[]
  readonly depth: Readonly<Record<StoredList['by'], number>>
  /** True inside a follower trigger. */
  readonly following: boolean
}

export const TOP_LEVEL: RunningList['depth'] = { trigger: 0, proposal: 0 }

/** Instructions with their definitions. */
export const executable = (abi: Abi, instructions: readonly Instruction[]): ExecInstruction[] =>
  instructions.map((one) => ({ def: definitionOf(abi, one), value: one.value }))

/** Rejected list; the position is that of its failed instruction, or undefined if the list as a whole is refused. */
export interface FailedList {
  readonly rejection: Rejection
  readonly position: number | undefined
}

/**
 * Run a list in order on the overlay of its frame, and check its outcome if its authority has rules for it; returns the
 * first rejection. Triggers of its events run after each instruction, or after the check: their changes are not part of
 * the outcome.
 */
export function runList(run: Run, frame: RunningList): FailedList | undefined {
  const check = outcomeCheck(run, frame)
  if (check === undefined) return runInOrder(run, frame, (ctx) => ctx.runMatches())
  if ('code' in check) return { rejection: check, position: undefined }
  const matches: Match[] = []
  const failed = runInOrder(run, frame, (ctx) => {
    matches.push(...(ctx.matches ?? []))
    return undefined
  })
  if (failed !== undefined) return failed
  const rejection = orRejected('the outcome of a list', () => check() ?? runMatches(run, frame, matches))
  return rejection && { rejection, position: undefined }
}

/** Check of the outcome of a list, or its rejection. Genesis is exempt from permissions and has no rules for lists. */
function outcomeCheck(run: Run, frame: RunningList): Rejection | OutcomeCheck | undefined {
  const { listOutcome } = run.abi.policies
  if (listOutcome === undefined || run.env.genesis) return undefined
  return orRejected('the outcome of a list', () => listOutcome(new Context(run, frame, 0), frame.instructions))
}

/** Run instructions in order, each followed by `after`; returns the rejection of the first failed one. */
function runInOrder(
  run: Run,
  frame: RunningList,
  after: (ctx: Context) => Rejection | undefined,
): FailedList | undefined {
  const { instructions } = frame
  for (let position = 0; position < instructions.length; position += 1) {
    const instruction = instructions[position] as ExecInstruction
    const { def, value } = instruction
    const ctx = new Context(run, frame, position)
    const rejection = orRejected(
      def.kind,
      () => gateFault(run, frame, instruction) ?? def.execute(ctx, value) ?? after(ctx),
    )
    if (rejection !== undefined) return { rejection, position }
  }
  return undefined
}

/** Run work of a feature as the authority of the frame, including the triggers that match its events. */
export function runWork(run: Run, frame: RunningList, what: string, work: ContextWork): Rejection | undefined {
  const ctx = new Context(run, frame, 0)
  return orRejected(what, () => work(ctx) ?? ctx.runMatches())
}

/** Reason why the authority of the list may not run this instruction here. */
const gateFault = (
  { env }: Run,
  { overlay, authority }: RunningList,
  { def, value }: ExecInstruction,
): Rejection | undefined => env.gate?.instruction(overlay, env.timeMs, authority, def.primaryDomain?.(value), def.label)

/** Context of one instruction; a class, because each instruction of a list creates one. */
class Context implements ExecContext {
  readonly env: BlockEnv
  readonly abi: Abi
  readonly authority: AccountId
  readonly transaction: ExecContext['transaction']
  readonly instructions: readonly ExecInstruction[]
  /** Triggers matched by its events; created with the first. */
  matches: Match[] | undefined

  constructor(
    private readonly run: Run,
    private readonly frame: RunningList,
    readonly position: number,
  ) {
    this.env = run.env
    this.abi = run.abi
    this.authority = frame.authority
    this.transaction = run.transaction
    this.instructions = frame.instructions
  }

  incarnation(): Incarnation {
    return this.run.nextIncarnation()
  }

  emit<T>(def: EventDef<T>, value: NoInfer<T>): void {
    this.record(event(def, value))
  }

  record(event: DataEvent): void {
    emit(this.run, event)
    // Genesis is exempt from permissions: objects registered in it do not run in it.
    if (this.env.genesis) return
    const found = matchesOf(this.frame.overlay, this.abi.events.get(event.kind), event, this.run.matched)
    if (this.matches === undefined) this.matches = found.length > 0 ? [...found] : undefined
    else this.matches.push(...found)
  }

  take(units: number): void {
    this.run.meter.take(units)
  }

  runStored(list: StoredList): Rejection | undefined {
    return runStored(this.run, this.frame, list)
  }

  fork(work: ContextWork): Rejection | undefined {
    return onFork(this.run, this.frame.overlay, (overlay) => {
      const ctx = new Context(this.run, { ...this.frame, overlay }, this.position)
      return work(ctx) ?? ctx.runMatches()
    })
  }

  forkAs(authority: AccountId, work: ContextWork): Rejection | undefined {
    return this.forkWith({ ...this.frame, authority }, this.position, work)
  }

  private forkWith(frame: RunningList, position: number, work: ContextWork): Rejection | undefined {
    let ctx: Context | undefined
    const rejection = onFork(this.run, this.frame.overlay, (overlay) => {
      ctx = new Context(this.run, { ...frame, overlay }, position)
      return work(ctx)
    })
    if (rejection === undefined && ctx?.matches !== undefined) this.matches = [...(this.matches ?? []), ...ctx.matches]
    return rejection
  }

  forkWithin(units: PartUnits, work: ContextWork): Rejection | undefined {
    return this.run.meter.within(units, () => this.fork(work))
  }

  demand(units: number): Rejection | undefined {
    return this.run.meter.demand(units)
  }

  perform(instruction: Instruction): Rejection | undefined {
    const one = { def: definitionOf(this.abi, instruction), value: instruction.value }
    // Its movements have their own label.
    return this.forkWith(
      { ...this.frame, instructions: [one] },
      0,
      (ctx) => gateFault(this.run, this.frame, one) ?? one.def.execute(ctx, one.value),
    )
  }

  apart<T>(limit: number, work: () => T): { readonly result: T; readonly units: number } {
    return this.run.meter.apart(limit, work)
  }

  giveBack(units: number): void {
    this.run.meter.giveBack(units)
  }

  noteCall(call: CallNote): void {
    this.run.calls.push(call)
  }

  /** Run the triggers that its events matched. */
  runMatches(): Rejection | undefined {
    return this.matches === undefined ? undefined : runMatches(this.run, this.frame, this.matches)
  }

  get<K, V>(table: TableDef<K, V>, key: K): V | undefined {
    return this.frame.overlay.get(table, key)
  }

  has<K, V>(table: TableDef<K, V>, key: K): boolean {
    return this.frame.overlay.has(table, key)
  }

  set<K, V>(table: TableDef<K, V>, key: K, value: V): void {
    this.frame.overlay.set(table, key, value)
  }

  delete<K, V>(table: TableDef<K, V>, key: K): void {
    this.frame.overlay.delete(table, key)
  }
}

// Never held across a call that could encode another event: the schema of an event only writes.
const scratch = new Writer(1_024)

/** Length of the canonical bytes of an event. */
function eventBytes(event: DataEvent, codec: CodecContext): number {
  scratch.pos = 0
  scratch.depth = 0
  dataEvent.write(scratch, event, codec)
  return scratch.pos
}

/** Record an event. Its units are charged in any case; genesis is exempt. */
function emit({ env, meter, events, codec }: Run, event: DataEvent): void {
  if (!env.genesis) meter.event(eventBytes(event, codec))
  events.push(event)
}

/** Depth of a nested frame; the codes name the exceeded nesting limit. */
function deeper(depth: RunningList['depth'], by: StoredList['by']): RunningList['depth'] | Rejection {
  if (depth[by] < DEPTH_MAX) return { ...depth, [by]: depth[by] + 1 }
  return by === 'trigger'
    ? reject('trigger_depth', `more than ${DEPTH_MAX} triggers in a chain`)
    : reject('multisig_nesting', `proposals of more than ${DEPTH_MAX} accounts are nested`)
}

/** Run the triggers of events in order; they belong to the instruction that caused them. */
function runMatches(run: Run, frame: RunningList, matches: readonly Match[]): Rejection | undefined {
  const { meter } = run
  const isPassing = hasRule(run, REFUSED_TRIGGERS_ARE_PASSED)
  /**
   * Triggers without authority, and followers without units: skipped from then on, since nothing pays for another
   * lookup.
   */
  const passed = new Set<string>()
  for (const { id, incarnation } of matches) {
    if (passed.has(id)) continue
    const row = frame.overlay.get(triggers, id)
    // An earlier trigger may have removed it, disabled it, or registered another under its name.
    if (row === undefined || !sameIncarnation(incarnation, row.incarnation) || !row.enabled) continue
    const right = run.abi.policies.triggerAuthority?.(run, frame.overlay, row, frame.authority) ?? 'veto'
    if (right === 'none') {
      if (isPassing) passed.add(id)
      continue
    }
    const following = frame.following || right === 'observe'
    if (following && right !== 'veto' && isPassing && !meter.couldFollow(MATCH_TEU)) {
      passed.add(id)
      continue
    }
    const refused = meter.as(following, () => orRejected(id, () => runMatch(run, { ...frame, following }, id, row)))
    if (refused === undefined) continue
    if (right === 'veto') return refused
    // An unpaid run did not happen: an event about it would cost more than the run.
    if (refused.code !== 'teu_exhausted') emit(run, ranEvent(id, 'data', { error: refused.code }))
    else if (isPassing) passed.add(id)
  }
  return undefined
}

/** Run a data trigger once; a failure reverts everything except its cost. */
function runMatch(run: Run, frame: RunningList, id: string, row: Trigger): Rejection | undefined {
  const depth = deeper(frame.depth, 'trigger')
  if ('code' in depth) return depth
  const stored = instructionsOf(frame.overlay, run.abi, id, row, run.meter)
  if ('code' in stored) return stored
  const unpaid = run.meter.charge(MATCH_TEU + storedCost(run.abi, stored))
  if (unpaid !== undefined) return unpaid
  return onFork(run, frame.overlay, (overlay) => {
    if (consumeRun(overlay, id, row)) {
      emit(run, event(triggerEvents.triggerDeleted, { trigger: id, authority: row.authority }))
    }
    emit(run, ranEvent(id, 'data'))
    const instructions = executable(run.abi, stored)
    return runList(run, { ...frame, authority: row.authority, overlay, instructions, depth })?.rejection
  })
}

/** Event of a trigger run with its result. */
export const ranEvent = (
  trigger: string,
  cause: 'data' | 'call' | 'time' | 'preCommit',
  more: {
    readonly dueMs?: number | undefined
    readonly missed?: number | undefined
    readonly error?: string | undefined
  } = {},
): DataEvent => {
  const { dueMs, missed = 0, error } = more
  return event(triggerEvents.triggerRan, { trigger, cause, dueMs, missed, error })
}

/** Run a stored list inside an instruction. */
function runStored(run: Run, frame: RunningList, list: StoredList): Rejection | undefined {
  const depth = deeper(frame.depth, list.by)
  if ('code' in depth) return depth
  const unpaid = run.meter.charge(storedCost(run.abi, list.instructions))
  if (unpaid !== undefined) return unpaid
  const { authority, onRejected } = list
  const instructions = executable(run.abi, list.instructions)
  return onFork(run, frame.overlay, (overlay) => {
    const failed = runList(run, { ...frame, authority, overlay, instructions, depth })
    if (failed?.position !== undefined) onRejected?.(failed.position)
    return failed?.rejection
  })
}

/** Run work on a separate overlay, so that a failure leaves neither records nor events. */
function onFork(run: Run, parent: Overlay, work: (overlay: Overlay) => Rejection | undefined): Rejection | undefined {
  const overlay = parent.fork()
  const eventsBefore = run.events.length
  const rejection = orRejected('stored instructions', () => work(overlay))
  if (rejection === undefined) {
    overlay.merge()
    return undefined
  }
  overlay.discard()
  run.events.length = eventsBefore
  return rejection
}
