/** Owns a hostile peer of a local network: real links over TLS with the keys of one of its validators, which does not run. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { hash, type KeyPair } from '../../src/crypto/index.js'
import { ABIS, NEWEST_ABI } from '../../src/features/abi.js'
import { keyString, type ValidatorKey } from '../../src/model/index.js'
import { linkIdentity } from '../../src/network/certificate.js'
import { encodeHello, WIRE_VERSION } from '../../src/network/handshake.js'
import { type Channel, type LocalHello, PeerLinks, parseAddress } from '../../src/network/index.js'
import { clientOptions } from '../../src/network/tls.js'
import { frameHead } from '../../src/network/wire.js'
import { loadNodeConfig } from '../../src/node/config/index.js'
import { type NodeKeys, type PinnedGenesis, readStartFiles } from '../../src/node/identity/identity.js'
import { until } from '../support/ports.js'

export class Intruder {
  /** Peers that refuse it or ended its link, and why, in order. */
  readonly downs: string[] = []
  private readonly ups = new Set<ValidatorKey>()
  private links: PeerLinks | undefined

  private constructor(
    readonly keys: NodeKeys,
    readonly pinned: PinnedGenesis,
    private readonly onMessage: (from: ValidatorKey, channel: Channel, body: Buffer) => void,
  ) {}

  /** Reads the keys of a peer of a local network. */
  static async of(
    network: string,
    name: string,
    onMessage: (from: ValidatorKey, channel: Channel, body: Buffer) => void = () => undefined,
  ): Promise<Intruder> {
    const config = await loadNodeConfig(join(network, name, 'node.toml'))
    const { keys, pinned } = await readStartFiles(config, NEWEST_ABI)
    return new Intruder(keys, pinned, onMessage)
  }

  /** The pair of its consensus key. */
  get validator(): KeyPair {
    const { publicKey, secret } = this.keys.validator
    if (secret === undefined) throw new Error('the keys of this peer are at a signer')
    return { publicKey, secret }
  }

  get key(): ValidatorKey {
    return keyString(this.keys.validator.publicKey.bytes)
  }
  private get topology() {
    return this.pinned.genesis.payload.value.topology
  }
  get others(): ValidatorKey[] {
    return this.topology.map(({ key }) => key).filter((key) => key !== this.key)
  }

  hello(changes: Partial<LocalHello> = {}): LocalHello {
    const { chain } = this.pinned.genesis.payload.value
    return {
      release: 'hostile',
      chain,
      chainHash: this.pinned.chainHash,
      genesisHash: this.pinned.hash,
      fingerprint: hash('fingerprint', this.pinned.chainHash, this.pinned.hash),
      abi: NEWEST_ABI.number,
      abiHash: NEWEST_ABI.hash,
      features: new Map(
        NEWEST_ABI.features.map(({ name }) => [name, NEWEST_ABI.featureHashes.get(name) ?? NEWEST_ABI.hash]),
      ),
      abis: [...ABIS.values()].map(({ number, hash: abiHash }) => ({ number, hash: abiHash })),
      validatorKey: this.key,
      height: 1,
      ...changes,
    }
  }

  /** Links to every other peer. */
  async connect(): Promise<void> {
    const links = new PeerLinks({
      seed: this.keys.network.secret,
      listen: '127.0.0.1:0',
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    })
    this.links = links
    await links.start({
      peers: () => this.topology,
      isMember: () => true,
      hello: () => this.hello(),
      onMessage: this.onMessage,
      onFault: () => undefined,
      onUp: (key) => void this.ups.add(key),
      onDown: (key, reason) => {
        this.ups.delete(key)
        this.downs.push(reason.message)
      },
    })
    await until('links to all peers', async () => this.ups.size === this.others.length || undefined)
  }

  /** True if an open link accepted the message. */
  send(to: ValidatorKey, channel: Channel, body: Uint8Array): boolean {
    return this.links?.send(to, channel, body) ?? false
  }

  /** One link to each peer that says a Hello and whatever follows it, and is closed by the other side. */
  async sendHello(hello: LocalHello, ...frames: readonly Buffer[]): Promise<void> {
    const first = encodeHello({ ...hello, wireVersion: WIRE_VERSION, nonce: randomBytes(32) })
    await Promise.all(
      this.topology.map(async ({ key, addresses }) => {
        const place = key === this.key ? undefined : parseAddress(addresses[0] ?? '')
        if (place === undefined) return
        const socket = connect({ ...clientOptions(linkIdentity(this.keys.network.secret)), ...place })
        socket.on('error', () => undefined)
        socket.resume()
        socket.once('secureConnect', () => {
          socket.write(Buffer.concat([frameHead(0, 'hello', first.length), first, ...frames]))
        })
        await new Promise<void>((resolve) => socket.once('close', () => resolve()))
      }),
    )
  }

  async close(): Promise<void> {
    await this.links?.close()
    this.links = undefined
  }
}
