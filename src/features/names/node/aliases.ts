/** Owns the handlers of routes that resolve aliases. */
import type { Wanted } from '../../../api/alias-ids.js'
import { answerPage } from '../../../api/answers.js'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { type CanonicalTexts, canonicalTexts } from '../../../api/user-text.js'
import { LedgerError, parseAliasText } from '../../../model/index.js'
import { queries as assets } from '../../assets/schema/queries.js'
// Declares `bad_name`.
import '../../domains/schema.js'
import { type AliasAnswer, type AliasState, aliasQueries, aliasRoutes, type BatchedAlias } from '../schema/aliases.js'

/** Canonical forms of a text, or the reason why it cannot be an alias. The reason never quotes the text. */
async function formsOf(text: string): Promise<CanonicalTexts | LedgerError> {
  const texts = await canonicalTexts(text)
  if ('code' in texts) return new LedgerError(texts.code, texts.message)
  return parseAliasText(texts[0]) === undefined
    ? new LedgerError('bad_name', 'an alias is written path@domain, iban:IBAN or ccy:CODE')
    : texts
}

/** Response for an alias from the states of its forms; the first form that resolves decides. */
function answerOf(
  alias: string,
  states: readonly (AliasState | undefined)[],
  height: number,
  want?: Wanted,
): AliasAnswer | LedgerError {
  const found = states.find(
    (state) =>
      (want !== 'asset' && state?.accountId !== undefined) ||
      (want !== 'account' && state?.assetDefinitionId !== undefined),
  )
  if (found !== undefined) {
    const { text: canonical, ...state } = found
    return { alias, canonical, ...state, height }
  }
  const standing = states.find((state) => state !== undefined)?.standing
  return new LedgerError('alias_unknown', 'the alias does not resolve at present', {
    details: standing === undefined ? undefined : { standing },
  })
}

/** Resolve aliases in one query; faults and responses are in the order of the texts. */
async function resolveAll(
  services: NodeServices,
  texts: readonly string[],
  want?: Wanted,
): Promise<{ readonly answers: readonly (AliasAnswer | LedgerError)[]; readonly height: number }> {
  const forms = await Promise.all(texts.map(formsOf))
  const asked = forms.flatMap((one) => (one instanceof LedgerError ? [] : one.filter((form) => form !== undefined)))
  const found = await services.query(aliasQueries.aliases, { texts: asked })
  const states = new Map(asked.map((text, at) => [text, found?.items[at]]))
  const height = found?.height ?? services.height()
  const answers = forms.map((one, at) =>
    one instanceof LedgerError
      ? one
      : answerOf(
          texts[at] ?? '',
          one.map((text) => states.get(text ?? '')),
          height,
          want,
        ),
  )
  return { answers, height }
}

async function resolveOne(services: NodeServices, text: string, want?: Wanted) {
  const { answers } = await resolveAll(services, [text], want)
  const [answer] = answers
  if (answer === undefined) throw new Error('an alias has no answer')
  return answer instanceof LedgerError ? answer : { value: answer }
}

function batched(alias: string, answer: AliasAnswer | LedgerError): BatchedAlias {
  if (!(answer instanceof LedgerError)) return { alias, answer, error: undefined }
  const { code, message, details } = answer
  const standing = details?.['standing'] as AliasState['standing'] | undefined
  return { alias, answer: undefined, error: { code, message, standing } }
}

async function resolveAsset(services: NodeServices, alias: string) {
  const resolved = await resolveOne(services, alias, 'asset')
  if (resolved instanceof LedgerError) return resolved
  const { canonical, assetDefinitionId, height } = resolved.value
  const view = assetDefinitionId && (await services.query(assets.assetDefinition, { id: assetDefinitionId }))
  if (!view) return new LedgerError('alias_unknown', 'the alias does not resolve at present')
  const { id, name: assetName, ownedBy, scale } = view
  return { value: { alias, canonical, assetDefinitionId: id, assetName, ownedBy, scale, height } }
}

/** Handlers by route id. */
export const aliasHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(aliasRoutes.aliasResolve, ({ services, body }) => resolveOne(services, body.alias, body.want)),
  handle(aliasRoutes.alias, ({ services, params }) => resolveOne(services, params.alias)),
  handle(aliasRoutes.aliasBatch, async ({ services, body: { aliases } }) => {
    const { answers, height } = await resolveAll(services, aliases)
    return { value: { items: answers.map((answer, at) => batched(aliases[at] ?? '', answer)), height } }
  }),
  handle(aliasRoutes.assetAliasResolve, ({ services, body }) => resolveAsset(services, body.alias)),
  handle(aliasRoutes.aliasesByAccount, ({ services, query, accounts: { id }, caller }) =>
    answerPage(services, aliasQueries.accountAliases, query, { account: id, isOwner: caller.account === id ? 1 : 0 }),
  ),
])
