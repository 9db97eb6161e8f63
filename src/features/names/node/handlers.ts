/** Owns the reads of one name, its proof, and the drafts of names. */
import { answerPage } from '../../../api/answers.js'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { PageParameters } from '../../../api/paging.js'
import type { NodeServices } from '../../../api/services.js'
import { canonicalTexts } from '../../../api/user-text.js'
import {
  type Instruction,
  instruction,
  LedgerError,
  type NameId,
  nameText,
  parseAlias,
  parseName,
} from '../../../model/index.js'
import '../../domains/schema.js'
import { answerDraft, type Drafting, draftOfBody } from '../../drafts.js'
import { queries as explorer } from '../../explorer/schema/queries.js'
import { instructions, type RegisterName, type RenewName } from '../schema/instructions.js'
import { COMMITMENT_MIN_MS } from '../schema/records.js'
import * as routes from '../schema/routes.js'
import { type NamePrice, nameQueries } from '../schema/views.js'

interface OfName {
  readonly services: NodeServices
  readonly params: { readonly name: string }
}
type AtHeight = OfName & { readonly query: { readonly at: number | undefined } }
type Input<B> = Drafting & { readonly body: B }

/** Name of a user text in canonical form; a label of ABI 1 that does not match the grammar is not changed. */
async function nameOf(text: string): Promise<NameId | LedgerError> {
  const forms = text.includes('@') ? await canonicalTexts(text) : []
  const [form] = 'code' in forms ? [] : forms
  const name = form === undefined ? undefined : (parseName(form) ?? parseAlias(form))
  if (name !== undefined) return name
  return new LedgerError('bad_name', 'name: a name is written path@domain, with up to 4 labels of a-z, 0-9 and hyphens')
}
const unknown = (name: NameId): LedgerError => new LedgerError('not_found', `name ${nameText(name)} does not exist`)

async function show({ services, params, query }: AtHeight) {
  const name = await nameOf(params.name)
  if (name instanceof LedgerError) return name
  const value = await services.query(nameQueries.name, { ...name, at: query.at })
  return value === undefined ? unknown(name) : { value }
}

async function history({ services, params, query }: OfName & { readonly query: PageParameters }) {
  const name = await nameOf(params.name)
  if (name instanceof LedgerError) return name
  return answerPage(services, nameQueries.nameHistory, query, name, `name ${nameText(name)} does not exist`)
}

async function proof({ services, params, query: { at } }: AtHeight) {
  const name = await nameOf(params.name)
  if (name instanceof LedgerError) return name
  const rows = await services.query(nameQueries.nameProofRows, { ...name, at })
  const lacking = new LedgerError('not_found', 'this node does not store the data for the proof')
  if (rows === undefined) return lacking
  const { height, names } = rows
  const isBelow = at !== undefined && at < height
  const finality = await services.query(explorer.finality, { height, from: undefined })
  const atFinality = isBelow ? await services.query(explorer.finality, { height: at, from: undefined }) : undefined
  if (finality === undefined || (isBelow && atFinality === undefined)) return lacking
  return { value: { height, names, finality, at: isBelow ? at : undefined, atFinality } }
}

async function available({
  services,
  body,
}: {
  readonly services: NodeServices
  readonly body: routes.AvailableRequest
}) {
  const name = await nameOf(body.name)
  if (name instanceof LedgerError) return name
  const value = await services.query(nameQueries.nameAvailable, { ...name, years: body.years ?? 1 })
  return value === undefined ? new LedgerError('not_found', `domain ${name.domain} does not exist`) : { value }
}

const commit = (input: Input<object>) =>
  answerDraft(input, [{ kind: instructions.commitName.kind, value: input.body }], () => ({
    notBeforeMs: input.services.chainTimeMs() + COMMITMENT_MIN_MS,
  }))

/** Draft of an instruction that pays for the lease of a name. */
async function priced(input: Drafting, name: NameId | undefined, years: number, drafted: Instruction) {
  const found = name && (await input.services.query(nameQueries.nameAvailable, { ...name, years }))
  const price: NamePrice | undefined = found?.price
  return answerDraft(input, [drafted], () => ({ price }))
}
const register = (input: Input<RegisterName>) => {
  const { domain, label, years } = input.body
  const name = parseName(`${label}@${domain}`)
  return priced(input, name, years, instruction(instructions.registerName, input.body))
}
const renew = (input: Input<RenewName>) =>
  priced(input, parseName(input.body.name), input.body.years, instruction(instructions.renewName, input.body))

/** Handlers by route id. */
export const nameHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.nameRoute, show),
  handle(routes.historyRoute, history),
  handle(routes.proofRoute, proof),
  handle(routes.availableRoute, available),
  handle(routes.commitDraftRoute, commit),
  handle(routes.registerDraftRoute, register),
  handle(routes.renewDraftRoute, renew),
  handle(routes.transferDraftRoute, draftOfBody(instructions.transferName)),
  handle(routes.recordsDraftRoute, draftOfBody(instructions.setNameRecords)),
  handle(routes.accountDraftRoute, draftOfBody(instructions.setNameAccount)),
  handle(routes.subnameDraftRoute, draftOfBody(instructions.createSubname)),
  handle(routes.releaseDraftRoute, draftOfBody(instructions.releaseName)),
  handle(routes.primaryDraftRoute, draftOfBody(instructions.setPrimaryName)),
])
