/**
 * Owns the execution of fees: cost, payer and sponsorship of a transaction; off until the chain sets a price
 * (docs/design/lanes.md 5).
 */

import {
  formatNumeric,
  type Infer,
  type Numeric,
  normalizeNumeric,
  numeric,
  option,
  struct,
  varint,
} from '../../codec/index.js'
import { accounts, countUse } from '../../executor/accounts.js'
import { addressIn, unknownAccount } from '../../executor/addresses.js'
import {
  type BlockEnv,
  type FeeCharge,
  type FeePolicy,
  type FeeReservation,
  type OpenFees,
  type Rejection,
  reject,
} from '../../executor/contract.js'
import { defineLedger, type Executions } from '../../executor/feature.js'
import { parameterOf } from '../../executor/parameters.js'
import { chainInfo, SINGLETON_KEY } from '../../executor/tables.js'
import { balanceOf, credit, debit, ZERO } from '../../ledger/money.js'
import { accountObject } from '../../ledger/permission-kinds.js'
import { type Definition, definitions, domains, feePools } from '../../ledger/tables.js'
import {
  type AccountId,
  accountId,
  add,
  event,
  exceeds,
  type Incarnation,
  incarnation,
  parseAddress,
  sameIncarnation,
  subtract,
} from '../../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../../state/index.js'
import {
  type Beneficiary,
  beneficiary,
  events,
  FEE_ASSET,
  FEE_PER_TEU,
  FEE_SINK,
  FEE_SPONSORSHIP,
  feeSchema,
  type instructions,
  type SponsorTerms,
} from './schema.js'

interface SponsorshipKey extends Infer<typeof sponsorshipKey_> {}
/** Sponsorship with its payments on one day. */
interface Sponsorship extends SponsorTerms {
  /** Incarnation of the beneficiary: an account registered again under the id is not sponsored. */
  readonly incarnation: Incarnation
  readonly day: number
  readonly spent: Numeric
}
const sponsorshipKey_ = struct('SponsorshipKey', { sponsor: accountId, beneficiary })
const sponsorship_ = struct('Sponsorship', {
  maxPerTx: numeric,
  maxPerDay: numeric,
  expiresMs: option(varint),
  incarnation,
  day: varint,
  spent: numeric,
})
export const sponsorships: TableDef<SponsorshipKey, Sponsorship> = {
  id: 40,
  name: 'sponsorships',
  bound: { holds: 'terms and the cost of a day', filledBy: 'SponsorFees', atBound: 'leaves when it is ended' },
  key: sponsorshipKey_,
  value: sponsorship_,
}

const DAY_MS = 86_400_000

/** Fees of a block: parameters change between blocks only, so they are read once. */
interface Price {
  readonly asset: string
  readonly perTeu: Numeric
}
function priceIn(state: StateReader): Price | undefined {
  const perTeu = parameterOf(state, FEE_PER_TEU)
  const asset = parameterOf(state, FEE_ASSET)
  return perTeu.mantissa === 0n || asset === undefined ? undefined : { asset, perTeu }
}

/** Price at a position of a block; undefined if nothing is charged. */
interface Tariff extends Price {
  readonly definition: Definition
}
function tariffOf(state: StateReader, price: Price): Tariff | undefined {
  const definition = state.get(definitions, price.asset)
  // A fee that no account could pay would stop the chain, including the transaction that mints the fee asset.
  return definition === undefined || definition.total.mantissa === 0n ? undefined : { ...price, definition }
}

/**
 * Fee of a number of units, rounded up to the precision of the definition; undefined if no numeric can represent it.
 */
function priceOf({ perTeu, definition }: Tariff, teu: number): Numeric | undefined {
  const exact = normalizeNumeric({ mantissa: perTeu.mantissa * BigInt(teu), scale: perTeu.scale })
  const { scale } = definition
  if (exact === undefined || scale === undefined || exact.scale <= scale) return exact
  const unit = 10n ** BigInt(exact.scale - scale)
  return normalizeNumeric({ mantissa: (exact.mantissa + unit - 1n) / unit, scale })
}

/** Payer with its maximum amount, and the sponsorship. */
interface Quote {
  readonly tariff: Tariff
  readonly payer: AccountId
  readonly max: Numeric
  readonly sponsorship: { readonly key: SponsorshipKey; readonly row: Sponsorship } | undefined
}

const unpayable = (message: string): Rejection => reject('fee_unpayable', message)

const spentOn = (row: Sponsorship, day: number): Numeric => (row.day === day ? row.spent : ZERO)

/** Sponsorship that covers an amount for an authority: its own sponsorship, otherwise the one for its domain. */
function sponsorshipFor(
  state: StateReader,
  env: Pick<BlockEnv, 'timeMs'>,
  sponsor: AccountId,
  { authority, max }: { readonly authority: AccountId; readonly max: Numeric },
): Quote['sponsorship'] | Rejection {
  const home = state.get(accounts, authority)
  const beneficiaries: [Beneficiary, Incarnation | undefined][] = [
    [{ kind: 'account', value: authority }, home?.incarnation],
  ]
  if (home !== undefined) {
    beneficiaries.push([{ kind: 'domain', value: home.domain }, state.get(domains, home.domain)?.incarnation])
  }
  for (const [beneficiary, registration] of beneficiaries) {
    const key = { sponsor, beneficiary }
    const row = state.get(sponsorships, key)
    if (row === undefined || !sameIncarnation(row.incarnation, registration)) continue
    if (row.expiresMs !== undefined && row.expiresMs <= env.timeMs) continue
    if (exceeds(max, row.maxPerTx)) continue
    const spent = add(spentOn(row, Math.floor(env.timeMs / DAY_MS)), max)
    if (spent !== undefined && !exceeds(spent, row.maxPerDay)) return { key, row }
  }
  return unpayable('no sponsorship of that account covers this transaction')
}

function quoteOf(
  state: StateReader,
  env: Pick<BlockEnv, 'timeMs'>,
  price: Price,
  charge: FeeCharge,
): Quote | Rejection | undefined {
  const tariff = tariffOf(state, price)
  if (tariff === undefined) return undefined
  const { authority, sponsor: named, maxTeu } = charge
  const max = priceOf(tariff, maxTeu)
  if (max === undefined) return unpayable('the fee exceeds 512 bits')
  if (named === undefined) return { tariff, payer: authority, max, sponsorship: undefined }
  if (!parameterOf(state, FEE_SPONSORSHIP)) return unpayable('this chain does not support fee sponsorship')
  const prefix = state.get(chainInfo, SINGLETON_KEY)?.addressPrefix
  const payer = parseAddress(named, prefix)
  if (payer === undefined) return unpayable('metadata fee_sponsor is not an address of this chain')
  const sponsorship = sponsorshipFor(state, env, payer, { authority, max })
  return sponsorship !== undefined && 'code' in sponsorship ? sponsorship : { tariff, payer, max, sponsorship }
}

function cannotPay(state: StateReader, { tariff, payer, max }: Quote): Rejection | undefined {
  const held = balanceOf(state, { definition: tariff.asset, account: payer })
  if (!exceeds(max, held)) return undefined
  const [balance, fee] = [formatNumeric(held), formatNumeric(max)]
  return unpayable(
    `the maximum fee is ${fee}, but the balance is ${balance} ${tariff.asset} of ${addressIn(state, payer)}`,
  )
}

/** Pay a fee into the sink; the part that does not fit an account is burned. Returns the account that received it. */
function sink(state: StateWriter, asset: string, fee: Numeric): AccountId | undefined {
  const to = parameterOf(state, FEE_SINK)
  if (to.kind === 'account' && state.has(accounts, to.value)) {
    if (credit(state, { definition: asset, account: to.value }, fee) === undefined) return to.value
  }
  if (to.kind === 'pot') {
    const sum = add(state.get(feePools, asset) ?? ZERO, fee)
    if (sum !== undefined) {
      state.set(feePools, asset, sum)
      return undefined
    }
  }
  const definition = state.get(definitions, asset)
  const total = definition === undefined ? undefined : subtract(definition.total, fee)
  if (definition === undefined || total === undefined) throw new Error('a fee exceeds the total of its definition')
  state.set(definitions, asset, { ...definition, total })
  return undefined
}

function noteSpending(state: StateWriter, env: Pick<BlockEnv, 'timeMs'>, quote: Quote, fee: Numeric): void {
  if (quote.sponsorship === undefined) return
  const { key } = quote.sponsorship
  // The transaction itself may have ended the sponsorship that pays it.
  const row = state.get(sponsorships, key)
  if (row === undefined) return
  const day = Math.floor(env.timeMs / DAY_MS)
  const spent = add(spentOn(row, day), fee)
  if (spent !== undefined) state.set(sponsorships, key, { ...row, day, spent })
}

/** Reserve the maximum fee, and return the function that settles it. */
function reservationOf(state: StateWriter, env: Pick<BlockEnv, 'timeMs'>, quote: Quote): FeeReservation {
  const { tariff, payer, max } = quote
  const from = { definition: tariff.asset, account: payer }
  if (debit(state, from, max) !== undefined) throw new Error('cannot reserve the fee, although the balance covers it')
  // The reserved amount still belongs to the payer, which must not be removed before the refund.
  countUse(state, payer, 'objects', 1)
  return {
    settle(teu) {
      const fee = priceOf(tariff, teu)
      const rest = fee === undefined ? undefined : subtract(max, fee)
      if (fee === undefined || rest === undefined) throw new Error('a fee is larger than what was reserved for it')
      countUse(state, payer, 'objects', -1)
      if (rest.mantissa > 0n && credit(state, from, rest) !== undefined) {
        throw new Error('what was reserved does not fit back')
      }
      noteSpending(state, env, quote, fee)
      if (fee.mantissa === 0n) return []
      const to = sink(state, tariff.asset, fee)
      return [event(events.feePaid, { payer, definition: tariff.asset, amount: fee, to })]
    },
  }
}

const FEES: FeePolicy = {
  open(state, env): OpenFees | undefined {
    const price = priceIn(state)
    if (price === undefined) return undefined
    return {
      fault(at, charge) {
        const quote = quoteOf(at, env, price, charge)
        return quote === undefined || 'code' in quote ? quote : cannotPay(at, quote)
      },
      reserve(at, charge) {
        const quote = quoteOf(at, env, price, charge)
        if (quote === undefined || 'code' in quote) return quote
        return cannotPay(at, quote) ?? reservationOf(at, env, quote)
      },
    }
  },
}

const execute = {
  sponsorFees: {
    cost: { base: 96 },
    execute(ctx, { beneficiary, terms }) {
      const sponsor = ctx.authority
      const key = { sponsor, beneficiary }
      const held = ctx.get(sponsorships, key)
      const { kind, value } = beneficiary
      const changed = event(events.sponsorshipChanged, {
        sponsor,
        beneficiary: kind === 'domain' ? value : accountObject(value),
        active: terms !== undefined,
      })
      if (terms === undefined) {
        if (held === undefined) {
          const subject = kind === 'domain' ? `domain ${value}` : addressIn(ctx, value)
          return reject('absent', `${addressIn(ctx, sponsor)} pays no fees of ${subject}`)
        }
        ctx.delete(sponsorships, key)
        countUse(ctx, sponsor, 'objects', -1)
        ctx.record(changed)
        return undefined
      }
      const row = kind === 'domain' ? ctx.get(domains, value) : ctx.get(accounts, value)
      if (row === undefined)
        return kind === 'domain'
          ? reject('absent', `domain ${value} does not exist`)
          : unknownAccount(ctx, value, 'beneficiary')
      if (terms.maxPerTx.mantissa <= 0n || terms.maxPerDay.mantissa <= 0n) {
        return reject('bad_amount', 'the maximum of a sponsor must be greater than zero')
      }
      const isSame = held !== undefined && sameIncarnation(held.incarnation, row.incarnation)
      const { day, spent } = isSame ? held : { day: 0, spent: ZERO }
      if (held === undefined) countUse(ctx, sponsor, 'objects', 1)
      ctx.set(sponsorships, key, { ...terms, incarnation: row.incarnation, day, spent })
      ctx.record(changed)
      return undefined
    },
  },
} satisfies Executions<typeof instructions>

export const feeLedger = defineLedger(feeSchema, {
  tables: [feePools, sponsorships],
  execute,
  queries: {},
  permissions: [],
  policies: { fees: FEES },
})
