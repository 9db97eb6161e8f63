/** The OpenAPI document of a node with every feature keeps the recommended rules of a linter that knows nothing of us. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.js'
import { clientCodec, FEATURE_ROUTES } from '../../src/features/composed.js'
import { OWN_ROUTES } from '../../src/gateway/index.js'

const folder = await mkdtemp(join(tmpdir(), 'causeway-openapi-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const document = openApiDocument([...OWN_ROUTES, ...FEATURE_ROUTES], {
  version: '0.1.0',
  registries: clientCodec('cw').registries ?? {},
})

/** Paths of a name and of a fixed segment: fixed ones win, and no name is one of them, because a name has an @. */
const isByName = (problem: string): boolean =>
  problem.startsWith('no-ambiguous-paths:') && problem.includes('`/v1/names/{name}/')

/** Rules that a document breaks. */
async function broken(of: object): Promise<string[]> {
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(of))
  const words = ['lint', file, '--extends', 'recommended', '--format', 'json', '--max-problems', '1000']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join('node_modules', '@redocly', 'cli', 'bin', 'cli.js'), ...words],
    {
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (!stdout.startsWith('{')) throw new Error(stderr)
  const { problems } = JSON.parse(stdout) as {
    readonly problems: readonly { readonly ruleId: string; readonly message: string }[]
  }
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`).filter((problem) => !isByName(problem))
}

it('the OpenAPI document violates no lint rule, not even a warning', async () => {
  expect(await broken(document)).toEqual([])
})

it('the linter detects violations', async () => {
  const { servers: _servers, ...rest } = document
  expect(await broken(rest)).toEqual([expect.stringContaining('no-empty-servers')])
})

it('the OpenAPI document has a pattern for every id, hash, position and cursor', () => {
  type Parameter = {
    readonly name: string
    readonly schema: { readonly $ref?: string; readonly [key: string]: unknown }
  }
  const { paths, components } = document as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>
    readonly components: { readonly schemas: Readonly<Record<string, Parameter['schema']>> }
  }
  const bare = new Set<string>()
  for (const methods of Object.values(paths)) {
    for (const { parameters = [] } of Object.values(methods)) {
      for (const { name, schema } of parameters) {
        const record = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1) ?? '']
        const isText = record?.['type'] === 'string'
        if (isText && record['pattern'] === undefined && record['enum'] === undefined) bare.add(name)
      }
    }
  }
  // Words that the answer lists when one is none, and JSON.
  expect([...bare].sort()).toEqual(['filter', 'key', 'kind', 'q', 'range', 'reference', 'subject', 'table'])
})
