/**
 * Owns a contract call including nested calls: its permission, assets, cost and effects. The order of the checks is
 * part of the outcome: active, entrypoint, kind, permission, attached assets, gas of the module, the run.
 */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { payAgreed } from '../../../ledger/moves.js'
import { accountRoles } from '../../../ledger/tables.js'
import type { AccountId } from '../../../model/index.js'
import { codeGas, Instance as Engine, loadGas, Machine, TRAP, type Trap, trapName } from '../../../vm/index.js'
import { HOST_GAS } from '../schema/abi.js'
import { instructions } from '../schema/instructions.js'
import { type Artifact, DEPTH_MAX, type Entrypoint, type EntrypointKind, type Instance } from '../schema/records.js'
import { type CallFrame, NO_BYTES, type OtherCall, type OtherResult, type Session } from './frame.js'
import { hostOf } from './host.js'
import { moduleOf } from './modules.js'
import { artifacts, instances, lines, manifests } from './tables.js'

/** Runs before every entrypoint of a module that has it: what its compiler puts there. */
const START = '_start'

/** Call request, from outside or from another contract. */
export interface Request extends OtherCall {
  readonly caller: AccountId
  /** Kinds of entrypoints that this way leads to. */
  readonly kinds: readonly EntrypointKind[]
}
/** Result of a call. */
export interface Result extends OtherResult {
  /** Rejection before the start of the call, if it is not a trap. */
  readonly refused: Rejection | undefined
}

/**
 * The one stack: a call from outside ends before another begins, and leaves it as it was. What stands in its slots is never
 * read before it is written.
 */
const MACHINE = new Machine()

/** A session of its own for a call from outside. */
export const newSession = (authority: AccountId, isView: boolean, logs?: string[]): Session => ({
  machine: MACHINE,
  authority,
  isView,
  atWork: [],
  events: [],
  eventBytes: 0,
  logs,
  abortCode: 0,
  abortText: '',
  stops: [],
})

const ended = (trap: Trap, gasUsed = 0, refused?: Rejection): Result => ({ trap, gasUsed, output: NO_BYTES, refused })

/** True if the caller meets the requirement of an entry point: being the owner, or a role. */
function mayCall(ctx: ExecContext, { permission }: Entrypoint, { owner }: Instance, caller: AccountId): boolean {
  if (permission === undefined) return true
  if (permission === 'owner') return caller === owner
  return (ctx.get(accountRoles, caller) ?? []).includes(permission.slice('role:'.length))
}

/** Execute a call. A trap leaves no effect but the used gas. */
export function callContract(ctx: ExecContext, session: Session, request: Request): Result {
  const { address, caller, attach } = request
  const instance = ctx.get(instances, address)
  if (instance?.status !== 'active') return ended(TRAP.contract_inactive)
  const artifact = artifactOf(ctx, instance)
  // Paid before it is read: a manifest may be a hundred times what a call asks for.
  const looked = HOST_GAS.manifestByte * artifact.manifestBytes
  if (looked > request.gas) return ended(TRAP.out_of_gas, request.gas)
  const entry = ctx.get(manifests, instance.artifact)?.entrypoints.find(({ name }) => name === request.entrypoint)
  if (entry === undefined || !request.kinds.includes(entry.kind)) return ended(TRAP.no_entrypoint, looked)
  if (!mayCall(ctx, entry, instance, caller)) return ended(TRAP.not_permitted, looked)
  // A contract acts where it is at home: in a restricted dataspace only for whom that is open to.
  const { gate, timeMs } = ctx.env
  const closed = gate?.instruction(ctx, timeMs, caller, instance.domain, instructions.contractCall.label)
  if (closed !== undefined) return ended(TRAP.not_permitted, looked, closed)
  const isView = session.isView || entry.kind === 'view'
  if (attach.length > 0 && (isView || !entry.payable)) return ended(TRAP.not_permitted, looked)
  if (session.atWork.length >= DEPTH_MAX) return ended(TRAP.call_depth, looked)
  if (session.atWork.includes(instance.storageId)) return ended(TRAP.reentrant, looked)
  const result = inFrame(ctx, session, { ...request, gas: request.gas - looked }, instance, isView)
  return { ...result, gasUsed: result.gasUsed + looked }
}

function artifactOf(ctx: ExecContext, { artifact: hash }: Instance): Artifact {
  const artifact = ctx.get(artifacts, hash)
  if (artifact === undefined) throw new Error('a contract has no artifact')
  return artifact
}

/** Runs the entrypoint on a fork as the contract's account. */
function inFrame(ctx: ExecContext, session: Session, request: Request, instance: Instance, isView: boolean): Result {
  const { events } = session
  const told = { count: events.length, bytes: session.eventBytes }
  // What a failure of this program leaves: who causes one pays for all that it may have done.
  let result: Result = ended(TRAP.ok, request.gas)
  session.atWork.push(instance.storageId)
  const failed = ctx.forkAs(instance.storageId, (own) => {
    const unpaid = paid(own, request, instance)
    if (unpaid !== undefined) {
      result = ended(TRAP.ok)
      return unpaid
    }
    result = run(own, session, request, instance, isView)
    return result.trap === TRAP.ok ? undefined : reject('contract_trap', 'the call trapped')
  })
  session.atWork.pop()
  if (failed === undefined) return result
  events.length = told.count
  session.eventBytes = told.bytes
  if (result.trap !== TRAP.ok) return result
  // The assets could not be moved and nothing ran, or this program failed, alike on every node.
  return ended(TRAP.not_permitted, result.gasUsed, failed)
}

/** Moves what the call carries to the account of the contract. */
function paid(own: ExecContext, { caller, attach }: Request, { storageId }: Instance): Rejection | undefined {
  for (const { definition, amount } of attach) {
    const refused = payAgreed(own, { asset: { definition, account: caller }, to: storageId, amount })
    if (refused !== undefined) return refused
  }
  return undefined
}

function run(ctx: ExecContext, session: Session, request: Request, instance: Instance, isView: boolean): Result {
  const artifact = artifactOf(ctx, instance)
  // Asked before it is read: who pays for nothing has nothing read.
  if (request.gas < codeGas(artifact.codeBytes)) return ended(TRAP.out_of_gas, request.gas)
  const module = moduleOf(ctx, instance.artifact, artifact)
  const left = request.gas - loadGas(module)
  if (left < 0) return ended(TRAP.out_of_gas, request.gas)
  const { address, caller, input, attach } = request
  const { stops } = session
  const stopsBefore = stops.length
  const frame: CallFrame = {
    ...{ session, ctx, address, instance, module, caller, isView, input },
    attached: attach,
    callOther(from, other) {
      // A call before this one may have trapped: the caller went on.
      stops.length = stopsBefore
      return callContract(from.ctx, from.isView ? { ...session, isView: true } : session, {
        ...other,
        caller: from.instance.storageId,
        kinds: ['public', 'view'],
      })
    },
    output: NO_BYTES,
    returned: NO_BYTES,
    line: undefined,
    hostFault: undefined,
  }
  const engine = new Engine(module, session.machine, left, hostOf(frame))
  const trap = entered(engine, request.entrypoint)
  engine.release()
  const gasUsed = request.gas - engine.gas
  if (trap !== TRAP.ok) {
    note(frame, engine)
    return ended(trap, gasUsed)
  }
  if (frame.line !== undefined) ctx.set(lines, instance.storageId, frame.line)
  return { trap, gasUsed, output: frame.output, refused: undefined }
}

/** Runs what the compiler put before everything, then the entrypoint. */
function entered(engine: Engine, entrypoint: string): Trap {
  const { exports } = engine.module.def
  for (const name of [START, entrypoint]) {
    const index = exports.get(name)
    const trap = index === undefined ? TRAP.ok : engine.run(index)
    if (trap !== TRAP.ok) return trap
  }
  return TRAP.ok
}

/** Keeps where a call stopped. */
function note({ session, address, hostFault }: CallFrame, { module, stoppedAt }: Engine): void {
  if (session.logs === undefined) return
  session.stops.push({ contract: address, module, at: stoppedAt, host: hostFault })
}

/** Message of a trap. */
export const trapText = (trap: Trap, { abortCode, abortText }: Session): string =>
  trap === TRAP.aborted
    ? `aborted with ${abortCode}${abortText === '' ? '' : `: ${abortText}`}`
    : `trap ${trapName(trap)}`
