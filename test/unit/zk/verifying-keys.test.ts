/** Verifying keys on the ledger: who sets them, in which order of versions, at which heights they verify, and how they are listed. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Page } from '../../../src/api/index.js'
import { definitionOf } from '../../../src/executor/index.js'
import { setParameterNow } from '../../../src/executor/parameters.js'
import type { QueryContext } from '../../../src/executor/reads.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { CONFERENCE_ROSTER_VK } from '../../../src/features/conference/schema/parameters.js'
import type { VerifyingKeyView } from '../../../src/features/zk/schema.js'
import { type ExpectedKey, verifyingKeyFault, verifyingKeys } from '../../../src/ledger/verifying-keys.js'
import {
  type Instruction,
  keyCommitment,
  type VerifyingKeyId,
  type VerifyingKeyRow,
  type VerifyingKeyStatus,
} from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'

const BACKEND = 'sigma-ristretto255'
const [admin, outsider] = [accountNamed('admin'), accountNamed('stranger')]
const BLOB = Buffer.from('the key of this ABI')
const ID: VerifyingKeyId = { backend: BACKEND, name: 'roster' }

const content = {
  ...ID,
  circuitId: 'circuit-v1',
  blob: BLOB,
  status: 'active' as VerifyingKeyStatus,
  activationHeight: undefined as number | undefined,
  withdrawHeight: undefined as number | undefined,
}
const register = (more: Partial<typeof content> = {}): Instruction => ({
  kind: 'registerVerifyingKey',
  value: { ...content, ...more },
})
const update = (version: number, more: Partial<typeof content> = {}): Instruction => ({
  kind: 'updateVerifyingKey',
  value: { ...content, ...more, version },
})

let bench: Bench
const keyOf = (id = ID): VerifyingKeyRow | undefined => bench.state.get(verifyingKeys, id)
beforeEach(() => {
  bench = new Bench(undefined, ABI_2)
  const domain = { kind: 'registerDomain', value: { id: 'bank', dataspace: undefined, metadata: new Map() } }
  bench.genesis(admin, domain)
  for (const id of [admin, outsider])
    bench.genesis(admin, {
      kind: 'registerAccount',
      value: { id, label: undefined, domain: 'bank', metadata: new Map() },
    })
  const permission = { name: 'CanManageVerifyingKeys', object: undefined }
  bench.genesis(admin, {
    kind: 'grant',
    value: { subject: { kind: 'permission', value: permission }, to: { kind: 'account', value: admin } },
  })
})

describe('a verifying key', () => {
  it('is registered once, as version 1, with the commitment to its blob', () => {
    expect(bench.run(admin, register({ activationHeight: 5, withdrawHeight: 9 }))).toBeUndefined()
    const { backend: _, name: __, ...row } = { ...content, activationHeight: 5, withdrawHeight: 9 }
    expect(keyOf()).toEqual({ ...row, version: 1, commitment: keyCommitment(BLOB) })
    expect(bench.events.at(-1)).toMatchObject({ kind: 'verifyingKeyRegistered', value: { ...ID, version: 1 } })
    expect(bench.run(admin, register({ blob: Buffer.from('another') }))).toBe('exists')
    expect(keyOf()?.version).toBe(1)
  })

  it('is identified by its name, so that changes to one key do not affect another', () => {
    for (const name of ['roster', 'usage']) expect(bench.run(admin, register({ name }))).toBeUndefined()
    expect(bench.run(admin, update(2, { name: 'usage', status: 'withdrawn' }))).toBeUndefined()
    expect([keyOf()?.status, keyOf({ ...ID, name: 'usage' })?.status]).toEqual(['active', 'withdrawn'])
  })

  it('is replaced only by the next version', () => {
    expect(bench.run(admin, update(1))).toBe('vk_not_registered')
    bench.run(admin, register())
    for (const version of [0, 1, 3]) expect(bench.run(admin, update(version))).toBe('bad_version')
    const blob = Buffer.from('another')
    expect(bench.run(admin, update(2, { blob, status: 'proposed', circuitId: 'circuit-v2' }))).toBeUndefined()
    expect(keyOf()).toMatchObject({ version: 2, blob, status: 'proposed', circuitId: 'circuit-v2' })
    expect(keyOf()?.commitment).toEqual(keyCommitment(blob))
    expect(bench.events.at(-1)).toMatchObject({ kind: 'verifyingKeyUpdated', value: { ...ID, version: 2 } })
    expect(bench.run(admin, update(2))).toBe('bad_version')
  })

  it('can be set only with permission', () => {
    expect(bench.run(outsider, register())).toBe('not_permitted')
    expect(keyOf()).toBeUndefined()
    bench.run(admin, register())
    expect(bench.run(outsider, update(2))).toBe('not_permitted')
    expect(keyOf()?.version).toBe(1)
  })

  it('must have a supported backend, and a name that can be used in a route', () => {
    expect(bench.run(admin, register({ backend: 'halo2' }))).toBe('unsupported_backend')
    for (const name of ['.', '..']) expect(bench.run(admin, register({ name }))).toBe('bad_name')
  })

  it('costs two units for each byte of its blob', () => {
    const teuOf = (bytes: number): number => {
      const one = register({ blob: Buffer.alloc(bytes) })
      const { base, per = [] } = definitionOf(ABI_2, one).cost
      return per.reduce((sum, { teu, count }) => sum + teu * count(one.value), base)
    }
    expect([teuOf(0), teuOf(1), teuOf(8_192)]).toEqual([2_000, 2_002, 18_384])
  })
})

describe('a zero-knowledge proof', () => {
  const expected: ExpectedKey = {
    parameter: CONFERENCE_ROSTER_VK,
    backend: BACKEND,
    blob: BLOB,
    named: keyCommitment(BLOB),
  }
  const configure = (id: VerifyingKeyId): void =>
    setParameterNow(bench.state, CONFERENCE_ROSTER_VK.name, CONFERENCE_ROSTER_VK.schema.encode(id))
  const faultAt = (height: number, more: Partial<ExpectedKey> = {}): string | undefined =>
    verifyingKeyFault(
      {
        env: { height } as never,
        get: (table, key) => bench.state.get(table, key),
        has: (table, key) => bench.state.has(table, key),
      },
      { ...expected, ...more },
    )?.code

  it('is verified from the activation height to just before the withdrawal height of its key', () => {
    configure(ID)
    bench.run(admin, register({ activationHeight: 5, withdrawHeight: 9 }))
    const codes = [4, 5, 8, 9].map((height) => faultAt(height))
    expect(codes).toEqual(['vk_inactive', undefined, undefined, 'vk_inactive'])
  })

  it('is verified at any height if its key has no heights', () => {
    configure(ID)
    bench.run(admin, register())
    expect([faultAt(1), faultAt(Number.MAX_SAFE_INTEGER)]).toEqual([undefined, undefined])
  })

  it.each(['proposed', 'withdrawn'] as const)('is not verified if its key is %s', (status) => {
    configure(ID)
    bench.run(admin, register({ status }))
    expect(faultAt(5)).toBe('vk_inactive')
  })

  it('is verified with the configured key only if that key matches the ABI and the proof', () => {
    expect(faultAt(5)).toBe('vk_not_configured')
    configure(ID)
    expect(faultAt(5)).toBe('vk_not_registered')
    bench.run(admin, register())
    expect(faultAt(5)).toBeUndefined()
    expect(faultAt(5, { backend: 'another' })).toBe('vk_mismatch')
    expect(faultAt(5, { blob: Buffer.from('another') })).toBe('vk_mismatch')
    expect(faultAt(5, { named: keyCommitment(Buffer.from('another')) })).toBe('vk_mismatch')
    configure({ ...ID, name: 'usage' })
    expect(faultAt(5)).toBe('vk_not_registered')
  })
})

describe('the list of verifying keys', () => {
  const rows: { readonly key: VerifyingKeyId; readonly value: VerifyingKeyRow; readonly bytes: number }[] = []
  const row = (name: string, more: Partial<VerifyingKeyRow> = {}, backend = BACKEND): void => {
    const { backend: _, name: __, ...rest } = content
    const value = { ...rest, version: 1, commitment: keyCommitment(BLOB), ...more }
    rows.push({ key: { backend, name }, value, bytes: 100 })
  }
  const textOf = ({ backend, name }: VerifyingKeyId): string => `${backend} ${name}`
  const ctx = {
    height: 7,
    reader: { get: (_: unknown, id: VerifyingKeyId) => rows.find(({ key }) => textOf(key) === textOf(id))?.value },
    rows: async (_: unknown, { after, limit }: { readonly after?: VerifyingKeyId; readonly limit: number }) =>
      rows.filter(({ key }) => after === undefined || textOf(key) > textOf(after)).slice(0, limit),
  } as unknown as QueryContext
  const query = { backend: undefined, status: undefined, after: undefined, limit: 100 }
  const ask = <T>(kind: string, input: unknown): Promise<T | undefined> =>
    Promise.resolve(ABI_2.queries.get(kind)?.run(ctx, input) as T | undefined)
  const list = (more: object = {}) => ask<Page<VerifyingKeyView>>('verifyingKeys', { ...query, ...more })
  const verifies = async (name: string) => (await ask<VerifyingKeyView>('verifyingKey', { ...ID, name }))?.verifies
  const pageOf = async (more: object) => {
    const page = await list(more)
    return { names: page?.items.map(({ id }) => id.name), next: page?.nextCursor, height: page?.height }
  }
  beforeEach(() => {
    rows.length = 0
    row('alpha')
    row('beta', { status: 'proposed' })
    row('gamma', { activationHeight: 8 })
    row('delta', {}, 'unknown')
  })

  it('contains all keys in pages, each with the cursor of the next page', async () => {
    expect(await pageOf({})).toEqual({ names: ['alpha', 'beta', 'gamma', 'delta'], next: undefined, height: 7 })
    const first = await pageOf({ limit: 2 })
    expect(first).toEqual({ names: ['alpha', 'beta'], next: `${BACKEND} beta`, height: 7 })
    expect(await pageOf({ limit: 2, after: first.next })).toMatchObject({ names: ['gamma', 'delta'], next: undefined })
  })

  it('can be filtered by backend or status, and continues after the keys already scanned', async () => {
    expect((await pageOf({ backend: BACKEND })).names).toEqual(['alpha', 'beta', 'gamma'])
    expect((await pageOf({ status: 'proposed' })).names).toEqual(['beta'])
    expect((await pageOf({ backend: 'unknown', status: 'proposed' })).names).toEqual([])
    expect(await pageOf({ status: 'proposed', limit: 1 })).toMatchObject({ names: [], next: `${BACKEND} alpha` })
  })

  it('shows which keys are valid in the next block', async () => {
    row('omega', { activationHeight: 9 })
    row('zeta', { withdrawHeight: 8 })
    const page = await list()
    const verifying = page?.items.filter((item) => item.verifies).map(({ id }) => id.name)
    expect(verifying).toEqual(['alpha', 'gamma', 'delta'])
    expect([await verifies('gamma'), await verifies('omega'), await verifies('nobody')]).toEqual([
      true,
      false,
      undefined,
    ])
  })
})
