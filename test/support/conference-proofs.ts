/**
 * Owns a call with members for tests of conference proofs: everything is derived from seeds, so that vectors can be
 * generated.
 */
import { sha512 } from '@noble/hashes/sha2.js'
import {
  admissionKey,
  type Claim,
  type Member,
  memberKey,
  memberOf,
  nullifierOf,
  proveListedJoin,
  proveRoster,
  proveSignal,
  proveUsage,
  type Statement,
  usageBlinding,
  usageCommitment,
} from '../../src/crypto/circuits/conference/index.js'

/** 32 bytes derived from a text. */
export const bytesOf = (text: string): Buffer => Buffer.from(sha512(Buffer.from(text)).subarray(0, 32))

export const PLACE = { chain: 'test-chain', call: 'meet:daily' } as const
export const SUBMITTER = Buffer.concat([Buffer.of(1, 0), bytesOf('carol')])
/** Wallet key of a name. */
export const keyOf = (name: string): Buffer => memberKey(bytesOf(name), 'ed25519')

export const shared = { ...PLACE, submitter: SUBMITTER, vkHash: bytesOf('vk'), rosterRoot: bytesOf('roster') } as const
const proving = (name: string) => ({ key: keyOf(name), chance: bytesOf(`chance ${name}`) })

/** Session of a member with the claim of its open join. */
export function openJoin(name: string, session = 0): Claim & { member: Member } {
  const member = memberOf(keyOf(name), PLACE, session)
  const nullifier = nullifierOf(member, PLACE, session)
  const statement: Statement = { ...shared, relation: 'openJoin', session, commitment: member.commitment, nullifier }
  return { member, statement, proof: proveRoster(statement, member, proving(name)) }
}

export function leave(name: string, session = 0): Claim {
  const member = memberOf(keyOf(name), PLACE, session)
  const nullifier = nullifierOf(member, PLACE, session + 1)
  const statement: Statement = { ...shared, relation: 'leave', session, commitment: member.commitment, nullifier }
  return { statement, proof: proveRoster(statement, member, proving(name)) }
}

/** Admission keys of `count` wallets; that of `member 3` is the fourth. */
export const listOf = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => admissionKey(keyOf(`member ${at}`), PLACE))

export function listedJoin(at: number, count: number, session = 0): Claim & { keys: Buffer[]; member: Member } {
  const name = `member ${at}`
  const keys = listOf(count)
  const member = memberOf(keyOf(name), PLACE, session)
  const statement: Statement = {
    ...shared,
    relation: 'listedJoin',
    session,
    admissionRoot: bytesOf(`list ${count}`),
    admissionCount: count,
    commitment: member.commitment,
    nullifier: nullifierOf(member, PLACE, session),
  }
  return { keys, member, statement, proof: proveListedJoin(statement, member, keys, proving(name)) }
}

export function usage(durationMs = 60_000n, billedGas = 5n, segment = 0): Claim {
  const rho = usageBlinding(keyOf('host'), PLACE, segment)
  const { chain, call, submitter, vkHash } = shared
  const statement: Statement = {
    relation: 'usage',
    chain,
    call,
    submitter,
    vkHash,
    durationMs,
    billedGas,
    segment,
    commitment: usageCommitment(durationMs, billedGas, rho),
  }
  return { statement, proof: proveUsage(statement, rho, proving('host')) }
}

export function signal(name: string, session = 0): Claim {
  const member = memberOf(keyOf(name), PLACE, session)
  const { rosterRoot: _, ...rest } = shared
  const statement: Statement = {
    ...rest,
    relation: 'signal',
    session,
    bodyHash: bytesOf('body'),
    commitment: member.commitment,
  }
  return { statement, proof: proveSignal(statement, member, proving(name)) }
}
