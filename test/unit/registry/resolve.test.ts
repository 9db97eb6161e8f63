/** The choice of a release: ranges, ages, yanks, digests, the number of queries; provenance as DSSE. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type Infer, jsonSchemaRefs } from '../../../src/codec/index.js'
import { deniedHashes } from '../../../src/features/ministry/ledger/tables.js'
import { registryPackages, setVersionEntry } from '../../../src/features/registry/ledger/tables.js'
import { releaseDigest, splitPackage, VERSIONS_MAX } from '../../../src/features/registry/schema/records.js'
import { provenanceRoute, resolveRoute } from '../../../src/features/registry/schema/routes.js'
import { statementOf } from '../../../src/features/registry/schema/statement.js'
import type { Bench } from '../../support/executor.js'
import {
  alice,
  attestationOf,
  create,
  keyOf,
  manifestOf,
  owner,
  PROVENANCE,
  publish,
  registryWorld,
  responseOf,
  SHA,
  set,
  yank,
} from '../../support/registry.js'

const KIT = 'bank/kit'
const DAY_MS = 86_400_000
let bench: Bench
beforeEach(() => {
  bench = registryWorld()
  bench.run(owner, create(KIT, 'none', [alice]))
})
const digestOf = (version: string) => releaseDigest(KIT, version, manifestOf())
const published = (...versions: readonly string[]) => {
  for (const version of versions) expect(bench.run(alice, publish(KIT, version))).toBeUndefined()
}
const resolve = (query: { range?: string; minAgeMs?: number; digest?: Uint8Array }, onQuery?: () => void) =>
  responseOf(bench, resolveRoute, { package: KIT, ...query }, onQuery)

describe('resolving a package', () => {
  it('returns the highest release in the range', async () => {
    published('1.2.0', '1.10.0', '2.0.0')
    expect(await resolve({})).toMatchObject({ value: { version: '2.0.0', digest: digestOf('2.0.0') } })
    expect(await resolve({ range: '^1.0' })).toMatchObject({ value: { version: '1.10.0', warning: undefined } })
    expect(await resolve({ range: '^3.0' })).toMatchObject({ code: 'not_found' })
  })

  it('returns a pre-release only if the range names one of the same version', async () => {
    published('1.0.0', '1.1.0-rc.1', '1.2.0-rc.1')
    expect(await resolve({})).toMatchObject({ value: { version: '1.0.0' } })
    expect(await resolve({ range: '^1.0' })).toMatchObject({ value: { version: '1.0.0' } })
    expect(await resolve({ range: '^1.1.0-rc.0' })).toMatchObject({ value: { version: '1.1.0-rc.1' } })
  })

  it('refuses text that is not a range with malformed_request, and an unknown package with not_found', async () => {
    expect(await resolve({ range: 'latest && 1' })).toMatchObject({ code: 'malformed_request' })
    expect(await responseOf(bench, resolveRoute, { package: 'bank/none' })).toMatchObject({ code: 'not_found' })
  })

  it('skips releases that are younger than the minimum age, to the millisecond', async () => {
    published('1.0.0')
    bench.timeMs += DAY_MS
    published('1.1.0')
    expect(await resolve({ minAgeMs: 0 })).toMatchObject({ value: { version: '1.1.0' } })
    expect(await resolve({ minAgeMs: 1 })).toMatchObject({ value: { version: '1.0.0' } })
    expect(await resolve({ minAgeMs: DAY_MS })).toMatchObject({ value: { version: '1.0.0' } })
    expect(await resolve({ minAgeMs: DAY_MS + 1 })).toMatchObject({ code: 'not_found' })
    expect(await resolve({ minAgeMs: 1, digest: digestOf('1.1.0') })).toMatchObject({ code: 'not_found' })
  })

  it('returns a yanked release only by its digest, with a warning', async () => {
    published('1.0.0', '1.1.0')
    bench.run(alice, yank(KIT, '1.1.0', 1))
    expect(await resolve({})).toMatchObject({ value: { version: '1.0.0', warning: undefined } })
    const byDigest = await resolve({ digest: digestOf('1.1.0') })
    expect(byDigest).toMatchObject({ value: { version: '1.1.0', warning: 'the release is yanked: broken' } })
    expect(await resolve({ digest: digestOf('1.0.0') })).toMatchObject({ value: { version: '1.0.0' } })
    expect(await resolve({ range: '^2.0', digest: digestOf('1.1.0') })).toMatchObject({ code: 'not_found' })
    expect(await resolve({ digest: digestOf('9.0.0') })).toMatchObject({ code: 'not_found' })
    bench.run(alice, yank(KIT, '1.1.0', 2, false))
    expect(await resolve({})).toMatchObject({ value: { version: '1.1.0', warning: undefined } })
  })

  it('reads at most two times from the ledger if all 4,096 versions are denied or have another digest', async () => {
    published('0.0.0')
    const entry = { publishedMs: bench.timeMs, isYanked: false, sha256: SHA }
    for (let at = 1; at < VERSIONS_MAX; at += 1) {
      const version = `1.${at}.0`
      setVersionEntry(bench.state, KIT, at, { ...entry, version, digest: digestOf(version) })
    }
    const row = bench.state.get(registryPackages, splitPackage(KIT))
    if (row === undefined) throw new Error('the package exists')
    bench.state.set(registryPackages, splitPackage(KIT), { ...row, releases: VERSIONS_MAX })
    let reads = 0
    const counted = () => {
      reads += 1
    }
    expect(await resolve({ digest: digestOf('0.0.0') }, counted)).toMatchObject({ value: { version: '0.0.0' } })
    expect(reads).toBe(2)
    bench.state.set(deniedHashes, { family: 'sha256', hash: SHA }, { agenda: 'AC-2026-1', sinceMs: 1 })
    expect(await resolve({}, counted)).toMatchObject({ code: 'not_found' })
    expect(reads).toBe(3)
  })
})

describe('the provenance route', () => {
  const query = { package: KIT, version: '1.0.0' }
  const attestation = attestationOf('ci', KIT, '1.0.0')
  const envelope = {
    payloadType: 'application/vnd.in-toto+json',
    payload: Buffer.from(statementOf({ ...query, sha256: SHA }, PROVENANCE)).toString('base64'),
    signatures: [
      { keyid: Buffer.from(keyOf('ci')).toString('hex'), sig: Buffer.from(attestation.signature).toString('base64') },
    ],
  }
  const { response } = provenanceRoute
  if (response === undefined) throw new Error('the route has a response')

  it('answers envelopes with the JSON field names of DSSE, and only with those', async () => {
    bench.run(alice, set(KIT, { add: [{ key: keyOf('ci'), sourcePrefix: PROVENANCE.source }] }))
    expect(bench.run(alice, publish(KIT, '1.0.0', { attestation }))).toBeUndefined()
    const { value } = (await responseOf(bench, provenanceRoute, query)) as { readonly value: Infer<typeof response> }
    const json = { ...query, height: 2, envelopes: [envelope] }
    expect(response.toJson(value)).toEqual(json)
    expect(response.fromJson(json)).toEqual({ ok: true, value })
    expect(response.fromJson({ ...json, envelopes: [{ ...envelope, payload_type: 'x' }] })).toMatchObject({ ok: false })
  })

  it('describes the same names in its JSON schema', () => {
    const refs = jsonSchemaRefs()
    response.jsonSchema(refs)
    expect(JSON.stringify([...refs.components.values()])).toContain('"required":["payloadType","payload","signatures"]')
  })
})
