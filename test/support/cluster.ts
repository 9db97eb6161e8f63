/**
 * Owns a cluster of node cores in one process over in-memory links: real ledgers, logs and BLS, no sockets, no threads.
 */
import { join } from 'node:path'
import { pino } from 'pino'
import type { Schema } from '../../src/codec/index.js'
import { DEFAULT_PAYLOAD_LIMITS, type PayloadLimits } from '../../src/consensus/index.js'
import { inlineProofs } from '../../src/crypto/circuits/service.js'
import { InlineCrypto, type KeyPair } from '../../src/crypto/index.js'
import { type Abi, abiScheduleOf } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { chainHashOf, genesisSeed, type Instruction, type ValidatorKey } from '../../src/model/index.js'
import type { Channel, Transport } from '../../src/network/index.js'
import { NodeCore } from '../../src/node/core.js'
import type { PinnedGenesis } from '../../src/node/identity/identity.js'
import type { Ledger } from '../../src/node/ledger/ledger.js'
import { openLedger } from '../../src/node/ledger/open.js'
import { LEDGER_METHODS, type LedgerMethod, type LedgerPort } from '../../src/node/ledger/protocol.js'
import { trialsBeside } from '../../src/node/trials/trials.js'
import type { VotedMarks } from '../../src/storage/index.js'
import { CHAIN, type TestAccount, type TestPeer, temporaryFolder, testGenesis, testPeer } from './chain.js'
import { memoryMarks } from './marks.js'
import { PATIENCE_MS, pause } from './ports.js'

/** Running member of a test cluster. */
export interface Member {
  readonly key: ValidatorKey
  readonly core: NodeCore
  readonly ledger: Ledger
  readonly dataDir: string
  /** ABIs of its release. */
  readonly abis: readonly Abi[]
  /** Stop it like a crash, without flushing anything of consensus. */
  stop(): Promise<void>
}

/**
 * Ledger whose requests and responses are encoded and decoded as on a separate thread: a value that cannot be encoded
 * fails here too.
 */
function throughCodec(ledger: Ledger): LedgerPort {
  const copied = <T>(schema: Schema<T>, value: T): T => {
    const decoded = schema.decode(schema.encode(value))
    if (!decoded.ok) throw new Error(`the message to or from the ledger does not decode: ${decoded.fault.message}`)
    return decoded.value
  }
  const methods = (Object.keys(LEDGER_METHODS) as LedgerMethod[]).map((method) => {
    const { request, response } = LEDGER_METHODS[method] as { request: Schema<unknown>; response: Schema<unknown> }
    const ask = ledger[method].bind(ledger) as (input: unknown) => Promise<unknown>
    return [method, async (input: unknown) => copied(response, await ask(copied(request, input)))]
  })
  return {
    ...(Object.fromEntries(methods) as Pick<LedgerPort, LedgerMethod>),
    enterView: (place) => ledger.enterView(place),
    close: () => ledger.close(),
  }
}

/** Four validators over memory. */
export class Cluster {
  readonly members = new Map<ValidatorKey, Member>()
  readonly failures: Error[] = []
  /** Keys banned by a member, with the reason. */
  readonly bans: { readonly by: ValidatorKey; readonly peer: ValidatorKey; readonly why: string }[] = []
  private readonly marks = new Map<ValidatorKey, VotedMarks>()
  private constructor(
    /** Every peer that ran; its index names its folder. */
    readonly peers: TestPeer[],
    private readonly genesis: Awaited<ReturnType<typeof testGenesis>>,
    private readonly folder: { readonly path: string; remove(): Promise<void> },
    private readonly crypto: InlineCrypto[],
    private readonly payloads: PayloadLimits,
    /** ABI of genesis. */
    private readonly abi: Abi,
  ) {}

  /** ABIs of members that start from now on; undefined: the first one alone. */
  abis: ReadonlyMap<number, Abi> | undefined

  /** False: a gossip message from one to the other is lost. */
  gossips: (from: ValidatorKey, to: ValidatorKey) => boolean = () => true

  static async start(
    size: number,
    accounts: readonly TestAccount[],
    extra: readonly Instruction[] = [],
    payloads: PayloadLimits = DEFAULT_PAYLOAD_LIMITS,
    parameters: ReadonlyMap<string, Uint8Array> = new Map(),
    abi: Abi = ABI_1,
  ): Promise<Cluster> {
    const peers = await Promise.all(Array.from({ length: size }, (_, index) => testPeer(index)))
    const genesis = await testGenesis({ peers, accounts, extra, parameters, abi })
    const cluster = new Cluster(peers, genesis, await temporaryFolder(), [], payloads, abi)
    for (const peer of peers) await cluster.startMember(peer)
    return cluster
  }

  /** Genesis of every member. */
  get pinned(): PinnedGenesis {
    const { genesis, hash } = this.genesis
    return { genesis, hash, chainHash: chainHashOf(CHAIN, genesisSeed(genesis.payload.bytes)) }
  }

  /** Account that genesis registered first; `extra` grants it permissions. */
  get admin(): TestAccount {
    return this.genesis.admin
  }

  /** Folder of a peer, running or not. */
  folderOf(peer: TestPeer): string {
    return join(this.folder.path, String(this.peers.indexOf(peer)))
  }

  /** Start a peer, for the first time or again, with the key of a rotation if there is one. */
  async startMember(
    peer: TestPeer,
    options: { readonly nextValidator?: KeyPair; readonly acceptAmnesia?: boolean; readonly firstStart?: boolean } = {},
  ): Promise<Member> {
    if (!this.peers.includes(peer)) this.peers.push(peer)
    const key = peer.peer.key
    const dataDir = this.folderOf(peer)
    const carried: { readonly abis?: ReadonlyMap<number, Abi> } = this.abis === undefined ? {} : { abis: this.abis }
    const ledger = await openLedger({ folder: dataDir, genesis: this.genesis.genesis, abi: this.abi, ...carried })
    const crypto = await InlineCrypto.create()
    this.crypto.push(crypto)
    const core = await NodeCore.open({
      version: 'test',
      dataDir,
      abi: this.abi,
      ...carried,
      keys: { validator: peer.bls, nextValidator: options.nextValidator, network: peer.network, features: new Map() },
      pinned: this.pinned,
      ledger: throughCodec(ledger),
      crypto,
      proofs: inlineProofs,
      trials: trialsBeside(ledger, abiScheduleOf({ abi: this.abi, ...carried })),
      transport: this.transportOf(key),
      logger: pino({ level: process.env.TEST_LOG ?? 'silent' }),
      queue: { capacity: 10_000, capacityPerUser: 10_000, durable: true },
      payloads: this.payloads,
      snapshots: { everyBlocks: 0, keep: 2 },
      storage: { retainBlocks: 0 },
      acceptAmnesia: options.acceptAmnesia ?? false,
      firstStart: options.firstStart ?? true,
      marks: this.marksOf(key),
      onFatal: (error) => this.failures.push(error),
    })
    const member: Member = {
      key,
      core,
      ledger,
      dataDir,
      abis: [...(carried.abis?.values() ?? [this.abi])],
      stop: async () => {
        this.members.delete(key)
        for (const other of this.members.values()) other.core.onDown(key)
        await core.close()
        await ledger.close()
      },
    }
    this.members.set(key, member)
    await core.start()
    for (const other of this.members.values()) {
      if (other.key === key) continue
      other.core.onUp(key, member)
      core.onUp(other.key, other)
    }
    return member
  }

  /** Marks of the keys of a peer; they outlive its data directory. */
  private marksOf(key: ValidatorKey): VotedMarks {
    const marks = this.marks.get(key) ?? memoryMarks()
    this.marks.set(key, marks)
    return marks
  }

  /** Called with all messages of member peers. */
  onMessage: (channel: Channel, body: Buffer) => void = () => undefined

  /** Inject a message of a peer without a core; an error of its handler ends its link, as in production. */
  inject(from: ValidatorKey, to: Member, channel: Channel, body: Buffer): void {
    try {
      to.core.onMessage(from, channel, body)
    } catch (error) {
      this.bans.push({ by: to.key, peer: from, why: `cannot handle a message: ${String(error)}` })
    }
  }

  private transportOf(self: ValidatorKey): Transport {
    const others = () => [...this.members.keys()].filter((key) => key !== self)
    const send: Transport['send'] = (to, channel, body) => {
      if (channel === 'gossip' && !this.gossips(self, to)) return false
      const copy = Buffer.from(body)
      this.onMessage(channel, copy)
      setImmediate(() => {
        if (this.members.has(self)) this.members.get(to)?.core.onMessage(self, channel, copy)
      })
      return true
    }
    return {
      isConnected: (key) => this.members.has(key),
      lastError: () => undefined,
      connected: others,
      send,
      broadcast: (channel, body) => others().filter((to) => send(to, channel, body)).length,
      updatePeers: () => undefined,
      ban: (peer, why) => void this.bans.push({ by: self, peer, why }),
    }
  }

  get list(): Member[] {
    return [...this.members.values()]
  }

  /** Wait until a condition holds; fails with the state of the nodes otherwise. */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS
    while (!(await condition())) {
      if (this.failures[0] !== undefined) throw this.failures[0]
      if (performance.now() > deadline) {
        const heights = this.list.map(
          (member) => `${member.core.height}: ${member.core.services.consensus(true).stall?.text ?? '-'}`,
        )
        throw new Error(`waited for ${what}; ${heights.join(' | ')}`)
      }
      await pause(10)
    }
  }

  async close(): Promise<void> {
    for (const member of this.list) await member.stop()
    await Promise.all(this.crypto.map((one) => one.close()))
    await this.folder.remove()
  }
}
