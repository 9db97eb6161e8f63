/**
 * Owns the verification of proofs of names: the rows of a name and its parents under a final block, and the versions
 * down to an earlier height. Only the genesis hash is trusted.
 */
import type { CryptoService } from '../crypto/index.js'
import {
  NAME_TABLES,
  type NameRow,
  nameRow,
  type StoredVersion,
  versionHash,
} from '../features/names/schema/records.js'
import { type NameProof, nameProof, type ProvenName } from '../features/names/schema/views.js'
import { KERNEL_TABLES } from '../ledger/ids.js'
import {
  type AccountId,
  accountId,
  type BlockHeader,
  type NameId,
  type NameStanding,
  nameKeyBytes,
  nameStanding,
  nameText,
  parentOf,
  parseAlias,
  resolves,
} from '../model/index.js'
import { verifyStateProof } from '../state/proof.js'
import { verifyFinality } from './proofs.js'

export { type NameProof, nameProof }

/** Proven state of a name at a height. */
export interface ProvenNameState {
  readonly name: string
  readonly height: number
  /** Header time of the height. */
  readonly timeMs: number
  readonly header: BlockHeader
  /** Absent if the name did not exist. */
  readonly standing: NameStanding | undefined
  /** Account that the name resolved to; absent also in quarantine, and for an open name. */
  readonly account: AccountId | undefined
  /** Absent also for a label of release 0.1.0. */
  readonly row: NameRow | undefined
}

/** Result of a verification: the state of the name, or the fault. */
export type NameProofResult =
  | { readonly ok: true; readonly state: ProvenNameState }
  | { readonly ok: false; readonly code: 'proof_invalid' | 'history_incomplete'; readonly fault: string }

const bad = (fault: string): NameProofResult => ({ ok: false, code: 'proof_invalid', fault })
const incomplete = (name: string): NameProofResult => ({
  ok: false,
  code: 'history_incomplete',
  fault: `the versions of ${name} in the proof do not reach the height`,
})

/** Version of a name with proven account and row. */
interface Version {
  readonly row: NameRow | undefined
  readonly account: AccountId | undefined
}

/** Rows of one name under a state root, or the fault as a text. */
function provenVersion(stateRoot: Uint8Array, name: NameId, { alias, row }: ProvenName): Version | string {
  const key = nameKeyBytes(name)
  const isUnder = (table: number, { value, proof }: ProvenName['alias']): boolean =>
    verifyStateProof(stateRoot, Buffer.concat([Buffer.of(table >> 8, table & 0xff), key]), value, proof)
  if (!isUnder(KERNEL_TABLES.aliases, alias)) return `the alias row of ${nameText(name)} is not under the state root`
  if (!isUnder(NAME_TABLES.names, row)) return `the name row of ${nameText(name)} is not under the state root`
  const account = alias.value === undefined ? undefined : accountId.decode(alias.value)
  const decoded = row.value === undefined ? undefined : nameRow.decode(row.value)
  if (account?.ok === false || decoded?.ok === false) return `a row of ${nameText(name)} does not decode`
  return { account: account?.value, row: decoded?.value }
}

/** Versions from the newest down; a fault text if a version does not match the version that its successor names. */
function versionChain(newest: Version, stored: readonly StoredVersion[]): readonly Version[] | string {
  const chain = [newest]
  for (const { row, account } of stored) {
    const { previous } = chain.at(-1)?.row ?? {}
    if (previous === undefined || !versionHash(row, account).equals(previous))
      return 'a version is not the one that the next version names'
    const decoded = nameRow.decode(row)
    if (!decoded.ok) return 'a version does not decode'
    chain.push({ row: decoded.value, account })
  }
  return chain
}

/** The version after the block of a height; undefined if the chain does not reach it. */
const versionAt = (chain: readonly Version[], height: number): Version | undefined =>
  chain.find(({ row }) => row !== undefined && row.changedHeight <= height)

/** Headers for a proof: the header of its block, and the header of the requested height. */
export interface NameProofHeaders {
  readonly head: BlockHeader
  readonly asked: BlockHeader
}

/** Verify the rows and versions of a proof under final headers. */
export function verifyNameRows(
  { names, at }: Pick<NameProof, 'names' | 'at'>,
  { head, asked }: NameProofHeaders,
): NameProofResult {
  const known = new Map<string, Version>()
  const first = parseAlias(names[0]?.name ?? '')
  let expected = first
  for (const one of names) {
    if (expected === undefined || one.name !== nameText(expected)) return bad('the names do not follow each other')
    const newest = provenVersion(head.stateRoot, expected, one)
    if (typeof newest === 'string') return bad(newest)
    const chain = versionChain(newest, one.versions)
    if (typeof chain === 'string') return bad(chain)
    if (at === undefined && chain.length > 1) return bad('the proof has unrequested versions')
    const version = at === undefined ? newest : versionAt(chain, at)
    if (version === undefined) return incomplete(one.name)
    known.set(one.name, version)
    // A name has one kind as long as its versions are chained, except that an open lease can become a label.
    expected = newest.row?.kind === 'sub' ? parentOf(expected) : undefined
  }
  if (first === undefined || expected !== undefined) return bad('a name above the name is missing')
  const rows = {
    row: (name: NameId) => known.get(nameText(name))?.row,
    account: (name: NameId) => known.get(nameText(name))?.account,
  }
  const { height, timeMs } = asked
  const standing = nameStanding(rows, first, timeMs)
  const account = resolves(standing) ? rows.account(first) : undefined
  const state = { name: nameText(first), height, timeMs, header: asked, standing, account, row: rows.row(first) }
  return { ok: true, state }
}

/** Verify a proof of a name against the genesis hash. */
export async function verifyNameProof(
  proof: NameProof,
  genesisHash: Uint8Array,
  crypto: CryptoService,
): Promise<NameProofResult> {
  const final = await verifyFinality(proof.finality, genesisHash, crypto)
  if (!final.ok) return bad(final.fault)
  const head = final.block.header
  if (head.height !== proof.height) return bad('the height of the block differs from the proof')
  const { at, atFinality } = proof
  if (at === undefined && atFinality === undefined) return verifyNameRows(proof, { head, asked: head })
  if (at === undefined || atFinality === undefined) return bad('a height and its finality do not belong together')
  const earlier = await verifyFinality(atFinality, genesisHash, crypto)
  if (!earlier.ok) return bad(earlier.fault)
  const asked = earlier.block.header
  if (asked.height !== at || at >= proof.height) return bad('the height of the earlier block differs from the proof')
  return verifyNameRows(proof, { head, asked })
}
