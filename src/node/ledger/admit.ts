/** Owns the state checks of transactions at admission. */
import { packClaim } from '../../crypto/circuits/packed.js'
import { cachedOutcome } from '../../crypto/circuits/proof-outcomes.js'
import { accounts } from '../../executor/accounts.js'
import { earlyProofs, maxTeuOf, routesAt, transactionLimitsOf } from '../../executor/index.js'
import { routeOfFacts } from '../../lanes/index.js'
import { keyString, transactionPayload } from '../../model/index.js'
import type { ExecutionContext } from './candidate.js'
import type { LedgerRequest, LedgerResponse } from './protocol.js'

type AdmissionResult = LedgerResponse<'admit'>['results'][number]

const NO_PROOFS: Pick<AdmissionResult, 'proofs' | 'later'> = { proofs: [], later: 0 }

const refused = (code: string, message: string): AdmissionResult => ({ code, message, route: undefined, ...NO_PROOFS })

/** One result per item: a code with its reason, or the route of the transaction at the next height. */
export function admissionResults(
  { abi, codec, chain, world }: ExecutionContext,
  isCommitted: (id: Uint8Array) => boolean,
  request: LedgerRequest<'admit'>,
): AdmissionResult[] {
  const { reader, height } = world
  const routes = routesAt(abi.policies, reader, height + 1)
  const chainMax = transactionLimitsOf(reader).maxTeuPerTx
  const fees = abi.policies.fees?.open(reader, { timeMs: request.timeMs })
  const provingOf = (bytes: Uint8Array | undefined): Pick<AdmissionResult, 'proofs' | 'later'> => {
    const payload = bytes && transactionPayload.decode(bytes, codec)
    // The content was decoded before. A failure now means that its ABI has just ended, and the transaction leaves the
    // queue for that.
    if (payload?.ok !== true) return NO_PROOFS
    const { proofs, later } = earlyProofs(abi, reader, { chain, height: height + 1 }, payload.value)
    return {
      proofs: proofs.map(({ claim, dependsOn }) => {
        const outcome = cachedOutcome(claim.key)
        return { key: claim.key, claim: packClaim(claim), dependsOn, outcome }
      }),
      later,
    }
  }
  return request.items.map(({ id, authority, facts, teu, teuLimit, sponsor, duty, policy, proving }) => {
    if (isCommitted(id)) return refused('already_committed', 'the transaction is already in a block')
    const account = keyString(authority)
    if (reader.get(accounts, account) === undefined) {
      return refused('unknown_account', 'the authority is not registered')
    }
    const maxTeu = teu === undefined ? undefined : maxTeuOf({ teuLimit, sponsor }, teu, chainMax)
    const isFree =
      duty !== undefined && abi.policies.election?.duties.isOwed(reader, account, duty, height + 1) === true
    const fault =
      abi.policies.multisigWeights?.(reader, account, policy) ??
      (maxTeu === undefined || isFree ? undefined : fees?.fault(reader, { authority: account, sponsor, maxTeu }))
    if (fault !== undefined) return refused(fault.code, fault.message)
    return { code: '', message: '', route: facts && routeOfFacts(facts, routes), ...provingOf(proving) }
  })
}
