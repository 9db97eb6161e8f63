/** Owns views and simulations: calls on the last committed state without effects. */

import { parameterOf } from '../../../executor/parameters.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { type AccountId, type DataEvent, LedgerError } from '../../../model/index.js'
import { TRAP, trapName } from '../../../vm/index.js'
import { CONTRACT_GAS_PER_TX } from '../schema/parameters.js'
import * as views from '../schema/views.js'
import { callContract, newSession, type Result } from './calls.js'
import type { Session, Stop } from './frame.js'
import { instances } from './tables.js'

interface Tried {
  readonly session: Session
  readonly result: Result
  readonly refused: string | undefined
  readonly events: readonly DataEvent[]
}

async function tried(ctx: QueryContext, trial: views.Trial, gas: number, isView: boolean): Promise<Tried | undefined> {
  const { address, entrypoint, input, attach } = trial
  const instance = ctx.reader.get(instances, address)
  if (instance === undefined) return undefined
  const caller: AccountId = trial.caller ?? instance.owner
  const kinds = isView ? (['view'] as const) : (['public', 'view'] as const)
  const session = newSession(caller, isView, [])
  const { result, refused, events } = await ctx.tryOut(caller, (own) =>
    own.apart(Number.MAX_SAFE_INTEGER, () =>
      callContract(own, session, { address, entrypoint, input, attach, gas, caller, kinds }),
    ),
  )
  return { session, result: result.result, refused: result.result.refused?.message ?? refused, events }
}

/** Position in its module at which a contract stopped; undefined if it did not start. */
function placeOf({ contract, module, at, host }: Stop) {
  const place = module.place(at.index, at.word)
  return place === undefined ? [] : [{ contract, ...place, host }]
}

async function shown(ctx: QueryContext, { session, result }: Tried): Promise<views.TrialResult> {
  const header = await ctx.header(ctx.height)
  if (header === undefined) throw new LedgerError('not_found', 'the node does not have the header of its last block')
  const { trap, gasUsed, output } = result
  const { abortCode, abortText } = session
  const outcome = trapName(trap) ?? String(trap)
  return { trap, outcome, abortCode, abortText, gasUsed, output, height: ctx.height, stateRoot: header.stateRoot }
}

export const viewRun: QueryRun<views.Trial, views.TrialResult> = async (ctx, trial) => {
  const gas = Math.min(trial.gasLimit ?? views.VIEW_GAS_MAX, views.VIEW_GAS_MAX)
  const done = await tried(ctx, { ...trial, attach: [] }, gas, true)
  return done === undefined ? undefined : shown(ctx, done)
}

export const simulationRun: QueryRun<views.Trial, views.Simulation> = async (ctx, trial) => {
  const most = parameterOf(ctx.reader, CONTRACT_GAS_PER_TX)
  const done = await tried(ctx, trial, Math.min(trial.gasLimit ?? most, most), false)
  if (done === undefined) return undefined
  const { session, result, refused, events } = done
  const { logs = [] } = session
  const diagnostics = result.trap === TRAP.ok ? [] : session.stops.flatMap(placeOf)
  return { ...(await shown(ctx, done)), refused, logs, events, diagnostics }
}
