/**
 * Owns the processing of the Status of a peer at our height: its certificates can advance this node, and its position
 * determines whether it needs ours.
 */
import type { ValidatorKey } from '../model/index.js'
import { certificateKey, checkCertifiedHeader, checkTimeoutCertificate, timeoutCertificateKey } from './certificate.js'
import { onCertified } from './certified.js'
import type { SignatureCheck } from './check.js'
import { domainOf } from './height.js'
import type { Status } from './messages/index.js'
import { highView, isVerified, type StepContext, sendStatus } from './step-context.js'
import { onTimeoutCertificate } from './timeout.js'

/** Signature checks of the certificates in a Status; a text if one is malformed. */
export function checkStatus(
  ctx: StepContext,
  status: Status,
): string | { readonly checks: SignatureCheck[]; readonly certificates: string[] } {
  const { state } = ctx
  const { committee } = state.context
  const domain = domainOf(state.context)
  const checks: SignatureCheck[] = []
  const certificates: string[] = []
  for (const [certified, phase] of [
    [status.commit, 'commit'],
    [status.highPrepare, 'prepare'],
  ] as const) {
    if (certified === undefined) continue
    if (certified.certificate.phase !== phase) return `${phase} certificate of another phase`
    const check = checkCertifiedHeader(certified, committee, domain)
    if ('fault' in check) return `${phase} certificate: ${check.fault}`
    const key = certificateKey(certified.certificate)
    if (!isVerified(ctx, key)) checks.push(...check.checks)
    certificates.push(key)
  }
  if (status.entry !== undefined) {
    const check = checkTimeoutCertificate(status.entry, committee, domain)
    if ('fault' in check) return `timeout certificate: ${check.fault}`
    const key = timeoutCertificateKey(status.entry)
    if (!isVerified(ctx, key)) checks.push(...check.checks)
    certificates.push(key)
  }
  return { checks, certificates }
}

/** Process a Status with valid certificates. */
export function onStatus(ctx: StepContext, from: ValidatorKey, status: Status): void {
  if (status.commit !== undefined) onCertified(ctx, status.commit, { own: false })
  if (status.entry !== undefined) onTimeoutCertificate(ctx, status.entry)
  if (status.highPrepare !== undefined) onCertified(ctx, status.highPrepare, { own: false })
  const { state } = ctx
  const behind = status.view < state.view || highView(status.highPrepare) < highView(state.highPrepare)
  if (behind || (state.decided !== undefined && status.commit === undefined)) sendStatus(ctx, from)
}
