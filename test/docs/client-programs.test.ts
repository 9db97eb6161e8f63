/** Programs of outsiders: those of the page about the client compile in strict mode with the package alone and work on a real chain. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../src/api/feature.js'
import type { AnyRoute } from '../../src/api/index.js'
import { CausewayClient, routes } from '../../src/client/index.js'
import { FEATURE_SCHEMAS } from '../../src/features/composed.js'
import { writeKeyFile } from '../../src/files/key-file.js'
import { OWN_ROUTES } from '../../src/gateway/index.js'
import { formatAddress } from '../../src/model/index.js'
import { signedBy, type TestAccount, transferOf } from '../support/chain.js'
import { type Served, serve } from '../support/served.js'
import { blocksOf } from './blocks.js'

const run = promisify(execFile)
const ROOT = process.cwd()
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

let served: Served
let alice: TestAccount
let bob: TestAccount
let url: string
let folder: string

beforeAll(async () => {
  served = await serve()
  ;({ alice, bob, url } = served)
  folder = await mkdtemp(join(tmpdir(), 'causeway-program-'))
})
afterAll(async () => {
  await served.close()
  await rm(folder, { recursive: true, force: true })
})

/** All rows of the object, at any depth. */
const rowsOf = (object: object): AnyRoute[] =>
  Object.values(object).flatMap((value: object) => ('path' in value ? [value as AnyRoute] : rowsOf(value)))

it('every route except streams has an entry in the route table of the client', () => {
  const known = new Set(rowsOf(routes).map(({ id }) => id))
  const served: readonly AnyRoute[] = [...OWN_ROUTES, ...FEATURE_SCHEMAS.flatMap(routesOf)]
  const answering = served.filter(({ format }) => format !== 'sse' && format !== 'websocket')
  expect(answering.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([])
  expect(answering).toHaveLength(known.size)
})

it('streams have no entry in the route table of the client', () => {
  // @ts-expect-error: nor do they compile
  const row = routes.explorer.blockStream
  expect(row).toBeUndefined()
  expect(routes.explorer.blocks.id).toBe('explorer.blocks')
})

it('programs on the page compile with only the package installed, and the payment program pays', async () => {
  await mkdir(join(folder, 'node_modules'))
  await symlink(ROOT, join(folder, 'node_modules', 'causeway'))
  await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules', '@types'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeKeyFile(join(folder, 'alice.json'), alice.pair)
  const programs = blocksOf(readFileSync('docs/reference/client.md', 'utf8'), 'ts').map((text) =>
    text.replace('http://127.0.0.1:8080', url).replace('bob@bank', 'user1@bank').replace('eur#bank', 'usd#bank'),
  )
  expect(programs).toHaveLength(2)
  const names = programs.map((_, index) => `program${index}.ts`)
  for (const [index, name] of names.entries()) await writeFile(join(folder, name), programs[index]!)
  const strict = ['--strict', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023,dom', '--types', 'node']
  const words = [COMPILER, ...strict, '--module', 'nodenext', '--ignoreConfig', ...names]
  const compiled = await run(process.execPath, words, { cwd: folder }).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')
  const { stdout } = await run(process.execPath, ['program1.js'], { cwd: folder })
  expect(stdout).toMatch(/^approved \d+ unverified \n[1-3] \d+\n$/)
})

describe('a client', () => {
  const client = () => new CausewayClient({ gateway: url, signer: alice.pair })

  it('calls any route by its table entry, with parameters, text responses and request bodies', async () => {
    const reader = client()
    const address = (account: TestAccount) => formatAddress(account.id, 'cw')
    const { balances } = await reader.route(routes.accounts.account, { params: { id: address(bob) } })
    expect(balances[0]?.definition).toBe('usd#bank')
    const page = await reader.route(routes.accounts.accounts, { query: { limit: 1, domain: 'bank' } })
    expect(page.items).toHaveLength(1)
    const next = await reader.route(routes.accounts.accounts, {
      query: { limit: 1, domain: 'bank', cursor: page.nextCursor },
    })
    expect(next.items[0]?.id).not.toBe(page.items[0]?.id)
    expect(await reader.route(routes.node.metrics, {})).toMatch(/^# HELP /)
    const policy = { members: [{ account: alice.id, weight: 1 }], quorum: 1, ttlMs: 1_000 }
    expect((await reader.route(routes.multisig.multisigAddress, { body: policy })).account).toMatch(/^.{34}$/s)
    await expect(reader.route(routes.domains.domain, { params: { id: 'nowhere' } })).rejects.toMatchObject({
      code: 'not_found',
    })
    await reader.close()
  })

  it('can submit the same bytes repeatedly, and they are committed once', async () => {
    const payer = client()
    const { bytes } = signedBy(alice, [transferOf(alice.id, bob.id, 2n)], Date.now())
    const first = await payer.submitTransaction(bytes)
    expect(first.receipt).toBeDefined()
    const hash = first.transactionHash.toString('hex')
    expect((await payer.waitTransaction(hash)).state).toBe('approved')
    const again = await payer.submitTransaction(bytes)
    expect([again.transactionHash.toString('hex'), again.receipt]).toEqual([hash, undefined])
    await payer.close()
  })
})
