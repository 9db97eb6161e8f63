/**
 * Owns the change of a policy of names by the flags of a command: omitted values keep the values that the gateway
 * reports.
 */
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { getView, viewOf } from '../gateway/gateway.js'
import { parseLedgerDuration } from '../input/duration.js'
import { usageError } from '../terminal/failure.js'

/** Flags of the change. */
export interface PolicyFlags {
  readonly mode?: 'assigned' | 'leased' | undefined
  readonly asset?: string | undefined
  readonly price?: string | undefined
  readonly treasury?: string | undefined
  readonly 'min-length'?: number | undefined
  readonly grace?: string | undefined
  readonly quarantine?: string | undefined
  readonly 'max-per-account'?: number | undefined
}

/** Flag values that mean none. */
const [NO_ASSET, OWNER, NO_GRACE] = ['none', 'owner', '0']
const MODES = { assigned: 'Assigned', leased: 'Leased' } as const

function pricesOf(text: string): readonly string[] {
  const prices = text.split(',')
  if (prices.length === 3) return prices
  throw usageError(`--price: "${text}" has ${prices.length} prices`, 'Give three, for example 20,10,5.')
}

/** Policy and version of an instruction. */
export async function changedPolicy(
  client: CausewayClient,
  domain: string,
  flags: PolicyFlags,
  account: (text: string) => Promise<string>,
): Promise<{ readonly policy: Json; readonly version: number }> {
  const found = await getView(client, (all) => all.names.policy, { params: { domain } })
  const { mode, asset, price, treasury, grace, quarantine } = flags
  const given: Record<string, Json | undefined> = {
    mode: mode && MODES[mode],
    asset: asset === NO_ASSET ? null : asset,
    prices: price === undefined ? undefined : pricesOf(price),
    treasury: treasury === undefined ? undefined : treasury === OWNER ? null : await account(treasury),
    min_length: flags['min-length'],
    grace_ms: grace === undefined ? undefined : grace === NO_GRACE ? 0 : parseLedgerDuration(grace, '--grace'),
    quarantine_ms: quarantine === undefined ? undefined : parseLedgerDuration(quarantine, '--quarantine'),
    max_per_account: flags['max-per-account'],
  }
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { policy: { ...viewOf(found.policy), ...changes } as Json, version: Number(found.version) + 1 }
}
