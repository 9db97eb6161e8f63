/** Types of the used part of the encrypted content encoding (RFC 8188). */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Parameters {
    readonly version: 'aes128gcm'
    readonly dh: Uint8Array
    readonly privateKey: ECDH
    readonly authSecret: Uint8Array
    readonly salt: Uint8Array
  }
  export function encrypt(plain: Uint8Array, parameters: Parameters): Buffer
}
