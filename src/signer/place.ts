/** Owns where a signer is: for nodes that dial it, for itself, and in texts. */

import type { NetworkKey } from '../model/index.js'
import { formatAddress, type HostPort } from '../network/index.js'

/** A socket of this machine, which its mode guards. */
interface SocketPlace {
  readonly kind: 'socket'
  readonly path: string
}

/** Where a node dials: a socket, or an address and the key that must answer there. */
export type SignerPlace = SocketPlace | { readonly kind: 'tls'; readonly address: HostPort; readonly key: NetworkKey }

/** Where a signer listens: a socket, or an address where both sides prove their keys. */
export type ListenPlace =
  | SocketPlace
  | {
      readonly kind: 'tls'
      readonly address: HostPort
      readonly seed: Uint8Array
      /** Network keys of the nodes that may ask. */
      readonly nodes: readonly NetworkKey[]
    }

/** A place in words. */
export const placeText = (place: SignerPlace | ListenPlace): string =>
  place.kind === 'socket' ? place.path : formatAddress(place.address)
