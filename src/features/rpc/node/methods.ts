/** Owns which routes are methods of a profile. */
import type { AnyRoute } from '../../../api/route.js'
import { rpcMethodsRoute, rpcRoute } from '../schema/routes.js'
import { RPC_PROFILES, type RpcProfile } from './config.js'

const OWN: ReadonlySet<string> = new Set([rpcRoute.id, rpcMethodsRoute.id])

/** The least profile that serves a route. */
const profileOf = ({ method, access, safe, drafts }: AnyRoute): RpcProfile => {
  if (access === 'operator') return 'operator'
  if (method === 'GET' || safe === true) return 'read_only'
  return drafts === true ? 'draft' : 'submit'
}

/** Which of the rows that can be called are methods of a profile. */
export const methodsOf = (rows: readonly AnyRoute[], profile: RpcProfile): AnyRoute[] =>
  rows.filter((row) => !OWN.has(row.id) && RPC_PROFILES.indexOf(profileOf(row)) <= RPC_PROFILES.indexOf(profile))
