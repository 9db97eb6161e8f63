/** Owns the client-safe declaration of a feature (docs/design/structure.md 2): records, ids, error rows and routes. */
import type { IdRange, InstructionDefs, LedgerSchema, QueryDefs } from '../model/index.js'
import { type AnyRoute, framesOf, type RouteRow, routeTable } from './route.js'

/** Rows by the names that programs call them by: `client.route(routes.lanes.lane, ...)`. */
export type Routes = Readonly<Record<string, RouteRow>>

/** What a feature declares: all that clients, documents and the node know of it. */
export interface FeatureSchema<
  I extends InstructionDefs = InstructionDefs,
  Q extends QueryDefs = QueryDefs,
  R extends Routes = Routes,
> extends LedgerSchema<I, Q> {
  readonly routes: R
  /** What its groups of commands are for, by their words: `'lane policy'`. */
  readonly topics?: Readonly<Record<string, string>>
}

const within = (ranges: readonly IdRange[], id: number): boolean =>
  ranges.some(({ first, last }) => id >= first && id <= last)

/**
 * Declares the schema of a feature. Throws where a key is not the kind or name that stands under it, or an id is outside
 * the ranges of the feature.
 */
export function defineSchema<I extends InstructionDefs, Q extends QueryDefs, R extends Routes>(
  schema: FeatureSchema<I, Q, R>,
): FeatureSchema<I, Q, R> {
  const { name, ids, instructions, queries, events, errors } = schema
  const refuse = (what: string): never => {
    throw new Error(`feature ${name}: ${what}`)
  }
  const declared = [instructions, events, queries].flatMap((group) => Object.entries(group))
  for (const [key, { kind }] of declared) if (key !== kind) refuse(`${kind} is declared as ${key}`)
  for (const [kind, { id }] of declared) if (!within(ids, id)) refuse(`the id ${id} of ${kind} is not one of its own`)
  for (const [code, { number }] of Object.entries(errors)) {
    if (number !== undefined && !within(ids, number)) refuse(`the number ${number} of ${code} is not one of its own`)
  }
  for (const { typeId } of routeTable(...Object.values(schema.routes)).flatMap(framesOf)) {
    if (!within(ids, typeId)) refuse(`the id ${typeId} of a frame is not one of its own`)
  }
  return schema
}

/** Declares the schema of a feature that a node serves and the ledger does not know. */
export const defineServiceSchema = <R extends Routes>({
  errors = {},
  ...declared
}: Pick<FeatureSchema<InstructionDefs, QueryDefs, R>, 'name' | 'version' | 'routes' | 'topics'> &
  Partial<Pick<FeatureSchema, 'errors'>>) =>
  defineSchema({ ids: [], errors, instructions: {}, events: {}, queries: {}, parameters: [], ...declared })

/** Rows of a feature in the order of its table, each with its name. */
export const routesOf = ({ name, abi, routes }: FeatureSchema): readonly AnyRoute[] =>
  // A part of another feature is served with it.
  routeTable(...Object.values(routes).map((row) => (abi === undefined ? { ...row, feature: name } : row)))
