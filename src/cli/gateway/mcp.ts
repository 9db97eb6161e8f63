/** Owns the Model Context Protocol on standard input and output: the tools of a node, backed by its routes. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Dispatch, isCallable } from '../../api/dispatch.js'
import { parameterFields, parameterPairs } from '../../api/parameters.js'
import { type CausewayClient, pathOf } from '../../client/index.js'
import { allRoutes } from '../../client/route-of.js'
import { mcpServer } from '../../features/rpc/mcp/server.js'
import { LedgerError } from '../../model/errors.js'

/** Dispatch interface over a client of the node. */
export function dispatchOver(client: CausewayClient): Dispatch {
  const rows = allRoutes().filter(isCallable)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    rows,
    async call(id, { body, ...named }) {
      const row = byId.get(id)
      if (row === undefined) return new LedgerError('route_not_found', `${id} is not a route`)
      const inPath = new Set(row.params === undefined ? [] : parameterFields(row.params).map(({ name }) => name))
      const texts = parameterPairs(named, (name) => inPath.has(name))
      const [params, query] = [Object.fromEntries(texts.path), Object.fromEntries(texts.query)]
      const sent =
        body === undefined ? undefined : { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }
      try {
        const missing = [...inPath].find((name) => params[name] === undefined)
        if (missing !== undefined) return new LedgerError('validation_failed', `${missing}: missing`)
        const answer = await client.json(row.method, pathOf(row, { params, query }), sent)
        return { status: row.success ?? 200, text: JSON.stringify(answer) }
      } catch (error) {
        if (error instanceof LedgerError) return error
        throw error
      }
    },
  }
}

/** Serve until standard input ends. */
export async function serveMcp(client: CausewayClient, version: string): Promise<void> {
  const dispatch = dispatchOver(client)
  const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve))
  const handle = serveStdio(() => mcpServer(dispatch, version))
  await ended
  await handle.close()
}
