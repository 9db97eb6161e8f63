/** The network layer: authenticated links between peers and their handshake. */
export { formatAddress, type HostPort, listenError, parseAddress } from './address.js'
export { linkIdentity } from './certificate.js'
export type { PeerState } from './entry.js'
export {
  type CarriedAbi,
  compareHellos,
  type Difference,
  type Hello,
  type LocalHello,
  WIRE_VERSION,
} from './handshake.js'
export { STAND_IN } from './introduction.js'
export { MESSAGE_MAX_BYTES } from './limits.js'
export type { LinkFaultKind } from './link.js'
export type { LinkLogger } from './logger.js'
export { PeerLinks, type PeerLinksOptions } from './peers.js'
export { authenticate, clientOptions, serverOptions } from './tls.js'
export type { LinkStates, Transport, TransportHandler } from './transport.js'
export { CHANNELS, type Channel } from './wire.js'
