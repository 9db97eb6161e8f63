/** Owns ranges of versions as text: their translation into the comparators of a dependency. */
import semver from 'semver'
import {
  ALTERNATIVES_MAX,
  COMPARATORS_MAX,
  type PackageDependency,
  releaseVersion,
  type VersionComparator,
} from '../features/registry/schema/records.js'
import { LedgerError } from '../model/index.js'

type Alternatives = PackageDependency['alternatives']

const OPERATORS = { '': 'eq', '=': 'eq', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const

const unfit = (range: string, reason: string): LedgerError =>
  new LedgerError('usage', `the range "${range}" ${reason}`, { hint: 'Write a range as npm does, such as ^1.2.' })

function comparatorOf(range: string, { operator, semver: at }: semver.Comparator): VersionComparator {
  const version = releaseVersion.fromJson(at.version)
  if (!version.ok) throw unfit(range, `contains the version ${at.version}: ${version.fault.message}`)
  return { op: OPERATORS[operator], version: version.value }
}

/**
 * Alternatives of comparators for a range in npm syntax: `^1.2` is `>=1.2.0` and `<2.0.0-0`. An alternative without
 * comparators admits every release. Throws `usage` for text that is not a range, and for a range above the limits of a
 * dependency.
 */
export function alternativesOf(range: string): Alternatives {
  if (semver.validRange(range) === null) throw unfit(range, 'is not a range of versions')
  const { set } = new semver.Range(range)
  if (set.length > ALTERNATIVES_MAX) throw unfit(range, `has more than ${ALTERNATIVES_MAX} alternatives`)
  return set.map((all) => {
    // The comparator of `*` has no version.
    const named = all.filter(({ value }) => value !== '')
    if (named.length > COMPARATORS_MAX)
      throw unfit(range, `has an alternative of more than ${COMPARATORS_MAX} comparators`)
    return named.map((one) => comparatorOf(range, one))
  })
}
