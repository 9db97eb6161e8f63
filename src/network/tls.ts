/**
 * Owns the TLS side of links: mutual TLS 1.3 with Ed25519 certificates, no tickets, and the authentication of the peer.
 *
 * `rejectUnauthorized` is off because there is no certificate authority: the certificate is self-signed, and its dates
 * are ignored. The key authenticates. TLS 1.3 proves in both directions that the other side holds the private key of
 * its certificate (CertificateVerify), and `authenticate` compares that key with the registered keys.
 */
import { constants } from 'node:crypto'
import type { SecureContextOptions, TLSSocket, TlsOptions } from 'node:tls'
import { keyString, type NetworkKey } from '../model/index.js'
import { certificateKey, type LinkIdentity } from './certificate.js'
import { HANDSHAKE_TIMEOUT_MS } from './limits.js'

/** ALPN protocol of the links; other protocols on the port are detected in the first packet. */
const ALPN = 'causeway-peer'

function contextOptions(identity: LinkIdentity): SecureContextOptions {
  return {
    key: identity.privateKey,
    cert: identity.certificate,
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
    sigalgs: 'ed25519',
    ecdhCurve: 'X25519',
    // Stateless tickets are disabled; the sessions that OpenSSL then keeps on the server are never resumed, because
    // there is no handler for it.
    secureOptions: constants.SSL_OP_NO_TICKET,
  }
}

/** TLS options of the listening side. */
export function serverOptions(identity: LinkIdentity): TlsOptions {
  return {
    ...contextOptions(identity),
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    ALPNProtocols: [ALPN],
  }
}

/** TLS options of the dialing side; sessions are never resumed. */
export function clientOptions(identity: LinkIdentity): SecureContextOptions & {
  rejectUnauthorized: boolean
  servername: string
  ALPNProtocols: string[]
  checkServerIdentity: () => undefined
} {
  return {
    ...contextOptions(identity),
    rejectUnauthorized: false,
    servername: '',
    ALPNProtocols: [ALPN],
    checkServerIdentity: () => undefined,
  }
}

/** Proven key of the other side, or the reason why it proved none. */
export type Authentication =
  | { readonly ok: true; readonly key: NetworkKey }
  | { readonly ok: false; readonly why: string }

/** Read the proven key of a socket after its TLS handshake. */
export function authenticate(
  socket: Pick<TLSSocket, 'isSessionReused' | 'getPeerX509Certificate' | 'getProtocol' | 'alpnProtocol'>,
): Authentication {
  // A resumed session proves possession of the key in the past only.
  if (socket.isSessionReused()) return { ok: false, why: 'the TLS session must not be resumed' }
  if (socket.getProtocol() !== 'TLSv1.3') return { ok: false, why: 'the link is not TLS 1.3' }
  if (socket.alpnProtocol !== ALPN) return { ok: false, why: 'the other side does not use the peer protocol' }
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return { ok: false, why: 'the other side has no certificate' }
  const key = certificateKey(certificate)
  if (key === undefined) return { ok: false, why: 'the certificate of the other side has no Ed25519 key' }
  return { ok: true, key: keyString(key) }
}
