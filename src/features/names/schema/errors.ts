/** Owns the error codes of names; 1400 is unused, because `bad_name` belongs to domains. */
import { answered, declareErrors, type ErrorDef, EXIT, row } from '../../../model/index.js'
import { NAME_IDS } from './records.js'

const BASE = NAME_IDS.first
const refused = (at: number, means: string, hint: string) => answered(BASE + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  alias_unknown: row(
    404,
    EXIT.badInput,
    'The alias stands for nothing now.',
    'Check its spelling; `causeway alias resolve` shows the standing of a name.',
  ),
  alias_moved: refused(
    12,
    'An alias that the transaction was made with does not stand for this account or asset definition now.',
    'Resolve it again with `causeway alias resolve` and compare with what you meant before you pay.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
