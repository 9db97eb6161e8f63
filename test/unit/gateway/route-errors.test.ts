/** Which errors a row declares: what its parameters, its query and its kind bring with them, in every feature. */
import { describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { parameterFields } from '../../../src/api/parameters.js'
import { accountText } from '../../../src/api/query-inputs.js'
import type { AnyRoute } from '../../../src/api/route.js'
import { ADMISSION_ERRORS, errorsOf } from '../../../src/api/route-errors.js'
import { struct } from '../../../src/codec/index.js'
import { FEATURE_SCHEMAS } from '../../../src/features/composed.js'
import { OWN_ROUTES } from '../../../src/gateway/index.js'

const ROWS: readonly AnyRoute[] = [...OWN_ROUTES, ...FEATURE_SCHEMAS.flatMap(routesOf)]
const lacking = (rows: readonly AnyRoute[], codes: readonly string[]): readonly string[] =>
  rows.flatMap((row) => {
    const declared: readonly string[] = errorsOf(row)
    return codes.filter((code) => !declared.includes(code)).map((code) => `${row.id} ${code}`)
  })

/** Pattern of a parameter that is an address or an alias. */
const ACCOUNT = parameterFields(struct('OneAccount', { account: accountText }))[0]?.schema['pattern']
const namesAccount = ({ query }: AnyRoute): boolean =>
  query !== undefined && parameterFields(query).some(({ schema }) => schema['pattern'] === ACCOUNT)

describe('a route', () => {
  it('declares not_found if it has an alias parameter', () => {
    const rows = ROWS.filter(namesAccount)
    expect(rows.length).toBeGreaterThan(15)
    expect(lacking(rows, ['not_found'])).toEqual([])
  })

  it('declares not_found if its query may return nothing', () => {
    const rows = ROWS.filter(({ answer }) => answer !== undefined && 'absent' in answer && answer.absent !== undefined)
    expect(rows.length).toBeGreaterThan(10)
    expect(lacking(rows, ['not_found'])).toEqual([])
  })

  it('declares the errors of a transaction if it returns a draft', () => {
    const rows = ROWS.filter(({ drafts }) => drafts === true)
    expect(rows.length).toBeGreaterThan(10)
    expect(lacking(rows, [...ADMISSION_ERRORS, 'not_found'])).toEqual([])
  })
})
