/**
 * Owns routing policies on the command line: the text form of rules, and the next policy from the latest decided one.
 */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import { instructions } from '../../features/lanes/schema/instructions.js'
import { type Instruction, LedgerError } from '../../model/index.js'
import { type View, viewOf } from '../gateway/gateway.js'
import type { Drafting } from '../ledger/command.js'
import { usageError } from '../terminal/failure.js'
import type { ReadInstruction } from '../transaction/submit.js'
import { dataspaceOf, laneOf } from './lane.js'

/** Routing policy without its version. */
export interface PolicyDraft {
  readonly default_lane: Json
  readonly rules: readonly Json[]
}

/** Policy of a catalogue without its version, for editing. */
export function draftOfPolicy(catalogue: View): PolicyDraft {
  const policy = viewOf(catalogue.policy)
  return { default_lane: policy.default_lane ?? 0, rules: isJsonList(policy.rules) ? policy.rules : [] }
}

/** Instruction that sets a policy; its version is the version in the catalogue plus one. */
export function setPolicy(read: ReadInstruction, latest: View, draft: PolicyDraft): Instruction {
  const { version } = viewOf(latest.policy)
  return read(instructions.setRoutingPolicy, { policy: { version: Number(version ?? 0) + 1, ...draft } })
}

/**
 * Policy in a file: `default_lane` and `rules`, as printed by `lane policy show --json`; a version in it is ignored.
 */
export function policyOfFile(json: Json, name: string): PolicyDraft {
  const given = viewOf(json)
  if (!isJsonList(given.rules) || given.default_lane === undefined) {
    throw new LedgerError('bad_value', `${name} is not a policy: expected {"default_lane": 0, "rules": [...]}`, {
      hint: '`causeway lane policy show --json` prints the current policy.',
    })
  }
  // An omitted field is no condition.
  const rules = given.rules.map((rule) =>
    isJsonObject(rule) ? { scope: null, account: null, instruction: null, ...rule } : rule,
  )
  return { default_lane: given.default_lane, rules }
}

/** Flags of one rule. */
export const ruleFlags = {
  lane: Flags.string({ description: 'lane of matching transactions', required: true }),
  dataspace: Flags.string({ description: 'only transactions of this dataspace, by its number' }),
  account: Flags.string({ description: 'only of this account, by address or alias, or of a domain as *@domain' }),
  instruction: Flags.string({ description: 'only with this label, subject or verb, such as asset::transfer' }),
}

/** Rule of the command line. */
export async function ruleOf(
  flags: {
    readonly lane: string
    readonly dataspace?: string | undefined
    readonly account?: string | undefined
    readonly instruction?: string | undefined
  },
  { account }: Pick<Drafting, 'account'>,
): Promise<Json> {
  const accountText = flags.account
  const matcher = accountText?.startsWith('*@') === true ? { Domain: accountText.slice(2) } : undefined
  return {
    lane: laneOf(flags.lane),
    scope: flags.dataspace === undefined ? null : dataspaceOf(flags.dataspace, '--dataspace'),
    account: accountText === undefined ? null : (matcher ?? { Account: await account(accountText) }),
    instruction: flags.instruction ?? null,
  }
}

/** Position among rules, from 0 to `last`. Throws `usage`. */
export function placeAmong(rules: readonly Json[], text: string, extra: 0 | 1): number {
  const place = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (!(place < rules.length + extra)) {
    throw usageError(`unknown rule ${text}: the policy has ${rules.length} rules, counted from 0`)
  }
  return place
}
