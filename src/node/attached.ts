/**
 * Owns a node with a signer: it acts for its validator while it holds the lease, and otherwise follows as a standby.
 */
import { NEWEST_ABI } from '../features/abi.js'
import { LedgerError } from '../model/index.js'
import { SignerClient } from '../signer/client.js'
import type { NodeConfig, SignerSection } from './config/index.js'
import { remoteSigner } from './consensus/signer.js'
import { keyOf, readPinnedGenesis } from './identity/identity.js'
import { type NodeOptions, type RunningNode, startNode } from './node.js'
import { FatalError } from './process/fatal.js'
import type { Reloaded } from './reload/reload.js'

/** Interval at which a standby checks the lease, in ms: a fraction of the shortest lease. */
const LOOK_MS = 200

type Role = 'active' | 'standby'

/**
 * Start a node with a signer. Throws the errors of `startNode`, and `signer_unreachable`, `signer_refused`,
 * `signer_lease_held`.
 */
export async function startAttached(
  config: NodeConfig,
  signer: SignerSection,
  options: NodeOptions,
): Promise<RunningNode> {
  const { chainHash } = await readPinnedGenesis(config, NEWEST_ABI)
  const shared = await keyOf(config.keys.network, 'ed25519', 'network')
  const own = config.standby === undefined ? shared : await keyOf(config.standby.network, 'ed25519', 'network')
  let attached: AttachedNode | undefined
  const client = await SignerClient.open({
    place: signer.place,
    seed: own.secret,
    chainHash,
    logger: options.logger,
    isShared: config.standby !== undefined,
    onLost: (error) => attached?.lost(error),
  })
  // The same in both roles, so that either can open what the other sealed.
  attached = new AttachedNode(config, { ...options, sealSecret: shared.secret, signerLink: () => client.link }, client)
  try {
    const held = await client.takeLease()
    if (held !== undefined && config.standby === undefined) {
      throw new LedgerError('signer_lease_held', 'another node acts for this validator', {
        details: { for_ms: held.heldForMs },
      })
    }
    await attached.start(held === undefined ? 'active' : 'standby')
    return attached
  } catch (error) {
    client.close()
    throw error
  }
}

/** Configuration of a standby: an observer with its own keys. */
function standbyConfig(config: NodeConfig): NodeConfig {
  const { standby, keys } = config
  if (standby === undefined) throw new Error('a node without standby keys cannot be a standby')
  const own = { ...keys, validator: standby.validator, nextValidator: undefined, network: standby.network }
  return { ...config, keys: own, signer: undefined }
}

/** Node in one of two roles; a change of role stops one instance and starts the other on the same data. */
class AttachedNode implements RunningNode {
  private node: RunningNode | undefined
  /** Pending change of role; changes run one after another. */
  private turn: Promise<void> = Promise.resolve()
  private look: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(
    private config: NodeConfig,
    private readonly options: NodeOptions,
    private readonly client: SignerClient,
  ) {}

  get gatewayUrl(): string {
    return this.running.gatewayUrl
  }
  get peerAddress(): string {
    return this.running.peerAddress
  }
  get chain(): string {
    return this.running.chain
  }
  get genesisHash(): string {
    return this.running.genesisHash
  }
  get height(): number {
    return this.running.height
  }

  async reload(config: NodeConfig): Promise<Reloaded> {
    const reloaded = await this.running.reload(config)
    this.config = config
    return reloaded
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.look)
    await this.turn
    await this.node?.close()
    this.client.close()
  }

  /** Handle a lost lease: another node has it, or may have it. */
  lost(error: LedgerError): void {
    if (this.config.standby === undefined) return this.options.onFatal(new FatalError('signer', error))
    this.options.logger.warn({ reason: error.message }, 'this node is a standby')
    this.change('standby')
  }

  /** Start in the first role; a failure is passed to the caller. */
  start(role: Role): Promise<void> {
    const started = this.begin(role)
    // Changes of role meanwhile wait for the start.
    this.turn = started.catch(() => undefined)
    return started
  }

  private async begin(role: Role): Promise<void> {
    const { config, options } = this
    if (role === 'standby') {
      options.logger.info(
        'another node is active for the validator; this node follows, and takes over when the lease expires',
      )
      this.node = await startNode(standbyConfig(config), options)
      this.lookAtLease()
    } else this.node = await startNode(config, { ...options, signer: remoteSigner(this.client) })
  }

  private get running(): RunningNode {
    if (this.node === undefined)
      throw new LedgerError('node_stopping', 'the node is changing its role: retry in a moment')
    return this.node
  }

  private change(role: Role): void {
    this.turn = this.turn.then(async () => {
      if (this.isClosed) return
      try {
        const before = this.node
        this.node = undefined
        await before?.close()
        await this.begin(role)
      } catch (error) {
        this.options.onFatal(new FatalError('signer', error))
      }
    })
  }

  private lookAtLease(): void {
    this.look = setTimeout(async () => {
      const held = await this.client.takeLease()
      if (this.isClosed) return
      if (held !== undefined) return this.lookAtLease()
      this.options.logger.warn('the lease of the other node expired: this node acts for the validator')
      this.change('active')
    }, LOOK_MS)
  }
}
