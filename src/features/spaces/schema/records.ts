/** Owns the records of manifests: entries, their scopes and effects, bounds. */

import {
  binaryKey,
  enumOf,
  type Infer,
  list,
  numeric,
  option,
  type Schema,
  string,
  struct,
  unitEnum,
} from '../../../codec/index.js'
import { instructionMatcher } from '../../../lanes/index.js'
import {
  ADDRESS_PATTERN,
  accountId,
  accountIdFault,
  assetDefinitionId,
  nameFault,
  range,
} from '../../../model/index.js'

export const SPACE_IDS = range(14)
export const SPACE_INDEXES = { byAccount: SPACE_IDS.first } as const

/** Maximum entries of a manifest; one row contains all of them. */
export const ENTRIES_MAX = 32
/** Maximum length of the notes of an entry and of the reason of a denial, in bytes. */
const NOTES_MAX_BYTES = 128
/** Maximum length of the reason of a revocation, in bytes. */
const REASON_MAX_BYTES = 256
/** Maximum length of a counterparty, in bytes: `*@` and a domain. */
const COUNTERPARTY_MAX_BYTES = 130

const DOMAIN_MARK = '*@'

/** Domain of a counterparty `*@domain`; undefined for an account. */
export const domainOfCounterparty = (counterparty: string): string | undefined =>
  counterparty.startsWith(DOMAIN_MARK) ? counterparty.slice(DOMAIN_MARK.length) : undefined

/** Account, or `*@domain` for all accounts at home in a domain. */
const counterparty = binaryKey(COUNTERPARTY_MAX_BYTES, {
  name: 'SpaceCounterparty',
  pattern: `^(\\*@[!-~]+|${ADDRESS_PATTERN})$`,
  validate(value) {
    const domain = domainOfCounterparty(value)
    return domain === undefined ? accountIdFault(value) : nameFault(domain)
  },
  toText: (value, ctx) =>
    domainOfCounterparty(value) === undefined ? (accountId.toJson(value, ctx) as string) : value,
  fromText(text, ctx) {
    if (domainOfCounterparty(text) !== undefined) return text
    const account = accountId.fromJson(text, ctx)
    return account.ok ? account.value : undefined
  },
})

/** Scope of an entry; an absent field does not restrict. */
export interface SpaceScope extends Infer<typeof scope_> {}
const scope_ = struct('SpaceScope', {
  instruction: option(instructionMatcher),
  definition: option(assetDefinitionId),
  /** Receiver of a movement. */
  counterparty: option(counterparty),
})

/** Period of an amount; minutes and days are in header time, UTC. */
export type SpaceWindow = Infer<typeof spaceWindow>
export const spaceWindow = unitEnum('SpaceWindow', { transaction: 0, minute: 1, day: 2 })

const effect_ = enumOf('SpaceEffect', {
  deny: [0, struct('SpaceDenial', { reason: option(string(NOTES_MAX_BYTES)) })],
  allow: [
    1,
    struct('SpaceAllowance', {
      /** Maximum amount moved under the entry in a window; absent: any amount. */
      maxAmount: option(numeric),
      window: option(spaceWindow),
    }),
  ],
})

/** Entry of a manifest. */
export interface SpaceEntry extends Infer<typeof spaceEntry> {}
export const spaceEntry = struct('SpaceEntry', {
  scope: scope_,
  effect: effect_,
  notes: option(string(NOTES_MAX_BYTES)),
})
export const spaceEntries: Schema<readonly SpaceEntry[]> = list(spaceEntry, ENTRIES_MAX)

export const revocationReason = string(REASON_MAX_BYTES)
