/** Owns protected namespaces: domains in which every deployment needs an approval of governance. */

import { sameBytes } from '../../../base/bytes.js'
import { hash } from '../../../crypto/index.js'
import {
  type Deployment,
  type ExecContext,
  type Execution,
  type Rejection,
  reject,
} from '../../../executor/contract.js'
import { countMember } from '../../../ledger/members.js'
import { domains } from '../../../ledger/tables.js'
import type { InstructionOf } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { ApproveDeployment, instructions } from '../schema/instructions.js'
import { APPROVAL_TTL_MAX_MS, APPROVALS_MAX } from '../schema/records.js'
import { foundedState, GOV_ACCOUNT, requireGovernance } from './account.js'
import { approvals, type NamespaceRow, namespaces } from './tables.js'

type Approved = Pick<Deployment, 'kind' | 'domain' | 'name' | 'digest'>

/** Id of the approval of a deployment. */
const approvalId = ({ kind, domain, name, digest }: Approved): Buffer =>
  hash('gov-approval', Buffer.from(kind), Buffer.from(domain), Buffer.from(name), digest)

/** Remove the protection of a domain with its approvals. */
function unprotect(ctx: ExecContext, domain: string): Rejection | undefined {
  const row = ctx.get(namespaces, domain)
  if (row === undefined) return reject('absent', `domain ${domain} is not protected`)
  for (const { id } of row.approvals) ctx.delete(approvals, id)
  ctx.delete(namespaces, domain)
  countMember(ctx, domain, -1)
  ctx.emit(events.govNamespaceSet, { domain, isProtected: false })
  return undefined
}

/** Protect a domain, which can then not be removed. */
function protect(ctx: ExecContext, domain: string): Rejection | undefined {
  if (!ctx.has(domains, domain)) return reject('absent', `domain ${domain} does not exist`)
  if (ctx.has(namespaces, domain)) return reject('exists', `domain ${domain} is already protected`)
  ctx.set(namespaces, domain, { approvals: [] })
  countMember(ctx, domain, 1)
  ctx.emit(events.govNamespaceSet, { domain, isProtected: true })
  return undefined
}

export const setProtectedNamespaces: Execution<InstructionOf<typeof instructions.setProtectedNamespaces>> = {
  cost: { base: 200, per: [{ teu: 40, item: 'domain', count: ({ add, remove }) => add.length + remove.length }] },
  execute(ctx, { add, remove }) {
    const state = foundedState(ctx)
    if ('code' in state) return state
    const denied = requireGovernance(ctx, 'protecting a domain')
    if (denied) return denied
    for (const domain of remove) {
      const failed = unprotect(ctx, domain)
      if (failed) return failed
    }
    for (const domain of add) {
      const failed = protect(ctx, domain)
      if (failed) return failed
    }
    return undefined
  },
}

/** Other approvals of a domain; expired ones are removed. */
function othersOf(ctx: ExecContext, row: NamespaceRow, id: Uint8Array): NamespaceRow['approvals'] {
  const others = row.approvals.filter((one) => !sameBytes(one.id, id))
  const expired = others.filter(({ expiresMs }) => expiresMs <= ctx.env.timeMs)
  for (const one of expired) ctx.delete(approvals, one.id)
  return others.filter((one) => !expired.includes(one))
}

export const approveDeployment: Execution<ApproveDeployment> = {
  cost: { base: 200 },
  primaryDomain: ({ domain }) => domain,
  execute(ctx, { kind, domain, name, digest, abiHash, ttlMs }) {
    const row = ctx.get(namespaces, domain)
    if (row === undefined) return reject('absent', `domain ${domain} is not protected`)
    const denied = requireGovernance(ctx, 'approving a deployment')
    if (denied) return denied
    if (ttlMs > APPROVAL_TTL_MAX_MS)
      return reject('bad_parameter', `an approval is valid for at most ${APPROVAL_TTL_MAX_MS} ms`)
    const id = approvalId({ kind, domain, name, digest })
    const others = othersOf(ctx, row, id)
    if (ttlMs === 0) {
      if (!ctx.has(approvals, id)) return reject('absent', 'the deployment is not approved')
      ctx.delete(approvals, id)
      ctx.set(namespaces, domain, { approvals: others })
      ctx.emit(events.govDeploymentApproved, { domain, kind, name, digest, abiHash, expiresMs: undefined })
      return undefined
    }
    if (others.length >= APPROVALS_MAX)
      return reject('bad_parameter', `a domain has at most ${APPROVALS_MAX} approvals`)
    const expiresMs = ctx.env.timeMs + ttlMs
    ctx.set(approvals, id, { domain, kind, name, digest, abiHash, expiresMs })
    ctx.set(namespaces, domain, { approvals: [...others, { id, expiresMs }] })
    ctx.emit(events.govDeploymentApproved, { domain, kind, name, digest, abiHash, expiresMs })
    return undefined
  },
}

/**
 * Deployment policy: a protected domain requires an approval, which the deployment consumes. Governance itself needs
 * none.
 */
export function namespaceGate(ctx: ExecContext, use: Deployment): Rejection | undefined {
  const { kind, domain, name, digest, abiHash } = use
  const row = ctx.env.genesis || ctx.authority === GOV_ACCOUNT ? undefined : ctx.get(namespaces, domain)
  if (row === undefined) return undefined
  const id = approvalId(use)
  const approval = ctx.get(approvals, id)
  if (approval === undefined || approval.expiresMs <= ctx.env.timeMs)
    return reject('namespace_protected', `domain ${domain} is protected, and governance did not approve this ${kind}`)
  if (approval.abiHash !== undefined && (abiHash === undefined || !sameBytes(approval.abiHash, abiHash)))
    return reject('namespace_protected', `governance approved another ABI of this ${kind}`)
  ctx.delete(approvals, id)
  ctx.set(namespaces, domain, { approvals: row.approvals.filter((one) => !sameBytes(one.id, id)) })
  ctx.emit(events.govApprovalUsed, { domain, kind, name, digest })
  return undefined
}
