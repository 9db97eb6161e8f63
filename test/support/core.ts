/** Owns builders of core instructions for tests, and the small world that most of them start from. */

import type { Json } from '../../src/codec/index.js'
import type { Abi } from '../../src/executor/index.js'
import { instructions as accounts } from '../../src/features/accounts/schema.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import { instructions as explorer } from '../../src/features/explorer/schema/log.js'
import { instructions as metadata } from '../../src/features/metadata/schema.js'
import { instructions as multisig } from '../../src/features/multisig/schema.js'
import { instructions as nfts } from '../../src/features/nfts/schema.js'
import { instructions as permissionInstructions } from '../../src/features/permissions/schema.js'
import { instructions as triggers } from '../../src/features/triggers/schema.js'
import {
  type AccountId,
  type AssetId,
  type DataEvent,
  type Instruction,
  instruction,
  type Metadata,
  type Mintable,
  type MultisigPolicy,
  multisigAccount,
  NO_METADATA,
  sortedPolicy,
  type Target,
  type TriggerFilter,
} from '../../src/model/index.js'
import { accountNamed, Bench } from './executor.js'

export const owner = accountNamed('owner')
export const alice = accountNamed('alice')
export const bob = accountNamed('bob')
export const agent = accountNamed('agent')
export const outsider = accountNamed('stranger')
export const USD = 'usd#bank'
export const ART = 'art$bank'

export const units = (mantissa: bigint, scale = 0) => ({ mantissa, scale })
export const balance = (account: AccountId, definition = USD): AssetId => ({ definition, account })

export const registerDomain = (id: string): Instruction =>
  instruction(domains.registerDomain, { id, dataspace: undefined, metadata: NO_METADATA })
export const registerAccount = (id: AccountId, label?: string, domain = 'bank'): Instruction =>
  instruction(accounts.registerAccount, { id, domain, label, metadata: NO_METADATA })
export const registerDefinition = (
  id: string,
  mintable: Mintable = { kind: 'infinitely', value: undefined },
): Instruction => instruction(assets.registerAssetDefinition, { id, scale: 2, mintable, metadata: NO_METADATA })
export const mint = (account: AccountId, amount: bigint, definition = USD): Instruction =>
  instruction(assets.mint, { asset: balance(account, definition), amount: units(amount) })
export const burn = (account: AccountId, amount: bigint, definition = USD): Instruction =>
  instruction(assets.burn, { asset: balance(account, definition), amount: units(amount) })
const payment = (from: AccountId, to: AccountId, amount: bigint, definition = USD) => ({
  asset: balance(from, definition),
  to,
  amount: units(amount),
})
export const transfer = (from: AccountId, to: AccountId, amount: bigint, definition = USD): Instruction =>
  instruction(assets.transfer, payment(from, to, amount, definition))
export const batch = (...transfers: readonly (readonly [AccountId, AccountId, bigint])[]): Instruction =>
  instruction(assets.transferBatch, { transfers: transfers.map(([from, to, amount]) => payment(from, to, amount)) })
export const registerNft = (id: string, content: Metadata = NO_METADATA): Instruction =>
  instruction(nfts.registerNft, { id, content })
export const passOn = (kind: 'domain' | 'definition' | 'nft', value: string, to: AccountId): Instruction =>
  instruction(permissionInstructions.transferOwnership, { object: { kind, value }, to })
export const setKey = (target: Target, key: string, value: Json): Instruction =>
  instruction(metadata.setKeyValue, { target, key, value })
export const removeKey = (target: Target, key: string): Instruction =>
  instruction(metadata.removeKeyValue, { target, key })
type Verb = 'grant' | 'revoke'
export const permission = (verb: Verb, name: string, object: string | undefined, to: AccountId): Instruction => ({
  kind: verb,
  value: { subject: { kind: 'permission', value: { name, object } }, to: { kind: 'account', value: to } },
})
export const rolePermission = (verb: Verb, name: string, object: string | undefined, role: string): Instruction => ({
  kind: verb,
  value: { subject: { kind: 'permission', value: { name, object } }, to: { kind: 'role', value: role } },
})
export const roleOf = (verb: Verb, role: string, to: AccountId): Instruction => ({
  kind: verb,
  value: { subject: { kind: 'role', value: role }, to: { kind: 'account', value: to } },
})
export const registerRole = (
  id: string,
  permissions: readonly (readonly [name: string, object: string | undefined])[] = [],
  managers: readonly AccountId[] = [],
): Instruction =>
  instruction(permissionInstructions.registerRole, {
    id,
    permissions: permissions.map(([name, object]) => ({ name, object })),
    managers,
  })
export const log = (text: string): Instruction => instruction(explorer.log, { level: 'info', text })

export const BY_CALL: TriggerFilter = { kind: 'byCall', value: undefined }
export const every = (startMs: number, periodMs?: number): TriggerFilter => ({
  kind: 'time',
  value: { startMs, periodMs },
})
export const onData = (
  subject: string,
  scope: Extract<TriggerFilter, { kind: 'data' }>['value']['scope'] = { kind: 'any', value: undefined },
  events: readonly string[] = [],
): TriggerFilter => ({ kind: 'data', value: { subject, events, scope } })
export const registerTrigger = (
  id: string,
  authority: AccountId,
  filter: TriggerFilter,
  instructions: readonly Instruction[],
  repeats?: number,
): Instruction =>
  instruction(triggers.registerTrigger, { id, authority, filter, instructions, repeats, metadata: NO_METADATA })
export const callTrigger = (id: string): Instruction => instruction(triggers.executeTrigger, { id, args: null })
export const changeRepeats = (id: string, repeats: number | undefined, enabled = true): Instruction =>
  instruction(triggers.changeRepeats, { id, repeats, enabled })
export const unregister = (kind: string, id: string): Instruction => ({ kind: `unregister${kind}`, value: { id } })

export const policyOf = (
  members: readonly (readonly [AccountId, number])[],
  quorum: number,
  ttlMs = 10_000,
): MultisigPolicy => sortedPolicy({ members: members.map(([account, weight]) => ({ account, weight })), quorum, ttlMs })
export const registerMultisig = (policy: MultisigPolicy, domain = 'bank', label?: string): Instruction =>
  instruction(multisig.registerMultisig, {
    policy,
    target: { kind: 'create', value: { domain, label, metadata: NO_METADATA } },
  })
export const replacePolicy = (account: AccountId, policy: MultisigPolicy): Instruction =>
  instruction(multisig.registerMultisig, { policy, target: { kind: 'replace', value: account } })
export const propose = (account: AccountId, ...instructions: readonly Instruction[]): Instruction =>
  instruction(multisig.propose, { account, instructions, ttlMs: undefined })
export const approve = (account: AccountId, proposal: Uint8Array): Instruction =>
  instruction(multisig.approve, { account, proposal })
export const cancel = (account: AccountId, proposal: Uint8Array): Instruction =>
  instruction(multisig.cancel, { account, proposal })
/** Proposal in the last event of its kind. */
export function lastProposal(events: readonly DataEvent[]): Uint8Array {
  const found = events.findLast((event) => event.kind === 'proposalCreated')
  if (found === undefined) throw new Error('nothing was proposed')
  return (found.value as { proposal: Uint8Array }).proposal
}

/** Policy of Alice and Bob together. */
export const PAIR = policyOf(
  [
    [alice, 1],
    [bob, 1],
  ],
  2,
)
export const pair = multisigAccount(PAIR)

/**
 * `bank` with its owner, Alice (100 usd#bank), Bob, an agent and a stranger; `art$bank` is Alice's; `shop` is Alice's
 * domain; Alice and the owner may watch all events;
 * role `clerk` is managed by Bob; trigger `tick` is Alice's and logs when called; the pair of Alice and Bob.
 */
export function smallWorld(abi?: Abi): Bench {
  const bench = new Bench(undefined, abi)
  bench.genesis(
    owner,
    registerDomain('bank'),
    registerAccount(owner, 'owner'),
    registerAccount(alice, 'alice'),
    registerAccount(bob),
    registerAccount(agent),
    registerAccount(outsider),
    registerDefinition(USD),
    mint(alice, 100n),
    registerNft(ART, new Map([['by', 'alice']])),
    passOn('nft', ART, alice),
    registerRole('clerk', [], [bob]),
    registerTrigger('tick', alice, BY_CALL, [log('tick')]),
    registerMultisig(PAIR),
    permission('grant', 'CanWatchEvents', undefined, alice),
    permission('grant', 'CanWatchEvents', undefined, owner),
  )
  bench.genesis(alice, registerDomain('shop'))
  bench.events.length = 0
  return bench
}
