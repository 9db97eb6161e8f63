/** Owns the items of an iterable query: all pages of it, and which fields they have. */
import { type CodecContext, type Json, type JsonSchemaObject, jsonSchemaRefs } from '../../codec/index.js'
import type { QueryDef } from '../../executor/contract.js'
import type { NodeServices } from '../../features/services.js'
import { LedgerError } from '../../model/index.js'
import { faultError } from '../answer.js'

/** Items that one query may look at: more is a matter for a narrower question or the paged routes. */
export const ROWS_MAX = 10_000
/** Items of one page. */
const PAGE_ITEMS = 500
const REF = '#/components/schemas/'

type AnyQuery = QueryDef<never, unknown>
type JsonObject = Readonly<Record<string, Json>>

const isObject = (value: Json | undefined): value is JsonObject =>
  value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)

/** The registered query of this name. */
export function queryNamed(services: NodeServices, kind: string): AnyQuery | LedgerError {
  const def = services.queries.get(kind)
  if (def !== undefined) return def
  return new LedgerError('query_unknown', `there is no query ${kind.slice(0, 64)}`, {
    details: { known: [...services.queries.keys()] },
  })
}

/** Output of a query in its JSON twin; undefined: not found. */
export async function ask(services: NodeServices, def: AnyQuery, input: Json): Promise<Json | LedgerError | undefined> {
  const { codec } = services.info
  const decoded = def.input.fromJson(input, codec)
  if (!decoded.ok) return faultError(decoded.fault)
  const output = await services.query(def as unknown as QueryDef<unknown, unknown>, decoded.value)
  return output === undefined ? undefined : def.output.toJson(output as never, codec)
}

/** Names of the fields of the items of a query; undefined when its output is no list. */
export function itemFields(def: AnyQuery): ReadonlySet<string> | undefined {
  const refs = jsonSchemaRefs()
  const resolve = (schema: Json | undefined): JsonSchemaObject | undefined => {
    if (!isObject(schema)) return undefined
    const { $ref: ref } = schema
    return typeof ref === 'string' ? resolve(refs.components.get(ref.slice(REF.length))) : { ...schema }
  }
  const output = resolve(def.output.jsonSchema(refs))
  const properties = output?.['properties']
  const items = isObject(properties) ? resolve(properties['items']) : undefined
  const item = resolve(items?.['items'])
  const fields = item?.['properties']
  return isObject(fields) ? new Set(Object.keys(fields)) : undefined
}

/** True when the input of a query has the field: the JSON twin of a struct says so when it is filled. */
const takes = (def: AnyQuery, name: string, codec: CodecContext, input: JsonObject, value: Json): boolean =>
  def.input.fromJson({ ...input, [name]: value }, codec).ok

/** All items of an iterable query, page after page, and the height of the first page. */
export async function allItems(
  services: NodeServices,
  def: AnyQuery,
  given: Json,
): Promise<{ readonly items: readonly Json[]; readonly height: number } | LedgerError> {
  const { codec } = services.info
  let input: JsonObject = isObject(given) ? given : {}
  // Paging is ours: what the caller gives of it in the input counts only where the caller gave it.
  if (!Object.hasOwn(input, 'limit') && takes(def, 'limit', codec, input, PAGE_ITEMS)) {
    input = { ...input, limit: PAGE_ITEMS }
  }
  const items: Json[] = []
  let height: number | undefined
  for (;;) {
    const page = await ask(services, def, input)
    if (page instanceof LedgerError) return page
    if (!isObject(page)) return new LedgerError('not_found', 'the query found nothing')
    const { items: found, next_cursor: next, height: at, total } = page
    if (!Array.isArray(found)) throw new Error(`query ${def.kind} answers no items`)
    items.push(...(found as readonly Json[]))
    if (items.length > ROWS_MAX) {
      return new LedgerError('query_too_complex', `the query goes over more than ${ROWS_MAX} items`, {
        hint: 'Ask for less, or read the list page by page over its route.',
      })
    }
    height ??= typeof at === 'number' ? at : services.status().blocks
    if (typeof next === 'string') input = { ...input, after: next }
    // Lists that are paged by number say how many there are.
    else if (typeof total === 'number' && items.length < total && (found as readonly Json[]).length > 0) {
      input = { ...input, offset: items.length }
    } else return { items, height }
  }
}
