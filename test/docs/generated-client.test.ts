/** A client made from the OpenAPI document by a third-party generator: it compiles, rejects wrong types, and works. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Gateway } from '../../src/gateway/index.js'
import { formatAddress, signedTransaction, transactionId } from '../../src/model/index.js'
import { accountOf, alice, CODEC, DOMAINS, FakeNode, gatewayOf, signedBytes } from '../unit/gateway/support.js'

const run = promisify(execFile)
const ROOT = new URL('../..', import.meta.url).pathname
const GENERATOR = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

/** Source of a program that uses the generated client; its arguments: URL, address, a signed transaction as JSON. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const [baseUrl = '', address = '', transaction = ''] = process.argv.slice(2)
const client = createClient<paths, 'application/json'>({ baseUrl, headers: { accept: 'application/json' } })

const status = await client.GET('/status')
const height: number = status.data?.blocks ?? -1
// @ts-expect-error a field that the record does not have
status.data?.nonsense

const domains: string[] = []
for (let cursor: string | undefined; ; ) {
  const page = await client.GET('/v1/domains', { params: { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } } })
  if (page.data === undefined) throw new Error(page.error?.message)
  domains.push(...page.data.items.map((one) => one.id))
  cursor = page.data.next_cursor ?? undefined
  if (cursor === undefined) break
}
// @ts-expect-error a path that no route has
await client.GET('/v1/nothing').catch(() => undefined)

const account = await client.GET('/v1/accounts/{id}', { params: { path: { id: address } } })
const balance: string = account.data?.balances[0]?.amount ?? ''

const refused = await client.GET('/v1/domains', { params: { query: { limit: 0 } } })
const error: components['schemas']['Error'] | undefined = refused.error
const fault: string | undefined = error?.details?.faults?.[0]?.path

const policy = { members: [{ account: address, weight: 1 }], quorum: 1, ttl_ms: 1000 }
const multisig = await client.POST('/v1/multisig/address', { body: policy })
// @ts-expect-error a policy without its members
const incomplete: Parameters<typeof client.POST<'/v1/multisig/address', { body: { quorum: number } }>>[1] = { body: { quorum: 1 } }
void incomplete

const submitted = await client.POST('/transaction', {
  body: JSON.parse(transaction) as components['schemas']['SignedTransaction'],
  headers: { 'content-type': 'application/json' },
})
const receipt = submitted.data as components['schemas']['Receipt']

console.log(
  JSON.stringify({
    height,
    domains: domains.length,
    balance,
    fault,
    code: error?.code,
    multisig: multisig.data?.account,
    status: submitted.response.status,
    hash: receipt.transaction_hash,
  }),
)
`

let gateway: Gateway
let url: string
let folder: string
beforeAll(async () => {
  gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
  folder = await mkdtemp(join(tmpdir(), 'causeway-generated-'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

it('a client generated from the OpenAPI document of a node compiles in strict mode and can call the node', async () => {
  const document = await (await fetch(`${url}/openapi.json`)).text()
  await writeFile(join(folder, 'openapi.json'), document)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await run(process.execPath, [GENERATOR, 'openapi.json', '-o', 'api.ts'], { cwd: folder })
  const strict = ['--strict', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023,dom', '--types', 'node']
  const words = [COMPILER, ...strict, '--module', 'nodenext', '--ignoreConfig', 'program.ts']
  const compiled = await run(process.execPath, words, { cwd: folder }).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')

  const address = formatAddress(accountOf(alice), 'cw')
  const bytes = await signedBytes(7)
  const decoded = signedTransaction.decode(bytes, CODEC)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  const jsonForm = JSON.stringify(signedTransaction.toJson(decoded.value, CODEC))
  const { stdout } = await run(process.execPath, ['program.js', url, address, jsonForm], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({
    height: 7,
    domains: DOMAINS.length,
    balance: '12.5',
    fault: 'limit',
    code: 'invalid_pagination',
    multisig: expect.stringMatching(/^cw1/),
    status: 202,
    hash: transactionId(decoded.value.payload.bytes).toString('hex'),
  })
})
