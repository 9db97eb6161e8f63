/** Owns plans on the command line: terms from flags or a file, and their display before a subscription. */
import { Flags } from '@oclif/core'
import { durationText } from '../../base/duration-text.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/errors.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { parseLedgerDuration } from '../input/duration.js'
import { accountFlag } from '../input/texts.js'
import { amountOfAsset } from '../lane/settlement.js'
import type { Drafting } from '../ledger/command.js'
import { usageError } from '../terminal/failure.js'

/**
 * Number of free due runs of a provider below which a subscriber is warned: the maximum number of runs of one owner in
 * one minute.
 */
const ROOM_WARNED = 2_048

/** Flags of the terms of a plan. */
export const termsFlags = {
  amount: Flags.string({ description: 'price of a period, for example "1 eur#bank"' }),
  every: Flags.string({ description: 'length of a period in full minutes, for example 30d', exclusive: ['monthly'] }),
  monthly: Flags.string({
    description: 'day of the month from which periods run, with a time in UTC, for example 31 or 1T08:00',
  }),
  unit: Flags.string({ description: 'unit of usage, for example GB' }),
  'unit-price': Flags.string({ description: 'price of a unit, for example "0.05 eur#bank"', dependsOn: ['unit'] }),
  included: Flags.string({ description: 'units of each period without a price', default: '0' }),
  bill: Flags.option({
    options: ['next', 'previous'] as const,
    description: 'period that a charge is for',
    default: 'next' as const,
  })(),
  trial: Flags.string({ description: 'free trial, for example 14d' }),
  retry: Flags.string({
    description: 'delay before the next attempt of a failed charge; may be repeated up to 8 times',
    multiple: true,
  }),
  grace: Flags.string({
    description: 'time after the due time of an unpaid charge in which the subscriber stays entitled',
  }),
  exhausted: Flags.option({
    options: ['suspend', 'cancel'] as const,
    description: 'action after the last failed retry',
    default: 'suspend' as const,
  })(),
  meter: accountFlag({ description: 'account that may record usage; at most 4 of them', multiple: true }),
  approval: Flags.boolean({ description: 'approve each subscription' }),
}
type TermsFlags = {
  readonly [F in keyof typeof termsFlags]?: string | boolean | readonly string[] | undefined
}

const text = (value: TermsFlags[keyof TermsFlags]): string | undefined =>
  typeof value === 'string' ? value : undefined
const texts = (value: TermsFlags[keyof TermsFlags]): readonly string[] => (Array.isArray(value) ? value : [])
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const durationOf = (value: string | undefined, flag: string): number =>
  value === undefined ? 0 : parseLedgerDuration(value, flag)

/** Cadence of `30d`, or of `31T08:00`. */
function cadenceOf({ every, monthly }: TermsFlags): Json {
  const period = text(every)
  if (period !== undefined) return { Fixed: { period_ms: parseLedgerDuration(period, '--every') } }
  const [, day, hours = '0', minutes = '0'] = /^(\d{1,2})(?:T(\d{2}):(\d{2}))?$/.exec(text(monthly) ?? '') ?? []
  if (day === undefined)
    throw usageError(
      'the length of the period is missing',
      'Give --every 30d, or --monthly with a day such as 31 or 1T08:00.',
    )
  return { Monthly: { anchor_day: Number(day), time_ms: (Number(hours) * 60 + Number(minutes)) * 60_000 } }
}

/** JSON of the terms of a plan from flags; throws `usage`. */
export async function termsOfFlags(flags: TermsFlags, { account, asset }: Drafting): Promise<Json> {
  const [fixed, price] = [flags.amount, flags['unit-price']].map((value) => text(value))
  const parts = [
    fixed === undefined ? undefined : amountOfAsset(fixed, '--amount'),
    price === undefined ? undefined : amountOfAsset(price, '--unit-price'),
  ]
  const definitions = new Set(parts.flatMap((part) => part?.definition ?? []))
  const [definition] = definitions
  if (definition === undefined) throw usageError('the price is missing', 'Give --amount, or --unit with --unit-price.')
  if (definitions.size > 1) throw usageError('--amount and --unit-price must be in the same asset')
  const [perPeriod, perUnit] = parts.map((part) => part?.amount)
  return {
    asset: await asset(definition),
    fixed: perPeriod ?? null,
    usage:
      perUnit === undefined
        ? null
        : { unit: text(flags.unit) ?? '', unit_price: perUnit, included: text(flags.included) ?? '0' },
    cadence: cadenceOf(flags),
    bill_for: capital(text(flags.bill) ?? ''),
    trial_ms: durationOf(text(flags.trial), '--trial'),
    retries: texts(flags.retry).map((one) => parseLedgerDuration(one, '--retry')),
    grace_ms: durationOf(text(flags.grace), '--grace'),
    exhausted: capital(text(flags.exhausted) ?? ''),
    meters: await Promise.all(texts(flags.meter).map((one) => account(one))),
    approval: flags.approval === true,
  }
}

/** Terms in a JSON file: the terms of CreatePlan, or the record of the whole instruction. */
export function termsOfFile(file: Json): Json {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new LedgerError(
      'bad_value',
      'expected the terms of a plan: {"asset": "eur#bank", "fixed": "1", "cadence": ...}',
    )
  return 'terms' in file ? (file.terms as Json) : (file as Json)
}

/** Plan before a subscription: its hash is computed from the displayed terms. */
export interface ShownPlan {
  readonly hash: string
  readonly terms: View
}

/** Read a plan, show its terms, and warn if its provider has few free due runs. Throws `not_found`. */
export async function agreedPlan(
  { client, codec, remark }: Drafting,
  { provider, plan }: { readonly provider: string; readonly plan: string },
): Promise<ShownPlan> {
  const { planHashOf, planTerms } = await import('../../features/subscriptions/schema/records.js')
  const { parseAddress } = await import('../../model/index.js')
  const { items } = await getView(client, ({ subscriptions }) => subscriptions.plans, { query: { provider, plan } })
  const [found] = viewsOf(items)
  const id = parseAddress(provider, codec.addressPrefix)
  const terms = found === undefined ? undefined : planTerms.fromJson(found.terms as Json, codec)
  if (found === undefined || id === undefined || terms === undefined || !terms.ok)
    throw new LedgerError('not_found', `plan ${plan} of ${provider} does not exist`, {
      hint: 'Run `causeway subscription plan list`, which lists the plans.',
    })
  remark(`plan ${plan}: ${termsText(viewOf(found.terms))}`)
  const room = Number(found.charges_left)
  if (room < ROOM_WARNED)
    remark(`the provider has room for ${room} more charges in the hour of the next charge; without room: due_runs_full`)
  return { hash: planHashOf({ provider: id, plan }, terms.value).toString('hex'), terms: viewOf(found.terms) }
}

/** Terms of a plan in one line. */
export function termsText({ asset, fixed, usage, cadence, bill_for: billFor, trial_ms: trial }: View): string {
  const { unit, unit_price: price, included } = viewOf(usage)
  const parts = [
    textOf(fixed) && `${textOf(fixed)} ${textOf(asset)}`,
    textOf(price) && `${textOf(price)} ${textOf(asset)} a ${textOf(unit)} beyond ${textOf(included)}`,
  ]
  const price_ = parts.filter(Boolean).join(' and ')
  const free = Number(trial) > 0 ? `, ${durationText(Number(trial))} free` : ''
  const ahead = textOf(billFor) === 'Previous' ? ', charged afterwards' : ''
  return `${price_} ${cadenceText(viewOf(cadence))}${ahead}${free}`
}

function cadenceText({ Fixed: fixed, Monthly: monthly }: View): string {
  if (fixed !== undefined) return `every ${durationText(Number(viewOf(fixed).period_ms))}`
  const { anchor_day: day, time_ms: time } = viewOf(monthly)
  return `a month, from day ${textOf(day)} ${new Date(Number(time)).toISOString().slice(11, 16)} UTC on`
}
