/** Owns the error codes of notifications. */
import { declareErrors, type ErrorDef, EXIT, row } from '../../../model/index.js'

export const errors = declareErrors({
  notify_device_refused: row(
    422,
    EXIT.badInput,
    'The node does not send to this device.',
    'Give the subscription as the browser made it; fcm and apns need notify.upstream_url at the node.',
  ),
  notify_limit: row(
    429,
    EXIT.rejected,
    'The node keeps no further device, of this account or at all.',
    'Remove one that is not needed: `causeway notify devices`.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
