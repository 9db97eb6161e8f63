/** Owns the error codes of passkeys. */
import { declareErrors, type ErrorDef, EXIT, row } from '../../../model/index.js'

export const errors = declareErrors({
  passkey_refused: row(
    401,
    EXIT.notAuthorised,
    'The passkey, or the ticket for a new one, is not accepted here.',
    'Begin again; a ticket counts once and for ten minutes: `causeway operator passkey add`.',
  ),
  passkey_locked: row(
    429,
    EXIT.notAuthorised,
    'Too many attempts with passkeys came from this address.',
    'Wait a quarter of an hour, or sign with the operator key: it is never locked.',
  ),
  passkey_limit: row(
    429,
    EXIT.rejected,
    'The node keeps no further passkey or ticket.',
    'Remove one that is not needed: `causeway operator passkey list`.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
