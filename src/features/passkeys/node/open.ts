/** Owns the start of passkeys on a node. */
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import type { RunningService, ServiceContext } from '../../service.js'
import type { PasskeyConfig } from './config.js'
import { passkeyHandlers } from './handlers.js'
import { Passkeys } from './passkeys.js'
import { PasskeyRecords } from './records.js'

export function openPasskeys(context: ServiceContext, config: PasskeyConfig): RunningService {
  const { services, integrations, operators, audit, logger } = context
  const { codec, addressPrefix } = services.info
  const { wallMs, monotonicMs } = SYSTEM_CLOCKS
  const passkeys = new Passkeys({
    config,
    records: new PasskeyRecords(integrations, codec),
    operators,
    audit,
    addressPrefix,
    wallMs,
    monotonicMs,
    onError: (error) => logger.error({ err: error }, 'cannot read a passkey'),
  })
  // In the fragment, so that no server and no Referer receives the ticket.
  const page = (ticket: string): string => `${config.origins[0]}/explorer/#/operator/${ticket}`
  return { handlers: passkeyHandlers(passkeys, { page, wallMs }) }
}
