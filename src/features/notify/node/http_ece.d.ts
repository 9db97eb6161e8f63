/** Types of the encrypted content encoding (RFC 8188), as far as it is used. */
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
