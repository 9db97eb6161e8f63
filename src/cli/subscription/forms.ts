/** Owns the command line forms of subscriptions: arguments and ids of subscriptions and plans. */
import { Args, Flags } from '@oclif/core'
import type { CausewayClient } from '../../client/index.js'
import { accountFlag } from '../input/texts.js'
import type { Drafting } from '../ledger/command.js'
import { signingKey } from '../settings/key.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'

/** Reference of the only subscription of an account to a plan. */
const MAIN = 'main'

/** Argument that names a subscription. */
export const subscriptionArgs = {
  subscription: Args.string({
    description: 'plan as PROVIDER/PLAN, or the id of the subscription',
    required: true,
    ignoreStdin: true,
  }),
}
export const planArg = {
  plan: Args.string({ description: 'plan as PROVIDER/PLAN', required: true, ignoreStdin: true }),
}

/** Reference of a subscription. */
export const referenceFlag = {
  reference: Flags.string({
    description: 'reference, if an account subscribes to a plan more than once',
    default: MAIN,
  }),
}
/** Flags that distinguish the subscriptions to one plan. */
export const subscriptionFlags = {
  account: accountFlag({ description: 'subscriber: address or alias (default: account of the key)' }),
  ...referenceFlag,
}

/** Provider and name of `bob@bank/news`; throws `usage` for any other text. */
export function planText(text: string): { readonly provider: string; readonly plan: string } {
  const [, provider, plan] = /^(.+)\/([^/]+)$/.exec(text) ?? []
  if (provider === undefined || plan === undefined)
    throw usageError(`"${text}" is not a plan`, 'Write its provider and its name, for example bob@bank/news.')
  return { provider, plan }
}

/** Arguments and flags that identify a subscription. */
export interface Named {
  readonly text: string
  readonly account: string | undefined
  readonly reference: string
}

const isId = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text)

/** Id of the subscription of an account to a plan; accounts are addresses. */
async function idFor(
  { provider, plan, reference }: { readonly provider: string; readonly plan: string; readonly reference: string },
  subscriber: string,
  addressPrefix: string | undefined,
): Promise<string> {
  const { subscriptionIdOf } = await import('../../features/subscriptions/schema/records.js')
  const { parseAddress } = await import('../../model/index.js')
  const [of, by] = [parseAddress(provider, addressPrefix), parseAddress(subscriber, addressPrefix)]
  if (of === undefined || by === undefined)
    throw usageError(`"${of === undefined ? provider : subscriber}" is not an address of this chain`)
  return subscriptionIdOf({ provider: of, plan }, by, reference).toString('hex')
}

/** Id of a subscription in a transaction, which depends on the aliases in it. */
export async function draftedId(
  { account, codec }: Drafting,
  { text, account: subscriber, reference }: Named,
): Promise<string> {
  if (isId(text)) return text.toLowerCase()
  const { provider, plan } = planText(text)
  const of = { provider: await account(provider), plan, reference }
  return idFor(of, await account(subscriber), codec.addressPrefix)
}

/** Id of a subscription for reads. */
export async function subscriptionId(
  client: CausewayClient,
  settings: Settings,
  { text, account, reference }: Named,
): Promise<string> {
  if (isId(text)) return text.toLowerCase()
  const { resolveAccount } = await import('../transaction/resolve.js')
  const { addressPrefix } = await client.chain()
  const { provider, plan } = planText(text)
  const of = { provider: await resolveAccount(client, provider), plan, reference }
  return idFor(of, await subscriberOf(client, settings, account, addressPrefix), addressPrefix)
}

async function subscriberOf(
  client: CausewayClient,
  settings: Settings,
  account: string | undefined,
  addressPrefix: string,
): Promise<string> {
  const { resolveAccount } = await import('../transaction/resolve.js')
  if (account !== undefined) return resolveAccount(client, account)
  if ((settings.keyFile ?? settings.signerCommand) === undefined)
    throw usageError('no subscriber is named', 'Give --account, or a key with --key-file.')
  const { addressOfKey } = await import('../transaction/submit.js')
  return addressOfKey(await signingKey(settings), addressPrefix)
}
