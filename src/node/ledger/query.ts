/** Owns queries on the ledger thread, on committed state and stored blocks. */

import type { CodecContext, Json } from '../../codec/index.js'
import { parseJson } from '../../codec/json-text.js'
import {
  type Abi,
  chainInfo,
  EXECUTIONS,
  gateAt,
  type QueryContext,
  type QueryExecution,
  routeFactsOf,
  routesAt,
  SINGLETON_KEY,
  SYSTEM_TABLES,
  tryOut,
} from '../../executor/index.js'
import type { ProvenRecord } from '../../executor/reads.js'
import { assertInvariant, LedgerError } from '../../model/index.js'
import { type HeightState, rowKey, type TableDef, type WorldState } from '../../state/index.js'
import type { BlockStore } from '../../storage/index.js'
import { outcomeAt, resultsAt } from './history.js'

/** State for queries: the current state of the ledger, or the state at one height. */
export type QueryState = Pick<HeightState, 'reader' | 'height' | 'overlay' | 'rowRange' | 'indexGet' | 'indexRange'>

/** Stored blocks and proofs for queries. */
export type QueryRecords = Pick<
  QueryContext,
  'block' | 'heightOf' | 'header' | 'certified' | 'outcome' | 'results' | 'firstHeight' | 'prove'
>

/** Data sources of queries. */
export interface QuerySources {
  readonly state: QueryState
  readonly records: QueryRecords
  readonly abi: Abi
  readonly codec: CodecContext
}

/** Data sources of a ledger: its last state, and every stored block. */
export const ledgerSources = (world: WorldState, blocks: BlockStore, abi: Abi, codec: CodecContext): QuerySources => ({
  state: world,
  abi,
  codec,
  records: {
    block: (height) => blocks.read(height),
    heightOf: (hash) => blocks.heightOf(hash),
    header: (height) => blocks.readHeader(height),
    certified: (height) => blocks.readCertificate(height),
    outcome: (height) => outcomeAt(blocks, height, codec),
    results: (height) => resultsAt(blocks, height),
    firstHeight: blocks.firstHeight,
    prove: (table, key) => proveRow(world, abi, codec, table, key),
  },
})

function contextOf({ state, records, abi, codec }: QuerySources): QueryContext {
  const { reader, height } = state
  return {
    ...records,
    reader,
    height,
    codec,
    rows: (table, range) => state.rowRange(table, range),
    indexGet: (key) => state.indexGet(key),
    indexRange: (range) => state.indexRange(range),
    parameters: abi.parameters,
    permissions: abi.permissions,
    get gate() {
      return gateAt(abi.policies, reader, height + 1)
    },
    get routes() {
      return routesAt(abi.policies, reader, height + 1)
    },
    async tryOut(authority, work, grants) {
      const header = await records.header(height)
      const overlay = state.overlay()
      const next = height + 1
      const gate = gateAt(abi.policies, overlay, next, grants)
      const chain = overlay.get(chainInfo, SINGLETON_KEY)?.chain ?? ''
      const env = { height: next, timeMs: header?.timeMs ?? 0, genesis: false, chain, gate }
      return tryOut(EXECUTIONS.trial, abi, env, overlay, authority, work)
    },
    election: abi.policies.election,
    aliasLabels: abi.policies.aliasLabels,
    denyList: abi.policies.denyList,
    errorName: (code) => abi.errorNames.get(code),
    supersededBy: (rejected) => abi.instructions.get(rejected.kind)?.supersededBy?.(reader, rejected.value),
    routeFactsOf: (payload) => routeFactsOf(abi, payload),
  }
}

/** Table key of a text: its JSON form, or the text itself if keys are texts. */
function keyOfText(table: TableDef<unknown, unknown>, text: string, codec: CodecContext): unknown {
  for (const read of [() => text, () => parseJson(text) as Json]) {
    try {
      const decoded = table.key.fromJson(read(), codec)
      if (decoded.ok) return decoded.value
    } catch {
      // A text that is not JSON can only be a text key.
    }
  }
  return undefined
}

function proveRow(
  world: WorldState,
  abi: Abi,
  codec: CodecContext,
  name: string,
  text: string,
): ProvenRecord | undefined {
  const tables = [...SYSTEM_TABLES, ...abi.features.flatMap((feature) => feature.tables)]
  const table = tables.find((one) => one.name === name) as TableDef<unknown, unknown> | undefined
  if (table === undefined) throw new LedgerError('not_found', `table: unknown table ${name}`)
  const key = keyOfText(table, text, codec)
  if (key === undefined) throw new LedgerError('validation_failed', `key: not a key of the table ${name}`)
  const { bytes, proof, height } = world.prove(rowKey(table, key))
  return { height, tableId: table.id, key: table.key.encode(key, codec), value: bytes, proof }
}

/** Result of a query in canonical bytes; undefined: not found. */
export async function runQuery(
  row: QueryExecution,
  sources: QuerySources,
  kind: string,
  input: Uint8Array,
): Promise<Uint8Array | undefined> {
  const def = sources.abi.queries.get(kind)
  if (def === undefined) throw new LedgerError('not_found', `unknown query ${kind}`)
  assertInvariant((row === EXECUTIONS.trialQuery) === (def.isTrial === true), `${kind} is answered on its own thread`)
  const decoded = def.input.decode(input, sources.codec)
  if (!decoded.ok) throw new LedgerError(decoded.fault.code, decoded.fault.message)
  const output = await def.run(contextOf(sources), decoded.value as never)
  return output === undefined ? undefined : def.output.encode(output as never, sources.codec)
}
