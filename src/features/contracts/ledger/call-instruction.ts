/**
 * Owns the instruction that calls a contract, and the common parts of external calls: gas, and the note in the outcome.
 */

import { hash } from '../../../crypto/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { CostItem, Work } from '../../../executor/costs.js'
import type { Executions } from '../../../executor/feature.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { AccountId } from '../../../model/index.js'
import { TRAP } from '../../../vm/index.js'
import { events as contractEvents } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import { CONTRACT_GAS_PER_TX, GAS_PER_TEU } from '../schema/parameters.js'
import type { EntrypointKind } from '../schema/records.js'
import { callContract, newSession, type Request, trapText } from './calls.js'

/** Units for an amount of gas. */
const teuOfGas = (gas: number): number => Math.ceil(gas / GAS_PER_TEU)

/** Units of the gas that an instruction may use. */
export const perGas: CostItem<{ readonly gasLimit: number }> = {
  teu: 1,
  item: `${GAS_PER_TEU} gas of the limit`,
  count: ({ gasLimit }) => teuOfGas(gasLimit),
}
/**
 * Additional cost of the gas of a stored list, which is not part of the work sum of a block, although a unit of gas
 * takes more than four times as long as any other unit. It is not refunded.
 */
export const perStoredGas: CostItem<{ readonly gasLimit: number }> = {
  ...perGas,
  teu: 3,
  storedOnly: true,
}
/**
 * Time of the gas that an instruction may use, at 15 ns each: half more than its price, because the contract machine of
 * a newly started node is not compiled yet (docs/decisions/0070).
 */
export const gasWork: Work<{ readonly gasLimit: number }> = {
  ms: 0,
  units: {
    item: 'two thirds of a gas of the limit',
    count: ({ gasLimit }) => gasLimit + Math.ceil(gasLimit / 2),
  },
}

/** Run an external call: its rows and events are paid with gas, and unused gas is refunded. */
export function callFromOutside(
  ctx: ExecContext,
  request: Omit<Request, 'caller' | 'gas' | 'kinds'> & { readonly gasLimit: number },
  kinds: readonly EntrypointKind[],
): { readonly gasUsed: number } | Rejection {
  const { gasLimit } = request
  const most = parameterOf(ctx, CONTRACT_GAS_PER_TX)
  if (gasLimit > most) return reject('contract_limit', `a gas limit of ${gasLimit} exceeds the limit of ${most}`)
  const caller = ctx.authority
  const session = newSession(caller, false)
  const { result } = ctx.apart(Number.MAX_SAFE_INTEGER, () =>
    callContract(ctx, session, { ...request, gas: gasLimit, caller, kinds }),
  )
  const { trap, gasUsed, output, refused } = result
  ctx.giveBack(teuOfGas(gasLimit) - teuOfGas(gasUsed))
  if (refused !== undefined) return refused
  const { abortCode, events } = session
  const isAborted = trap === TRAP.aborted
  ctx.noteCall({
    trap,
    abortCode: isAborted ? abortCode : 0,
    gasUsed,
    output: hash('contract:output', output),
    events: hash('contract:events', ...events),
  })
  if (trap === TRAP.ok) return { gasUsed }
  const use = `in ${request.entrypoint}, ${gasUsed} of ${gasLimit} gas used`
  return reject('contract_trap', `${trapText(trap, session)} (${use})`)
}

/** Emit the event of a finished call. */
export function emitCall(ctx: ExecContext, address: AccountId, entrypoint: string, gasUsed: number): void {
  ctx.emit(contractEvents.contractCalled, { address, entrypoint, caller: ctx.authority, gasUsed })
}

/** Units of an asset movement with its rows, which gas does not cover. */
const ATTACHED: CostItem<{ readonly attach: readonly unknown[] }> = {
  teu: 160,
  item: 'attached asset',
  count: ({ attach }) => attach.length,
}

export const execute = {
  contractCall: {
    cost: { base: 60, per: [perGas, perStoredGas, ATTACHED] },
    work: gasWork,
    execute(ctx, value) {
      const { address, entrypoint } = value
      const called = callFromOutside(ctx, value, ['public', 'view'])
      if ('code' in called) return called
      emitCall(ctx, address, entrypoint, called.gasUsed)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
