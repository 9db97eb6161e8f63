/** Owns the request for a row of the world state, proven against the pinned genesis hash. */
import { statusRoute } from '../api/index.js'
import { struct } from '../codec/index.js'
import { finalityRoute, stateProofRoute } from '../features/explorer/schema/routes.js'
import { KERNEL_TABLES } from '../ledger/ids.js'
import { type AccountId, accountId, domainId, LedgerError, name } from '../model/index.js'
import type { GatewayCalls } from './calls.js'
import { noProof, type ProvenRow, unproven, type Verifier } from './proven.js'

/** Row by its table and key; `key` is the JSON form of the key, or its text. */
export interface AskedRow {
  readonly table: string
  readonly key: string
  /** Number of the table, and canonical bytes of the key, which the proof must match. */
  readonly tableId: number
  readonly keyBytes: Uint8Array
  /** Proven statement, as used in errors: "that M-1 settled". */
  readonly what: string
}

/** Current row, or its absence. Throws `proof_invalid`, and `usage` without a pinned genesis hash. */
export async function provenRow(
  calls: Pick<GatewayCalls, 'record' | 'route'>,
  verifier: Verifier | undefined,
  row: AskedRow,
): Promise<ProvenRow> {
  if (verifier === undefined) throw new LedgerError('usage', 'proofs require a pinned genesis hash')
  const { table, key, what } = row
  const { blocks } = await calls.record(statusRoute)
  const { proof, from } = await verifier
    .ask(
      blocks,
      (below) => calls.route(stateProofRoute, { query: { table, key, from: below } }),
      (height, below) => calls.route(finalityRoute, { params: { height }, query: { from: below } }),
    )
    .catch(noProof(what))
  return verifier.row(proof, row, from)
}

/** Account of an alias and the proven height; undefined if its absence is proven. */
export interface ProvenAlias {
  readonly account: AccountId | undefined
  readonly height: number
}

/** Key of an alias in the state. */
const aliasKey = struct('Alias', { domain: domainId, label: name })

/** Account of an alias, by a request for its row. */
export async function provenAlias(
  rowOf: (row: AskedRow) => Promise<ProvenRow>,
  alias: { readonly domain: string; readonly label: string },
): Promise<ProvenAlias> {
  const what = `whose alias ${alias.label}@${alias.domain} is`
  const keyBytes = aliasKey.encode(alias)
  const tableId = KERNEL_TABLES.aliases
  const { value, height } = await rowOf({ table: 'aliases', key: JSON.stringify(alias), tableId, keyBytes, what })
  if (value === undefined) return { account: undefined, height }
  const account = accountId.decode(value)
  if (!account.ok) throw unproven(what, account.fault.message)
  return { account: account.value, height }
}
