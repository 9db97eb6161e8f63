/** The library of traces: one version everywhere, and what a node says that lacks it. */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXPORTER, loadTraceLibrary } from '../../../src/features/traces/node/library.js'

it('package.json, the image and the documentation contain the same trace library version as the error text', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(Object.entries(peerDependencies).map((entry) => entry.join('@'))).toEqual([EXPORTER])
  expect(Object.values(peerDependenciesMeta)).toEqual([{ optional: true }])
  for (const path of ['templates/docker/Dockerfile', 'src/features/traces/README.md'])
    expect(readFileSync(path, 'utf8')).toContain(EXPORTER)
})

it('a program without the trace library refuses to trace, and names the package to install', () => {
  const from = join(tmpdir(), 'nowhere', 'program.js')
  expect(() => loadTraceLibrary(from)).toThrow(
    expect.objectContaining({ code: 'config_invalid', hint: expect.stringContaining(`npm install ${EXPORTER}`) }),
  )
})

it('the trace library can be loaded by the program', () => {
  expect(Object.keys(loadTraceLibrary())).toEqual(['api', 'core', 'exporter', 'resources', 'sdk'])
})
