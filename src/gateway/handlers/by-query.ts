/**
 * Owns handlers of routes served by a query: the route defines the query, and the error if the query returns nothing.
 */

import { answerHistory, answerPage } from '../../api/answers.js'
import type { AnyHandler } from '../../api/handler.js'
import type { AnyRoute } from '../../api/route.js'
import type { NodeServices } from '../../api/services.js'
import { LedgerError } from '../../model/index.js'

export function queryHandler(answer: NonNullable<AnyRoute['answer']>): AnyHandler<NodeServices> {
  if ('history' in answer) return ({ services, query }) => answerHistory(services, answer.history, query)
  if ('list' in answer) {
    const { list, more, absent } = answer
    return (request) => answerPage(request.services, list, request.query, more?.(request) ?? {}, absent?.(request))
  }
  return async (request) => {
    const value = await request.services.query(answer.def, answer.input(request))
    if (value !== undefined) return { value }
    if (answer.absent === undefined) throw new Error(`query ${answer.def.kind} returned nothing`)
    return new LedgerError('not_found', answer.absent(request))
  }
}
