// Prints attestations of releases as DSSE envelopes, for dsse.py: node test/vectors/dsse.mjs | python3 test/vectors/dsse.py > test/vectors/dsse.json
import { createHash } from 'node:crypto'
import { ed25519PublicKey, signEd25519 } from '../../dist/src/crypto/ed25519.js'
import { envelopeOf, signedBytesOf } from '../../dist/src/features/registry/schema/statement.js'

const COUNT = 40
const TEXT = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((one) => one !== '"' && one !== '\\')
const digest = (text) => createHash('sha256').update(text).digest()

/** Visible ASCII from a seed. */
const textOf = (seed, length) => {
  let bytes = digest(seed)
  while (bytes.length < length) bytes = Buffer.concat([bytes, digest(bytes)])
  return [...bytes.subarray(0, length)].map((byte) => TEXT[byte % TEXT.length]).join('')
}

const vectors = Array.from({ length: COUNT }, (_, at) => {
  const seed = digest(`key ${at % 7}`)
  const fields = ['buildType', 'source', 'commit', 'builder', 'invocation']
  const provenance = Object.fromEntries(
    fields.map((field, index) => [field, textOf(`${field} ${at}`, 1 + ((at * 37 + index * 61) % 256))]),
  )
  const subject = { package: `bank/kit-${at}`, version: `${at}.0.${at % 3}`, sha256: digest(`archive ${at}`) }
  const signature = signEd25519(seed, signedBytesOf(subject, provenance))
  const envelope = envelopeOf(subject, { key: ed25519PublicKey(seed), provenance, signature })
  return { ...subject, sha256: subject.sha256.toString('hex'), seed: seed.toString('hex'), provenance, envelope }
})
process.stdout.write(JSON.stringify(vectors))
