/** Owns the identification of a node: information for clients, Hello for peers. */
import type { NodeInfo } from '../../api/services.js'
import { formatPublicKey, hash } from '../../crypto/index.js'
import type { AbiSchedule } from '../../executor/index.js'
import { keyString } from '../../model/index.js'
import type { LocalHello } from '../../network/index.js'
import { type NodeKeys, type PinnedGenesis, peerNameOf } from '../identity/identity.js'
import type { Tip } from '../ledger/protocol.js'
import { keyText } from './names.js'

/** Inputs of the node information and of the Hello. */
export interface NodeIdentity {
  readonly version: string
  readonly keys: NodeKeys
  readonly pinned: PinnedGenesis
}

/** Node information; the ABI is read on access, since it changes at the height of an upgrade. */
export function infoOf(
  { version, keys, pinned }: NodeIdentity,
  { abi, supportedAbis }: AbiSchedule,
  mode: () => string,
): NodeInfo {
  const payload = pinned.genesis.payload.value
  return {
    version,
    chain: payload.chain,
    chainHash: pinned.chainHash,
    genesisHash: pinned.hash,
    addressPrefix: payload.addressPrefix,
    get consensusMode() {
      return mode()
    },
    get abi() {
      return abi.number
    },
    get abiHash() {
      return abi.hash
    },
    get abiFeatures() {
      return abi.features.map(({ name, version: one }) => ({
        name,
        version: one,
        hash: abi.featureHashes.get(name) ?? abi.hash,
      }))
    },
    supportedAbis: [...supportedAbis.values()].map(({ number, hash: one }) => ({ number, hash: one })),
    validatorKey: keyText(keyString(keys.validator.publicKey.bytes)),
    networkKey: formatPublicKey(keys.network.publicKey),
    startedAtMs: Date.now(),
    get features() {
      return abi.features.map((feature) => feature.name)
    },
    codec: abi.codec(payload.addressPrefix),
  }
}

/** Hello message of the node after the block of a tip. */
export function helloOf(
  { version, keys, pinned }: NodeIdentity,
  info: NodeInfo,
  tip: Pick<Tip, 'height' | 'peers'>,
): LocalHello {
  return {
    release: version,
    chain: info.chain,
    chainHash: pinned.chainHash,
    genesisHash: pinned.hash,
    // Genesis-derived values, which determine everything else that must be equal.
    fingerprint: hash('fingerprint', pinned.chainHash, pinned.hash),
    abi: info.abi,
    abiHash: info.abiHash,
    features: new Map(info.abiFeatures.map(({ name, hash: one }) => [name, Buffer.from(one)])),
    abis: info.supportedAbis,
    validatorKey: peerNameOf(keys, tip.peers),
    height: tip.height,
  }
}
