/** Owns the client-safe declaration of a feature (docs/design/structure.md 2): records, ids, error rows and routes. */
import type { IdRange, InstructionDefs, LedgerSchema, QueryDefs } from '../model/index.js'
import { type AnyRoute, framesOf, type RouteRow, routeTable } from './route.js'

/** Rows by program name: `client.route(routes.lanes.lane, ...)`. */
export type Routes = Readonly<Record<string, RouteRow>>

/** Declarations of a feature for clients, documents and the node. */
export interface FeatureSchema<
  I extends InstructionDefs = InstructionDefs,
  Q extends QueryDefs = QueryDefs,
  R extends Routes = Routes,
> extends LedgerSchema<I, Q> {
  readonly routes: R
  /** Descriptions of its groups of commands, by name: `'lane policy'`. */
  readonly topics?: Readonly<Record<string, string>>
}

const within = (ranges: readonly IdRange[], id: number): boolean =>
  ranges.some(({ first, last }) => id >= first && id <= last)

/**
 * Declare the schema of a feature. Throws if a key differs from the kind or name of its entry, or an id is outside of
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
  for (const [key, { kind }] of declared) if (key !== kind) refuse(`${kind} is declared under the key ${key}`)
  for (const [kind, { id }] of declared)
    if (!within(ids, id)) refuse(`the id ${id} of ${kind} is outside of the range of the feature`)
  for (const [code, { number }] of Object.entries(errors)) {
    if (number !== undefined && !within(ids, number))
      refuse(`the number ${number} of ${code} is outside of the range of the feature`)
  }
  for (const { typeId } of routeTable(...Object.values(schema.routes)).flatMap(framesOf)) {
    if (!within(ids, typeId)) refuse(`the type id ${typeId} of a frame is outside of the range of the feature`)
  }
  return schema
}

/** Declare the schema of a service feature without a ledger part. */
export const defineServiceSchema = <R extends Routes>({
  errors = {},
  ...declared
}: Pick<FeatureSchema<InstructionDefs, QueryDefs, R>, 'name' | 'version' | 'routes' | 'topics'> &
  Partial<Pick<FeatureSchema, 'errors'>>) =>
  defineSchema({ ids: [], errors, instructions: {}, events: {}, queries: {}, parameters: [], ...declared })

/** Rows of a feature in table order, each with the feature's name. */
export const routesOf = ({ name, abi, routes }: FeatureSchema): readonly AnyRoute[] =>
  // A part of another feature is served with it.
  routeTable(...Object.values(routes).map((row) => (abi === undefined ? { ...row, feature: name } : row)))
