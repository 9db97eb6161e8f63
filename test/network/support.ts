// Shared parts of the network tests: peers with keys, nodes that record events, and waiting for these.
import { createHash } from 'node:crypto'
import { ed25519PublicKey, hash } from '../../src/crypto/index.js'
import { keyString, type LedgerError, type Peer, type ValidatorKey } from '../../src/model/index.js'
import {
  type Channel,
  type Hello,
  type LinkFaultKind,
  type LocalHello,
  PeerLinks,
  type PeerState,
} from '../../src/network/index.js'
import { PATIENCE_MS, pause } from '../support/ports.js'

/** Keys of one test peer. */
export interface TestPeer {
  readonly seed: Buffer
  readonly peer: Peer
}

/** A peer with keys made from its name; its address is set when it listens. */
export function testPeer(name: string, address?: string): TestPeer {
  const seed = createHash('sha256').update(name).digest()
  const peer: Peer = {
    key: keyString(createHash('sha384').update(name).digest()),
    pop: Buffer.alloc(96),
    networkKey: keyString(ed25519PublicKey(seed)),
    addresses: address === undefined ? [] : [address],
    role: 'validator',
  }
  return { seed, peer }
}

/** Events of a node of the test network. */
export function testHello(validatorKey: ValidatorKey, changes: Partial<LocalHello> = {}): LocalHello {
  const abiHash = hash('abi')
  return {
    chain: 'net-test',
    chainHash: hash('chain'),
    genesisHash: hash('genesis'),
    fingerprint: hash('fingerprint'),
    abi: 1,
    abiHash,
    features: new Map([
      ['core', hash('core')],
      ['iso20022', hash('iso')],
    ]),
    abis: [{ number: 1, hash: abiHash }],
    release: '0.0.0-test',
    validatorKey,
    height: 1,
    ...changes,
  }
}

const running = new Set<PeerLinks>()
/** Closes the links of all nodes: for after each test. */
export async function closeLinks(): Promise<void> {
  await Promise.all([...running].map((links) => links.close()))
  running.clear()
}

/** A running node that remembers. */
export class TestNode {
  readonly messages: { from: ValidatorKey; channel: Channel; body: Buffer }[] = []
  /** In the place of remembering messages. */
  onMessage: (() => void) | undefined
  readonly ups: ValidatorKey[] = []
  readonly faults: { key: ValidatorKey; kind: LinkFaultKind }[] = []
  readonly downs: { key: ValidatorKey; reason: LedgerError }[] = []
  readonly logs: { level: string; message: string; fields: Record<string, unknown> }[] = []
  readonly hellos: Hello[] = []
  readonly links: PeerLinks

  constructor(
    readonly self: TestPeer,
    public peers: Peer[],
    private readonly changes: Partial<LocalHello> = {},
    listen = '127.0.0.1:0',
  ) {
    const log = (level: string) => (fields: object, message: string) => {
      this.logs.push({ level, message, fields: fields as Record<string, unknown> })
    }
    this.links = new PeerLinks({
      seed: self.seed,
      listen,
      logger: { debug: log('debug'), info: log('info'), warn: log('warn') },
    })
  }

  async start(): Promise<this> {
    running.add(this.links)
    await this.links.start({
      peers: () => this.peers,
      isMember: (key) => this.peers.some((peer) => peer.key === key && peer.role === 'validator'),
      hello: () => testHello(this.self.peer.key, this.changes),
      onMessage: (from, channel, body) => {
        if (this.onMessage !== undefined) return this.onMessage()
        this.messages.push({ from, channel, body })
      },
      onFault: (key, kind) => void this.faults.push({ key, kind }),
      onUp: (key, hello) => {
        this.ups.push(key)
        this.hellos.push(hello)
      },
      onDown: (key, reason) => void this.downs.push({ key, reason }),
    })
    return this
  }

  async stop(): Promise<void> {
    running.delete(this.links)
    await this.links.close()
  }

  /** The peer record with the address that this node listens on. */
  get record(): Peer {
    return { ...this.self.peer, addresses: [this.links.address] }
  }

  state(key: ValidatorKey): PeerState {
    const found = this.links.states().find((one) => one.key === key)
    if (found === undefined) throw new Error('no such peer')
    return found
  }

  isConnected(key: ValidatorKey): boolean {
    return this.links.isConnected(key)
  }

  addPeers(...peers: Peer[]): void {
    this.peers = peers
    this.links.updatePeers()
  }
}

/** Waits until it is so. */
export async function until(what: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!what()) {
    if (performance.now() > end) throw new Error(`it never came to be: ${what.toString()}`)
    await pause(5)
  }
}

export { pause } from '../support/ports.js'

/** Two nodes that know each other; `b` dials, `a` has no address of it. */
export async function pair(
  changes: Partial<LocalHello> = {},
  names: readonly [string, string] = ['a', 'b'],
): Promise<[TestNode, TestNode]> {
  const [one, two] = [testPeer(names[0]), testPeer(names[1])]
  const a = await new TestNode(one, [two.peer]).start()
  const b = await new TestNode(two, [a.record], changes).start()
  return [a, b]
}
