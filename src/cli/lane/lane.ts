/** Owns shared parts of the lane commands: the catalogue as text, lane changes as instructions. */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { instructions } from '../../features/lanes/schema/instructions.js'
import type { Instruction } from '../../model/index.js'
import {
  askGateway,
  optionalView,
  postView,
  textOf,
  textsOf,
  type View,
  viewOf,
  viewsOf,
  withGateway,
} from '../gateway/gateway.js'
import { assetFlag } from '../input/texts.js'
import type { Settings } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { pairs, table } from '../terminal/output.js'
import { resolveAccount } from '../transaction/resolve.js'
import type { ReadInstruction } from '../transaction/submit.js'

/** Lane number of the command line. */
export function laneOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw usageError(`${text} is not a lane: a lane has a number from 0 to 999`)
  return Number(text)
}

/** Height of the command line. */
export function heightOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw usageError(`${text} is not a height`)
  return Number(text)
}

/** Hash of the command line in canonical form. */
export function hashOf(text: string, flag: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw usageError(`${flag}: expected 64 hex digits`)
  return text.toLowerCase()
}

/** Number of a dataspace in its JSON form. */
export function dataspaceOf(text: string, name = 'dataspace'): string {
  if (!/^\d{1,20}$/.test(text)) throw usageError(`${name} ${text}: a dataspace has a number`)
  return text
}

/** Catalogue in the response of the node. */
export const lifecycleOf = (settings: Settings): Promise<View> => askGateway(settings, ({ lanes }) => lanes.lifecycle)

/** Lanes with their dataspaces, one per line. */
export function lanesText(catalogue: View): string {
  const aliases = new Map(viewsOf(catalogue.dataspaces).map((one) => [textOf(one.id), textOf(one.alias)]))
  const rows = viewsOf(catalogue.lanes).map((one) => [
    textOf(one.id) ?? '',
    textOf(one.alias) ?? '',
    `${textOf(one.dataspace)} ${aliases.get(textOf(one.dataspace)) ?? ''}`.trim(),
    textOf(one.state)?.toLowerCase() ?? '',
    one.teu_capacity === 0 ? 'none' : (textOf(one.teu_capacity) ?? ''),
    textsOf(one.settlement).join(' ') || '-',
  ])
  return table(['LANE', 'ALIAS', 'DATASPACE', 'STATE', 'CAPACITY', 'SETTLES'], rows)
}

const accountText = (matcher: View | undefined): string | undefined =>
  matcher === undefined ? undefined : (textOf(matcher.Account) ?? `*@${textOf(matcher.Domain)}`)

/** Conditions and lane of a rule in one line. */
export function ruleText(rule: View): string {
  const scope = textOf(rule.scope)
  const account = accountText(optionalView(rule.account))
  const instruction = textOf(rule.instruction)
  const conditions = [
    scope === undefined ? undefined : `dataspace ${scope}`,
    account === undefined ? undefined : `account ${account}`,
    instruction === undefined ? undefined : `instruction ${instruction}`,
  ].filter((one) => one !== undefined)
  return `${conditions.join(', ') || 'everything'} -> lane ${textOf(rule.lane)}`
}

/** Text of the policy, with its rules in order. */
export function policyText(catalogue: View): string {
  const policy = viewOf(catalogue.policy)
  const rules = viewsOf(policy.rules).map((rule, place) => [`rule ${place}`, ruleText(rule)] as const)
  return pairs([
    ['policy', `version ${textOf(policy.version)}`],
    ...rules,
    ['default', `lane ${textOf(policy.default_lane)}`],
  ])
}

/** Flags of a new lane. */
export const laneFlags = {
  alias: Flags.string({ description: 'name of the lane, used for its files', required: true }),
  dataspace: Flags.string({ description: 'number of its dataspace', default: '0' }),
  capacity: Flags.integer({ description: 'execution units of one block; 0: unlimited', default: 0, min: 0 }),
  settles: assetFlag({ description: 'definition name#domain that settles here, or *', multiple: true }),
  restricted: Flags.boolean({ description: 'show load and settlements to operators only' }),
  storage: Flags.option({
    options: ['full-replica', 'commitment-only', 'split-replica'] as const,
    description: 'storage profile; recorded only, every node stores the whole lane',
    default: 'full-replica' as const,
  })(),
}

/** Instruction that changes lanes. */
export const updateLanes = (
  read: ReadInstruction,
  change: {
    readonly add?: readonly Json[]
    readonly retire?: readonly number[]
    readonly relabel?: readonly Json[]
  },
): Instruction =>
  read(instructions.updateLanes, {
    add: change.add ?? [],
    retire: change.retire ?? [],
    relabel: change.relabel ?? [],
  })

/** Route of instructions for an account, from the node. */
export const explainRoute = (
  settings: Settings,
  question: {
    readonly authority: string
    readonly instructions: readonly Json[]
    readonly dataspace?: string | undefined
  },
): Promise<View> =>
  withGateway(settings, async (client) => {
    const authority = await resolveAccount(client, question.authority)
    const { dataspace } = question
    const record = { ...question, authority, dataspace: dataspace ?? null }
    return await postView(client, ({ lanes }) => lanes.route, record)
  })
