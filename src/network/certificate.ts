/**
 * Owns the X.509 certificate of a link: self-signed by the Ed25519 network key, in DER (X.690), RFC 5280 and RFC 8410.
 *
 * Only its key is used: names and dates are constants, so one key has one certificate.
 */
import { createPrivateKey, type X509Certificate } from 'node:crypto'
import { ED25519_KEY_BYTES, ed25519Signer } from '../crypto/index.js'

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const GENERALIZED_TIME = 0x18
const EXPLICIT_0 = 0xa0

/** One DER element: tag, definite length, content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  const length: number[] = []
  for (let rest = body.length; rest > 0; rest = Math.floor(rest / 256)) length.unshift(rest % 256)
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length, ...length), body])
}

/** id-Ed25519, 1.3.101.112 (RFC 8410). */
const ED25519_ALGORITHM = der(SEQUENCE, der(OBJECT_ID, Buffer.of(0x2b, 0x65, 0x70)))
/** commonName, 2.5.4.3. */
const COMMON_NAME = der(OBJECT_ID, Buffer.of(0x55, 0x04, 0x03))
const NAME = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('causeway peer')))))

/** Validity in years that cover any validator clock; the dates are not checked. */
const NOT_BEFORE = '20000101000000Z'
const NOT_AFTER = '99991231235959Z'

const bitString = (bytes: Uint8Array): Buffer => der(BIT_STRING, Buffer.of(0), bytes)

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

/** Certificate and private key in the form of node:tls. The key is a secret: never log it. */
export interface LinkIdentity {
  /** Ed25519 public key, 32 bytes. */
  readonly publicKey: Buffer
  readonly certificate: string
  readonly privateKey: string
}

/** PKCS #8 wrapping of a raw seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Create the identity of a network key.
 *
 * @param seed 32-byte secret of the key
 * @param dates validity as GeneralizedTime texts, set only by tests that dates are ignored
 */
export function linkIdentity(seed: Uint8Array, dates = { notBefore: NOT_BEFORE, notAfter: NOT_AFTER }): LinkIdentity {
  const signer = ed25519Signer(seed)
  const time = (text: string) => der(GENERALIZED_TIME, Buffer.from(text, 'ascii'))
  const body = der(
    SEQUENCE,
    der(EXPLICIT_0, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.of(1)),
    ED25519_ALGORITHM,
    NAME,
    der(SEQUENCE, time(dates.notBefore), time(dates.notAfter)),
    NAME,
    der(SEQUENCE, ED25519_ALGORITHM, bitString(signer.publicKey)),
  )
  const certificate = der(SEQUENCE, body, ED25519_ALGORITHM, bitString(signer.sign(body)))
  const wrapped = Buffer.concat([PKCS8_PREFIX, seed])
  const key = createPrivateKey({ key: wrapped, format: 'der', type: 'pkcs8' })
  wrapped.fill(0)
  const privateKey = key.export({ format: 'pem', type: 'pkcs8' }).toString()
  return { publicKey: signer.publicKey, certificate: pem('CERTIFICATE', certificate), privateKey }
}

/** The Ed25519 key of a certificate, 32 bytes; undefined for any other kind of key. */
export function certificateKey(certificate: X509Certificate): Buffer | undefined {
  const { publicKey } = certificate
  if (publicKey.asymmetricKeyType !== 'ed25519') return undefined
  const { x } = publicKey.export({ format: 'jwk' })
  const key = x === undefined ? undefined : Buffer.from(x, 'base64url')
  return key?.length === ED25519_KEY_BYTES ? key : undefined
}
