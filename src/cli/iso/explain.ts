/** Owns the field tables of families for display: path, flat key, type, requirement. */

import { placePath } from '../../features/iso20022/message/families.js'
import {
  familyOf,
  PARSED_FAMILIES,
  PAYMENT_FAMILIES,
  WORKFLOW_FAMILIES,
} from '../../features/iso20022/message/index.js'
import type { FieldGroup } from '../../features/iso20022/message/parsed/table.js'
import { ISO_ROUTES } from '../../features/iso20022/schema/routes.js'
import { usageError } from '../terminal/failure.js'

/** Field of a family. */
export interface FieldLine {
  readonly key: string
  readonly type: string
  readonly needed: string
  readonly reason: string
  readonly paths: readonly string[]
}

/** Family with its fields; empty for a family that is only referenced. */
export interface FamilyView {
  readonly family: string
  readonly title: string
  readonly endpoint: string | undefined
  readonly fields: readonly FieldLine[]
}

const TITLES: Readonly<Record<string, string>> = {
  'pacs.008': 'FI-to-FI customer credit transfer',
  'pacs.009': 'FI-to-FI credit transfer',
}

function linesOf(group: FieldGroup, key: string, path: string): FieldLine[] {
  const fields = group.fields.map((field) => ({
    key: `${key}${field.name}${field.max > 1 ? '[n]' : ''}`,
    type: field.type,
    needed: { both: 'yes', xml: 'in XML', flat: 'in flat forms', none: 'no' }[field.need],
    reason: 'FF01',
    paths: field.places.map((place) => `${path}/${place.path.join('/')}`),
  }))
  const inner = group.groups.flatMap((one) => {
    const name = one.path.join('/')
    return linesOf(one, `${key}${name}[n]/`, `${path}/${name}[n]`)
  })
  return [...fields, ...inner]
}

/** Families of the bridge, by name. */
export function families(): FamilyView[] {
  const booked = PAYMENT_FAMILIES.map(
    ({ family, definition, body, fields, onlyPurpose }): FamilyView => ({
      family,
      title: `${TITLES[family]} (${definition})${onlyPurpose === undefined ? '' : `; Purp only ${onlyPurpose}`}`,
      endpoint: `POST ${(family === 'pacs.008' ? ISO_ROUTES.pacs008 : ISO_ROUTES.pacs009).path}`,
      fields: [
        ...fields.map((row) => ({
          key: row.flat,
          type: row.type,
          needed: row.required ? 'yes' : 'no',
          reason: row.reason,
          paths: row.places.map((place) => placePath(body, place)),
        })),
        ...[
          ['IntrBkSttlmAmt', 'amount', 'AM12', ''],
          ['IntrBkSttlmCcy', 'currency', 'AM11', '/@Ccy'],
        ].map(([key = '', type = '', reason = '', tail = '']) => ({
          key,
          type,
          needed: 'yes',
          reason,
          paths: [`${placePath(body, 'T/IntrBkSttlmAmt')}${tail}`],
        })),
        {
          key: 'RmtInf/Ustrd[n]',
          type: 'text140',
          needed: 'no',
          reason: 'FF01',
          paths: [placePath(body, 'T/RmtInf/Ustrd')],
        },
        ...[
          'LedgerId',
          'SourceAccountId',
          'SourceAccountAddress',
          'TargetAccountId',
          'TargetAccountAddress',
          'AssetDefinitionId',
        ].map((name) => ({
          key: `SplmtryData/${name}`,
          type: 'text256',
          needed: 'no',
          reason: 'NARR',
          paths: [placePath(body, `T/SplmtryData/Envlp/*/${name}`)],
        })),
      ],
    }),
  )
  const parsed = PARSED_FAMILIES.map(({ family, title, bodies, group }): FamilyView => {
    const root = family === 'head.001' ? '/AppHdr' : `/Document/${bodies[0] ?? '*'}`
    return { family, title, endpoint: undefined, fields: linesOf(group, '', root) }
  })
  const workflow = Object.entries(WORKFLOW_FAMILIES).map(
    ([family, title]): FamilyView => ({ family, title, endpoint: undefined, fields: [] }),
  )
  return [...booked, ...parsed, ...workflow]
}

/** Family of a name such as `pacs008`, `pacs.008` or `camt.053.001.08`; throws `usage`. */
export function familyView(name: string): FamilyView {
  const found = families().find((one) => one.family === familyOf(name.toLowerCase()))
  if (found === undefined) {
    throw usageError(`unknown message family ${name}`, 'causeway iso explain')
  }
  return found
}

/**
 * Name of the family that `--family` restricts a validation to, with or without the dot (`pacs008`). Throws `usage` for
 * a family that cannot be validated.
 */
export function validatedFamily(name: string): string {
  const known = families().flatMap(({ family, fields }) => (fields.length === 0 ? [] : [family]))
  const family = familyOf(name.toLowerCase())
  if (known.includes(family)) return family
  throw usageError(`--family: unknown message family ${name}`, `Families: ${known.join(', ')}.`)
}
