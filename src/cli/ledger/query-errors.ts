/** Owns error hints of failed queries: the closest query, its input, and the use of lists. */
import { LedgerError } from '../../model/errors.js'

/** True for the error of a list query without its page parameters. */
const wantsPage = (error: unknown): boolean =>
  error instanceof LedgerError && error.code === 'missing_field' && error.message.includes('limit')

/**
 * Error for a permission, `Name` or `Name:object`, whose holders the ledger does not list: it has no permission of this
 * name with such an object. Any other error is returned unchanged.
 */
export function permissionError(error: unknown, text: string): unknown {
  if (!(error instanceof LedgerError) || error.code !== 'not_found') return error
  const or = text.includes(':') ? 'or its object does not' : 'or it requires an object'
  return new LedgerError('not_found', `permission ${text} does not exist, ${or}`, {
    hint: 'causeway account permissions ACCOUNT lists those of an account; docs/reference/instructions.md lists all, with their objects.',
  })
}

/** Error with a suggestion: the query of a close name, or the missing input. */
async function explained(error: unknown, kind: string): Promise<unknown> {
  if (!(error instanceof LedgerError)) return error
  const { FEATURE_SCHEMAS } = await import('../../features/composed.js')
  const { nearest } = await import('../../model/suggest.js')
  const kinds = FEATURE_SCHEMAS.flatMap(({ queries }) => Object.values(queries).map((one) => one.kind))
  const { code, message, details } = error
  if (code === 'query_unknown') {
    const near = nearest(kind, kinds)
    return near === undefined ? error : new LedgerError(code, message, { hint: `causeway query ${near}`, details })
  }
  if (code !== 'missing_field') return error
  const plural = kinds.includes(`${kind}s`) ? `, or all of them: causeway query ${kind}s` : ''
  return new LedgerError(code, message, {
    hint: `Give the input as JSON: causeway query ${kind} '{...}'${plural}`,
    details,
  })
}

/** Undefined for a list query, whose items are then requested; throws otherwise. */
export const listOrThrow =
  (kind: string) =>
  async (error: unknown): Promise<undefined> => {
    if (!wantsPage(error)) throw await explained(error, kind)
  }
