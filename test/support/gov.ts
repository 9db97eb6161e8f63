/** Owns a small world of governance for tests: four voters of a sealed role, four validators, a voting asset. */
import type { Numeric } from '../../src/codec/index.js'
import type { BlockRun } from '../../src/executor/index.js'
import { addPeer } from '../../src/executor/membership.js'
import { ABI_2 } from '../../src/features/abi.js'
import { GOV_ACCOUNT } from '../../src/features/gov/ledger/account.js'
import { contents, type Referendum, referenda } from '../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../src/features/gov/schema/instructions.js'
import type { Choice, Track } from '../../src/features/gov/schema/records.js'
import { instructions as parameters } from '../../src/features/parameters/schema.js'
import {
  type AccountId,
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  keyBytes,
  keyString,
  type Peer,
  type ValidatorKey,
} from '../../src/model/index.js'
import { Blocks, entry } from './blocks.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'

export const { owner, alice, bob, outsider } = core
export const carol = accountNamed('carol')
export const dave = accountNamed('dave')
export const VOTERS = [alice, bob, carol, dave] as const
export const ROLE = 'voters'
export const VOTE = 'vote#bank'
export const COIN = 'coin#bank'
export const GOV = GOV_ACCOUNT
export const START_MS = Date.UTC(2026, 10, 30, 12)
export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000
/** Amount of each definition held by each voter. */
export const HELD = 1_000_000n
/** Supply of each definition. */
export const SUPPLY = 4n * HELD
const context = ABI_2.codec('cw')

/** Peers registered without a proof: nothing signs in these tests. */
const peerAt = (index: number): Peer => ({
  key: keyString(Buffer.alloc(48, 0xa0 + index)),
  pop: Buffer.alloc(96),
  networkKey: keyString(Buffer.alloc(32, 0x10 + index)),
  addresses: [],
  role: 'validator',
})
export const PEERS = [0, 1, 2, 3].map(peerAt)
export const accountOfPeer = ({ networkKey }: Peer): AccountId =>
  accountOfKey(accountKeyOf('ed25519', keyBytes(networkKey)))

/** Default track 0: everything, by the role, closing early. */
export const track = (more: Partial<Track> = {}): Track => ({
  name: 'main',
  scope: ['*'],
  electorate: { kind: 'role', value: { role: ROLE } },
  early: true,
  quorumBps: 5_000,
  approvalBps: 5_000,
  deposit: undefined,
  minLock: undefined,
  leadMs: 0,
  votingMs: 20_000,
  lateMs: 0,
  timelockMs: 1_000,
  graceMs: 3_600_000,
  stepMs: 60_000,
  places: 16,
  ...more,
})
export const BY_ASSET = { kind: 'asset', value: { definition: VOTE } } as const
export const BY_VALIDATORS = { kind: 'validators', value: undefined } as const
/** Track for parameters, by locked votes, with a deposit. */
export const assetTrack = (more: Partial<Track> = {}): Track =>
  track({
    name: 'asset',
    scope: ['parameter'],
    electorate: BY_ASSET,
    early: false,
    quorumBps: 250,
    deposit: { definition: COIN, amount: core.units(10n) },
    minLock: core.units(100n),
    votingMs: 60_000,
    lateMs: 20_000,
    ...more,
  })

export const found = (tracks: readonly (readonly [id: number, track: Track])[], vetoBps?: number): Instruction =>
  instruction(gov.foundGovernance, { domain: 'bank', tracks: tracks.map(([id, one]) => ({ id, track: one })), vetoBps })
export const setParameter = (name: string, value: number | string | boolean | null): Instruction =>
  instruction(parameters.setParameter, { name, value })
export const lock = (amount: bigint, definition = VOTE): Instruction =>
  instruction(gov.lockVotes, { definition, amount: core.units(amount) })
export const unlock = (amount?: bigint, definition = VOTE): Instruction =>
  instruction(gov.withdrawVotes, { definition, amount: amount === undefined ? undefined : core.units(amount) })
export const submit = (
  trackId: number,
  list: readonly Instruction[] = [setParameter('block_time_ms', 50)],
  peer?: ValidatorKey,
): Instruction =>
  instruction(gov.submitProposal, {
    track: trackId,
    title: 'Title',
    summary: 'Summary',
    link: undefined,
    instructions: list,
    peer,
  })
type Numbered = 'withdrawProposal' | 'finalizeProposal' | 'enactProposal'
export const act = (verb: Numbered, proposal: number): Instruction => instruction(gov[verb], { proposal })
export const finalize = (proposal: number): Instruction => act('finalizeProposal', proposal)
export const enact = (proposal: number): Instruction => act('enactProposal', proposal)
export const cancelProposal = (proposal: number, forfeit = false): Instruction =>
  instruction(gov.cancelProposal, { proposal, forfeit })

/** Blocks of a chain with governance. */
export class GovChain {
  readonly bench = new Bench(undefined, ABI_2)
  blocks!: Blocks
  nowMs = START_MS
  /** Events of all blocks. */
  readonly published: { readonly height: number; readonly timeMs: number; readonly events: BlockRun['events'] }[] = []
  /** Message of the last rejection. */
  message = ''

  constructor(tracks: readonly (readonly [id: number, track: Track])[] = [[0, track()]], vetoBps?: number) {
    const { bench } = this
    bench.timeMs = START_MS
    for (const peer of PEERS) addPeer(bench.state, peer, 1, 1)
    bench.genesis(
      owner,
      core.registerDomain('bank'),
      ...[owner, ...VOTERS, outsider, ...PEERS.map(accountOfPeer)].map((id) => core.registerAccount(id)),
      ...[VOTE, COIN].map((id) => core.registerDefinition(id)),
      ...VOTERS.flatMap((id) => [VOTE, COIN].map((definition) => core.mint(id, HELD, definition))),
      core.registerRole(ROLE),
      ...VOTERS.map((id) => core.roleOf('grant', ROLE, id)),
      instruction(gov.sealRole, { role: ROLE, members: VOTERS }),
      found(tracks, vetoBps),
      core.permission('grant', 'CanSetParameters', undefined, owner),
      core.permission('grant', 'CanSetParameters', undefined, GOV),
      core.permission('grant', 'CanRegisterDomain', undefined, GOV),
      core.permission('grant', 'CanManagePeers', undefined, GOV),
      core.permission('grant', 'CanManageConsensusKeys', undefined, GOV),
      core.permission('grant', 'CanManageRoles', undefined, GOV),
      core.permission('grant', 'CanManageRoles', undefined, owner),
    )
    this.blocks = new Blocks(bench)
  }

  get state() {
    return this.bench.state
  }

  /** Run instructions as one transaction of a block after a number of ms; returns the code of its rejection. */
  run(authority: AccountId, ...instructions: readonly Instruction[]): string | undefined {
    return this.after(1, authority, ...instructions)
  }

  /** Run a block with one transaction at the current time. */
  execute(authority: AccountId, ...instructions: readonly Instruction[]) {
    return this.noted(entry(authority, instructions, { context }))
  }

  /** Run a block, and keep its events. */
  private noted(...entries: Parameters<Blocks['run']>[1][]) {
    const run = this.blocks.run(this.nowMs, ...entries)
    this.published.push({ height: this.blocks.height, timeMs: this.nowMs, events: run.events })
    return run
  }

  after(ms: number, authority: AccountId, ...instructions: readonly Instruction[]): string | undefined {
    this.nowMs += ms
    const run = this.execute(authority, ...instructions)
    const rejection = run.rejections.get(0)
    this.message = rejection?.message ?? ''
    return rejection?.code
  }

  /** Run an empty block after a number of ms, with due runs only. */
  pass(ms: number) {
    this.nowMs += ms
    return this.noted()
  }

  /** Run empty blocks at the next full minutes. */
  minutes(count: number): void {
    for (let at = 0; at < count; at += 1) this.pass(MINUTE_MS - (this.nowMs % MINUTE_MS))
  }

  row(proposal = 1): Referendum {
    const row = this.state.get(referenda, proposal)
    if (row === undefined) throw new Error(`proposal ${proposal} has no record`)
    return row
  }

  status(proposal = 1): string {
    return this.row(proposal).status
  }

  vote(
    proposal: number,
    choice: Choice = 'aye',
    more: {
      readonly amount?: bigint | Numeric
      readonly conviction?: number
      readonly peer?: ValidatorKey
      readonly digest?: Uint8Array
    } = {},
  ): Instruction {
    const { amount, conviction = 0, peer, digest } = more
    return instruction(gov.castBallot, {
      proposal,
      choice,
      conviction,
      peer,
      digest: digest ?? this.state.get(contents, proposal)?.digest ?? Buffer.alloc(32),
      amount: typeof amount === 'bigint' ? core.units(amount) : amount,
    })
  }

  /** Submit a list on track 0 and have three voters approve it; returns its number. */
  approved(list: readonly Instruction[], by: AccountId = alice): number {
    const number = this.nextNumber
    const code = this.run(by, submit(0, list))
    if (code !== undefined) throw new Error(`${code}: ${this.message}`)
    for (const voter of VOTERS.slice(0, 3)) this.run(voter, this.vote(number))
    this.run(by, finalize(number))
    return number
  }

  get nextNumber(): number {
    let number = 1
    while (this.state.has(contents, number)) number += 1
    return number
  }

  /** Approve a list and enact it by a transaction; returns the code of the enactment. */
  enacted(list: readonly Instruction[], by: AccountId = alice): string | undefined {
    const number = this.approved(list, by)
    return this.after(1_000, by, enact(number))
  }
}
