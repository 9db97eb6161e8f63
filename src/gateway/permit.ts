/** Owns authorisation of callers per route: telemetry profile and access (docs/design/gateway.md 9 and 12). */
import { type AnyRoute, type Caller, profileServes } from '../api/index.js'
import { LedgerError } from '../model/index.js'
import type { GatewayConfig } from './config.js'

/**
 * Caller for the handler, or the reason why it may not use the route. The signature of an operator is sufficient for
 * any profile.
 */
export function permit(
  row: AnyRoute,
  caller: Caller,
  config: Pick<GatewayConfig, 'telemetryProfile' | 'anonymousAccount'>,
): Caller | LedgerError {
  const { telemetryProfile, anonymousAccount } = config
  if (!profileServes(telemetryProfile, row.profile) && !caller.operator) {
    return new LedgerError(
      'telemetry_profile_restricted',
      `the telemetry profile ${telemetryProfile} does not serve this route`,
    )
  }
  switch (row.access) {
    case 'public':
      return caller
    case 'operator':
      if (caller.operator) return caller
      return caller.kind === 'anonymous'
        ? new LedgerError('unauthorised', 'this route requires a request signed by an operator key')
        : new LedgerError('forbidden', 'the signer is not an operator of this node')
    case 'account':
      if (caller.account !== undefined) return caller
      if (caller.kind === 'token') return new LedgerError('forbidden', 'the API token is not bound to an account')
      return anonymousAccount === undefined
        ? new LedgerError('unauthorised', 'this route requires a signed request or an API token')
        : { ...caller, account: anonymousAccount }
  }
}
