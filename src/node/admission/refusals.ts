/** Owns the refusals of admission and of dry runs: their codes and texts. */
import { definedFields } from '../../base/defined-fields.js'
import type { Route, RouteFault } from '../../lanes/index.js'
import { type ErrorCode, isErrorCode } from '../../model/index.js'
import type { Refusal } from '../content/content.js'

export const ROUTE_TEXT: Readonly<Record<RouteFault, string>> = {
  unknown_lane: 'the lane of its route is not in the catalogue',
  unknown_dataspace: 'the dataspace of its route is not in the catalogue',
  lane_dataspace_mismatch: 'the lane of its route is bound to another dataspace',
  lane_retired: 'the lane of its route is retired',
  dataspace_not_permitted:
    'the authority may not use this dataspace: its domain belongs to another one and it lacks CanUseDataspace',
  no_scoped_rule: 'no rule of the policy matches the dataspace of the transaction',
  mixed_settlement: 'its settlements belong to different lanes: send them separately',
}

/** Admission error; `details`: its additional fields. */
export const refusal = (code: ErrorCode, message: string, details?: Refusal['details']): Refusal => ({
  ok: false,
  code,
  message,
  details,
})
export const stopping = (): Refusal => refusal('node_stopping', 'the node is stopping')

/** Refusal of a transaction without a route, with the stage that refused it; undefined if it has a route. */
export function routeRefusal(route: Route): Refusal | undefined {
  if (route.kind === 'routed') return undefined
  const { fault, stage, rule } = route.value
  const details = definedFields({ reason: fault, stage, rule })
  return { ok: false, code: 'queue_unresolved_route', message: ROUTE_TEXT[fault], details }
}

const QUEUE_TEXT: Readonly<Record<string, string>> = {
  queue_full: 'the queue is full',
  per_user_queue_limit: 'the authority has too many transactions, bytes or unverified proofs in the queue',
  already_enqueued: 'the transaction is already queued',
}

/** Error for invalid signatures, which have priority, or of the ledger check. */
export function refusalOf(
  result: { readonly code: string; readonly message: string } | undefined,
  holds: boolean,
): Refusal | undefined {
  if (result === undefined) return refusal('internal', 'the ledger returned no result')
  if (!holds) return refusal('signature_invalid', 'the signature is invalid')
  if (result.code === '') return undefined
  return refusal(isErrorCode(result.code) ? result.code : 'bad_value', result.message)
}

/** Error for a transaction that the queue does not accept. */
export const refused = (code: 'queue_full' | 'per_user_queue_limit' | 'already_enqueued'): Refusal =>
  refusal(code, QUEUE_TEXT[code] ?? code)
