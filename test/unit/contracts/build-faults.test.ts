/** Builds of contracts that are refused: each names the file, line and column of the source. */
import { appendFile, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileProject, makeProject } from '../../../src/cli/contract/project.js'
import { compileFaults, placeOfIndex } from '../../../src/cli/contract/source-places.js'
import { COMPILER_MISSING, COMPILER_PACKAGES } from '../../support/compiler.js'
import { needs } from '../../support/needs.js'

describe('a build', () => {
  let root: string
  let folder: string
  let source: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'build-faults-'))
    folder = join(root, 'oracle')
    await makeProject(folder, 'oracle')
    await symlink(COMPILER_PACKAGES, join(folder, 'node_modules'))
    source = join(folder, 'contract.ts')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  /** Builds with a view behind the source; the line that it begins at, and how the build ends. */
  async function builtWith(view: string) {
    const lines = (await readFile(source, 'utf8')).split('\n').length
    await appendFile(source, view)
    const refused = await compileProject(folder).catch((error: unknown) => error)
    return { line: lines, refused }
  }

  it('is rejected with the source position if it contains a float', needs(COMPILER_MISSING), async () => {
    const { line, refused } = await builtWith(
      '/** @view */\nexport function half(): u64 {\n  return <u64>(<f64>now() * 0.5)\n}\n',
    )
    expect(refused).toMatchObject({ code: 'bad_value' })
    expect((refused as Error).message).toMatch(
      new RegExp(`^cannot build contract\\.ts:${line + 2}:\\d+: byte \\d+: opcode 0x[0-9a-f]+ is not in the profile$`),
    )
  })

  it('is rejected with the source position if it contains a syntax error', needs(COMPILER_MISSING), async () => {
    const { line, refused } = await builtWith('export function broken(: u64 {\n')
    expect(refused).toMatchObject({ code: 'bad_value' })
    expect((refused as Error).message).toContain(`\ncontract.ts:${line}:23: Identifier expected. (TS1003)`)
  })

  it('is rejected with the source position if an argument has an unknown type', async () => {
    const { line, refused } = await builtWith('/** @view */\nexport function one(x: Foo): u64 {\n  return 1\n}\n')
    expect(refused).toMatchObject({
      code: 'bad_value',
      message: `contract.ts:${line + 1}:17: one(x): Foo is not a type of arguments`,
    })
  })
})

it('compiler errors without a position are shown completely', () => {
  expect(compileFaults('  out of memory\n')).toBe('out of memory')
})

it('a position counts lines and columns from 1', () => {
  expect(['a\nbc', 'a\nbc'].map((text, at) => placeOfIndex('x.ts', text, at * 3))).toEqual(['x.ts:1:1', 'x.ts:2:2'])
})
