/**
 * Owns the interface between the executor and features: the context and results of instructions, and the policies that
 * features provide (docs/design/structure.md 2).
 */
import type { CodecContext, Numeric, OpenEntry } from '../codec/index.js'
import type { ProofClaim } from '../crypto/circuits/verdicts.js'
import type { RouteState } from '../lanes/index.js'
import type {
  AccountId,
  DataEvent,
  EventDef,
  Incarnation,
  Instruction,
  InstructionDef,
  MultisigPolicy,
  ParameterDef,
  QuorumCertificate,
  TransactionPayload,
} from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import type { Cost, ProofWork, Standing, Work } from './costs.js'
import type { ValidatorElection } from './election.js'
import type { Permission } from './permission.js'
import type { Rejection } from './rejection.js'
import type { ActiveRules, Rule } from './rules.js'
import type { Trigger } from './triggers/tables.js'

export { type Rejection, reject } from './rejection.js'

/** The block that an instruction runs in. */
export interface BlockEnv {
  readonly height: number
  /** Header time in ms since the Unix epoch: the only clock of execution. */
  readonly timeMs: number
  /** True while genesis runs: permissions are exempt there. */
  readonly genesis: boolean
  readonly chain: string
  /** Undefined while nothing is restricted, and in genesis. */
  readonly gate: OpenGate | undefined
  /** What consensus made of the blocks up to this one; undefined in genesis. */
  readonly consensus?: BlockFacts
}

/** Block properties determined by its parent's committee and its proposer. */
export interface BlockFacts {
  readonly chainHash: Uint8Array
  readonly originView: number
  /** Certificate of the parent that the block embeds; none above genesis. */
  readonly parentCertificate: QuorumCertificate | undefined
  readonly parent: ParentFacts | undefined
}

/** Parent block, from its header. */
export interface ParentFacts {
  readonly hash: Uint8Array
  readonly stateRoot: Uint8Array
}

/**
 * Execution context of an instruction: the state of its transaction, its authority and its position. Synchronous; no
 * clock, no I/O.
 */
export interface ExecContext extends StateWriter {
  readonly env: BlockEnv
  readonly authority: AccountId
  readonly transaction: {
    readonly id: Uint8Array
    readonly payload: TransactionPayload | undefined
    /** Lane of the transaction; undefined if instructions run without one (genesis, time triggers). */
    readonly lane: number | undefined
  }
  /** Declarations of the active ABI. */
  readonly abi: {
    readonly number: number
    readonly rules: ReadonlySet<Rule>
    readonly permissions: ReadonlyMap<string, Permission>
    readonly parameters: readonly ParameterDef<unknown>[]
    readonly instructions: ReadonlyMap<string, Pick<InstructionDef<unknown>, 'label'>>
    /** Families of events that data triggers may name, with their kinds and the numbers of these. */
    readonly eventSubjects: ReadonlyMap<string, ReadonlyMap<string, number>>
    codec(addressPrefix: string): CodecContext
    /** Static cost of instructions in TEU, without signatures. */
    costOf(instructions: readonly Instruction[], standing: Standing): number
    /** Work that instructions declare beside their cost, in ms. */
    workMsOf(instructions: readonly Instruction[]): number
    /** Work of instructions that they count themselves, in units of 10 ns. */
    workUnitsOf(instructions: readonly Instruction[]): number
    /** Proof work of instructions, in its units. */
    proofWorkOf(instructions: readonly Instruction[]): number
    readonly policies: Policies
    /** Numbers of errors that instructions answer. */
    readonly errorNumbers: ReadonlyMap<string, number>
  }
  /** Instructions of the transaction and the place of this one, for those that look at their neighbours. */
  readonly instructions: readonly ExecInstruction[]
  readonly position: number
  /** Place of an object registered by this instruction; unique in the chain. */
  incarnation(): Incarnation
  /** Records an event; data triggers that match it run when this instruction is done. */
  emit<T>(def: EventDef<T>, value: NoInfer<T>): void
  /** Records an event that was built before. */
  record(event: DataEvent): void
  /** Charge units for work that its rows do not account for; with too few units left the running list ends there. */
  take(units: number): void
  /** Runs a stored list as its own account, all or nothing; its cost is metered on top of the transaction's. */
  runStored(list: StoredList): Rejection | undefined
  /** Run a part whose failure is to be recorded: a rejected part is reverted except for its cost. */
  fork(work: ContextWork): Rejection | undefined
  /**
   * The same within a share of the units: a part that exceeds it is rejected with `teu_exhausted`, and the list
   * continues.
   */
  forkWithin(units: PartUnits, work: ContextWork): Rejection | undefined
  /** Reject with `teu_exhausted` if fewer units are left; charges none. */
  demand(units: number): Rejection | undefined
  /**
   * The same as another account, for a contract: what its events set off runs behind the instruction, when no contract is
   * at work any more.
   */
  forkAs(authority: AccountId, work: ContextWork): Rejection | undefined
  /** Run one instruction as the authority of this context, with the checks of every instruction; all or nothing. */
  perform(instruction: Instruction): Rejection | undefined
  /** Does something whose rows and events are paid for by other means: how many units they were, at most `limit`. */
  apart<T>(limit: number, work: () => T): { readonly result: T; readonly units: number }
  /** Gives units of the static cost back that were not needed. */
  giveBack(units: number): void
  /** Record the result of a contract call for the outcome of the entry. */
  noteCall(call: CallNote): void
}

/** Share of a part of a run, in units. */
export interface PartUnits {
  /** The most that it may take. */
  readonly max: number
  /** What stays for the rest of the run. */
  readonly kept: number
}

/** Result of one contract call, including nested calls. */
export interface CallNote {
  readonly trap: number
  readonly abortCode: number
  readonly gasUsed: number
  /** Hash of what it gave. */
  readonly output: Uint8Array
  /** Hash of its events. */
  readonly events: Uint8Array
}

/** Work on a context: a rejection, or undefined. */
export type ContextWork = (ctx: ExecContext) => Rejection | undefined

/** Instructions that a trigger or a proposal kept. */
export interface StoredList {
  readonly authority: AccountId
  readonly instructions: readonly Instruction[]
  /** What it counts against: triggers and proposals nest three deep each. */
  readonly by: 'trigger' | 'proposal'
  /** Called with the position of the instruction that was rejected. */
  readonly onRejected?: (position: number) => void
}

/** An instruction as execution passes it on: its definition and its value. */
export interface ExecInstruction {
  readonly def: ExecutableInstruction<unknown>
  readonly value: unknown
}

/** Inputs of a proof statement: the state, the block, the submitter. */
export interface ProofContext extends StateReader {
  readonly env: Pick<BlockEnv, 'chain' | 'height'>
  readonly authority: AccountId
}

/** A proof that can be verified before its transaction runs. */
export interface EarlyProof {
  readonly claim: ProofClaim
  /**
   * What its statement has beside the instruction: `nothing`, so a refusal holds wherever it is verified; the `state` of now;
   * or what transactions `before` it may still change, so a refusal says nothing yet.
   */
  readonly dependsOn: 'nothing' | 'state' | 'before'
}

/** How an instruction acts. */
export interface Execution<T> {
  execute(ctx: ExecContext, value: T): Rejection | undefined
  /**
   * Proof that `execute` would verify if it ran now, so that its result is cached; undefined if it would not reach the
   * proof. `execute` decides by its own state in any case.
   */
  preverify?(ctx: ProofContext, value: T): EarlyProof | undefined
  /** Static cost, without signatures. */
  readonly cost: Cost<T>
  /** What a block counts beside the cost, so that it is executed within its view; absent: nothing. */
  readonly work?: Work<T>
  /** Work of verifying its proofs, whether a result is cached or not (`proof_work_per_block`); absent: none. */
  readonly proofWork?: ProofWork<T>
  /**
   * Domain or domains that the instruction is about, for lane routing; absent or undefined: the home of the authority. An
   * instruction with an empty list has no part in the route.
   */
  primaryDomain?(value: T): string | readonly string[] | undefined
  /** Definition that it settles in, for settlement routing (docs/design/lanes.md 6, stage 2). */
  settles?(value: T): string
  /**
   * Transaction with the same effect as the instruction; queried after a rejection with an error that `repeats`.
   * Waiting clients continue with that transaction.
   */
  supersededBy?(state: StateReader, value: T): Uint8Array | undefined
}

/** One instruction kind with how it acts. */
export type ExecutableInstruction<T> = InstructionDef<T> & Execution<T>

/** Policies, each provided by at most one feature; without a provider the check is skipped. */
export interface Policies {
  /** What transactions cost. */
  readonly fees?: FeePolicy
  /** True if the weight rules of a signed record match its authority. */
  readonly multisigWeights?: MultisigWeights
  /** Permission checks. */
  readonly executionGate?: ExecutionGate
  /** What a data trigger may do about an event that it matches. */
  readonly triggerAuthority?: TriggerAuthorityRule
  /** Which labels accounts of a domain may take; open: any that is free. */
  readonly aliasLabels?: AliasLabels
  /** Reason why the authority may not register a domain of an id; open: any that is free. */
  readonly domainIds?: (ctx: ExecContext, id: string) => Rejection | undefined
  /** How validators are elected; open: the registered peers vote. */
  readonly election?: ValidatorElection
  /** What routes of transactions follow; nothing: all are in one lane. */
  readonly routeSource?: RouteSource
  /** Permitted actions of guests in restricted dataspaces; open: nothing. */
  readonly spaceGrants?: SpaceGrants
  /** Rejection of a change of a role or its members, asked before the change; open: its managers decide. */
  readonly roleSeal?: (ctx: ExecContext, role: string, change: RoleChange) => Rejection | undefined
  /** Limits that parameters keep, with staged changes as if they acted; asked after a change. Open: their own bounds. */
  readonly parameterFloor?: (ctx: ExecContext) => Rejection | undefined
  /** Rejection of an upgrade whose ABI too few validators attested; open: an upgrade needs no attestations. */
  readonly upgradeReadiness?: (ctx: ExecContext, abi: number, hash: Uint8Array) => Rejection | undefined
  /** Rejection of a deployment into a domain; uses an approval up. Open: the rules of the deployment decide. */
  readonly namespaceGate?: (ctx: ExecContext, use: Deployment) => Rejection | undefined
  /** Whether content is denied by its hash; open: none is. */
  readonly denyList?: (state: StateReader, family: DeniedFamily, hash: Uint8Array) => boolean
  /** Agendas that a council admits and dismisses; open: there are none. */
  readonly agendas?: Agendas
}

/** Change of a role: a member that joins (1) or leaves (-1), its permissions, or its removal. */
export type RoleChange =
  | { readonly kind: 'member'; readonly account: AccountId; readonly by: 1 | -1 }
  | { readonly kind: 'permissions' }
  | { readonly kind: 'removal' }

/** Deployment into a domain. */
export interface Deployment {
  readonly kind: 'contract' | 'package'
  readonly domain: string
  /** Alias of the contract in its domain, or name and version of the package. */
  readonly name: string
  readonly digest: Uint8Array
  readonly abiHash?: Uint8Array | undefined
}

/** Family of hashes of a deny list. */
export type DeniedFamily = 'cid' | 'sha256'

/** Status of an agenda; `open`: the council can admit or dismiss it. */
export type AgendaState = 'open' | 'admitted' | 'dismissed' | 'applied' | 'expired'

/** Agendas of the feature that keeps them. */
export interface Agendas {
  /** Status at the time of the block; undefined: the agenda does not exist. */
  state(ctx: ExecContext, id: string): AgendaState | undefined
  /** Records the decision of the council on an open agenda. */
  settle(
    ctx: ExecContext,
    id: string,
    outcome: { readonly kind: 'admitted' } | { readonly kind: 'dismissed'; readonly reason: string },
  ): Rejection | undefined
  /** True if a list does nothing but apply one agenda that the council admitted; its proposal needs no deposit. */
  isAdmitted(ctx: ExecContext, instructions: readonly Instruction[]): boolean
}

/** Inputs of routing at a height, from the state after the height below; undefined: single-lane mode. */
export type RouteSource = (
  state: StateReader,
  height: number,
  grants: SpaceGrants | undefined,
) => RouteState | undefined

/**
 * Grants to guests of restricted dataspaces. Asked only about accounts that are neither at home nor holders of
 * CanUseDataspace.
 */
export interface SpaceGrants {
  /** True if the account may run an instruction of this label about the dataspace. */
  instruction(state: StateReader, timeMs: number, account: AccountId, dataspace: bigint, label: string): boolean
  /** True if a movement is granted; records its amount. */
  movement(ctx: ExecContext, move: GateMove, dataspace: bigint): boolean
  /** True if it would be granted in a transaction of its own; records nothing. */
  wouldMove(state: StateReader, timeMs: number, move: GateMove, dataspace: bigint): boolean
  /** True if routing admits the account; routing has no header time, so execution decides. */
  mayUse(state: StateReader, account: AccountId, dataspace: bigint): boolean
}

/** Decides about the labels of accounts. */
export interface AliasLabels {
  /** Called when an account gets a label, whether it is free or not. */
  claim(
    ctx: ExecContext,
    alias: { readonly domain: string; readonly label: string },
    account: AccountId,
  ): Rejection | undefined
  /** Account that a label resolves to at a header time; undefined: none, also if its account has not changed since a lease ended. */
  accountOf(
    state: StateReader,
    timeMs: number,
    alias: { readonly domain: string; readonly label: string },
  ): AccountId | undefined
  /** Asked when an account gives a label up or goes. */
  release(
    ctx: ExecContext,
    alias: { readonly domain: string; readonly label: string },
    account: AccountId,
  ): Rejection | undefined
}

/**
 * `veto`: a failure of the trigger undoes the event that it matched; `observe`: only its own changes; `none`: it does
 * not run.
 */
export type TriggerAuthority = 'veto' | 'observe' | 'none'

/** Authority of a trigger over the events of the acting account. */
export type TriggerAuthorityRule = (
  rules: ActiveRules,
  state: StateReader,
  trigger: Trigger,
  acting: AccountId,
) => TriggerAuthority

/** Compares the weight rules that a transaction was signed under with those that hold. */
export type MultisigWeights = (
  state: StateReader,
  authority: AccountId,
  policy: MultisigPolicy | undefined,
) => Rejection | undefined

/** Access control for restricted objects; genesis is exempt. */
export interface ExecutionGate {
  /** What the block of this height restricts; undefined while that is nothing. It changes between blocks only. */
  readonly open: (state: StateReader, height: number, grants: SpaceGrants | undefined) => OpenGate | undefined
}

/** Movement that a gate is asked about. */
export interface GateMove {
  readonly source: AccountId
  /** Receiver; absent: an escrow. */
  readonly to?: AccountId | undefined
  readonly definition: string
  /** Zero for value that was counted before. */
  readonly amount: Numeric
  /** Label of the instruction that moves the value; absent in due runs and at ends of blocks. */
  readonly label?: string | undefined
}

/** The restrictions of one block. */
export interface OpenGate {
  /** Reason why the authority may not run an instruction of this label about these domains. */
  instruction(
    state: StateReader,
    timeMs: number,
    authority: AccountId,
    about: string | readonly string[] | undefined,
    label: string,
  ): Rejection | undefined
  /** Reason why value may not leave its account; records the amount. Forced moves, mint, burn and fees are not asked. */
  movement(ctx: ExecContext, move: GateMove): Rejection | undefined
  /** The same for a movement in a transaction of its own; records nothing. */
  wouldMove(state: StateReader, timeMs: number, move: GateMove): Rejection | undefined
}

/** Subject of a fee. */
export interface FeeCharge {
  readonly authority: AccountId
  /** Address of the sponsor that the transaction names. */
  readonly sponsor: string | undefined
  /** Most that the transaction may be metered at, in TEU. */
  readonly maxTeu: number
}

/** Fee policy (docs/design/lanes.md 5). */
export interface FeePolicy {
  /** What a block charges by its state; undefined while nothing costs anything. Prices change between blocks only. */
  readonly open: (state: StateReader, env: Pick<BlockEnv, 'timeMs'>) => OpenFees | undefined
}

/** The fees of one block. */
export interface OpenFees {
  /** Reason why the payer cannot pay in the current state. */
  readonly fault: (state: StateReader, charge: FeeCharge) => Rejection | undefined
  /**
   * Reserve the maximum fee. Returns the reason why the payer cannot pay, or a function that settles; undefined if no
   * account can pay.
   */
  readonly reserve: (state: StateWriter, charge: FeeCharge) => Rejection | FeeReservation | undefined
}

/** A fee that is set aside until the cost of its transaction is known. */
export interface FeeReservation {
  /** Charge the fee of the metered cost, refund the rest, and emit the event. */
  readonly settle: (teu: number) => readonly DataEvent[]
}

/** An open-registry entry of an instruction or event. */
export const registryEntry = (def: Pick<InstructionDef<unknown>, 'id' | 'kind' | 'schema'>): OpenEntry => ({
  id: def.id,
  kind: def.kind,
  schema: def.schema,
})
