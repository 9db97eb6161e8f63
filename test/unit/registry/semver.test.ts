/** Versions, their order and their ranges are those of `semver` and of semver.org, for 100,000 seeded pairs (20,000 in `npm test`). */
import semver from 'semver'
import { describe, expect, it } from 'vitest'
import { alternativesOf } from '../../../src/client/version-ranges.js'
import { bestVersion } from '../../../src/features/registry/node/handlers.js'
import {
  type PackageDependency,
  VERSION_MAX_BYTES,
  type VersionComparator,
  versionFault,
} from '../../../src/features/registry/schema/records.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'

const PAIRS = slice(20_000, 100_000)
const NUMBERS = ['0', '1', '2', '9', '10', '11', '9007199254740991']
const IDENTIFIERS = ['0', '1', '9', '10', '99', 'a', 'alpha', 'B', 'rc', 'x-1', '-', '0a']

/** Generators of versions and ranges from a seed. */
function generators(name: string) {
  const random = randomOf(1, name)
  const { pick, chance, below } = random
  const core = () => `${pick(NUMBERS)}.${pick(NUMBERS)}.${pick(NUMBERS)}`
  const version = (): string => {
    const parts = chance(0.4) ? Array.from({ length: 1 + below(3) }, () => pick(IDENTIFIERS)) : []
    return parts.length === 0 ? core() : `${core()}-${parts.join('.')}`
  }
  const small = (): string => `${below(3)}.${below(3)}.${below(3)}${chance(0.3) ? `-${pick(IDENTIFIERS)}` : ''}`
  const simple = (): string => {
    const partial = chance(0.3) ? `${below(3)}${chance(0.5) ? `.${below(3)}` : ''}` : small()
    return `${pick(['', '^', '~', '=', '<', '<=', '>', '>='])}${partial}`
  }
  const alternative = (): string => {
    if (chance(0.1)) return pick(['*', '', 'x', '1.x'])
    if (chance(0.1)) return `${small()} - ${small()}`
    return chance(0.4) ? `${simple()} ${simple()}` : simple()
  }
  const range = (): string => Array.from({ length: 1 + below(3) }, alternative).join(' || ')
  /** Version with an edit, which is usually malformed. */
  const broken = (): string => {
    const text = version()
    const at = below(text.length + 1)
    return text.slice(0, at) + pick(['0', '.', '-', '+', 'v', ' ', 'é', '_', '']) + text.slice(at + below(2))
  }
  return { random, version, small, range, broken }
}

/** Numeric identifiers are below others and compare as numbers; others compare in ASCII order (semver.org, 11.4). */
function compareIdentifiers(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumberA && isNumberB) return Math.sign(Number(BigInt(a) - BigInt(b)))
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Identifiers of the core and of the pre-release of a version. */
function partsOf(version: string) {
  const dash = version.indexOf('-')
  const core = dash < 0 ? version : version.slice(0, dash)
  return { core: core.split('.'), pre: dash < 0 ? [] : version.slice(dash + 1).split('.') }
}

/** Precedence of two versions, written from semver.org, 11. */
function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  for (const [at, number] of one.core.entries()) {
    const sign = compareIdentifiers(number, other.core[at] ?? '')
    if (sign !== 0) return sign
  }
  if (one.pre.length === 0 || other.pre.length === 0) return Math.sign(other.pre.length - one.pre.length)
  for (const [at, identifier] of one.pre.entries()) {
    const against = other.pre[at]
    if (against === undefined) return 1
    const sign = compareIdentifiers(identifier, against)
    if (sign !== 0) return sign
  }
  return Math.sign(one.pre.length - other.pre.length)
}

const HOLDS: Readonly<Record<VersionComparator['op'], (sign: number) => boolean>> = {
  eq: (sign) => sign === 0,
  lt: (sign) => sign < 0,
  le: (sign) => sign <= 0,
  gt: (sign) => sign > 0,
  ge: (sign) => sign >= 0,
}

/** True if the stored comparators admit a version; a pre-release only if a comparator names one of its core. */
function isAdmitted(alternatives: PackageDependency['alternatives'], version: string): boolean {
  const { core, pre } = partsOf(version)
  const names = ({ version: named }: VersionComparator): boolean => {
    const parts = partsOf(named)
    return parts.pre.length > 0 && parts.core.join() === core.join()
  }
  return alternatives.some(
    (all) =>
      all.every((one) => HOLDS[one.op](compareVersions(version, one.version))) && (pre.length === 0 || all.some(names)),
  )
}

const listed = (...versions: readonly string[]) =>
  versions.map((version) => ({ version, publishedMs: 0, isYanked: false, isDenied: false }))

describe('versions of packages', () => {
  it('are valid if semver accepts them without a change, also with an edit', () => {
    const { version, broken, random } = generators('valid')
    let valid = 0
    for (let at = 0; at < PAIRS; at += 1) {
      const text = random.chance(0.3) ? version() : broken()
      const isValid = text.length <= VERSION_MAX_BYTES && versionFault(text) === undefined
      if (isValid !== (semver.valid(text) === text)) expect([text, isValid]).toEqual([text, !isValid])
      if (isValid) valid += 1
    }
    expect(valid).toBeGreaterThan(PAIRS / 4)
    expect(valid).toBeLessThan((3 * PAIRS) / 4)
  })

  it('have the order of semver.org in the choice of the highest', () => {
    const { version } = generators('order')
    const any = new semver.Range('*', { includePrerelease: true })
    let equal = 0
    for (let at = 0; at < PAIRS; at += 1) {
      const [a, b] = [version(), version()]
      const sign = compareVersions(a, b)
      if (sign === 0) equal += 1
      const best = bestVersion(listed(a, b), any, {}, 0)
      if (best !== (sign < 0 ? b : a)) expect([a, b, best]).toEqual([a, b, sign < 0 ? b : a])
    }
    expect(equal).toBeGreaterThan(PAIRS / 2_000)
    expect(equal).toBeLessThan(PAIRS / 10)
  })
})

describe('ranges of versions', () => {
  it('admit by their stored comparators and by semver the same versions', () => {
    const { range, small } = generators('ranges')
    let admitted = 0
    for (let at = 0; at < PAIRS / 20; at += 1) {
      const text = range()
      const alternatives = alternativesOf(text)
      const known = new semver.Range(text)
      for (let pair = 0; pair < 20; pair += 1) {
        const version = small()
        const isIn = isAdmitted(alternatives, version)
        if (isIn !== known.test(version)) expect([text, version, isIn]).toEqual([text, version, !isIn])
        if (isIn) admitted += 1
      }
    }
    expect(admitted).toBeGreaterThan(PAIRS / 10)
    expect(admitted).toBeLessThan((9 * PAIRS) / 10)
  })

  it('select the version of maxSatisfying', () => {
    const { range, small, random } = generators('lists')
    for (let at = 0; at < PAIRS / 50; at += 1) {
      const [text, versions] = [range(), Array.from({ length: random.below(20) }, small)]
      const best = bestVersion(listed(...versions), new semver.Range(text), {}, 0)
      expect(best, `${text}: ${versions}`).toBe(semver.maxSatisfying(versions, text) ?? undefined)
    }
  })
})
