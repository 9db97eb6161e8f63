/** Owns the policies of domains: the source of their names, and the prices of leases. */
import { type Numeric, normalizeNumeric } from '../../../codec/index.js'
import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { amountFault } from '../../../ledger/money.js'
import { payAgreed } from '../../../ledger/moves.js'
import { definitions, domains } from '../../../ledger/tables.js'
import { exceeds, LABEL_MAX_BYTES, sameIncarnation } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { events } from '../schema/events.js'
import type { MaxPrice, SetNamePolicy } from '../schema/instructions.js'
import {
  DEFAULT_POLICY,
  GRACE_MAX_MS,
  NAMES_PER_ACCOUNT_MAX,
  type NamePolicy,
  type NamePolicyRow,
  priceClass,
  QUARANTINE_MAX_MS,
  QUARANTINE_MIN_MS,
} from '../schema/records.js'
import { managerFault } from './permissions.js'
import { policies } from './tables.js'

/** Policy row of a domain, if it has one. */
export function policyRow(state: StateReader, domain: string): NamePolicyRow | undefined {
  const row = state.get(policies, domain)
  if (row === undefined) return undefined
  return sameIncarnation(row.incarnation, state.get(domains, domain)?.incarnation) ? row : undefined
}

/** Policy of a domain. */
export const policyOf = (state: StateReader, domain: string): NamePolicy => policyRow(state, domain) ?? DEFAULT_POLICY

/** Price of a number of years of a label; undefined if it has more than 512 bits. */
export function priceOf({ asset, prices }: NamePolicy, label: string, years: number): Numeric | undefined {
  const { mantissa, scale } = (asset === undefined ? undefined : prices[priceClass(label)]) ?? {
    mantissa: 0n,
    scale: 0,
  }
  return normalizeNumeric({ mantissa: mantissa * BigInt(years), scale })
}

/**
 * Pay the lease of a label for a number of years to the treasury of its domain; returns a rejection if the price
 * exceeds the accepted one.
 */
export function payLease(
  ctx: ExecContext,
  domain: string,
  policy: NamePolicy,
  lease: { readonly label: string; readonly years: number; readonly maxPrice: MaxPrice | undefined },
): Rejection | undefined {
  const { asset: definition } = policy
  const amount = priceOf(policy, lease.label, lease.years)
  if (amount === undefined) return reject('overflow', 'the price of the lease has more than 512 bits')
  if (amount.mantissa === 0n || definition === undefined) return undefined
  const { maxPrice } = lease
  if (maxPrice !== undefined && (maxPrice.definition !== definition || exceeds(amount, maxPrice.amount)))
    return reject('price_changed', 'the price exceeds the highest one that was accepted')
  const to = policy.treasury ?? ctx.get(domains, domain)?.owner
  if (to === undefined) return reject('absent', `domain ${domain} does not exist`)
  if (to === ctx.authority) return undefined
  return payAgreed(ctx, { asset: { definition, account: ctx.authority }, to, amount })
}

/** Reason why the figures of a policy are invalid, or undefined. */
function figuresFault({ asset, prices, minLength, graceMs, quarantineMs, maxPerAccount }: NamePolicy) {
  if (prices.length !== DEFAULT_POLICY.prices.length)
    return reject('bad_amount', `a policy has ${DEFAULT_POLICY.prices.length} prices`)
  if (prices.some(({ mantissa }) => mantissa < 0n)) return reject('bad_amount', 'a price must not be negative')
  if (asset === undefined && prices.some(({ mantissa }) => mantissa > 0n))
    return reject('bad_amount', 'prices require an asset')
  if (minLength < 1 || minLength > LABEL_MAX_BYTES)
    return reject('bad_name', `the shortest label must have between 1 and ${LABEL_MAX_BYTES} characters`)
  if (graceMs > GRACE_MAX_MS) return reject('bad_term', `the grace must have at most ${GRACE_MAX_MS} ms`)
  if (quarantineMs < QUARANTINE_MIN_MS || quarantineMs > QUARANTINE_MAX_MS)
    return reject('bad_term', `the quarantine must have between ${QUARANTINE_MIN_MS} and ${QUARANTINE_MAX_MS} ms`)
  if (maxPerAccount < 1 || maxPerAccount > NAMES_PER_ACCOUNT_MAX)
    return reject('name_limit', `an account must have between 1 and ${NAMES_PER_ACCOUNT_MAX} names`)
  return undefined
}

/** Reason why an object that a policy names is invalid, or undefined. */
function namedFault(ctx: ExecContext, { asset, prices, treasury }: NamePolicy): Rejection | undefined {
  const definition = asset === undefined ? undefined : ctx.get(definitions, asset)
  if (asset !== undefined && definition === undefined)
    return reject('absent', `asset definition ${asset} does not exist`)
  for (const price of prices) {
    const fault = price.mantissa === 0n ? undefined : amountFault(price, definition?.scale)
    if (fault) return fault
  }
  return treasury === undefined || ctx.has(accounts, treasury) ? undefined : unknownAccount(ctx, treasury, 'treasury')
}

export const setNamePolicy: Execution<SetNamePolicy> = {
  cost: { base: 200 },
  primaryDomain: ({ domain }) => domain,
  execute(ctx, { domain, policy, version }) {
    const home = ctx.get(domains, domain)
    if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
    const denied = managerFault(ctx, domain, home, 'setting the policy of names')
    if (denied) return denied
    const next = (policyRow(ctx, domain)?.version ?? 0) + 1
    if (version !== next) return reject('bad_version', `the next version must be ${next}, not ${version}`)
    const fault = figuresFault(policy) ?? namedFault(ctx, policy)
    if (fault) return fault
    ctx.set(policies, domain, { ...policy, version, incarnation: home.incarnation })
    ctx.emit(events.namePolicySet, { domain, version })
    return undefined
  },
}
