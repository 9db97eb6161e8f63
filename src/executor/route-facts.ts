/** Owns routing inputs of a transaction: taken from its payload and the ABI alone, without any state. */
import type { RouteFacts } from '../lanes/index.js'
import type { TransactionPayload } from '../model/index.js'
import { type Abi, definitionOf } from './registry.js'

/** Facts of a payload that decoded under the ABI. */
export function routeFactsOf(
  abi: Abi,
  payload: Pick<TransactionPayload, 'authority' | 'dataspace' | 'executable'>,
): RouteFacts {
  const domains = new Set<string | undefined>()
  const labels = new Set<string>()
  const settles = new Set<string>()
  for (const instruction of payload.executable.value) {
    const def = definitionOf(abi, instruction)
    const about = def.primaryDomain?.(instruction.value)
    if (typeof about === 'object') for (const domain of about) domains.add(domain)
    else domains.add(about)
    labels.add(def.label)
    const settled = def.settles?.(instruction.value)
    if (settled !== undefined) settles.add(settled)
  }
  return {
    authority: payload.authority,
    hint: payload.dataspace,
    domains: [...domains],
    labels: [...labels],
    settles: [...settles],
  }
}
