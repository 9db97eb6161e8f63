/** Lists page by page, and queries that answer lists, against a gateway over a node without consensus. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeKeyFile } from '../../src/files/key-file.js'
import type { Gateway } from '../../src/gateway/index.js'
import { alice, FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { causewayHere } from './in-process.js'
import type { Run } from './run.js'

let gateway: Gateway
let folder: string
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-lists-'))
  await writeKeyFile(join(folder, 'alice.json'), alice, {})
  gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...words: string[]): Promise<Run> => causewayHere([...words, '--gateway', url], { cwd: folder })

interface Page {
  readonly items: readonly { readonly id: string }[]
  readonly next_cursor: string | null
}
const pageOf = async (...flags: string[]): Promise<Page> =>
  (await run('domain', 'list', '--json', ...flags)).json() as unknown as Page

describe('a list', () => {
  test('continues after its cursor, without gaps or duplicates', async () => {
    const all = await pageOf('--all')
    expect(all.next_cursor).toBeNull()
    const first = await pageOf('--limit', '3')
    const second = await pageOf('--limit', '2', '--cursor', String(first.next_cursor))
    expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 5))
  })

  test('spans several pages of the gateway with --all', async () => {
    const { items } = await pageOf('--all')
    expect(items.length).toBeGreaterThan(100)
    expect((await pageOf()).items).toHaveLength(100)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  })

  test('prints a hint about more items, and in JSON only the cursor', async () => {
    const people = await run('domain', 'list', '--limit', '3')
    expect(people.stderr).toMatch(
      /^More items exist: use --all for all of them, or --cursor \S+ for the next page\.\n$/,
    )
    expect((await run('domain', 'list', '--all')).stderr).toBe('')
    expect((await run('domain', 'list', '--limit', '3', '--json')).stderr).toBe('')
  })

  test('refuses the cursor of another list', async () => {
    const wrong = await run('domain', 'list', '--cursor', 'nonsense', '--json')
    expect([wrong.code, wrong.json()]).toMatchObject([4, { error: { code: 'invalid_pagination' } }])
  })
})

describe('a query', () => {
  const asked = (...words: string[]): Promise<Run> => run('query', ...words, '--key-file', 'alice.json')

  test('for a list prints its items, one per line, with or without --items', async () => {
    const [plain, items] = [await asked('domains'), await asked('domains', '--items')]
    expect([plain.code, plain.stdout]).toEqual([0, items.stdout])
    expect(JSON.parse(plain.stdout.split('\n')[0] ?? '')).toMatchObject({ id: 'd000' })
    const page = await asked('domains', '{"limit": 2}')
    expect(page.json()).toMatchObject({ items: [{ id: 'd000' }, { id: 'd001' }] })
  })

  test('with a misspelt name suggests the correct one', async () => {
    const wrong = await asked('domians', '--json')
    expect(wrong.json()).toMatchObject({ error: { code: 'query_unknown', hint: 'causeway query domains' } })
  })

  test('for a single record without its input suggests the list', async () => {
    const wrong = await asked('transaction', '--json')
    expect([wrong.code, wrong.json()]).toMatchObject([
      4,
      { error: { code: 'missing_field', hint: expect.stringMatching(/or all of them: causeway query transactions$/) } },
    ])
  })
})
