/** The unit of systemd and the manifest of Kubernetes, as the tools of those platforms check them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { EXECUTABLE, ROOT } from '../cli/run.js'
import { needs } from '../support/needs.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-templates-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (path: string): string => readFileSync(join(ROOT, 'templates', path), 'utf8')

const SYSTEMD_MISSING = spawnSync('systemd-analyze', ['--version']).error && 'systemd-analyze is not installed'

describe('the systemd unit', needs(SYSTEMD_MISSING), () => {
  /** Output of `systemd-analyze verify` for a unit that starts the program of this tree. */
  function verify(unit: string): { readonly status: number | null; readonly output: string } {
    const path = join(folder, 'causeway.service')
    writeFileSync(path, unit.replaceAll('/usr/bin/causeway', EXECUTABLE))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  }

  it('is accepted without a warning', () => {
    expect(verify(read('systemd/causeway.service'))).toEqual({ status: 0, output: '' })
  })

  it('is refused with a setting unknown to systemd', () => {
    const { output } = verify(read('systemd/causeway.service').replace('LimitNOFILE', 'LimitNoFiles'))
    expect(output).toMatch(/Unknown key (name )?'LimitNoFiles'/)
  })
})

/** Declarations of the API of Kubernetes, made from its schemas. */
const MODELS = join(ROOT, 'test', 'heavy', 'node_modules', 'kubernetes-models')
const MODELS_MISSING = existsSync(MODELS) ? undefined : 'test/heavy has no package kubernetes-models'

describe('the Kubernetes manifest', needs(MODELS_MISSING), () => {
  /** Faults that the compiler finds in manifests as objects of the API: wrong types and unknown fields. */
  function faultsOf(manifests: string): string {
    const [types, files] = [new Set<string>(), [] as string[]]
    for (const document of parseAllDocuments(manifests)) {
      const { apiVersion, kind } = document.toJS()
      types.add(`import type { I${kind} } from '${MODELS}/${apiVersion}'`)
      files.push(`export const manifest${files.length}: I${kind} = ${JSON.stringify(document.toJS())}`)
    }
    const path = join(folder, 'manifests.ts')
    writeFileSync(path, [...types, ...files].join('\n'))
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'preserve']
    return spawnSync(process.execPath, [compiler, ...options, path], { encoding: 'utf8' }).stdout
  }
  const manifest = read('kubernetes/statefulset.yaml')

  it('matches the schemas of its kinds', () => {
    expect(faultsOf(manifest)).toBe('')
  })

  it.each([
    ['an unknown field', 'livenessProbe:', 'liveProbe:', 'liveProbe'],
    ['a wrong type', 'replicas: 1', 'replicas: one', "Type 'string' is not assignable to type 'number'"],
  ])('does not match them with %s', (_, from, to, fault) => {
    expect(faultsOf(manifest.replace(from, to))).toContain(fault)
  })
})
