/** Owns the error codes of names; 1400 is unused, because `bad_name` belongs to domains. */
import { answered, declareErrors, type ErrorDef, EXIT, row } from '../../../model/index.js'
import { NAME_IDS } from './records.js'

const BASE = NAME_IDS.first
const refused = (at: number, means: string, hint: string) => answered(BASE + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  alias_unknown: row(
    404,
    EXIT.badInput,
    'The alias does not resolve at present.',
    'Check its spelling; `causeway alias resolve` shows the standing of a name.',
  ),
  name_not_leased: refused(
    1,
    'The name is not leased, or its domain leases no names.',
    'Names of a domain in mode assigned are given by its owner: `causeway name policy show DOMAIN`.',
  ),
  bad_commitment: refused(
    2,
    'The account has no commitment to this registration that is between 5 seconds and 24 hours old.',
    '`causeway name register NAME --years N` commits, waits and registers; `--resume` continues after an interruption.',
  ),
  name_taken: refused(
    3,
    'The name is already registered.',
    '`causeway name show NAME` shows its owner and when it becomes free.',
  ),
  name_reserved: refused(
    4,
    'The label is reserved for another account.',
    'Choose another label, or ask the owner of the domain to assign it: `causeway name reserve`.',
  ),
  name_confusable: refused(
    5,
    'The name looks like a name of another owner in the domain, or too many labels look like it.',
    'Choose a label that differs in more than hyphens and the pairs 0 and o, 1 and l, rn and m, vv and w.',
  ),
  name_limit: refused(
    6,
    'The limit of names, subnames or open commitments is reached.',
    'Release or prune names, or wait until a commitment is 24 hours old; `causeway name policy show` shows the limit.',
  ),
  price_changed: refused(
    7,
    'The price of the name is higher than the highest price that was accepted, or in another asset.',
    '`causeway name check NAME` shows the price.',
  ),
  bad_term: refused(
    8,
    'The term is outside of its bounds.',
    'Leases have 1 to 5 years and end at most 10 years ahead; a subname ends in the future; see the limits of policies.',
  ),
  name_not_live: refused(
    9,
    'The name has expired and is in quarantine, or is open.',
    'Its former owner can renew it in quarantine; an open name can be registered again.',
  ),
  bad_record: refused(
    10,
    'A record has an unknown key, a key twice, an invalid value, or an asset definition that does not exist.',
    'Keys are asset, and text: followed by 1 to 32 characters of a-z 0-9 . -',
  ),
  record_limit: refused(11, 'A name has at most 32 records of 4 KiB together.', 'Remove records first.'),
  history_incomplete: row(
    404,
    EXIT.checkFailed,
    'The versions of a name do not reach the requested height.',
    'Ask a node that stores all blocks, or for a later height; at most 256 versions fit into a proof.',
  ),
  alias_moved: refused(
    12,
    'An alias of the transaction does not resolve to the asserted account or asset definition any more.',
    'Resolve it again and check the recipient before you pay; `causeway name history NAME` shows its accounts.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
