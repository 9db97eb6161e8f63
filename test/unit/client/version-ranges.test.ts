/** Ranges of versions as text become the comparators of dependencies, in the client and in `registry publish`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifestOfArchive } from '../../../src/cli/registry/release.js'
import { alternativesOf } from '../../../src/client/version-ranges.js'
import type { Json } from '../../../src/codec/index.js'

const ge = (version: string) => ({ op: 'ge', version })
const lt = (version: string) => ({ op: 'lt', version })

describe('a range of versions', () => {
  it.each([
    ['^1.2', [[ge('1.2.0'), lt('2.0.0-0')]]],
    ['~1.2.3', [[ge('1.2.3'), lt('1.3.0-0')]]],
    ['1.2.3', [[{ op: 'eq', version: '1.2.3' }]]],
    ['=1.2.3+build', [[{ op: 'eq', version: '1.2.3' }]]],
    [
      '>1.0.0-rc.1 <=2.0.0',
      [
        [
          { op: 'gt', version: '1.0.0-rc.1' },
          { op: 'le', version: '2.0.0' },
        ],
      ],
    ],
    ['^1.2 || >=3', [[ge('1.2.0'), lt('2.0.0-0')], [ge('3.0.0')]]],
    ['1.2 - 2.3', [[ge('1.2.0'), lt('2.4.0-0')]]],
    ['*', [[]]],
    ['', [[]]],
  ])('%s becomes comparators', (range, alternatives) => {
    expect(alternativesOf(range)).toEqual(alternatives)
  })

  it.each([
    ['latest', 'is not a range of versions'],
    ['^01.2', 'is not a range of versions'],
    ['1 || 2 || 3 || 4 || 5', 'has more than 4 alternatives'],
    ['>1.0.0 >1.0.1 >1.0.2 >1.0.3 >1.0.4', 'has an alternative of more than 4 comparators'],
    [`>=1.0.0-${'a'.repeat(60)}`, 'contains the version 1.0.0-'],
  ])('%s is refused with the reason', (range, reason) => {
    expect(() => alternativesOf(range)).toThrow(reason)
  })
})

describe('the manifest of an archive', () => {
  let dir: string
  let path: string
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'manifest-'))
    path = join(dir, 'kit.tgz')
    writeFileSync(path, 'hi\n')
  })
  afterAll(() => rmSync(dir, { recursive: true }))
  const about = { license: 'MIT', description: '' }
  const manifest = (given: Json, dependency: readonly string[] = []) =>
    manifestOfArchive(path, given, { ...about, dependency })

  it('has the dependencies of the file, by range or alternatives, and those of the flags', async () => {
    const given = {
      dependencies: [
        { package: 'bank/a', kind: 'Development', range: '~1.2' },
        { package: 'bank/b', kind: 'Optional', alternatives: [[{ op: 'Lt', version: '2.0.0' }]] },
      ],
    }
    const { dependencies } = await manifest(given, ['bank/log@^1.2'])
    expect(dependencies).toEqual([
      { package: 'bank/a', kind: 'development', alternatives: [[ge('1.2.0'), lt('1.3.0-0')]] },
      { package: 'bank/b', kind: 'optional', alternatives: [[lt('2.0.0')]] },
      { package: 'bank/log', kind: 'runtime', alternatives: [[ge('1.2.0'), lt('2.0.0-0')]] },
    ])
    expect((await manifest({})).dependencies).toEqual([])
  })

  it('is refused for malformed dependencies', async () => {
    const both = { package: 'bank/a', kind: 'Runtime', range: '1', alternatives: [] }
    await expect(manifest({ dependencies: [both] })).rejects.toThrow('both a range and alternatives')
    await expect(manifest({ dependencies: 'bank/a' })).rejects.toThrow('must be a list')
    await expect(manifest({ dependencies: [7] })).rejects.toThrow('expected an object')
    for (const text of ['bank/log', '@1', 'bank/log@']) {
      await expect(manifest({}, [text]), text).rejects.toThrow('is not a dependency')
    }
    await expect(manifest({}, ['bank/log@latest'])).rejects.toThrow('is not a range of versions')
  })
})
