/** The store of integrations: what it keeps over a restart, and that a disk that fails is an answer and not an end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { IntegrationStore } from '../../../src/storage/integration-store.js'

const SECRET = Buffer.alloc(32, 9)
const PLAIN = Buffer.from('a secret of an endpoint')

let root: string
let nowMs: number
const stores: IntegrationStore[] = []
const storeOf = (folder = join(root, 'integrations'), secret = SECRET): IntegrationStore => {
  const store = new IntegrationStore(folder, secret, () => nowMs)
  stores.push(store)
  return store
}
beforeEach(async () => {
  nowMs = 0
  root = await mkdtemp(join(tmpdir(), 'causeway-storage-'))
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  await rm(root, { recursive: true, force: true })
})

test('the integration store keeps records in key order across a restart, and writes a batch atomically', async () => {
  const store = storeOf()
  await store.write(
    [
      ['b:2', Buffer.of(2)],
      ['b:1', Buffer.of(1)],
      ['c:1', Buffer.of(3)],
    ],
    true,
  )
  await store.write(
    [
      ['b:2', undefined],
      ['b:3', Buffer.of(4)],
    ],
    false,
  )
  await store.close()
  const again = storeOf()
  expect(await again.list('b:')).toEqual([
    ['b:1', Buffer.of(1)],
    ['b:3', Buffer.of(4)],
  ])
  expect([await again.get('c:1'), await again.get('b:2')]).toEqual([Buffer.of(3), undefined])
})

test('the integration store encrypts each record separately, for one network key', async () => {
  const store = storeOf()
  const sealed = store.seal('one', PLAIN)
  expect(sealed.includes(PLAIN)).toBe(false)
  expect(store.unseal('one', sealed)).toEqual(PLAIN)
  expect([store.unseal('other', sealed), storeOf(undefined, Buffer.alloc(32, 1)).unseal('one', sealed)]).toEqual([
    undefined,
    undefined,
  ])
  const bent = Buffer.from(sealed)
  bent[30] = (bent[30] ?? 0) ^ 1
  expect([store.unseal('one', bent), store.unseal('one', Buffer.alloc(3))]).toEqual([undefined, undefined])
})

test('the integration store fails with integrations_unavailable until its folder can be opened, and recovers', async () => {
  const folder = join(root, 'integrations')
  await writeFile(folder, 'in the way')
  const store = storeOf(folder)
  await expect(store.get('a')).rejects.toMatchObject({ code: 'integrations_unavailable' })
  expect(store.fault).toEqual(expect.stringMatching(/open/))
  await rm(folder)
  // It is not tried at every request.
  await expect(store.get('a')).rejects.toMatchObject({ code: 'integrations_unavailable' })
  nowMs = 6_000
  expect(await store.get('a')).toBeUndefined()
  expect(store.fault).toBeUndefined()
})

test('the integration store does not open its folder again after it is closed', async () => {
  const store = storeOf()
  await store.write([['a', Buffer.of(1)]], false)
  await store.close()
  await expect(store.get('a')).rejects.toMatchObject({ code: 'integrations_unavailable' })
  expect(await storeOf().get('a')).toEqual(Buffer.of(1))
})
