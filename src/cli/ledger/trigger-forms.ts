/** Owns parsers of the command line form of trigger filters. */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { parseLedgerDuration } from '../input/duration.js'
import { accountFlag, assetFlag } from '../input/texts.js'
import { parseTime } from '../input/time.js'
import type { Drafting } from './command.js'

const CAUSES = ['call', 'at', 'every', 'on', 'pre-commit']

/** Flags for the condition of a trigger. */
export const triggerFlags = {
  call: Flags.boolean({ description: 'run only when called', exactlyOne: CAUSES }),
  at: Flags.string({ description: 'once, at a date and time', helpValue: 'TIME' }),
  every: Flags.string({ description: 'interval between runs, such as 10m, 24h or 30d', helpValue: 'DURATION' }),
  start: Flags.string({
    description: 'first time with --every (default: one period from now)',
    helpValue: 'TIME',
    dependsOn: ['every'],
  }),
  on: Flags.string({
    description: 'subject of events, such as asset, account, domain, nft, log',
    helpValue: 'SUBJECT',
  }),
  event: Flags.string({ description: 'kind of event with --on; may be repeated', multiple: true, dependsOn: ['on'] }),
  object: Flags.string({ description: 'object, with --on: domain, name#domain, name$domain, role', dependsOn: ['on'] }),
  account: accountFlag({ description: 'account, with --on', dependsOn: ['on'], exclusive: ['object'] }),
  asset: assetFlag({ description: 'with --account: only its balance of this definition', dependsOn: ['account'] }),
  'pre-commit': Flags.boolean({ description: 'at the end of every block' }),
}

/** Parsed trigger flags. */
export interface TriggerWords {
  readonly call?: boolean
  readonly at?: string | undefined
  readonly every?: string | undefined
  readonly start?: string | undefined
  readonly on?: string | undefined
  readonly event?: readonly string[] | undefined
  readonly object?: string | undefined
  readonly account?: string | undefined
  readonly asset?: string | undefined
  readonly 'pre-commit'?: boolean
}

/** Filter in its JSON form. */
export async function filterOf(words: TriggerWords, drafting: Pick<Drafting, 'account' | 'asset'>): Promise<Json> {
  if (words.call === true) return 'ByCall'
  if (words['pre-commit'] === true) return 'PreCommit'
  if (words.at !== undefined) return { Time: { start_ms: parseTime(words.at, '--at'), period_ms: null } }
  if (words.every !== undefined) {
    const period = parseLedgerDuration(words.every, '--every')
    const start = words.start === undefined ? Date.now() + period : parseTime(words.start, '--start')
    return { Time: { start_ms: start, period_ms: period } }
  }
  const scope = await scopeOf(words, drafting)
  return { Data: { subject: words.on ?? '', events: [...(words.event ?? [])], scope } }
}

async function scopeOf(words: TriggerWords, { account, asset }: Pick<Drafting, 'account' | 'asset'>): Promise<Json> {
  if (words.object !== undefined) return { Object: words.object }
  if (words.account === undefined) return 'Any'
  const id = await account(words.account)
  return words.asset === undefined ? { Account: id } : { Asset: { definition: await asset(words.asset), account: id } }
}
