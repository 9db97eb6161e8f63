/** Owns the checks of lists that governance enacts: forced changes of membership, proofs, units, work. */
import { WORK_PER_MS } from '../../../consensus/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { PAIRING_MS } from '../../../executor/costs.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { Instruction } from '../../../model/index.js'
import { instructions as peerInstructions } from '../../peers/schema.js'
import { GOV_ENACT_TEU } from '../schema/parameters.js'
import { rosterPeers } from './electorates.js'

/** Units of a step in addition to the enacted list. */
export const STEP_RESERVE_TEU = 4_000
/** Maximum work of a list, in ms. It is bounded separately because due runs are not part of a work sum. */
const LIST_WORK_MAX_MS = 2 * PAIRING_MS
/** Smallest roster for which forced changes are rejected. */
const UNFORCED_ROSTER = 3

const FORCIBLE: ReadonlySet<string> = new Set(
  [peerInstructions.registerPeer, peerInstructions.unregisterPeer, peerInstructions.disableConsensusKey].map(
    ({ kind }) => kind,
  ),
)

/** True if a list, or a list that it stores, forces a change of membership. */
function isForced(list: readonly Instruction[]): boolean {
  return list.some(({ kind, value }) => {
    const { force, instructions } = value as { readonly force?: unknown; readonly instructions?: unknown }
    if (FORCIBLE.has(kind) && force === true) return true
    return Array.isArray(instructions) && isForced(instructions as readonly Instruction[])
  })
}

/** Rejection of a list that forces a change of a roster of 3 or more members. */
export function forceFault(ctx: ExecContext, list: readonly Instruction[]): Rejection | undefined {
  if (!isForced(list) || rosterPeers(ctx, ctx.env.height).length < UNFORCED_ROSTER) return undefined
  return reject('forced_membership', `cannot force a change of a roster with ${UNFORCED_ROSTER} or more members`)
}

/** Maximum units of an enacted list. */
export const listTeu = (ctx: ExecContext): number => parameterOf(ctx, GOV_ENACT_TEU) - STEP_RESERVE_TEU

/** Rejection of a list that no step could enact. */
export function listFault(ctx: ExecContext, list: readonly Instruction[]): Rejection | undefined {
  const forced = forceFault(ctx, list)
  if (forced) return forced
  if (ctx.abi.proofWorkOf(list) > 0) return reject('bad_parameter', 'a proposal cannot contain proofs')
  const [teu, most] = [ctx.abi.costOf(list, 'stored'), listTeu(ctx)]
  if (teu > most) return reject('teu_exhausted', `the instructions cost ${teu} units; a step has ${most} for them`)
  const workMs = ctx.abi.workMsOf(list) + Math.ceil(ctx.abi.workUnitsOf(list) / WORK_PER_MS)
  return workMs > LIST_WORK_MAX_MS
    ? reject('teu_exhausted', `the instructions declare ${workMs} ms of work; the limit is ${LIST_WORK_MAX_MS} ms`)
    : undefined
}
