/** Owns a private call on a test chain: keys in genesis, instructions with proofs, created without a ledger. */

import {
  admissionKey,
  conferenceKeyBlob,
  memberOf,
  nullifierOf,
  proveListedJoin,
  proveRoster,
  proveUsage,
  ROSTER_CIRCUIT,
  type Statement,
  USAGE_CIRCUIT,
  usageBlinding,
  usageCommitment,
} from '../../src/crypto/circuits/conference/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { admissionRootOf, rosterRootOf } from '../../src/features/conference/schema/hashes.js'
import { instructions as conference } from '../../src/features/conference/schema/instructions.js'
import { CONFERENCE_ROSTER_VK, CONFERENCE_USAGE_VK } from '../../src/features/conference/schema/parameters.js'
import { type AccountId, type Instruction, instruction, keyBytes, keyCommitment } from '../../src/model/index.js'
import { CHAIN } from './chain.js'
import { join, leave, privately, registerKey, use } from './conference.js'
import { keyOf } from './conference-proofs.js'

export const CALL = 'bank:daily'
export const PLACE = { chain: CHAIN, call: CALL }
export const codec2 = ABI_2.codec('cw')

const vkHash = keyCommitment(conferenceKeyBlob(ROSTER_CIRCUIT))
const usageVkHash = keyCommitment(conferenceKeyBlob(USAGE_CIRCUIT))
const proving = (name: string) => ({ key: keyOf(name), chance: Buffer.alloc(32, 1) })

/** Instructions and parameters of a genesis whose network verifies proofs. */
export const VERIFYING_KEYS: readonly Instruction[] = [registerKey('roster'), registerKey('usage')]
const named = (name: string) => ({ backend: 'sigma-ristretto255', name })
export const KEY_PARAMETERS: ReadonlyMap<string, Uint8Array> = new Map([
  [CONFERENCE_ROSTER_VK.name, CONFERENCE_ROSTER_VK.schema.encode(named('roster'))],
  [CONFERENCE_USAGE_VK.name, CONFERENCE_USAGE_VK.schema.encode(named('usage'))],
])

/** Admission keys of a number of members, `member 0` first. */
export const keysOf = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => admissionKey(keyOf(`member ${at}`), PLACE))

/** Creation of the call: open, or with this list. */
export const createCall = (keys: readonly Uint8Array[] = [], more: object = {}): Instruction =>
  privately({ domain: 'bank', admission: keys.length > 0 ? 'listed' : 'open', admissionKeys: keys, ...more })

/** Commitment of a member in a session. */
export const commitmentOf = (name: string, session = 0): Buffer => memberOf(keyOf(name), PLACE, session).commitment

/**
 * Join; `roster`: seated commitments, `keys`: the list of a listed call. `change`: changes of the statement against the
 * ledger's.
 */
export function joinOf(
  name: string,
  submitter: AccountId,
  { roster = [], keys, change = {} }: { roster?: Buffer[]; keys?: Buffer[]; change?: Partial<Statement> } = {},
): Instruction {
  const member = memberOf(keyOf(name), PLACE, 0)
  const rosterRoot = rosterRootOf(roster)
  const listed = keys && { admissionRoot: admissionRootOf(keys), admissionCount: keys.length }
  const nullifier = nullifierOf(member, PLACE, 0)
  const { commitment } = member
  const statement: Statement = {
    relation: keys === undefined ? 'openJoin' : 'listedJoin',
    ...PLACE,
    submitter: keyBytes(submitter),
    vkHash,
    rosterRoot,
    ...listed,
    session: 0,
    commitment,
    nullifier,
    ...change,
  }
  const bytes =
    keys === undefined
      ? proveRoster(statement, member, proving(name))
      : proveListedJoin(statement, member, keys, proving(name))
  const { admissionRoot } = statement
  return join({
    call: CALL,
    commitment,
    nullifier,
    session: 0,
    rosterRoot,
    admissionRoot,
    proof: { vkHash, bytes },
  }) as Instruction
}

/** Join whose proof is for another call. */
export const falseJoin = (name: string, submitter: AccountId, roster: Buffer[] = []): Instruction =>
  joinOf(name, submitter, { roster, change: { call: 'bank:other' } })

export function leaveOf(name: string, submitter: AccountId, roster: Buffer[]): Instruction {
  const member = memberOf(keyOf(name), PLACE, 0)
  const nullifier = nullifierOf(member, PLACE, 1)
  const rosterRoot = rosterRootOf(roster)
  const { commitment } = member
  const statement: Statement = {
    relation: 'leave',
    ...PLACE,
    submitter: keyBytes(submitter),
    vkHash,
    rosterRoot,
    session: 0,
    commitment,
    nullifier,
  }
  const bytes = proveRoster(statement, member, proving(name))
  return leave({ call: CALL, commitment, nullifier, rosterRoot, proof: { vkHash, bytes } }) as Instruction
}

/** Usage of a segment. */
export function usageOf(host: AccountId, segment: number): Instruction {
  const rho = usageBlinding(keyOf('host'), PLACE, segment)
  const [durationMs, billedGas] = [60_000n, 0n]
  const commitment = usageCommitment(durationMs, billedGas, rho)
  const statement: Statement = {
    relation: 'usage',
    ...PLACE,
    submitter: keyBytes(host),
    vkHash: usageVkHash,
    durationMs,
    billedGas,
    segment,
    commitment,
  }
  const bytes = proveUsage(statement, rho, proving('host'))
  const value = use(durationMs, billedGas, { usageCommitment: commitment, proof: { vkHash: usageVkHash, bytes } }).value
  return instruction(conference.recordConferenceUsage, { ...value, call: CALL })
}
