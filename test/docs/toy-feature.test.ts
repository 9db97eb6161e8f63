/**
 * A feature is a folder, its commands and three lines: a copy of the tree gets one, and nothing else of it is edited. What needs no build
 * of its own is tested in test/unit/node/toy-feature.test.ts.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { causeway, ROOT } from '../cli/run.js'
import { getJson, TestNet } from '../e2e/localnet.js'
import { listedPlaces } from '../support/feature-places.js'
import { SseReader } from '../unit/gateway/stream-readers.js'

const FIXTURE = join(ROOT, 'test', 'fixtures', 'toy-feature')
/** Files needed for a build, without vitest and its tests. */
const TREE = [
  'bin',
  'commands',
  'docs',
  'genesis',
  'oclif.manifest.json',
  'package-lock.json',
  'package.json',
  'scripts',
  'src',
  'templates',
  'test/fixtures/newest-abi.json',
  'tsconfig.json',
]
/** Folders that git ignores below these, for a tree without git. */
const IGNORED = new Set(['.causeway', 'coverage', 'dist', 'node_modules'])

/**
 * Files of the tree that are copied: those that git tracks, because other tests and tools may add and remove others meanwhile. A tree
 * that is no repository, such as an unpacked archive, has no others.
 */
function filesOfTree(): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--', ...TREE], { cwd: ROOT, encoding: 'utf8' })
  const tracked = status === 0 ? stdout.split('\0').filter((name) => name !== '') : []
  const filesBelow = (name: string): string[] =>
    statSync(join(ROOT, name)).isDirectory()
      ? readdirSync(join(ROOT, name))
          .filter((inside) => !IGNORED.has(inside))
          .flatMap((inside) => filesBelow(join(name, inside)))
      : [name]
  // A file that was removed is tracked until the removal is committed.
  return tracked.length > 0 ? tracked.filter((name) => existsSync(join(ROOT, name))) : TREE.flatMap(filesBelow)
}

const LINES = {
  schemas: "export { toySchema as toy } from './toy/schema.js'\n",
  index: "export { toyLedger as toy } from './toy/ledger.js'\n",
  node: "export { toyService as toy } from './toy/node.js'\n",
} as const
/** Those of a feature that the chain does not know. */
const SERVICE_LINES = {
  schemas: "export { beaconSchema as beacon } from './beacon/schema.js'\n",
  node: "export { beaconService as beacon } from './beacon/node.js'\n",
} as const

const root = mkdtempSync(join(tmpdir(), 'causeway-toy-'))
const executable = join(root, 'bin', 'run.js')
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

/** Runs a script of the copy; gives what it says on standard error, nothing when it is content. */
function script(name: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', name), ...words], {
    encoding: 'utf8',
  })
  return status === 0 ? '' : stdout + stderr
}

/** Does something while sources and build have one of the lines no more. */
async function without<T>(list: keyof typeof LINES, act: () => T | Promise<T>): Promise<T> {
  const files = [join(root, 'src', 'features', `${list}.ts`), join(root, 'dist', 'src', 'features', `${list}.js`)]
  const whole = files.map((file) => readFileSync(file, 'utf8'))
  for (const [at, text] of whole.entries()) {
    const less = text.replace(/^.*'\.\/toy\/.*\n/m, '')
    expect(less.length).toBeLessThan(text.length)
    writeFileSync(files[at] ?? '', less)
  }
  try {
    return await act()
  } finally {
    for (const [at, text] of whole.entries()) writeFileSync(files[at] ?? '', text)
  }
}

/**
 * Runs the program as its sources are at the moment; it stays bundled so. The node is killed before: a new bundle removes chunks of the
 * old one, which a running node may load later.
 */
async function bundled<T>(run: () => Promise<T>): Promise<T> {
  if ((await net.status()).running > 0) await net.kill()
  const words = ['--input-type=module', '--eval', `(await import('./scripts/bundle.mjs')).bundle(process.cwd())`]
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return run()
}

let net: TestNet
let gateway: string
beforeAll(async () => {
  for (const name of filesOfTree()) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    cpSync(join(ROOT, name), join(root, name))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  cpSync(join(FIXTURE, 'features'), join(root, 'src', 'features'), { recursive: true })
  cpSync(join(FIXTURE, 'commands'), join(root, 'commands'), { recursive: true })
  for (const [list, line] of [...Object.entries(LINES), ...Object.entries(SERVICE_LINES)])
    appendFileSync(join(root, 'src', 'features', `${list}.ts`), line)
  // With the check of all types.
  expect(script('build.mjs')).toBe('')
  expect(script('abi.mjs')).toBe('')
  expect(script('manifest.mjs')).toBe('')
  expect(script('docs.mjs')).toBe('')

  const manifest = JSON.parse(read('genesis', 'permissioned-4.json'))
  manifest.toy = { greetings: [{ name: 'first' }] }
  const subject = { Permission: { name: 'CanGreet' } }
  manifest.instructions.push({ Grant: { subject, to: { Account: '{{account:admin}}' } } })
  const file = join(root, 'toy.json')
  writeFileSync(file, JSON.stringify(manifest))
  net = await TestNet.startOf(executable, file, '--peers', '1')
  gateway = (await net.status()).peers[0]?.gateway ?? ''
})
afterAll(async () => {
  await TestNet.closeAll()
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

/** Submits a greeting with the key of an account. */
async function greet(account: string, name: string) {
  const file = join(root, 'greet.json')
  writeFileSync(file, JSON.stringify({ Greet: { name, text: 'good day' } }))
  const run = await net.cli('tx', 'send', file, '--json', '--key-file', net.keyFile(account))
  return { code: run.code, error: (run.json() as { error?: { code: string } }).error?.code }
}

/** Changes the configuration of the node and starts it again. */
async function restarted(change: (config: string) => string): Promise<void> {
  const file = join(net.folder, 'val-0', 'node.toml')
  expect((await net.cli('localnet', 'down', '--dir', net.folder)).code).toBe(0)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  const { code, stdout, stderr } = await net.up()
  expect(code, stdout + stderr).toBe(0)
}

/** Status and error code of what a path answers. */
async function refusal(path: string) {
  const answer = await fetch(`${gateway}${path}`, { headers: { accept: 'application/json' } })
  return { status: answer.status, code: ((await answer.json()) as { code?: string }).code }
}

describe('a feature on the ledger', () => {
  it('starts with its section of the genesis manifest', async () => {
    expect(await getJson(gateway, '/v1/toy/greetings/first')).toEqual({ name: 'first', text: 'hello' })
  })

  it('executes its instruction for holders of its permission, and its route reads the result', async () => {
    expect(await refusal('/v1/toy/greetings/second')).toEqual({ status: 404, code: 'not_found' })
    expect(await greet('alice', 'second')).toEqual({ code: 6, error: 'not_permitted' })
    expect(await greet('admin', 'second')).toEqual({ code: 0, error: undefined })
    expect(await getJson(gateway, '/v1/toy/greetings/second')).toEqual({ name: 'second', text: 'good day' })
  })

  it('returns its own error', async () => {
    expect(await greet('admin', 'first')).toEqual({ code: 6, error: 'toy_taken' })
    expect(read('docs', 'generated', 'errors.md')).toContain('| `toy_taken` | 409 | 6 |')
  })

  it('emits events that can be filtered by its name and by their kind', async () => {
    for (const filter of [
      ['--subject', 'toy'],
      ['--kind', 'Greeted'],
    ]) {
      const run = await net.cli('events', 'watch', ...filter, '--from-height', '1', '--limit', '1', '--json')
      expect(run.stdout).toContain('"Greeted":{"name":"first"')
    }
  })
})

describe('a feature on a node', () => {
  it('has a metric and a non-query handler if configured', async () => {
    await restarted((config) => config.replace('motto = "welcome"', 'motto = "come in"'))
    expect(await getJson(gateway, '/v1/toy/motto')).toEqual({ motto: 'come in' })
    expect(await (await fetch(`${gateway}/metrics`)).text()).toMatch(/^toy_mottos_total 1$/m)
  })

  it('streams block events from a given height and after a given event', async () => {
    const url = `${gateway}/v1/toy/greetings/stream`
    const all = await SseReader.open(`${url}?from_height=1`)
    await all.until(() => all.events.length >= 2)
    const names = all.events.map(({ event, data }) => [event, (data as { name: string }).name])
    expect(names).toEqual([
      ['greeting', 'first'],
      ['greeting', 'second'],
    ])
    const rest = await SseReader.open(url, { 'last-event-id': all.events[0]?.id ?? '' })
    await rest.until(() => rest.events.length >= 1)
    expect(rest.events[0]).toEqual(all.events[1])
    for (const reader of [all, rest]) reader.close()
  })

  it('streams its current state on every change', async () => {
    const reader = await SseReader.open(`${gateway}/v1/toy/motto/stream`)
    await reader.until(() => reader.events.length === 1)
    expect(reader.events[0]).toMatchObject({ event: 'motto', data: { motto: 'come in (1)' } })
    await getJson(gateway, '/v1/toy/motto')
    await reader.until(() => reader.events.length === 2)
    expect(reader.events[1]).toMatchObject({ data: { motto: 'come in (2)' } })
    reader.close()
  })

  it('appears in the documents of the gateway', async () => {
    const document = await getJson<{ paths: object }>(gateway, '/openapi')
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/toy/greetings/{name}', '/v1/toy/motto']))
    const model = await getJson<Record<string, { id?: number; type_id?: number; label?: string }[]>>(gateway, '/schema')
    expect(model.instructions).toContainEqual(expect.objectContaining({ id: 9200, kind: 'greet', label: 'toy::greet' }))
    expect(model.events).toContainEqual(expect.objectContaining({ id: 9200, kind: 'greeted' }))
    expect(model.queries).toContainEqual(expect.objectContaining({ id: 9200, kind: 'greeting' }))
    expect(model.frames).toContainEqual(expect.objectContaining({ type_id: 9200, name: 'GreetingView' }))
    expect(await getJson(gateway, '/v1/node/capabilities')).toMatchObject({ features: expect.arrayContaining(['toy']) })
  })

  it('has a command, and a description of its group', async () => {
    const shown = await net.cli('toy', 'ping', 'first')
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/text +hello/)])
    expect((await causeway(['--help'], { executable })).stdout).toMatch(/toy +Greetings that a chain keeps/)
    expect((await causeway(['toy', '--help'], { executable })).stdout).toMatch(/toy ping +Show a greeting/)
    expect((await causeway(['completion', 'bash'], { executable })).stdout).toContain('toy ping')
  })

  it('can be disabled by name', async () => {
    await restarted((config) => config.replace(/^(# )?off = \[.*\]$/m, 'off = ["toy"]'))
    expect(await refusal('/v1/toy/greetings/first')).toEqual({ status: 404, code: 'route_not_enabled' })
    expect(await refusal('/v1/toy/motto')).toEqual({ status: 404, code: 'route_not_enabled' })
    expect(await served()).toMatchObject({ beacon: true, toy: false })
  })
})

/** Which of the two the node says that it serves. */
async function served(): Promise<{ beacon: boolean; toy: boolean }> {
  const { features } = await getJson<{ features: string[] }>(gateway, '/v1/node/capabilities')
  return { beacon: features.includes('beacon'), toy: features.includes('toy') }
}

describe('a node-only feature', () => {
  it('is served and can be disabled like any other, and is registered with two lines', async () => {
    expect(await getJson(gateway, '/v1/beacon/light')).toEqual({ colour: 'green' })
    const { paths } = await getJson<{ paths: object }>(gateway, '/openapi')
    expect(Object.keys(paths)).toContain('/v1/beacon/light')
    await restarted((config) => config.replace(/^(# )?off = \[.*\]$/m, 'off = ["beacon"]'))
    expect(await refusal('/v1/beacon/light')).toEqual({ status: 404, code: 'route_not_enabled' })
    expect(await served()).toMatchObject({ beacon: false, toy: true })
  })
})

describe('the files that a feature touches', () => {
  it('are exactly the files listed in CONTRIBUTING.md', () => {
    const inCopy = TREE.flatMap((name) =>
      statSync(join(root, name)).isDirectory()
        ? readdirSync(join(root, name), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        : [name],
    )
    const touched = inCopy.filter((name) => {
      const original = join(ROOT, name)
      return !existsSync(original) || !readFileSync(original).equals(readFileSync(join(root, name)))
    })
    // The other feature of the fixture has places of its own.
    expect(touched.filter((name) => !name.includes('beacon')).sort()).toEqual(listedPlaces().sort())
  })
})

describe('the documentation', () => {
  it.each([
    ['generated/commands.md', '## causeway toy ping NAME'],
    ['generated/config.md', '| `motto` | text | `"welcome"` | `CAUSEWAY_NODE__TOY__MOTTO` |'],
    ['generated/costs.md', '| 9200 | `Greet` | `toy::greet` | 100 |'],
    ['generated/events.md', '| 9200 | `Greeted` | toy | `toy` | `name` `by` |'],
    ['generated/limits.md', '| `GREETING_MAX_BYTES` | `80` |'],
    ['generated/limits.md', '| `toy_letters` | `80` | 1 |'],
    ['generated/limits.md', '| `greetings` |'],
    ['generated/metrics.md', '| `toy_mottos_total` | counter |'],
    ['generated/permissions.md', '| `CanGreet` | none | - | toy |'],
    ['generated/routes.md', '| GET | `/v1/toy/greetings/{name}` | public |'],
    ['concepts/README.md', '- [Beacon](beacon.md): A node shows a light.'],
    ['concepts/README.md', '- [Toy](toy.md): A chain keeps greetings by their names.'],
    ['concepts/toy.md', 'Generated by `npm run docs` from `src/features/toy/README.md`.'],
  ])('%s describes the feature: %s', (page, line) => {
    expect(read('docs', page)).toContain(line)
  })

  it('has valid links on the page of a feature', () => {
    const [, link = ''] = /\]\(([^)]+)\)/.exec(read('docs', 'concepts', 'toy.md')) ?? []
    expect(existsSync(join(root, 'docs', 'concepts', link)), link).toBe(true)
  })
})

describe('a feature without its registration', () => {
  const pages = (list: keyof typeof LINES) => without(list, () => script('docs.mjs', '--check'))

  it('in node.ts is not configured, counted or served by any node', async () => {
    expect(await pages('node')).toContain(
      'docs: docs/generated/config.md, docs/generated/metrics.md, templates/config/node.toml, templates/config/node.schema.json drifted',
    )
    const file = join(net.folder, 'val-0', 'node.toml')
    const run = await without('node', () =>
      bundled(() => causeway(['config', 'check', file, '--json'], { executable })),
    )
    expect([run.code, run.stdout]).toEqual([3, expect.stringContaining('toy')])
  })

  it('in schemas.ts has unknown routes and codes, and a node with its service reports this', async () => {
    expect(await pages('schemas')).toContain(
      'docs: docs/generated/config.md, docs/generated/routes.md, templates/config/node.schema.json drifted',
    )
    expect((await without('schemas', () => bundled(() => net.up()))).stdout).toContain('handler toy.motto has no route')
    const bare = () => restarted((config) => config.replace(/^\[toy\]\n#.*\nmotto = .*\n/m, ''))
    await without('schemas', () => without('node', () => bundled(bare)))
    expect(await refusal('/v1/toy/greetings/first')).toEqual({ status: 404, code: 'route_not_found' })
  })

  it('in index.ts is not on the chain', async () => {
    const lost =
      'docs/generated/limits.md, docs/generated/costs.md, docs/generated/permissions.md, docs/generated/events.md'
    expect(await pages('index')).toContain(`docs: ${lost} drifted`)
    const manifest = join(net.folder, 'genesis.json')
    const words = ['genesis', 'sign', manifest, '--key-file', net.keyFile('admin'), '--json']
    const run = () => causeway(words, { executable, cwd: net.root })
    expect((await without('index', () => bundled(run))).stdout).toContain('toy: unknown field')
  })
})
