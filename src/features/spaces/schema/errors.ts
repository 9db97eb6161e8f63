/** Owns the error codes of manifests. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { SPACE_IDS } from './records.js'

export const errors = declareErrors({
  bad_manifest: answered(
    SPACE_IDS.first,
    422,
    EXIT.rejected,
    'The manifest has no entries, an inconsistent entry or period, or is for the universal dataspace.',
    'The message names the entry. An amount requires a definition and a window, a window requires an amount.',
  ),
  manifest_live: answered(
    SPACE_IDS.first + 1,
    422,
    EXIT.rejected,
    'The manifest has not expired.',
    'Its operator can revoke it: `causeway space revoke`. `causeway space show` shows when it expires.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
