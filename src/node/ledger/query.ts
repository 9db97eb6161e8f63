/** Owns the answering of queries on the ledger thread, from committed state and stored blocks. */
import type { CodecContext } from '../../codec/index.js'
import type { Abi, QueryContext } from '../../executor/index.js'
import { blockOutcome, LedgerError } from '../../model/index.js'
import type { WorldState } from '../../state/index.js'
import type { BlockStore } from '../../storage/index.js'

/** What queries read. */
export interface QuerySources {
  readonly world: WorldState
  readonly blocks: BlockStore
  readonly abi: Abi
  readonly codec: CodecContext
}

function contextOf(sources: QuerySources): QueryContext {
  const { world, blocks, abi, codec } = sources
  return {
    reader: world.reader,
    height: world.height,
    codec,
    rows: (table, range) => world.rowRange(table, range),
    indexGet: (key) => world.indexGet(key),
    indexRange: (range) => world.indexRange(range),
    block: (height) => blocks.read(height),
    header: (height) => blocks.readHeader(height),
    certified: (height) => blocks.readCertificate(height),
    async outcome(height) {
      const bytes = await blocks.readOutcome(height)
      if (bytes === undefined) return undefined
      const decoded = blockOutcome.decode(bytes, codec)
      if (!decoded.ok) throw new Error(`results of block ${height} do not decode: ${decoded.fault.message}`)
      return decoded.value
    },
    parameters: abi.parameters,
    errorName: (code) => abi.errorNames.get(code),
  }
}

/** Answers a query in its canonical bytes; undefined: not found. */
export async function runQuery(
  sources: QuerySources,
  kind: string,
  input: Uint8Array,
): Promise<Uint8Array | undefined> {
  const def = sources.abi.queries.get(kind)
  if (def === undefined) throw new LedgerError('not_found', `there is no query ${kind}`)
  const decoded = def.input.decode(input, sources.codec)
  if (!decoded.ok) throw new LedgerError(decoded.fault.code, decoded.fault.message)
  const output = await def.run(contextOf(sources), decoded.value as never)
  return output === undefined ? undefined : def.output.encode(output as never, sources.codec)
}
