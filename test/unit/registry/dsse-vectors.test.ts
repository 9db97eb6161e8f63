/**
 * Envelopes that securesystemslib and in-toto-attestation (test/vectors/dsse.py) and go-securesystemslib (dsse.go) accepted
 * are those that this code makes today.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ed25519PublicKey, signEd25519 } from '../../../src/crypto/ed25519.js'
import { verifyEd25519 } from '../../../src/crypto/index.js'
import type { Provenance } from '../../../src/features/registry/schema/records.js'
import { envelopeOf, signedBytesOf } from '../../../src/features/registry/schema/statement.js'

interface Vector {
  readonly package: string
  readonly version: string
  readonly sha256: string
  readonly seed: string
  readonly provenance: Provenance
  readonly envelope: { readonly signatures: readonly { readonly keyid: string }[] }
  readonly is_accepted: boolean
  readonly is_statement: boolean
  readonly is_accepted_flipped: boolean
}
const vectors = JSON.parse(readFileSync('test/vectors/dsse.json', 'utf8')) as readonly Vector[]

it('attestation envelopes match other tools, and are rejected with a flipped bit', () => {
  expect(vectors).toHaveLength(40)
  for (const { sha256, seed, provenance, envelope, ...vector } of vectors) {
    const subject = { package: vector.package, version: vector.version, sha256: Buffer.from(sha256, 'hex') }
    const secret = Buffer.from(seed, 'hex')
    const bytes = signedBytesOf(subject, provenance)
    const signature = signEd25519(secret, bytes)
    const key = ed25519PublicKey(secret)
    expect(envelopeOf(subject, { key, provenance, signature })).toEqual(envelope)
    expect([vector.is_accepted, vector.is_statement, vector.is_accepted_flipped]).toEqual([true, true, false])
    expect(verifyEd25519(key, bytes, signature)).toBe(true)
  }
})

it('attestation envelopes are accepted by go-securesystemslib, and rejected with a flipped bit', () => {
  const results = JSON.parse(readFileSync('test/vectors/dsse-go.json', 'utf8')) as unknown
  expect(results).toEqual(
    vectors.map(({ envelope }) => ({
      keyid: envelope.signatures[0]?.keyid,
      is_accepted: true,
      is_same_payload: true,
      is_accepted_flipped: false,
    })),
  )
})
