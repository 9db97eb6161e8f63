/** Owns the configuration keys of the HTTP interface: listen address, authentication, and client limits. */
import { integer, type KeyDef } from '../../config/index.js'
import { proxyRangeFault } from '../../gateway/trusted-proxies.js'

export const GATEWAY_KEYS: readonly KeyDef[] = [
  {
    path: ['gateway', 'listen'],
    kind: { type: 'host-port' },
    fallback: '127.0.0.1:8080',
    doc: ['Listen address for clients. A public address requires TLS, or `insecure = true`.'],
  },
  {
    path: ['gateway', 'insecure'],
    kind: { type: 'boolean' },
    fallback: false,
    doc: ['Allow a public address without TLS, for a gateway behind a proxy that adds it.'],
  },
  {
    path: ['gateway', 'tls_cert'],
    kind: { type: 'path' },
    example: 'tls/gateway.crt',
    doc: ['Certificate chain (PEM). Requires `tls_key`.'],
  },
  {
    path: ['gateway', 'tls_key'],
    kind: { type: 'path' },
    example: 'tls/gateway.key',
    doc: ['Private key of the certificate (PEM), mode 0600.'],
  },
  {
    path: ['gateway', 'api_tokens'],
    reloads: true,
    kind: { type: 'api-tokens' },
    fallback: [],
    doc: [
      'Tokens for the header x-api-token, by their SHA-256: { name = "bank-a", sha256 = "...", account = "desk@bank-a" }.',
      'With `account` (address or alias), requests with the token act for that account.',
    ],
  },
  {
    path: ['gateway', 'require_api_token'],
    reloads: true,
    kind: { type: 'boolean' },
    fallback: false,
    doc: ['Refuse requests without one of these tokens, except /health.'],
  },
  {
    path: ['gateway', 'operator_keys'],
    reloads: true,
    kind: { type: 'public-keys' },
    fallback: [],
    doc: [
      'Public keys (Ed25519 or secp256k1) whose signed requests may use operator routes, under any telemetry profile.',
    ],
  },
  {
    path: ['gateway', 'hosts'],
    reloads: true,
    kind: { type: 'host-names' },
    fallback: [],
    doc: [
      'Host names of this gateway, without port; addresses and localhost are always accepted.',
      'Requests with another Host get 421, except /health.',
    ],
  },
  {
    path: ['gateway', 'trusted_proxies'],
    reloads: true,
    kind: { type: 'texts', values: ['ranges'], fault: proxyRangeFault },
    fallback: [],
    doc: [
      'Address ranges of proxies, such as "10.1.0.0/16", whose X-Forwarded-For is trusted: limits apply to the client that it',
      'names. Empty: the header is ignored.',
    ],
  },
  {
    path: ['gateway', 'rate_per_second'],
    reloads: true,
    kind: integer(1, 1_000_000),
    fallback: 500,
    doc: ['Sustained requests per second per credential or address.'],
  },
  {
    path: ['gateway', 'rate_burst'],
    reloads: true,
    kind: integer(1, 1_000_000),
    fallback: 1_000,
    doc: ['Burst of requests per credential or address.'],
  },
  {
    path: ['gateway', 'rate_bytes_per_second'],
    reloads: true,
    kind: integer(1024 * 1024, 1024 * 1024 * 1024),
    fallback: 8 * 1024 * 1024,
    doc: [
      'Sustained body bytes per second per credential or address, with a burst of four times as many. A byte of JSON counts sixteen.',
    ],
  },
  {
    path: ['gateway', 'connections_per_address'],
    reloads: true,
    kind: integer(1, 100_000),
    fallback: 256,
    doc: [
      'Open connections per client address; open streams per client behind a trusted proxy, whose connections count only in total.',
    ],
  },
  {
    path: ['gateway', 'cors_origins'],
    reloads: true,
    kind: { type: 'origins' },
    fallback: [],
    doc: ['Origins whose web pages may use this gateway; none by default.'],
  },
]
