/** Owns the lists behind iterable queries: which queries have items, and their pages. */

import type { NodeServices } from '../../api/services.js'
import { definedFields } from '../../base/defined-fields.js'
import {
  type CodecContext,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonSchemaRefs,
  referredName,
} from '../../codec/index.js'
import { isJsonList } from '../../codec/schema.js'
import { nameAccount } from '../../features/texts.js'
import { LedgerError, type QueryDef } from '../../model/index.js'
import { faultError } from '../answer.js'
import { mayBeAlias, readAgain } from '../user-input.js'
import { ItemFields } from './fields.js'

/** Items per page. */
export const PAGE_ITEMS = 500
/** Fields that the node adds to the input of a paged list. */
const PAGING = ['limit', 'after']

export type AnyQuery = QueryDef<unknown, unknown>

/** Shape of an iterable query. */
export interface ListShape {
  readonly fields: ItemFields
  /** False if its single page has all items. */
  readonly hasPages: boolean
}

/** Shapes by query; they can be cached because schemas do not change. */
const shapes = new WeakMap<AnyQuery, ListShape | 'none'>()

/** Shape of a query's list; undefined if the query returns one record. */
export function shapeOf(def: AnyQuery, codec: CodecContext): ListShape | undefined {
  let shape = shapes.get(def)
  if (shape === undefined) {
    const fields = ItemFields.of(def.output, codec)
    shape = fields === undefined ? 'none' : { fields, hasPages: hasPages(def) }
    shapes.set(def, shape)
  }
  return shape === 'none' ? undefined : shape
}

function hasPages({ input }: AnyQuery): boolean {
  const refs = jsonSchemaRefs()
  const schema = input.jsonSchema(refs)
  const name = referredName(schema)
  const record = name === undefined ? schema : refs.components.get(name)
  const properties = record?.['properties']
  return isJsonObject(properties) && PAGING.every((name) => Object.hasOwn(properties, name))
}

/** Registered query of this name. */
export function queryNamed(services: NodeServices, kind: string): AnyQuery | LedgerError {
  const def = services.queries().get(kind)
  if (def !== undefined) return def
  return new LedgerError('query_unknown', `unknown query ${kind.slice(0, 64)}`, {
    details: { known: [...services.queries().keys()] },
  })
}

/** Output of a query in its JSON form; undefined: not found. */
export async function ask(services: NodeServices, def: AnyQuery, input: Json): Promise<Json | LedgerError | undefined> {
  const { codec } = services.info
  const decoded = def.input.fromJson(input, codec)
  if (!decoded.ok) return faultError(decoded.fault)
  const output = await services.query(def, decoded.value)
  return output === undefined ? undefined : def.output.toJson(output as never, codec)
}

/**
 * Replace aliases in the input of a query by ids, including aliases of accounts. Input without aliases is returned
 * unchanged; the query reports any faults in it.
 */
export async function withIds(services: NodeServices, def: AnyQuery, input: Json): Promise<Json | LedgerError> {
  const { codec } = services.info
  const paging = shapeOf(def, codec)?.hasPages === true && isJsonObject(input) ? { limit: PAGE_ITEMS } : undefined
  const given = paging === undefined ? input : { ...paging, ...(input as JsonObject) }
  const read = (context: CodecContext): unknown => {
    const decoded = def.input.fromJson(given, context)
    return decoded.ok ? decoded.value : faultError(decoded.fault)
  }
  const first = read(codec)
  const alias = aliasOf(first)
  if (!mayBeAlias(first) && alias === undefined) return input
  const named = alias === undefined ? undefined : await nameAccount(services, alias, 'alias')
  if (named instanceof LedgerError) return named
  const value = named === undefined ? await readAgain(services, read) : { ...(first as object), ...named }
  // Other faults are reported by the query itself.
  if (value instanceof LedgerError) return mayBeAlias(value) ? input : value
  const jsonForm = def.input.toJson(value as never, codec)
  if (paging === undefined || !isJsonObject(jsonForm)) return jsonForm
  return Object.fromEntries(
    Object.entries(jsonForm).filter(([field]) => !PAGING.includes(field) || Object.hasOwn(input as JsonObject, field)),
  )
}

/** Alias in the input of a query that names an account. */
function aliasOf(input: unknown): string | undefined {
  const alias = typeof input === 'object' && input !== null && 'alias' in input ? input.alias : undefined
  return typeof alias === 'string' ? alias : undefined
}

/** Page of a list. `after`: position of the next page; undefined: this is the last page. */
export interface ListPage {
  readonly items: readonly Json[]
  readonly after: string | undefined
  readonly height: number
}

/** List behind a query. */
export class List {
  private constructor(
    private readonly def: AnyQuery,
    private readonly input: JsonObject,
    private readonly shape: ListShape,
  ) {}

  /** List of a query; an error if it has none, or if its input has paging fields. */
  static of(services: NodeServices, def: AnyQuery, given: Json): List | LedgerError {
    const shape = shapeOf(def, services.info.codec)
    if (shape === undefined) {
      return new LedgerError('type_mismatch', `${def.kind} returns one record`, {
        hint: 'Send it as a singular query.',
      })
    }
    const input = isJsonObject(given) ? given : {}
    const paging = shape.hasPages ? PAGING.find((name) => Object.hasOwn(input, name)) : undefined
    if (paging !== undefined) {
      return new LedgerError(
        'invalid_pagination',
        `input.${paging}: an iterable query is paged by offset and limit of the request`,
        {
          hint: 'Give offset and limit beside the query, not in its input.',
        },
      )
    }
    return new List(def, input, shape)
  }

  get fields(): ItemFields {
    return this.shape.fields
  }

  /** Read the page after a position; undefined: the first. */
  async page(services: NodeServices, after: string | undefined): Promise<ListPage | LedgerError> {
    const paging = this.shape.hasPages ? definedFields({ limit: PAGE_ITEMS, after }) : {}
    const page = await ask(services, this.def, { ...this.input, ...paging })
    if (page instanceof LedgerError) return page
    if (!isJsonObject(page)) return new LedgerError('not_found', 'the query returned nothing')
    const { items, next_cursor: next, height } = page
    if (!isJsonList(items)) throw new Error(`query ${this.def.kind} returns no items`)
    return {
      items,
      after: typeof next === 'string' ? next : undefined,
      height: typeof height === 'number' ? height : services.height(),
    }
  }
}
