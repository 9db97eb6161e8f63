/** Releases whose archive the ministry denies: they are neither asserted nor resolved, and remain readable. */
import { beforeEach, describe, expect, it } from 'vitest'
import { deniedHashes } from '../../../src/features/ministry/ledger/tables.js'
import { releaseDigest } from '../../../src/features/registry/schema/records.js'
import { resolveRoute } from '../../../src/features/registry/schema/routes.js'
import { queries } from '../../../src/features/registry/schema/views.js'
import type { Bench } from '../../support/executor.js'
import {
  alice,
  answerOf,
  assertion,
  create,
  hashOf,
  manifestOf,
  owner,
  publish,
  registryWorld,
  responseOf,
} from '../../support/registry.js'

const KIT = 'bank/kit'
const archive = (name: string) =>
  manifestOf({ archive: { sha256: hashOf(name), bytes: 3, mediaType: 'application/gzip', cid: undefined } })
let bench: Bench
beforeEach(() => {
  bench = registryWorld()
  bench.run(owner, create(KIT, 'none', [alice]))
  for (const version of ['1.0.0', '1.1.0']) bench.run(alice, publish(KIT, version, { manifest: archive(version) }))
})
const deny = (version: string) =>
  bench.state.set(
    deniedHashes,
    { family: 'sha256', hash: hashOf(version) },
    { agenda: 'AC-2026-1', sinceMs: bench.timeMs },
  )
const digestOf = (version: string) => releaseDigest(KIT, version, archive(version))

const ask = (kind: string, input: unknown) => answerOf(bench, kind, input)
const resolve = (digest?: Uint8Array, onQuery?: (kind: string) => void) =>
  responseOf(bench, resolveRoute, { package: KIT, digest }, onQuery)

describe('a package release whose archive is denied', () => {
  it('cannot be resolved, not even by its digest', async () => {
    expect(await resolve()).toMatchObject({ value: { version: '1.1.0' } })
    deny('1.1.0')
    expect(await resolve()).toMatchObject({ value: { version: '1.0.0' } })
    expect(await resolve(digestOf('1.1.0'))).toMatchObject({ code: 'not_found' })
    deny('1.0.0')
    expect(await resolve()).toMatchObject({ code: 'not_found' })
  })

  it('is not resolved if it is denied between the choice and the read of the release', async () => {
    const denyAtRead = (kind: string) => {
      if (kind === queries.registryRelease.kind) deny('1.1.0')
    }
    expect(await resolve(undefined, denyAtRead)).toMatchObject({ code: 'not_found' })
  })

  it('cannot be asserted while it is denied, with release_changed', () => {
    expect(bench.run(alice, assertion(KIT, '1.1.0', digestOf('1.1.0')))).toBeUndefined()
    deny('1.1.0')
    expect(bench.run(alice, assertion(KIT, '1.1.0', digestOf('1.1.0')))).toBe('release_changed')
    expect(bench.run(alice, assertion(KIT, '1.0.0', digestOf('1.0.0')))).toBeUndefined()
  })

  it('can still be read, and is shown as denied', async () => {
    deny('1.1.0')
    expect(await ask(queries.registryRelease.kind, { package: KIT, version: '1.1.0' })).toMatchObject({
      version: '1.1.0',
      isDenied: true,
    })
    expect(await ask(queries.registryRelease.kind, { package: KIT, version: '1.0.0' })).toMatchObject({
      isDenied: false,
    })
  })
})
