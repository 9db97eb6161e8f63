/** Owns a chain of elected validators on a bare executor: genesis, blocks, the duties of its nodes. */

import { type Infer, lazyOf } from '../../../src/codec/index.js'
import { proposerOf, quorumOf } from '../../../src/consensus/index.js'
import { commitmentOf } from '../../../src/consensus/npos/index.js'
import { nobleBackend } from '../../../src/crypto/bls-noble.js'
import { generateKeyPair, hash, type KeyPair, signEd25519 } from '../../../src/crypto/index.js'
import {
  type Abi,
  type BlockInput,
  type BlockRun,
  committeeAt,
  EXECUTIONS,
  type ExecutableEntry,
  executeBlock,
  executeGenesis,
  scheduleOf,
} from '../../../src/executor/index.js'
import { addPeer, peerRoom } from '../../../src/executor/membership.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { calendarOf, placeAt, seatsOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { genesisStaking } from '../../../src/features/staking/ledger/genesis.js'
import { listedCandidates } from '../../../src/features/staking/ledger/validators/lists.js'
import { operators, validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { bindingBytes, networkBindingBytes } from '../../../src/features/staking/schema/bindings.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type ConsensusMode,
  type Evidence,
  type GenesisPayload,
  genesisPayload,
  type Instruction,
  instruction,
  keyBytes,
  keyOfAccount,
  keyString,
  type Metadata,
  NO_METADATA,
  type QuorumCertificate,
  type SignedTransaction,
  signedHash,
  signedTransaction,
  transactionId,
  transactionPayload,
} from '../../../src/model/index.js'
import { EMPTY_ROWS, Overlay } from '../../../src/state/index.js'
import { popOf } from '../chain.js'

export const CHAIN = 'npos-test'
export const STAKE = 'stake#bank'
export const SCALE = 2
export const codec = ABI_2.codec('cw')
const START_MS = 1_760_000_000_000

export const accountNamed = (name: string): AccountId =>
  accountOfKey(accountKeyOf('ed25519', hash('npos-account', Buffer.from(name))))
export const amount = (units: bigint) => ({ mantissa: units, scale: 0 })

/** Node with its staking account. */
export interface Node {
  readonly name: string
  readonly account: AccountId
  readonly bls: KeyPair
  readonly network: KeyPair
  readonly operator: AccountId
}
const nodes = new Map<string, Node>()
export async function nodeNamed(name: string): Promise<Node> {
  const known = nodes.get(name)
  if (known !== undefined) return known
  const bls = await generateKeyPair('bls', Buffer.from(`npos bls ${name}`))
  const network = await generateKeyPair('ed25519', Buffer.from(`npos network ${name}`))
  const operator = accountOfKey(accountKeyOf('ed25519', network.publicKey.bytes))
  const made = { name, account: accountNamed(name), bls, network, operator }
  nodes.set(name, made)
  return made
}
export const keyOf = (node: Node): string => keyString(node.bls.publicKey.bytes)

/** Initial state of a chain. */
export interface ChainOptions {
  readonly validators: readonly {
    readonly node: Node
    readonly bond: bigint
    readonly entity?: string
    readonly commissionBps?: number
  }[]
  readonly nominators?: readonly { readonly name: string; readonly bond: bigint; readonly targets: readonly string[] }[]
  /** Other accounts with money. */
  readonly holders?: readonly string[]
  /** Nodes of the topology without stake. */
  readonly peers?: readonly Node[]
  /** Nodes of the topology with stake; absent: all. The peers of others are observers. */
  readonly registered?: readonly Node[]
  /** Permissions of the administrator besides setting parameters. */
  readonly grants?: readonly string[]
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly mode?: ConsensusMode
  readonly name?: string
  readonly abi?: Abi
  /** Additional instructions of genesis, as the administrator. */
  readonly extra?: readonly Instruction[]
}

export const SHORT = {
  epoch_length_blocks: 40,
  staking_commit_blocks: 8,
  staking_election_blocks: 2,
  staking_reveal_blocks: 10,
  evidence_horizon_blocks: 50,
  slashing_delay_ms: 0,
  slashing_delay_blocks: 0,
}

/** Initial money of every account. */
export const MONEY = 1_000_000n

export class NposChain {
  readonly state = new Overlay(EMPTY_ROWS)
  readonly chainHash: Buffer
  height = 1
  timeMs = START_MS
  /** Inactive nodes. */
  readonly asleep = new Set<AccountId>()
  /** Nodes that commit and do not reveal. */
  readonly withholding = new Set<AccountId>()
  /** Nodes that reveal too late. */
  readonly late = new Set<AccountId>()
  readonly runs: BlockRun[] = []
  readonly name: string
  /** ABI of the next block. */
  abi: Abi
  /** True to rebuild a block without invalid entries, as proposers do. */
  leavesOut = false
  /** The last block, once there is one. */
  last!: BlockInput
  private nonce = 0

  constructor({
    validators: staked,
    nominators = [],
    holders = [],
    peers = [],
    registered = staked.map(({ node }) => node),
    grants = [],
    parameters = {},
    mode = 'npos',
    name = CHAIN,
    abi = ABI_2,
    extra = [],
  }: ChainOptions) {
    this.name = name
    this.abi = abi
    const admin = accountNamed('admin')
    const names = [
      ...staked.map(({ node }) => node.account),
      ...nominators.map(({ name }) => accountNamed(name)),
      ...holders.map(accountNamed),
    ]
    const register = (id: AccountId): Instruction =>
      instruction(accounts.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA })
    const section: Infer<typeof genesisStaking.schema> = {
      validators: staked.map(({ node, bond, entity, commissionBps = 0 }) => ({
        account: node.account,
        bond: amount(bond),
        key: keyOf(node),
        pop: popOf(node.bls),
        networkKey: keyString(node.network.publicKey.bytes),
        addresses: [],
        commissionBps,
        entity,
      })),
      nominators: nominators.map(({ name, bond, targets }) => ({
        account: accountNamed(name),
        bond: amount(bond),
        targets: targets.map(accountNamed),
      })),
    }
    const all = { stake_asset: STAKE, ...SHORT, ...parameters }
    const payload: GenesisPayload = {
      chain: name,
      addressPrefix: 'cw',
      consensusMode: mode,
      createdAtMs: START_MS,
      genesisKey: keyString(keyBytes(keyOfAccount(admin) ?? '').subarray(-32)),
      abi: abi.number,
      parameters: new Map(
        Object.entries(all).map(([parameter, value]) => {
          const def = abi.parameters.find((one) => one.name === parameter)
          if (def === undefined) throw new Error(`no parameter ${parameter}`)
          return [parameter, def.schema.encode(value)]
        }),
      ),
      topology: [...registered, ...peers].map((node) => ({
        key: keyOf(node),
        pop: popOf(node.bls),
        networkKey: keyString(node.network.publicKey.bytes),
        addresses: [],
        role: 'validator' as const,
      })),
      instructions: [
        instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
        register(admin),
        instruction(assets.registerAssetDefinition, {
          id: STAKE,
          scale: SCALE,
          mintable: { kind: 'infinitely', value: undefined },
          metadata: NO_METADATA,
        }),
        ...names.map(register),
        ...[admin, ...names].map((account) => ({
          kind: 'mint',
          value: { asset: { definition: STAKE, account }, amount: amount(MONEY) },
        })),
        ...['CanSetParameters', ...grants].map((name) => ({
          kind: 'grant',
          value: {
            subject: { kind: 'permission', value: { name, object: undefined } },
            to: { kind: 'account', value: admin },
          },
        })),
        ...genesisStaking.instructionsOf(section),
        ...extra,
      ],
      features: new Map(),
    }
    this.chainHash = executeGenesis(abi, payload, genesisPayload.encode(payload, abi.codec('cw')), this.state).chainHash
  }

  /** Transaction of an account with an unverified signature. */
  tx(authority: AccountId, ...instructions: readonly Instruction[]): ExecutableEntry {
    return this.txWith(NO_METADATA, authority, ...instructions)
  }

  /** The same with metadata. */
  txWith(metadata: Metadata, authority: AccountId, ...instructions: readonly Instruction[]): ExecutableEntry {
    this.nonce += 1
    const context = this.abi.codec('cw')
    const payload = lazyOf(
      transactionPayload,
      {
        chain: this.name,
        authority,
        createdAtMs: this.timeMs,
        ttlMs: 100_000,
        nonce: this.nonce,
        executable: { kind: 'instructions', value: instructions },
        metadata,
        dataspace: undefined,
      },
      context,
    )
    const signatures = [{ publicKey: keyOfAccount(authority) ?? '', signature: Buffer.alloc(64) }]
    const signed: SignedTransaction = { payload, signatures, policy: undefined }
    const signedBytes = signedTransaction.encode(signed, context)
    const id = transactionId(payload.bytes)
    return { lane: 0, dataspace: 0n, id, signedHash: signedHash(signedBytes), signedBytes, signed }
  }

  reveal(node: AccountId, epoch: number): Buffer {
    return hash('test-reveal', keyBytes(node), Buffer.from(String(epoch)))
  }

  /** Duty transactions of all validator nodes for the next height. */
  duties(): ExecutableEntry[] {
    const calendar = calendarOf(this.state)
    const height = this.height + 1
    const q = placeAt(calendar, height)
    if (calendar === undefined || q === undefined) return []
    const { epoch, windows } = calendar
    const seats = seatsOf(this.state, calendar)
    const value = { height: this.height - 1, stateRoot: rootOf(this.height - 1) }
    const others = [...listedCandidates(this.state)].flatMap(([, { account }]) => {
      const row = this.state.get(validators, account)
      const isIn = seats.some(({ validator }) => validator === account)
      if (row === undefined || isIn || q !== 1 || this.asleep.has(account)) return []
      return [this.tx(row.operator, instruction(staking.attestReady, value))]
    })
    const members = seats.flatMap(({ validator }) => {
      const row = this.state.get(validators, validator)
      if (row === undefined || this.asleep.has(validator)) return []
      const reveal = this.reveal(validator, epoch)
      if (q === 0) {
        const commitment = commitmentOf({ chainHash: this.chainHash, epoch, validator }, reveal)
        return [this.tx(row.operator, instruction(staking.commitRandomness, { epoch, commitment }))]
      }
      const after = this.late.has(validator) ? windows.reveal + 1 : 2
      if (q === windows.commit + windows.election + after && !this.withholding.has(validator)) {
        return [this.tx(row.operator, instruction(staking.revealRandomness, { epoch, reveal }))]
      }
      return []
    })
    return [...members, ...others]
  }

  /** Certificate of the head, signed by every running member of its committee. */
  certificate(): QuorumCertificate | undefined {
    if (this.height < 2) return undefined
    const row = scheduleOf(this.state, this.height)
    const { committee } = committeeAt(row, this.chainHash, this.height)
    const bitmap = Buffer.alloc(Math.ceil(committee.keys.length / 8))
    const asleep = new Set([...this.asleep].map((account) => this.state.get(validators, account)?.key))
    let count = 0
    for (const [place, key] of committee.keys.entries()) {
      if (asleep.has(key) && count + (committee.keys.length - place - 1) >= quorumOf(committee.keys.length)) continue
      bitmap[place >> 3] = (bitmap[place >> 3] ?? 0) | (1 << (place & 7))
      count += 1
    }
    return {
      phase: 'commit',
      height: this.height,
      view: 0,
      blockHash: hash('block', Buffer.from(String(this.height))),
      committeeHash: committee.hash,
      epoch: row.epoch,
      bitmap,
      signature: Buffer.alloc(96),
    } as unknown as QuorumCertificate
  }

  /** First view with an active proposer. */
  private originView(): number {
    const height = this.height + 1
    const { order } = committeeAt(scheduleOf(this.state, height), this.chainHash, height)
    const asleep = new Set([...this.asleep].map((account) => this.state.get(validators, account)?.key))
    let view = 0
    while (view < order.length && asleep.has(proposerOf(order, view))) view += 1
    return view < 3 ? view : 0
  }

  /** Next block with the duties of all nodes. */
  block(entries: readonly ExecutableEntry[] = [], evidence: readonly Evidence[] = []): BlockRun {
    const all = [...entries, ...this.duties()]
    const parentCertificate = this.certificate()
    const originView = this.originView()
    this.height += 1
    this.timeMs += 1_000
    this.last = {
      abi: this.abi,
      chain: this.name,
      chainHash: this.chainHash,
      height: this.height,
      originView,
      timeMs: this.timeMs,
      parentCertificate,
      parent: { hash: hash('block', Buffer.from(String(this.height - 1))), stateRoot: rootOf(this.height - 1) },
      evidence,
      entries: all,
    }
    let overlay = this.state.fork()
    let run = executeBlock(EXECUTIONS.validate, this.last, overlay)
    while (this.leavesOut && run.invalidTransactions.length > 0) {
      const out = new Set(run.invalidTransactions.map(({ index }) => index))
      this.last = { ...this.last, entries: this.last.entries.filter((_, index) => !out.has(index)) }
      overlay = this.state.fork()
      run = executeBlock(EXECUTIONS.validate, this.last, overlay)
    }
    overlay.merge()
    this.runs.push(run)
    return run
  }

  /** Run blocks up to a height. */
  to(height: number): void {
    while (this.height < height) this.block()
  }
  /** Run blocks until an epoch begins. */
  toEpoch(number: number): void {
    for (let blocks = 0; (calendarOf(this.state)?.epoch ?? 0) < number; blocks += 1) {
      if (blocks > 10_000) throw new Error(`epoch ${number} does not begin`)
      this.block()
    }
  }
  /** Run instructions as one transaction in a separate block; returns the error code, or undefined. */
  run(authority: AccountId, ...instructions: readonly Instruction[]): string | undefined {
    return this.block([this.tx(authority, ...instructions)]).rejections.get(0)?.code
  }

  get epoch(): number {
    return calendarOf(this.state)?.epoch ?? 0
  }
  /** Accounts of the seats, sorted by node name if known. */
  get seats(): AccountId[] {
    const calendar = calendarOf(this.state)
    return calendar === undefined
      ? []
      : seatsOf(this.state, calendar)
          .map(({ validator }) => validator)
          .sort()
  }
  operatorOf(account: AccountId): AccountId | undefined {
    return this.state.get(validators, account)?.operator
  }
  validatorOf(operator: AccountId): AccountId | undefined {
    return this.state.get(operators, operator)
  }
}

/** Observers of the administrator that fill all but a number of peer slots. */
export function fillRooms({ state, height }: NposChain, left: number): void {
  for (let at = 0; peerRoom(state) > left; at += 1) {
    const [key, networkKey] = [Buffer.alloc(48, 'peer'), Buffer.alloc(32, 'link')]
    for (const bytes of [key, networkKey]) bytes.writeUInt32BE(at)
    addPeer(
      state,
      {
        key: keyString(key),
        networkKey: keyString(networkKey),
        pop: Buffer.alloc(96),
        addresses: [],
        role: 'observer',
      },
      height,
      height,
    )
  }
}

/** Registration signed by the holder of an account and its node, for candidacy. */
export function registrationOf(account: AccountId, node: Node, commissionBps: number, chain = CHAIN): Instruction {
  const networkKey = keyString(node.network.publicKey.bytes)
  const bound = { chain, account, key: keyOf(node), networkKey }
  const value = {
    account: undefined,
    key: keyOf(node),
    pop: popOf(node.bls),
    binding: nobleBackend().sign(node.bls.secret, bindingBytes(bound)),
    networkKey,
    networkBinding: signEd25519(node.network.secret, networkBindingBytes(bound)),
    addresses: [],
    commissionBps,
    entity: undefined,
  }
  return instruction(staking.registerValidator, value)
}

/** Rotation of a validator to the key of another node from the next epoch on, signed by the account holder. */
export function rotationTo(chain: NposChain, account: AccountId, fresh: Node): Instruction {
  const networkKey = chain.state.get(validators, account)?.networkKey ?? ''
  const bound = { chain: chain.name, account, key: keyOf(fresh), networkKey }
  const binding = nobleBackend().sign(fresh.bls.secret, bindingBytes(bound))
  return instruction(staking.rotateValidatorKey, { key: keyOf(fresh), pop: popOf(fresh.bls), binding })
}

/** Root of a height in the headers of this chain. */
export const rootOf = (height: number): Buffer => hash('root', Buffer.from(String(height)))

export const bond = (units: bigint): Instruction =>
  instruction(staking.bondStake, { account: undefined, amount: amount(units) })
export const unbond = (units: bigint): Instruction => instruction(staking.unbondStake, { amount: amount(units) })
export const rebond = (units: bigint): Instruction => instruction(staking.rebondStake, { amount: amount(units) })
export const withdraw: Instruction = instruction(staking.withdrawStake, {})
export const nominate = (...targets: readonly AccountId[]): Instruction =>
  instruction(staking.nominateValidators, { account: undefined, targets })
export const chill: Instruction = instruction(staking.chillValidator, {})
export const unjail: Instruction = instruction(staking.unjailValidator, {})
