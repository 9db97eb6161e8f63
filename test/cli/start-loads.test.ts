/** Loaded files and packages of a command and of a node without optional features; durations are not measured. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../support/ports.js'
import { causeway } from './run.js'

/** Packages that only some commands and configurations need. */
const OPTIONAL = [
  '@modelcontextprotocol/server',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  'http_ece',
  'ink',
  'libsql',
  'pg',
  'react',
]
/** Files of a start, in all threads; each costs a millisecond or so. */
const STATUS_MAX_FILES = 30
const NODE_MAX_FILES = 250

/** Notes what a process and its threads load, in a file named after the process. */
const RECORDER = `
import { appendFileSync } from 'node:fs'
import Module, { register } from 'node:module'
const file = process.env.LOADED_IN + '/' + process.pid
const hooks = \`
import { appendFileSync } from 'node:fs'
export const load = (url, context, next) => {
  appendFileSync(\${JSON.stringify(file)}, url + '\\\\n')
  return next(url, context)
}\`
register('data:text/javascript,' + encodeURIComponent(hooks))
const load = Module.prototype.load
Module.prototype.load = function (name) {
  appendFileSync(file, name + '\\n')
  return load.call(this, name)
}
`

let folder: string
/** File in which processes record the modules that they load. */
let notes: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-loads-'))
  const recorder = join(folder, 'recorder.mjs')
  await writeFile(recorder, RECORDER)
  notes = join(folder, 'notes')
  await mkdir(notes)
  env = { NODE_OPTIONS: `--import=${pathToFileURL(recorder).href}`, LOADED_IN: notes }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Modules loaded by a process. */
interface Loaded {
  readonly files: readonly string[]
  /** Names of packages, those inside the files of the bundle included. */
  readonly packages: ReadonlySet<string>
}

/** The package of a path; a file of the bundle names the path of each module that it contains on a line before it. */
const packageOf = (path: string): string | undefined => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]

async function loadedBy(pid: string): Promise<Loaded> {
  const names = (await readFile(join(notes, pid), 'utf8')).trim().split('\n')
  const files = names.filter((name) => !name.startsWith('node:')).map((name) => name.replace(/^file:.*/, fileURLToPath))
  const packages = new Set<string>()
  for (const file of files) {
    const inside = file.includes('/dist/bundle/')
      ? (await readFile(file, 'utf8')).match(/^\/\/ .*node_modules.*$/gm)
      : []
    for (const path of [file, ...(inside ?? [])]) {
      const name = packageOf(path)
      if (name !== undefined) packages.add(name)
    }
  }
  return { files, packages }
}

const optionalIn = ({ packages }: Loaded): string[] => OPTIONAL.filter((name) => packages.has(name))

test('a command that queries a node loads few files, no server code and no optional packages', async () => {
  const asking = await causeway(['status', '--gateway', 'http://127.0.0.1:1', '--json'], { env })
  expect(asking.json()).toMatchObject({ error: { code: 'unreachable' } })
  const [pid = ''] = await readdir(notes)
  const loaded = await loadedBy(pid)
  expect(loaded.packages).toContain('@oclif/core')
  expect(loaded.packages).toContain('undici')
  expect(optionalIn(loaded)).toEqual([])
  expect(loaded.packages).not.toContain('fastify')
  expect(loaded.packages).not.toContain('fast-xml-parser')
  expect(loaded.files.length).toBeLessThanOrEqual(STATUS_MAX_FILES)
})

test('a node without passkeys, traces, webhooks and push does not load their packages', async () => {
  const network = join(folder, 'network')
  const [gateway, links] = [await freePorts(1), await freePorts(1)]
  const ports = ['--gateway-port', String(gateway), '--p2p-port', String(links)]
  const up = await causeway(['localnet', 'up', '--peers', '1', '--dir', network, ...ports, '--json'], { env })
  try {
    expect(up.code, up.stderr).toBe(0)
    const pid = await readFile(join(network, 'val-0', 'node.pid'), 'utf8')
    const loaded = await loadedBy(pid.trim())
    expect(loaded.packages).toContain('fastify')
    expect(optionalIn(loaded)).toEqual([])
    expect(loaded.packages).not.toContain('undici')
    expect(loaded.files.length).toBeLessThanOrEqual(NODE_MAX_FILES)
  } finally {
    await causeway(['localnet', 'down', '--dir', network])
  }
})
