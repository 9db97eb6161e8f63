/** Owns the availability check of names for leases, in the order of a registration. */
import { type Rejection, reject } from '../../../executor/contract.js'
import { labelFault, type NameId, nameText } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { LEASE_YEARS_MAX, type NamePolicy } from '../schema/records.js'
import type { NamePrice } from '../schema/views.js'
import { policyOf, priceOf } from './policies.js'
import { confusableFault } from './registration.js'
import { reservedFault } from './reservations.js'
import { standingOf } from './resolution.js'
import { names } from './tables.js'

/** Reason why a name cannot be leased by an account without similar names, or undefined. */
function leaseFault(
  state: StateReader,
  policy: NamePolicy,
  name: NameId,
  years: number,
  timeMs: number,
): Rejection | undefined {
  const { domain, label } = name
  const unfit = labelFault(label)
  if (unfit !== undefined) return reject('bad_name', unfit)
  if (years < 1 || years > LEASE_YEARS_MAX)
    return reject('bad_term', `a lease must have between 1 and ${LEASE_YEARS_MAX} years`)
  if (policy.mode !== 'leased') return reject('name_not_leased', `domain ${domain} leases no names`)
  if (label.length < policy.minLength)
    return reject('bad_name', `a label of domain ${domain} must have at least ${policy.minLength} characters`)
  const standing = standingOf(state, name, timeMs)
  if (standing !== undefined && standing !== 'open') return reject('name_taken', `name ${nameText(name)} is taken`)
  return reservedFault(state, name, undefined, timeMs) ?? confusableFault(state, timeMs, name, () => true)
}

/** Reason why a name cannot be leased, and its price; a leased name has a price in a domain that leases no more names. */
export function availabilityOf(
  state: StateReader,
  name: NameId,
  years: number,
  timeMs: number,
): { readonly refused: Rejection | undefined; readonly price: NamePrice | undefined } {
  const policy = policyOf(state, name.domain)
  const { asset: definition } = policy
  const isLeased = policy.mode === 'leased' || state.get(names, name)?.kind === 'leased'
  const amount = isLeased ? priceOf(policy, name.label, years) : undefined
  return {
    refused: leaseFault(state, policy, name, years, timeMs),
    price: amount === undefined || definition === undefined ? undefined : { definition, amount },
  }
}
