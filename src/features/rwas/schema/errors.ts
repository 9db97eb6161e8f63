/** Owns the error codes of real-world assets. */
import { answered, declareErrors, type ErrorDef, EXIT, RWA_IDS } from '../../../model/index.js'

const BASE = RWA_IDS.first

export const errors = declareErrors({
  lots_only: answered(
    BASE,
    422,
    EXIT.rejected,
    'The definition is a class of real-world assets, whose value moves only in lots.',
    'Use the instructions on lots: `causeway rwa --help`.',
  ),
  control_off: answered(
    BASE + 1,
    422,
    EXIT.rejected,
    'The class does not have the power that the instruction requires, or its issuer cleared it.',
    '`causeway rwa class show` shows the powers of a class.',
  ),
  class_paused: answered(
    BASE + 2,
    422,
    EXIT.rejected,
    'The class is paused, so its lots do not move.',
    'Wait until its issuer resumes it.',
  ),
  lot_frozen: answered(
    BASE + 3,
    422,
    EXIT.rejected,
    'The lot is frozen: neither it nor a part of it can move.',
    'The issuer of its class can unfreeze it.',
  ),
  lot_held: answered(
    BASE + 4,
    422,
    EXIT.rejected,
    'The quantity exceeds the part of the lot that is not on hold, or the lot has the maximum number of holds.',
    '`causeway rwa show` shows the holds of a lot.',
  ),
  not_eligible: answered(
    BASE + 5,
    422,
    EXIT.rejected,
    'The account is not eligible to own lots of the class.',
    'Ask the issuer of the class to admit the account.',
  ),
  holder_limit: answered(
    BASE + 6,
    422,
    EXIT.rejected,
    'The class has the maximum number of holders of its terms.',
    'Transfer to an account that already holds lots of the class.',
  ),
  lot_mismatch: answered(
    BASE + 7,
    422,
    EXIT.rejected,
    'The lots have different classes, holders, grades or expiries, or a lot is named twice.',
    'Name each lot once, all of one class; merged lots must have the same holder, grade and expiry.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
