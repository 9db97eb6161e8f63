/** Owns makers of core instructions for tests, and the small world that most of them start from. */
import type { Abi } from '../../src/executor/index.js'
import {
  type AccountId,
  type AssetId,
  type DataEvent,
  type Instruction,
  type Metadata,
  type MultisigPolicy,
  multisigAccount,
  NO_METADATA,
  sortedPolicy,
  type TriggerFilter,
} from '../../src/model/index.js'
import { accountNamed, Bench } from './executor.js'

export const owner = accountNamed('owner')
export const alice = accountNamed('alice')
export const bob = accountNamed('bob')
export const agent = accountNamed('agent')
export const stranger = accountNamed('stranger')
export const USD = 'usd#bank'
export const ART = 'art$bank'

export const units = (mantissa: bigint, scale = 0) => ({ mantissa, scale })
export const balance = (account: AccountId, definition = USD): AssetId => ({ definition, account })

export const registerDomain = (id: string): Instruction => ({
  kind: 'registerDomain',
  value: { id, dataspace: undefined, metadata: NO_METADATA },
})
export const registerAccount = (id: AccountId, label?: string, domain = 'bank'): Instruction => ({
  kind: 'registerAccount',
  value: { id, domain, label, metadata: NO_METADATA },
})
export const registerDefinition = (
  id: string,
  mintable: unknown = { kind: 'infinitely', value: undefined },
): Instruction => ({
  kind: 'registerAssetDefinition',
  value: { id, scale: 2, mintable, metadata: NO_METADATA },
})
export const mint = (account: AccountId, amount: bigint, definition = USD): Instruction => ({
  kind: 'mint',
  value: { asset: balance(account, definition), amount: units(amount) },
})
export const burn = (account: AccountId, amount: bigint, definition = USD): Instruction => ({
  kind: 'burn',
  value: { asset: balance(account, definition), amount: units(amount) },
})
const payment = (from: AccountId, to: AccountId, amount: bigint, definition = USD) => ({
  asset: balance(from, definition),
  to,
  amount: units(amount),
})
export const transfer = (from: AccountId, to: AccountId, amount: bigint, definition = USD): Instruction => ({
  kind: 'transfer',
  value: payment(from, to, amount, definition),
})
export const batch = (...transfers: readonly (readonly [AccountId, AccountId, bigint])[]): Instruction => ({
  kind: 'transferBatch',
  value: { transfers: transfers.map(([from, to, amount]) => payment(from, to, amount)) },
})
export const registerNft = (id: string, content: Metadata = NO_METADATA): Instruction => ({
  kind: 'registerNft',
  value: { id, content },
})
export const passOn = (kind: 'domain' | 'definition' | 'nft', value: string, to: AccountId): Instruction => ({
  kind: 'transferOwnership',
  value: { object: { kind, value }, to },
})
export const setKey = (target: unknown, key: string, value: unknown): Instruction => ({
  kind: 'setKeyValue',
  value: { target, key, value },
})
export const removeKey = (target: unknown, key: string): Instruction => ({
  kind: 'removeKeyValue',
  value: { target, key },
})
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
): Instruction => ({
  kind: 'registerRole',
  value: { id, permissions: permissions.map(([name, object]) => ({ name, object })), managers },
})
export const log = (text: string): Instruction => ({ kind: 'log', value: { level: 'info', text } })

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
): Instruction => ({
  kind: 'registerTrigger',
  value: { id, authority, filter, instructions, repeats, metadata: NO_METADATA },
})
export const callTrigger = (id: string): Instruction => ({ kind: 'executeTrigger', value: { id, args: null } })
export const changeRepeats = (id: string, repeats: number | undefined, enabled = true): Instruction => ({
  kind: 'changeRepeats',
  value: { id, repeats, enabled },
})
export const unregister = (kind: string, id: string): Instruction => ({ kind: `unregister${kind}`, value: { id } })

export const policyOf = (
  members: readonly (readonly [AccountId, number])[],
  quorum: number,
  ttlMs = 10_000,
): MultisigPolicy => sortedPolicy({ members: members.map(([account, weight]) => ({ account, weight })), quorum, ttlMs })
export const registerMultisig = (policy: MultisigPolicy, domain = 'bank', label?: string): Instruction => ({
  kind: 'registerMultisig',
  value: { policy, target: { kind: 'create', value: { domain, label, metadata: NO_METADATA } } },
})
export const replacePolicy = (account: AccountId, policy: MultisigPolicy): Instruction => ({
  kind: 'registerMultisig',
  value: { policy, target: { kind: 'replace', value: account } },
})
export const propose = (account: AccountId, ...instructions: readonly Instruction[]): Instruction => ({
  kind: 'propose',
  value: { account, instructions, ttlMs: undefined },
})
export const approve = (account: AccountId, proposal: Uint8Array): Instruction => ({
  kind: 'approve',
  value: { account, proposal },
})
export const cancel = (account: AccountId, proposal: Uint8Array): Instruction => ({
  kind: 'cancel',
  value: { account, proposal },
})
/** Proposal that the last event of its kind names. */
export function lastProposal(events: readonly DataEvent[]): Uint8Array {
  const found = events.findLast((event) => event.kind === 'proposalCreated')
  if (found === undefined) throw new Error('nothing was proposed')
  return (found.value as { proposal: Uint8Array }).proposal
}

/** Alice and Bob together. */
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
    registerAccount(stranger),
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
