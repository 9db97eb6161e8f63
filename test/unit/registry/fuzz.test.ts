/** Seeded fuzz of statements, manifests and governance scopes: any bytes give a value or a fault, and values read back. */
import { describe, expect, it } from 'vitest'
import type { Json, Schema } from '../../../src/codec/index.js'
import { govTrack, scopeElement } from '../../../src/features/gov/schema/records.js'
import { instructions } from '../../../src/features/registry/schema/instructions.js'
import {
  attestation,
  type Provenance,
  provenance,
  type ReleaseManifest,
  releaseManifest,
} from '../../../src/features/registry/schema/records.js'
import { envelopeOf, signedBytesOf, statementOf } from '../../../src/features/registry/schema/statement.js'
import { releaseRow } from '../../../src/features/registry/schema/stored.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'
import { track } from '../../support/gov.js'
import { alice, attestationOf, manifestOf, PROVENANCE, SHA } from '../../support/registry.js'
import { CODEC } from '../gateway/support.js'

const ROUNDS = slice(400, 4_000)
const random = randomOf(7, 'registry-fuzz')
const { below, chance, pick } = random
const text = (length: number, from = 33, count = 94): string =>
  Array.from({ length }, () => String.fromCharCode(from + below(count))).join('')
/** Visible ASCII without quote and backslash. */
const plain = (): string => text(1 + below(256)).replaceAll(/["\\]/g, '!')
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)))

const manifest = (): ReleaseManifest =>
  manifestOf({
    archive: {
      sha256: bytes(32),
      bytes: below(1e9),
      mediaType: plain().slice(0, 127),
      cid: chance(0.5) ? 'bafy' : undefined,
    },
    codeHash: chance(0.5) ? bytes(32) : undefined,
    dependencies: Array.from({ length: below(4) }, () => ({
      package: pick(['bank/kit', 'shop/a-b']),
      kind: pick(['runtime', 'development', 'optional'] as const),
      alternatives: Array.from({ length: below(5) }, () =>
        Array.from({ length: below(5) }, () => ({
          op: pick(['eq', 'lt', 'le', 'gt', 'ge'] as const),
          version: `${below(9)}.${below(9)}.${below(9)}${chance(0.3) ? '-rc.1' : ''}`,
        })),
      ),
    })),
    exports: Array.from({ length: below(4) }, () => plain().slice(0, 128)),
    description: chance(0.5) ? 'é"\\\u0000' : '',
  })
const fields = (): Provenance => ({
  buildType: plain(),
  source: plain(),
  commit: plain(),
  builder: plain(),
  invocation: plain(),
})
const attested = () => ({ key: bytes(32), provenance: fields(), signature: bytes(64) })
const letters = () => text(1 + below(8), 97, 26)
const scope = (): string =>
  pick(['*', letters(), `${letters()}::${letters()}`, `parameter::set=${plain().slice(0, 100)}`])

/** Records with a generator of their values. */
const RECORDS: readonly (readonly [name: string, schema: Schema<never>, make: () => unknown])[] = [
  ['manifest', releaseManifest as Schema<never>, manifest],
  ['provenance', provenance as Schema<never>, fields],
  ['attestation', attestation as Schema<never>, attested],
  [
    'PublishRelease',
    instructions.publishRelease.schema as Schema<never>,
    () => ({
      package: 'bank/kit',
      version: chance(0.5) ? '1.0.0' : text(below(64)),
      manifest: manifest(),
      attestation: chance(0.5) ? attested() : undefined,
    }),
  ],
  [
    'release row',
    releaseRow as Schema<never>,
    () => ({
      manifest: manifest(),
      digest: bytes(32),
      by: alice,
      height: below(1e6),
      publishedMs: below(1e12),
      position: below(4_096),
      revision: 1 + below(9),
      yanked: chance(0.5) ? { atMs: below(1e12), reason: 'broken' } : undefined,
      attestations: Array.from({ length: below(3) }, () => ({ atMs: below(1e12), attestation: attested() })),
    }),
  ],
  ['scope', scopeElement as Schema<never>, scope],
  ['track', govTrack as Schema<never>, () => track({ scope: Array.from({ length: 1 + below(8) }, scope) })],
]

/** Bytes with up to four edits: a flipped bit, an inserted, removed or repeated part, a cut. */
function edited(original: Uint8Array): Buffer {
  let out = Buffer.from(original)
  for (let left = 1 + below(4); left > 0; left -= 1) {
    const at = below(out.length + 1)
    const [head, tail] = [out.subarray(0, at), out.subarray(at)]
    const kind = below(5)
    if (kind === 0 && out[at] !== undefined) out[at] = (out[at] ?? 0) ^ (1 << below(8))
    else if (kind === 1) out = Buffer.concat([head, bytes(1 + below(8)), tail])
    else if (kind === 2) out = Buffer.concat([head, tail.subarray(below(tail.length + 1))])
    else if (kind === 3) out = Buffer.concat([head, tail.subarray(0, below(16)), tail])
    else out = Buffer.from(head)
  }
  return out
}

describe.each(RECORDS)('the %s', (_name, schema, make) => {
  it('reads back what was encoded, in bytes and JSON', () => {
    for (let round = 0; round < ROUNDS / 8; round += 1) {
      const value = make() as never
      const encoded = schema.encode(value, CODEC)
      const decoded = schema.decode(encoded, CODEC)
      if (!decoded.ok) throw new Error(decoded.fault.message)
      expect(encoded.equals(schema.encode(decoded.value, CODEC))).toBe(true)
      const json = schema.toJson(value, CODEC)
      const read = schema.fromJson(JSON.parse(JSON.stringify(json)) as Json, CODEC)
      if (!read.ok) throw new Error(read.fault.message)
      expect(encoded.equals(schema.encode(read.value, CODEC))).toBe(true)
    }
  })

  it('gives a value or a fault for any bytes and any text, and a value has one encoding', () => {
    let faults = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const input = chance(0.2) ? bytes(below(600)) : edited(schema.encode(make() as never, CODEC))
      const decoded = schema.decode(input, CODEC)
      if (decoded.ok) expect(input.equals(schema.encode(decoded.value, CODEC))).toBe(true)
      else {
        faults += 1
        expect(decoded.fault.message).not.toBe('')
      }
      const source = edited(Buffer.from(JSON.stringify(schema.toJson(make() as never, CODEC)))).toString('latin1')
      const parsed = schema.parseJson(source, CODEC)
      if (!parsed.ok) expect(parsed.fault.message).not.toBe('')
    }
    expect(faults).toBeGreaterThan(ROUNDS / 10)
  })
})

describe('the statement of a release', () => {
  it('is JSON with the fields of any provenance, and its envelope has the signed bytes', () => {
    for (let round = 0; round < ROUNDS / 4; round += 1) {
      const given = attested()
      const subject = { package: 'bank/kit', version: '1.0.0', sha256: bytes(32) }
      const statement = statementOf(subject, given.provenance)
      const { predicate } = JSON.parse(statement) as { predicate: Record<string, unknown> }
      expect(predicate['buildDefinition']).toMatchObject({
        buildType: given.provenance.buildType,
        externalParameters: { source: given.provenance.source },
        resolvedDependencies: [{ uri: given.provenance.source, digest: { gitCommit: given.provenance.commit } }],
      })
      const { payloadType, payload } = envelopeOf(subject, given)
      const body = Buffer.from(payload, 'base64')
      const expected = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body])
      expect(expected.equals(signedBytesOf(subject, given.provenance))).toBe(true)
    }
  })

  it.each(['', '"', '\\', 'git+"x', 'a\\b', ' ', 'a b', '\n', '\u007f', 'é', 'x'.repeat(257)])(
    'cannot have the source %j',
    (source) => {
      const json = { build_type: 'a', commit: 'a', builder: 'a', invocation: 'a', source }
      expect(provenance.fromJson(json)).toMatchObject({ ok: false })
      expect(() => provenance.encode({ ...PROVENANCE, source })).toThrow('cannot encode')
      const encoded = attestation.encode(
        attestationOf('ci', 'bank/kit', '1.0.0', { source: 'S'.repeat(9), sha256: SHA }),
      )
      const at = encoded.indexOf('S'.repeat(9))
      for (const byte of [0x22, 0x5c, 0x20, 0x7f, 0x80]) {
        const wrong = Buffer.from(encoded)
        wrong[at + 4] = byte
        expect(attestation.decode(wrong)).toMatchObject({ ok: false })
      }
    },
  )
})
