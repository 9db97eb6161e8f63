/** Owns a ledger with calls, members and relays for tests: short forms of instructions, members that prove. */

import {
  admissionKey,
  conferenceKeyBlob,
  type Member,
  memberOf,
  nullifierOf,
  proveListedJoin,
  proveRoster,
  proveSignal,
  proveUsage,
  ROSTER_CIRCUIT,
  type Statement,
  USAGE_CIRCUIT,
  usageBlinding,
  usageCommitment,
} from '../../src/crypto/circuits/conference/index.js'
import { setParameterNow } from '../../src/executor/parameters.js'
import { ABI_2 } from '../../src/features/abi.js'
import { admissions, calls, rosters } from '../../src/features/conference/ledger/tables.js'
import { signalHash } from '../../src/features/conference/schema/hashes.js'
import { instructions as conference } from '../../src/features/conference/schema/instructions.js'
import { CONFERENCE_ROSTER_VK, CONFERENCE_USAGE_VK } from '../../src/features/conference/schema/parameters.js'
import type { Call } from '../../src/features/conference/schema/records.js'
import { instructions as domains } from '../../src/features/domains/schema.js'
import { instructions as zk } from '../../src/features/zk/schema.js'
import type { InstructionOf } from '../../src/model/definition.js'
import { type AccountId, instruction, keyBytes, keyCommitment, NO_METADATA } from '../../src/model/index.js'
import { keyOf } from './conference-proofs.js'
import { accountNamed, Bench } from './executor.js'

export const CHAIN = 'test'
export const [alice, bob, carol, dave, mallory] = ['alice', 'bob', 'carol', 'dave', 'mallory'].map(accountNamed) as [
  AccountId,
  AccountId,
  AccountId,
  AccountId,
  AccountId,
]
export const CALL = 'meet:daily'
export const PLACE = { chain: CHAIN, call: CALL }
const BACKEND = 'sigma-ristretto255'

export const KEYS = { roster: conferenceKeyBlob(ROSTER_CIRCUIT), usage: conferenceKeyBlob(USAGE_CIRCUIT) }
export const VK = { roster: keyCommitment(KEYS.roster), usage: keyCommitment(KEYS.usage) }

export const registerKey = (name: 'roster' | 'usage', more: object = {}) =>
  instruction(zk.registerVerifyingKey, {
    backend: BACKEND,
    name,
    circuitId: name === 'roster' ? ROSTER_CIRCUIT : USAGE_CIRCUIT,
    blob: KEYS[name],
    status: 'active',
    activationHeight: undefined,
    withdrawHeight: undefined,
    ...more,
  })

/** Ledger with the domain `meet` of alice, and the verifying keys unless disabled. */
export function conferenceBench({ keys = true }: { readonly keys?: boolean } = {}): Bench {
  const bench = new Bench(undefined, ABI_2)
  bench.timeMs = 1_000
  const accounts = [alice, bob, carol, dave, mallory].map((id) => ({
    kind: 'registerAccount',
    value: { id, label: undefined, domain: 'meet', metadata: NO_METADATA },
  }))
  bench.genesis(alice, instruction(domains.registerDomain, { id: 'meet', dataspace: undefined, metadata: NO_METADATA }))
  bench.genesis(alice, ...accounts)
  if (keys) {
    bench.genesis(alice, registerKey('roster'), registerKey('usage'))
    configure(bench)
  }
  return bench
}

/** Set the parameters to the keys. */
export function configure(bench: Bench): void {
  for (const [def, name] of [
    [CONFERENCE_ROSTER_VK, 'roster'],
    [CONFERENCE_USAGE_VK, 'usage'],
  ] as const) {
    setParameterNow(bench.state, def.name, def.schema.encode({ backend: BACKEND, name }))
  }
}

export const create = (more: object = {}) =>
  instruction(conference.createConference, {
    domain: 'meet',
    name: 'daily',
    title: undefined,
    description: undefined,
    maxParticipants: undefined,
    gasRatePerMinute: 0n,
    metadata: NO_METADATA,
    scheduledStartMs: undefined,
    billingAccount: undefined,
    privacyMode: 'transparent',
    roomPolicy: 'authenticated',
    admission: undefined,
    admissionKeys: [],
    relayManifest: undefined,
    ...more,
  })
export const privately = (more: object = {}) => create({ privacyMode: 'zkRosterV1', ...more })

const NOTHING = { commitment: undefined, nullifier: undefined, rosterRoot: undefined, proof: undefined }
export const join = (more: object = {}) =>
  instruction(conference.joinConference, {
    call: CALL,
    participant: undefined,
    session: undefined,
    admissionRoot: undefined,
    ...NOTHING,
    ...more,
  })
export const leave = (more: object = {}) =>
  instruction(conference.leaveConference, { call: CALL, participant: undefined, ...NOTHING, ...more })
export const use = (durationMs: bigint, billedGas = 0n, more: object = {}) =>
  instruction(conference.recordConferenceUsage, {
    call: CALL,
    durationMs,
    billedGas,
    usageCommitment: undefined,
    proof: undefined,
    ...more,
  })
export const end = (endedAtMs?: number) => instruction(conference.endConference, { call: CALL, endedAtMs })
export const admit = (keys: readonly Uint8Array[]) =>
  instruction(conference.admitConferenceMembers, { call: CALL, keys })
export const sendSignal = (body: string, more: object = {}) =>
  instruction(conference.postConferenceSignal, {
    call: CALL,
    kind: 'sdp',
    body: Buffer.from(body),
    commitment: undefined,
    proof: undefined,
    ...more,
  })
export const hop = (relayId: AccountId, more: object = {}) => ({
  relayId,
  hpkePublicKey: Buffer.alloc(32, 7),
  weight: 1,
  ...more,
})
export const registerRelay = (relayId: AccountId, more: object = {}) =>
  instruction(conference.registerConferenceRelay, {
    relayId,
    domain: 'meet',
    hpkePublicKey: Buffer.alloc(32, 7),
    bandwidthClass: 1,
    ...more,
  })
type Manifest = NonNullable<InstructionOf<typeof conference.setConferenceRelayManifest>['relayManifest']>
export const setManifest = (hops: Manifest['hops'] | undefined, expiryMs = 9_000) =>
  instruction(conference.setConferenceRelayManifest, { call: CALL, relayManifest: hops && { hops, expiryMs } })
export const report = (relayId: AccountId, more: object = {}) =>
  instruction(conference.reportConferenceRelayHealth, {
    call: CALL,
    relayId,
    status: 'healthy',
    reportedAtMs: 1_000,
    notes: undefined,
    ...more,
  })

export const callOf = (bench: Bench): Call => {
  const call = bench.state.get(calls, CALL)
  if (call === undefined) throw new Error('no call')
  return call
}
export const keyFor = (name: string): Buffer => admissionKey(keyOf(name), PLACE)

const chance = Buffer.alloc(32, 1)

/** Private join of a member, proven for a submitter against the current ledger. */
export function privateJoin(
  bench: Bench,
  name: string,
  submitter: AccountId,
  session = 0,
  change: Partial<Statement> = {},
) {
  const call = callOf(bench)
  const member: Member = memberOf(keyOf(name), PLACE, session)
  const keys = bench.state.get(admissions, CALL) ?? []
  const isListed = call.admission === 'listed'
  const statement: Statement = {
    relation: isListed ? 'listedJoin' : 'openJoin',
    ...PLACE,
    submitter: keyBytes(submitter),
    vkHash: VK.roster,
    rosterRoot: call.rosterRoot,
    ...(isListed ? { admissionRoot: call.admissionRoot, admissionCount: keys.length } : {}),
    session,
    commitment: member.commitment,
    nullifier: nullifierOf(member, PLACE, session),
    ...change,
  }
  const proving = { key: keyOf(name), chance }
  const proof = isListed ? proveListedJoin(statement, member, keys, proving) : proveRoster(statement, member, proving)
  const { commitment, nullifier, rosterRoot, admissionRoot } = statement
  return join({ commitment, nullifier, session, rosterRoot, admissionRoot, proof: { vkHash: VK.roster, bytes: proof } })
}

export function privateLeave(bench: Bench, name: string, submitter: AccountId, session = 0) {
  const { rosterRoot } = callOf(bench)
  const member = memberOf(keyOf(name), PLACE, session)
  const nullifier = nullifierOf(member, PLACE, session + 1)
  const { commitment } = member
  const statement: Statement = {
    relation: 'leave',
    ...PLACE,
    submitter: keyBytes(submitter),
    vkHash: VK.roster,
    rosterRoot,
    session,
    commitment,
    nullifier,
  }
  const bytes = proveRoster(statement, member, { key: keyOf(name), chance })
  return leave({ commitment, nullifier, rosterRoot, proof: { vkHash: VK.roster, bytes } })
}

export function privateUse(bench: Bench, durationMs: bigint, billedGas: bigint, change: object = {}) {
  const segment = callOf(bench).segments
  const rho = usageBlinding(keyOf('alice'), PLACE, segment)
  const commitment = usageCommitment(durationMs, billedGas, rho)
  const submitter = keyBytes(alice)
  const statement: Statement = {
    relation: 'usage',
    ...PLACE,
    submitter,
    vkHash: VK.usage,
    durationMs,
    billedGas,
    segment,
    commitment,
  }
  const bytes = proveUsage(statement, rho, { key: keyOf('alice'), chance })
  return use(durationMs, billedGas, { usageCommitment: commitment, proof: { vkHash: VK.usage, bytes }, ...change })
}

export function privateSignal(name: string, submitter: AccountId, body: string, session = 0, change: object = {}) {
  const member = memberOf(keyOf(name), PLACE, session)
  const { commitment } = member
  const statement: Statement = {
    relation: 'signal',
    ...PLACE,
    submitter: keyBytes(submitter),
    vkHash: VK.roster,
    session,
    bodyHash: signalHash('sdp', Buffer.from(body)),
    commitment,
  }
  const bytes = proveSignal(statement, member, { key: keyOf(name), chance })
  return sendSignal(body, { commitment, proof: { vkHash: VK.roster, bytes }, ...change })
}

export const seatsOf = (bench: Bench): number => bench.state.get(rosters, CALL)?.length ?? 0
