/**
 * Owns the interface between the executor and features: the context and results of instructions, and the policies that
 * features provide (docs/design/structure.md 2).
 */
import type { CodecContext, Numeric, OpenEntry } from '../codec/index.js'
import type { ProofClaim } from '../crypto/circuits/proof-outcomes.js'
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

/** Block in which an instruction runs. */
export interface BlockEnv {
  readonly height: number
  /** Header time in ms since the Unix epoch: the only clock of execution. */
  readonly timeMs: number
  /** True during genesis, which is exempt from permissions. */
  readonly genesis: boolean
  readonly chain: string
  /** Restrictions; undefined if there are none, and in genesis. */
  readonly gate: OpenGate | undefined
  /** Consensus data about the blocks up to this one; undefined in genesis. */
  readonly consensus?: BlockFacts
}

/** Block properties determined by its parent's committee and its proposer. */
export interface BlockFacts {
  readonly chainHash: Uint8Array
  readonly originView: number
  /** Certificate of the parent in the block; none in the block after genesis. */
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
    /** Event families that data triggers may name, with their kinds and numbers. */
    readonly eventSubjects: ReadonlyMap<string, ReadonlyMap<string, number>>
    codec(addressPrefix: string): CodecContext
    /** Static cost of instructions in TEU, without signatures. */
    costOf(instructions: readonly Instruction[], standing: Standing): number
    /** Declared work of instructions beside their cost, in ms. */
    workMsOf(instructions: readonly Instruction[]): number
    /** Work counted by the instructions themselves, in units of 10 ns. */
    workUnitsOf(instructions: readonly Instruction[]): number
    /** Proof work of instructions, in proof units. */
    proofWorkOf(instructions: readonly Instruction[]): number
    readonly policies: Policies
    /** Numbers of the error codes of instructions. */
    readonly errorNumbers: ReadonlyMap<string, number>
  }
  /**
   * Instructions of the transaction and the index of this instruction, for instructions that depend on their
   * neighbours.
   */
  readonly instructions: readonly ExecInstruction[]
  readonly position: number
  /** Incarnation of an object registered by this instruction; unique in the chain. */
  incarnation(): Incarnation
  /** Record an event; data triggers that match it run after this instruction. */
  emit<T>(def: EventDef<T>, value: NoInfer<T>): void
  /** Record an event that was already built. */
  record(event: DataEvent): void
  /** Charge units for work that its rows do not account for; if too few are left, the running list ends. */
  take(units: number): void
  /**
   * Run a stored list as its own account, all or nothing; its cost is metered in addition to the cost of the
   * transaction.
   */
  runStored(list: StoredList): Rejection | undefined
  /** Run a part whose failure must be recorded: a rejected part is reverted except for its cost. */
  fork(work: ContextWork): Rejection | undefined
  /**
   * Like `fork`, within a share of the units: a part that exceeds it is rejected with `teu_exhausted`, and the list
   * continues.
   */
  forkWithin(units: PartUnits, work: ContextWork): Rejection | undefined
  /** Reject with `teu_exhausted` if fewer units are left; charges none. */
  demand(units: number): Rejection | undefined
  /**
   * Like `fork`, as another account, for a contract: triggers of its events run after the instruction, when no contract
   * is running any more.
   */
  forkAs(authority: AccountId, work: ContextWork): Rejection | undefined
  /** Run one instruction as the authority of this context, with the checks of every instruction; all or nothing. */
  perform(instruction: Instruction): Rejection | undefined
  /** Run work whose rows and events are paid for by other means; returns its result and its units, at most `limit`. */
  apart<T>(limit: number, work: () => T): { readonly result: T; readonly units: number }
  /** Refund units of the static cost that were not needed. */
  giveBack(units: number): void
  /** Record the result of a contract call for the outcome of the entry. */
  noteCall(call: CallNote): void
}

/** Units available to a part of a run that may fail without the rest, such as one payment of a shared transaction. */
export interface PartUnits {
  /** Maximum units of the part. */
  readonly max: number
  /** Units reserved for the rest of the run. */
  readonly kept: number
}

/** Result of one contract call, including nested calls. */
export interface CallNote {
  readonly trap: number
  readonly abortCode: number
  readonly gasUsed: number
  /** Hash of its output. */
  readonly output: Uint8Array
  /** Hash of its events. */
  readonly events: Uint8Array
}

/** Work on a context: a rejection, or undefined. */
export type ContextWork = (ctx: ExecContext) => Rejection | undefined

/** Instructions stored by a trigger or a proposal. */
export interface StoredList {
  readonly authority: AccountId
  readonly instructions: readonly Instruction[]
  /** Kind of the nesting limit: triggers and proposals nest three deep each. */
  readonly by: 'trigger' | 'proposal'
  /** Called with the index of the rejected instruction. */
  readonly onRejected?: (position: number) => void
}

/** Instruction in execution: its definition and its value. */
export interface ExecInstruction {
  readonly def: ExecutableInstruction<unknown>
  readonly value: unknown
}

/** Inputs of a proof statement: the state, the block, the submitter. */
export interface ProofContext extends StateReader {
  readonly env: Pick<BlockEnv, 'chain' | 'height'>
  readonly authority: AccountId
}

/** Proof that can be verified before its transaction runs. */
export interface EarlyProof {
  readonly claim: ProofClaim
  /**
   * Dependencies of the statement besides the instruction. `nothing`: a refusal is final; `state`: it holds for the
   * current state; `before`: earlier transactions may still change it, so a refusal is not conclusive.
   */
  readonly dependsOn: 'nothing' | 'state' | 'before'
}

/** Execution of an instruction. */
export interface Execution<T> {
  execute(ctx: ExecContext, value: T): Rejection | undefined
  /**
   * Proof that `execute` would verify if it ran now, so that its result is cached; undefined if it would not reach the
   * proof. `execute` decides by its own state in any case.
   */
  preverify?(ctx: ProofContext, value: T): EarlyProof | undefined
  /** Static cost, without signatures. */
  readonly cost: Cost<T>
  /** Work that a block counts beside the cost, so that it executes within its view; absent: none. */
  readonly work?: Work<T>
  /** Work of verifying its proofs, whether a result is cached or not (`proof_work_per_block`); absent: none. */
  readonly proofWork?: ProofWork<T>
  /**
   * Domain or domains of the instruction, for lane routing; absent or undefined: the home of the authority. An
   * instruction with an empty list has no part in the route.
   */
  primaryDomain?(value: T): string | readonly string[] | undefined
  /** Definition in which it settles, for settlement routing (docs/design/lanes.md 6, stage 2). */
  settles?(value: T): string
  /**
   * Transaction with the same effect as the instruction; queried after a rejection with an error that `repeats`.
   * Waiting clients continue with that transaction.
   */
  supersededBy?(state: StateReader, value: T): Uint8Array | undefined
}

/** Instruction kind with its execution. */
export type ExecutableInstruction<T> = InstructionDef<T> & Execution<T>

/** Policies, each provided by at most one feature; without a provider the check is skipped. */
export interface Policies {
  /** Transaction fees. */
  readonly fees?: FeePolicy
  /** True if the weight rules of a signed record match its authority. */
  readonly multisigWeights?: MultisigWeights
  /** Permission checks. */
  readonly executionGate?: ExecutionGate
  /** Authority of a data trigger over an event that it matches. */
  readonly triggerAuthority?: TriggerAuthorityRule
  /** Labels available to accounts of a domain; default: any that is free. */
  readonly aliasLabels?: AliasLabels
  /** Reason why the authority may not register a domain id; default: any free id is permitted. */
  readonly domainIds?: (ctx: ExecContext, id: string) => Rejection | undefined
  /** Election of validators; default: the registered peers vote. */
  readonly election?: ValidatorElection
  /** Source of transaction routes; default: all are in one lane. */
  readonly routeSource?: RouteSource
  /** Permitted actions of guests in restricted dataspaces; default: none. */
  readonly spaceGrants?: SpaceGrants
  /** Rejection of a change of a role or its members, evaluated before the change; default: its managers decide. */
  readonly roleSeal?: (ctx: ExecContext, role: string, change: RoleChange) => Rejection | undefined
  /**
   * Limits across parameters, with staged changes treated as active; called before a change, whose result the returned
   * check rejects. Default: only their own bounds.
   */
  readonly parameterFloor?: (ctx: ExecContext) => OutcomeCheck | undefined
  /**
   * Rules for the lists of an account, whatever starts them; called before a list, as its authority. Returns a
   * rejection of the list, or a check of its outcome, which precedes the triggers of its events. Default: every outcome
   * is permitted.
   */
  readonly listOutcome?: (ctx: ExecContext, list: readonly ExecInstruction[]) => Rejection | OutcomeCheck | undefined
  /** Rejection of an upgrade whose ABI too few validators attested; default: an upgrade needs no attestations. */
  readonly upgradeReadiness?: (ctx: ExecContext, abi: number, hash: Uint8Array) => Rejection | undefined
  /** Rejection of a deployment into a domain; consumes an approval. Default: the rules of the deployment decide. */
  readonly namespaceGate?: (ctx: ExecContext, use: Deployment) => Rejection | undefined
  /** True if content is denied by its hash; default: nothing is denied. */
  readonly denyList?: (state: StateReader, family: DeniedFamily, hash: Uint8Array) => boolean
  /** Agendas that a council admits and dismisses; default: there are none. */
  readonly agendas?: Agendas
}

/** Check called after a change: its rejection, compared with the state before the change. */
export type OutcomeCheck = () => Rejection | undefined

/** Change of a role: a member that joins (1) or leaves (-1), a change of its permissions, or its removal. */
export type RoleChange =
  | { readonly kind: 'member'; readonly account: AccountId; readonly by: 1 | -1 }
  | { readonly kind: 'permissions' }
  | { readonly kind: 'removal' }

/** Deployment into a domain. */
export interface Deployment {
  readonly kind: 'contract' | 'package'
  readonly domain: string
  /** Contract alias in its domain, or name and version of the package. */
  readonly name: string
  readonly digest: Uint8Array
  readonly abiHash?: Uint8Array | undefined
}

/** Family of hashes of a deny list. */
export type DeniedFamily = 'cid' | 'sha256'

/** Status of an agenda; the council can admit an `open` one, and dismiss one that is `open` or `admitted`. */
export type AgendaState = 'open' | 'admitted' | 'dismissed' | 'applied' | 'expired'

/** Agendas of the feature that stores them. */
export interface Agendas {
  /** Status at the time of the block; undefined: the agenda does not exist. */
  state(ctx: ExecContext, id: string): AgendaState | undefined
  /** Record the decision of the council on an open agenda. */
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
 * Grants to guests of restricted dataspaces. Queried only for accounts that are neither at home nor holders of
 * CanUseDataspace.
 */
export interface SpaceGrants {
  /** True if the account may run an instruction with this label in the dataspace. */
  instruction(state: StateReader, timeMs: number, account: AccountId, dataspace: bigint, label: string): boolean
  /** True if a movement is granted; records its amount. */
  movement(ctx: ExecContext, move: GateMove, dataspace: bigint): boolean
  /** True if the movement would be granted in a separate transaction; records nothing. */
  wouldMove(state: StateReader, timeMs: number, move: GateMove, dataspace: bigint): boolean
  /** True if routing admits the account; routing has no header time, so execution decides. */
  mayUse(state: StateReader, account: AccountId, dataspace: bigint): boolean
}

/** Rules for the labels of accounts. */
export interface AliasLabels {
  /** Claim a label for an account, whether it is free or not. */
  claim(
    ctx: ExecContext,
    alias: { readonly domain: string; readonly label: string },
    account: AccountId,
  ): Rejection | undefined
  /**
   * Account that a label resolves to at a header time; undefined if there is none, also after the end of a lease, even
   * if the account of the label has not changed.
   */
  accountOf(
    state: StateReader,
    timeMs: number,
    alias: { readonly domain: string; readonly label: string },
  ): AccountId | undefined
  /** Called when an account gives up a label or is removed. */
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

/** Compare the weight rules that a transaction was signed under with the current rules. */
export type MultisigWeights = (
  state: StateReader,
  authority: AccountId,
  policy: MultisigPolicy | undefined,
) => Rejection | undefined

/** Access control for restricted objects; genesis is exempt. */
export interface ExecutionGate {
  /** Restrictions at this height; undefined if there are none. They change between blocks only. */
  readonly open: (state: StateReader, height: number, grants: SpaceGrants | undefined) => OpenGate | undefined
}

/** Movement of value to check. */
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

/** Restrictions of one block. */
export interface OpenGate {
  /** Reason why the authority may not run an instruction with this label in these domains. */
  instruction(
    state: StateReader,
    timeMs: number,
    authority: AccountId,
    about: string | readonly string[] | undefined,
    label: string,
  ): Rejection | undefined
  /**
   * Reason why value may not leave its account; records the amount. Not called for forced moves, mint, burn and fees.
   */
  movement(ctx: ExecContext, move: GateMove): Rejection | undefined
  /** Like `movement`, for a movement in a separate transaction; records nothing. */
  wouldMove(state: StateReader, timeMs: number, move: GateMove): Rejection | undefined
}

/** Subject of a fee. */
export interface FeeCharge {
  readonly authority: AccountId
  /** Address of the sponsor in the transaction. */
  readonly sponsor: string | undefined
  /** Maximum metered units of the transaction, in TEU. */
  readonly maxTeu: number
}

/** Fee policy (docs/design/lanes.md 5). */
export interface FeePolicy {
  /** Fees of a block from its state; undefined if nothing is charged. Prices change between blocks only. */
  readonly open: (state: StateReader, env: Pick<BlockEnv, 'timeMs'>) => OpenFees | undefined
}

/** Fees of one block. */
export interface OpenFees {
  /** Reason why the payer cannot pay in the current state. */
  readonly fault: (state: StateReader, charge: FeeCharge) => Rejection | undefined
  /**
   * Reserve the maximum fee. Returns the reason why the payer cannot pay, or a function that settles; undefined if no
   * account can pay.
   */
  readonly reserve: (state: StateWriter, charge: FeeCharge) => Rejection | FeeReservation | undefined
}

/** Fee reserved until the cost of its transaction is known. */
export interface FeeReservation {
  /** Charge the fee of the metered cost, refund the rest, and emit the event. */
  readonly settle: (teu: number) => readonly DataEvent[]
}

/** Open-registry entry of an instruction or event. */
export const registryEntry = (def: Pick<InstructionDef<unknown>, 'id' | 'kind' | 'schema'>): OpenEntry => ({
  id: def.id,
  kind: def.kind,
  schema: def.schema,
})
