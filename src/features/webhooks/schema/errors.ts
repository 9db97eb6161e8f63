/** Owns the error codes of webhooks. */
import { declareErrors, type ErrorDef, EXIT, row } from '../../../model/index.js'

export const errors = declareErrors({
  webhook_url_refused: row(
    422,
    EXIT.badInput,
    'The node does not call this URL.',
    'Give an https URL with a public host; the operator opens others with outbound.allow and outbound.allow_http.',
  ),
  webhook_limit: row(
    429,
    EXIT.rejected,
    'The node keeps no further webhook, of this account or at all.',
    'Remove one that is not needed: `causeway webhook list`.',
  ),
  webhook_dead_letters: row(
    409,
    EXIT.rejected,
    'The webhook keeps as many refused events as it may, so that it cannot be enabled.',
    'Deliver them again or forget them: `causeway webhook dead`.',
  ),
  webhook_sealed_lost: row(
    409,
    EXIT.failed,
    'The secret of the webhook was sealed under another network key of the node.',
    'Remove the webhook and add it anew.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
