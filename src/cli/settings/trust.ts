/**
 * Owns the rules for using keys and tokens with gateways: each is used only with its own gateway
 * (docs/concepts/trust.md).
 */
import { relative } from 'node:path'
import { originOf } from '../../client/loopback.js'
import type { ChainPin } from '../../client/options.js'
import { insideFolder } from '../../files/file-names.js'
import { LedgerError } from '../../model/errors.js'
import type { Localnet } from './localnet-record.js'

/** Settings from one source. */
export interface Layer {
  readonly source: string
  /** True for settings from the current folder, which may be untrusted; all others come from the user. */
  readonly isFolder: boolean
  readonly gateway?: string | undefined
  readonly timeout?: string | undefined
  readonly keyFile?: string | undefined
  /** Program that holds the key; never taken from a folder. */
  readonly signerCommand?: string | undefined
  readonly token?: string | undefined
  readonly pin?: ChainPin | undefined
  /** Local network of the layer. */
  readonly net?: Localnet | undefined
}

/** Named setting with its source. */
interface Named {
  readonly url: string
  readonly gateway: Layer | undefined
  readonly key: Layer | undefined
  readonly layers: readonly Layer[]
  readonly nets: readonly Localnet[]
  readonly environmentToken: string | undefined
}

/** Settings bound to a gateway. */
export interface Bound {
  /** Token for the gateway. */
  readonly token: string | undefined
  /** Token for a gateway, by its origin; throws `gateway_untrusted` if the folder names the gateway. */
  readonly tokenFor: (url: string) => string | undefined
  /** Expected chain of the gateway; undefined if unknown. */
  readonly pin: ChainPin | undefined
  /** True if gateway and key belong to a local network, which is for development only. */
  readonly isLocal: boolean
  /** Reason why the key may not sign for the gateway; undefined if it may. */
  readonly untrustedKey: LedgerError | undefined
}

const isGatewayOf = (net: Localnet, url: string): boolean =>
  net.peers.some((peer) => originOf(peer.gateway) === originOf(url))

/** True for a key file of a local network. */
const isKeyOf = async (net: Localnet, keyFile: string): Promise<boolean> =>
  (await insideFolder(net.folder, relative(net.folder, keyFile))) !== undefined

const HINT =
  'Is this folder yours? Give the gateway with --gateway or CAUSEWAY_GATEWAY, or save gateway, key and token as a profile: `causeway profile create`.'

const refusal = (message: string, { url, gateway }: Named): LedgerError =>
  new LedgerError('gateway_untrusted', message, {
    hint: HINT,
    details: { gateway: url, source: gateway?.source ?? 'default' },
  })

/**
 * Reason why the key may not sign for the gateway: the folder names one of the two, and they belong to different
 * networks.
 */
function keyFault(named: Named, ownKey: boolean): LedgerError | undefined {
  const { url, gateway, key } = named
  const name = key?.keyFile ?? key?.signerCommand
  if (key === undefined || name === undefined || ownKey) return undefined
  if (gateway?.isFolder === true) {
    return refusal(
      `cannot use the key ${name} (${key.source}) for ${url}, which is set by ${gateway.source} in this folder`,
      named,
    )
  }
  return key.isFolder ? refusal(`${key.source} in this folder sets the key ${name} for ${url}`, named) : undefined
}

/** Recorded chain and genesis of a local network. */
export const pinOf = ({ chain, genesisHash }: Localnet): ChainPin => ({
  chain,
  genesisHash: /^[0-9a-f]{64}$/.test(genesisHash) ? genesisHash : undefined,
})

/**
 * Pin of a key without the network key: the key signs only for its own chain at any gateway, but the node is the node
 * of the gateway.
 */
const chainOf = (pin: ChainPin | undefined): ChainPin | undefined => pin && { ...pin, networkKey: undefined }

/**
 * Bind token and pinned chain to a gateway and refuse untrusted combinations. The current folder may be untrusted: its
 * settings may only use the local network in it, with the keys of that network and no token. Throws `gateway_untrusted`
 * for another gateway of the folder.
 */
export async function boundOf(named: Named): Promise<Bound> {
  const { url, gateway, key, layers, nets, environmentToken } = named
  const net = nets.find((one) => isGatewayOf(one, url))
  const isFolder = gateway?.isFolder === true
  if (isFolder && net === undefined) {
    throw refusal(`${gateway.source} in this folder sets ${url}, which is not a local network of this folder`, named)
  }
  const ownKey =
    net !== undefined && (key === undefined || (key.keyFile !== undefined && (await isKeyOf(net, key.keyFile))))
  const isGateway = (other: string): boolean => originOf(other) === originOf(url)
  const saved = (other: string): string | undefined =>
    layers.find(
      (one) => one.token !== undefined && one.gateway !== undefined && originOf(one.gateway) === originOf(other),
    )?.token
  // The token of the environment belongs to the gateway that the user names.
  const token = environmentToken ?? saved(url)
  const pin = gateway?.pin ?? (ownKey ? pinOf(net) : chainOf(key?.pin))
  return {
    token,
    pin,
    tokenFor: (other) => {
      if (!isGateway(other)) return saved(other)
      if (!isFolder || token === undefined) return token
      throw refusal(`cannot send the API token to ${url}, which is set by ${gateway.source} in this folder`, named)
    },
    isLocal: ownKey,
    untrustedKey: keyFault(named, ownKey),
  }
}
