/** Owns a network of real processes with a proxy in front of each: started, killed, stopped, asked; nothing is left at the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LinkProxy, UNKNOWN_DIALER, type Weather } from '../../src/cli/localnet/links/proxy.js'
import { writeLocalnet } from '../../src/cli/localnet/write.js'
import { CausewayClient } from '../../src/client/index.js'
import { formatPublicKey } from '../../src/crypto/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { provision, templatePath } from '../../src/node/genesis/index.js'
import { type Random, randomOf } from '../../src/simulation/prng.js'
import { freePorts, pause, until } from '../support/ports.js'

const LAUNCHER = join(process.cwd(), 'dist', 'test', 'chaos', 'peer.js')
/** Longest wait for one answer, in ms. */
const ANSWER_MS = 2_000

/** Status of a node according to itself. */
export interface Standing {
  readonly height: number
  readonly blockHash: string
  readonly stateRoot: string
  /** Multihash text of the proposer of the current view. */
  readonly proposer: string
  readonly role: string
  readonly halted: string | undefined
  readonly divergence: { readonly height: number; readonly report: string | undefined } | undefined
  readonly stall: string | undefined
}

/** One process of the network. */
export class ChaosPeer {
  private child: ChildProcess | undefined
  constructor(
    readonly name: string,
    readonly folder: string,
    readonly gateway: string,
    readonly isObserver: boolean,
    /** Multihash text of its validator key. */
    readonly key: string,
    private readonly linkPort: number,
  ) {}

  get config(): string {
    return join(this.folder, 'node.toml')
  }
  get dataDir(): string {
    return join(this.folder, 'data')
  }
  get pid(): number | undefined {
    return this.child?.pid
  }
  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  /** Starts the process; it may end by itself at once. */
  async start(env: Readonly<Record<string, string>> = {}, prefix: readonly string[] = []): Promise<void> {
    if (this.isRunning) throw new Error(`${this.name} runs`)
    const output = await open(join(this.folder, 'output.txt'), 'a')
    const [command = '', ...words] = [
      ...prefix,
      process.execPath,
      LAUNCHER,
      'node',
      'start',
      '--config',
      this.config,
      '--first-start',
    ]
    this.child = spawn(command, words, {
      cwd: this.folder,
      stdio: ['ignore', output.fd, output.fd],
      env: {
        PATH: process.env.PATH ?? '',
        HOME: '/nonexistent',
        CAUSEWAY_NODE__NETWORK__LISTEN: `127.0.0.1:${this.linkPort}`,
        ...env,
      },
    })
    this.child.on('error', () => {})
    await output.close()
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name)
  }

  /** Waits for the end of the process; true when it came in time. */
  async ended(withinMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + withinMs
    while (this.isRunning && performance.now() < deadlineMs) await pause(20)
    return !this.isRunning
  }

  /** End of the process: exit code or signal. */
  get outcome(): number | string | null {
    return this.child?.signalCode ?? this.child?.exitCode ?? null
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.ended(10_000)
  }

  /** Status of the node; undefined if it does not respond. */
  async standing(): Promise<Standing | undefined> {
    if (!this.isRunning) return undefined
    const client = new CausewayClient({ gateway: this.gateway, timeoutMs: ANSWER_MS, retries: 0 })
    try {
      const { height, blockHash, stateRoot, proposer, role, halted, divergence, stall } = await client.consensusStatus()
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
      return {
        height,
        blockHash: hex(blockHash),
        stateRoot: hex(stateRoot),
        proposer,
        role,
        halted,
        divergence: divergence && { height: divergence.height, report: divergence.report },
        stall: stall?.text,
      }
    } catch {
      return undefined
    } finally {
      await client.close()
    }
  }

  /** Waits until it answers. */
  async ready(): Promise<Standing> {
    return until(`${this.name} to answer`, async () => {
      if (!this.isRunning) throw new Error(`${this.name} ended with ${this.outcome}: ${await this.lastOutput()}`)
      return this.standing()
    })
  }

  async lastOutput(): Promise<string> {
    const text = await readFile(join(this.folder, 'output.txt'), 'utf8').catch(() => '')
    return text.trimEnd().split('\n').slice(-8).join('\n')
  }

  async log(): Promise<string> {
    return readFile(join(this.folder, 'node.log'), 'utf8').catch(() => '')
  }
}

/** Bounds so low that every payload is large: proposed by its hashes, and from some ten payments on broadcast in chunks. */
const SMALL_BOUNDS = { direct_payload_max_bytes: 0, compact_payload_max_bytes: 2_048, chunk_bytes: 1_024 }

async function makePayloadsLarge(config: string): Promise<void> {
  let text = await readFile(config, 'utf8')
  for (const [key, value] of Object.entries(SMALL_BOUNDS)) {
    text = text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`)
  }
  await writeFile(config, text)
}

/** Parts of a network. */
export interface ChaosShape {
  readonly validators?: number
  readonly observers?: number
  readonly largePayloads?: boolean
  /** Genesis manifest of elected validators, with the places of a template; absent: a permissioned network. */
  readonly manifest?: Readonly<Record<string, unknown>>
}

/** Networks that were made and not removed yet. */
const open_ = new Set<ChaosNet>()

/** A network whose links pass through proxies. */
export class ChaosNet implements Pick<Weather, 'isCut'> {
  readonly peers: ChaosPeer[] = []
  private readonly proxies: LinkProxy[] = []
  /** Part of the network that a peer is in; peers of different parts do not reach each other. */
  readonly parts = new Map<string, number>()
  /** Delay of every link, in ms. */
  linkDelayMs = 0

  private constructor(
    readonly root: string,
    readonly seed: number,
    readonly random: Random,
  ) {}

  /** Makes the files and the proxies; no node runs yet. */
  static async create(seed: number, shape: ChaosShape = {}): Promise<ChaosNet> {
    const { validators = 4, observers = 0, largePayloads = false, manifest } = shape
    const count = validators + observers
    const root = await mkdtemp(join(tmpdir(), 'causeway-chaos-'))
    const net = new ChaosNet(root, seed, randomOf(seed, 'chaos'))
    open_.add(net)
    const base = await freePorts(3 * count)
    const folder = join(root, 'net')
    const template =
      manifest === undefined ? templatePath(process.cwd(), 'permissioned-4') : join(root, 'manifest.json')
    if (manifest !== undefined) await writeFile(template, JSON.stringify(manifest))
    const mode = manifest === undefined ? ('permissioned' as const) : ('npos' as const)
    const options = { mode, abi: NEWEST_ABI, folder, template, chain: 'chaos', validators, observers, logLevel: 'info' }
    const made = { ...options, gatewayPort: base, p2pPort: base + count, nowMs: Date.now() }
    await provision(made, writeLocalnet)
    for (let index = 0; index < count; index += 1) {
      const name = index < validators ? `val-${index}` : `obs-${index - validators}`
      const place = join(folder, name)
      if (largePayloads) await makePayloadsLarge(join(place, 'node.toml'))
      const { publicKey } = await readKeyFile(join(place, 'keys', 'validator.json'))
      const linkPort = base + 2 * count + index
      const gateway = `http://127.0.0.1:${base + index}`
      net.peers.push(new ChaosPeer(name, place, gateway, index >= validators, formatPublicKey(publicKey), linkPort))
      const processes = (): ReadonlyMap<string, number> =>
        new Map(net.peers.flatMap((peer) => (peer.pid === undefined ? [] : [[peer.name, peer.pid] as const])))
      const random = randomOf(seed, `proxy:${name}`)
      const proxy = new LinkProxy({
        to: name,
        listenPort: base + count + index,
        targetPort: linkPort,
        weather: {
          isCut: (from, to) => net.isCut(from, to),
          delayMs: () => net.linkDelayMs * (0.5 + random.next()),
        },
        processes,
      })
      await proxy.listen()
      net.proxies.push(proxy)
    }
    return net
  }

  get validators(): ChaosPeer[] {
    return this.peers.filter((peer) => !peer.isObserver)
  }

  /** Adds a process to the network: links find it, and it is ended with the others. */
  adopt(name: string, folder: string, gateway: string, linkPort: number): ChaosPeer {
    const peer = new ChaosPeer(name, folder, gateway, false, '', linkPort)
    this.peers.push(peer)
    return peer
  }

  /** Lets an adopted process go, once it ended. */
  dismiss(peer: ChaosPeer): void {
    this.peers.splice(this.peers.indexOf(peer), 1)
  }

  peer(name: string): ChaosPeer {
    const found = this.peers.find((one) => one.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  /** Key file of an account of the network. */
  keyFile(name: string): string {
    return join(this.root, 'net', 'dev-only-keys', `${name}.json`)
  }

  async startAll(): Promise<void> {
    for (const peer of this.peers) if (!peer.isRunning) await peer.start()
    await Promise.all(this.peers.map((peer) => peer.ready()))
  }

  isCut(from: string, to: string): boolean {
    return from === UNKNOWN_DIALER || (this.parts.get(from) ?? 0) !== (this.parts.get(to) ?? 0)
  }

  /** Resets links: of one peer, or all. */
  resetLinks(name?: string): void {
    for (const proxy of this.proxies) proxy.reset(proxy.to === name ? undefined : name)
  }

  /** Ends every fault of the links. */
  heal(): void {
    this.parts.clear()
    this.linkDelayMs = 0
  }

  /** Current proposer, as reported by a responding peer. */
  async proposer(): Promise<ChaosPeer | undefined> {
    for (const peer of this.validators) {
      const standing = await peer.standing()
      if (standing !== undefined) return this.peers.find((one) => one.key === standing.proposer)
    }
    return undefined
  }

  /** Waits until these peers say the same, at a height or above. */
  async agreed(peers: readonly ChaosPeer[] = this.peers, height = 1): Promise<Standing> {
    let last: (Standing | undefined)[] = []
    try {
      return await until(`${peers.length} peers that agree`, async () => {
        last = await Promise.all(peers.map((peer) => peer.standing()))
        const [first] = last
        if (first === undefined || first.height < height) return undefined
        const same = last.every((one) => one?.blockHash === first.blockHash && one.stateRoot === first.stateRoot)
        return same ? first : undefined
      })
    } catch (error) {
      const seen = last.map((one, at) => `${peers[at]?.name}: ${one === undefined ? 'silent' : JSON.stringify(one)}`)
      throw new Error(`${error instanceof Error ? error.message : String(error)}; ${seen.join(' | ')}`)
    }
  }

  /** Ends all processes and proxies; the folder stays. */
  async stop(): Promise<void> {
    open_.delete(this)
    for (const peer of this.peers) {
      peer.signal('SIGCONT')
      await peer.kill()
    }
    for (const proxy of this.proxies) await proxy.close()
  }

  async close(): Promise<void> {
    await this.stop()
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Ends whatever is left of any network. */
  static async closeAll(): Promise<void> {
    for (const net of [...open_]) await net.close()
  }
}
