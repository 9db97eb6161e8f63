/** Owns calls of the JSON-RPC bridge from the command line. */

import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { isErrorCode, LedgerError } from '../../model/errors.js'
import { table } from '../terminal/output.js'
import { getView, optionalView, routePath, textOf, type View, viewOf, viewsOf } from './gateway.js'

/** Result with its text form. */
interface Shown {
  readonly value: Json
  readonly text: string
}

/** Methods served by a node. */
export async function listMethods(client: CausewayClient): Promise<Shown> {
  const value = await getView(client, ({ rpc }) => rpc.methods)
  const rows = viewsOf(value.methods).map(({ method, about }) => [textOf(method) ?? '', textOf(about) ?? ''])
  return { value: value as Json, text: table(['METHOD', `PROFILE ${textOf(value.profile)}`], rows) }
}

/** Call one method; throws the error of its route. */
export async function callRpc(client: CausewayClient, method: string, params: Json): Promise<Shown> {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const given = await client.json('POST', await routePath(({ rpc }) => rpc.call), {
    body,
    contentType: 'application/json',
  })
  const answer: View = isJsonObject(given) ? given : {}
  if (answer.jsonrpc !== '2.0' || (answer.error === undefined && answer.result === undefined)) {
    throw new LedgerError('not_a_gateway', 'the response is not a JSON-RPC 2.0 response')
  }
  if (answer.error !== undefined) {
    const { message, data } = viewOf(answer.error)
    const { code, hint, details } = viewOf(data)
    const known = textOf(code) ?? ''
    throw new LedgerError(isErrorCode(known) ? known : 'validation_failed', textOf(message) ?? '', {
      hint: typeof hint === 'string' ? hint : undefined,
      details: optionalView(details),
    })
  }
  const result = answer.result as Json
  return { value: result, text: JSON.stringify(result, null, 2) }
}
