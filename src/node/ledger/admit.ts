/** Owns the state checks of transactions at admission. */
import { accounts } from '../../executor/accounts.js'
import { maxTeuOf, transactionLimitsOf } from '../../executor/index.js'
import { routeOfFacts } from '../../lanes/index.js'
import { keyString } from '../../model/index.js'
import type { ExecutionContext } from './candidate.js'
import type { LedgerRequest, LedgerResponse } from './protocol.js'

type Verdict = LedgerResponse<'admit'>['verdicts'][number]

const refused = (code: string, message: string): Verdict => ({ code, message, route: undefined })

/** One verdict per item: a code with its reason, or none and the route of the transaction at the next height. */
export function admissionVerdicts(
  { abi, world }: ExecutionContext,
  isCommitted: (id: Uint8Array) => boolean,
  request: LedgerRequest<'admit'>,
): Verdict[] {
  const { reader, height } = world
  const routes = abi.policies.routeSource?.(reader, height + 1)
  const chainMax = transactionLimitsOf(reader).maxTeuPerTx
  const fees = abi.policies.fees?.open(reader, { timeMs: request.timeMs })
  return request.items.map(({ id, authority, facts, teu, teuLimit, sponsor, duty, policy }) => {
    if (isCommitted(id)) return refused('already_committed', 'the transaction is in a block')
    const account = keyString(authority)
    if (reader.get(accounts, account) === undefined) {
      return refused('unknown_account', 'the authority is not registered')
    }
    const maxTeu = teu === undefined ? undefined : maxTeuOf({ teuLimit, sponsor }, teu, chainMax)
    const isFree = duty !== undefined && abi.policies.feeExempt?.isOwed(reader, account, duty, height + 1) === true
    const fault =
      abi.policies.multisigWeights?.(reader, account, policy) ??
      (maxTeu === undefined || isFree ? undefined : fees?.fault(reader, { authority: account, sponsor, maxTeu }))
    if (fault !== undefined) return refused(fault.code, fault.message)
    return { code: '', message: '', route: facts && routeOfFacts(facts, routes) }
  })
}
