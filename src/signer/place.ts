/** Owns the address of a signer: for dialling nodes, for the signer itself, and as text. */

import type { NetworkKey } from '../model/index.js'
import { formatAddress, type HostPort } from '../network/index.js'

/** Unix socket of this machine, protected by its file mode. */
interface SocketPlace {
  readonly kind: 'socket'
  readonly path: string
}

/** Address dialled by a node: a socket, or an address with its expected key. */
export type SignerPlace = SocketPlace | { readonly kind: 'tls'; readonly address: HostPort; readonly key: NetworkKey }

/** Listen address of a signer: a socket, or an address with mutual authentication. */
export type ListenPlace =
  | SocketPlace
  | {
      readonly kind: 'tls'
      readonly address: HostPort
      readonly seed: Uint8Array
      /** Network keys of the nodes that the signer serves. */
      readonly nodes: readonly NetworkKey[]
    }

/** Text of an address. */
export const placeText = (place: SignerPlace | ListenPlace): string =>
  place.kind === 'socket' ? place.path : formatAddress(place.address)
