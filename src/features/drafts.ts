/** Owns drafts on a node, for the handlers of all features: nothing is signed here, and no key is used. */
import { randomInt } from 'node:crypto'
import type { AnyHandler } from '../api/handler.js'
import type { AnyRoute } from '../api/route.js'
import type { Draft } from '../api/schema/draft.js'
import type { NodeServices } from '../api/services.js'
import type { CodecContext } from '../codec/index.js'
import {
  type AccountId,
  anyInstruction,
  INSTRUCTION_REGISTRY,
  type Instruction,
  type InstructionDef,
  LedgerError,
  NO_METADATA,
  type TransactionPayload,
  transactionPayload,
} from '../model/index.js'

/** Lifetime of a drafted transaction, in ms: users review it before they sign; the chain may allow less. */
const DRAFT_TTL_MS = 600_000
/** Upper bound of nonces. They are random, so that two equal drafts are different transactions. */
const NONCE_END = 2 ** 32

/** Request of a draft handler. */
export interface Drafting<F = unknown> {
  readonly services: NodeServices
  /** Authority of the draft, in addition to the accounts of the feature. */
  readonly accounts: { readonly authority: AccountId | undefined } & F
}

/** Drafted transaction: the parts of a draft that depend on its signer. */
type Signable = Pick<Draft, 'payload' | 'bytes' | 'hash' | 'lane' | 'dryRun'>
const UNSIGNABLE: Signable = {
  payload: undefined,
  bytes: undefined,
  hash: undefined,
  lane: undefined,
  dryRun: undefined,
}

/** Transaction of an authority after a dry run at the head; an error if it would be refused. */
async function transactionOf(
  services: NodeServices,
  authority: AccountId,
  instructions: readonly Instruction[],
): Promise<Signable | LedgerError> {
  const payload: TransactionPayload = {
    chain: services.info.chain,
    authority,
    createdAtMs: Date.now(),
    ttlMs: Math.min(DRAFT_TTL_MS, services.maxTtlMs()),
    nonce: randomInt(1, NONCE_END),
    executable: { kind: 'instructions', value: instructions },
    metadata: NO_METADATA,
    dataspace: undefined,
  }
  const dryRun = await services.dryRun(payload)
  if (dryRun instanceof LedgerError) return dryRun
  const { hash, lane } = dryRun
  return { payload, bytes: transactionPayload.encode(payload, services.info.codec), hash, lane, dryRun }
}

/** Number of an instruction of the active ABI. */
function numberOf({ kind }: Instruction, { registries }: CodecContext): number {
  const entry = registries?.[INSTRUCTION_REGISTRY]?.byKind(kind)
  if (entry === undefined) throw new Error(`the active ABI has no instruction ${kind}`)
  return entry.id
}

/**
 * Response of a draft: its instructions and, for an authority, their transaction. `own`: additional fields of the
 * feature, which may depend on the id of that transaction.
 */
export async function answerDraft<O extends object>(
  { services, accounts: { authority } }: Drafting,
  instructions: readonly Instruction[],
  own: (transaction: Uint8Array | undefined) => O,
): Promise<{ value: Draft & O } | LedgerError> {
  const signable = authority === undefined ? UNSIGNABLE : await transactionOf(services, authority, instructions)
  if (signable instanceof LedgerError) return signable
  const { codec } = services.info
  const txInstructions = instructions.map((one) => ({
    wireId: numberOf(one, codec),
    payloadHex: anyInstruction.encode(one, codec).toString('hex'),
  }))
  const teu = services.costOf(instructions)
  return { value: { instructions, txInstructions, teu, ...signable, ...own(signable.hash) } }
}

/** Draft the instruction of a kind from its record in the body. */
const answerBody = (input: Drafting & { readonly body: unknown }, kind: string) =>
  answerDraft(input, [{ kind, value: input.body }], () => ({}))

/** Handler of the draft of one instruction whose record is the body. */
export const draftOfBody =
  <T>({ kind }: InstructionDef<T>) =>
  (input: Drafting & { readonly body: T }) =>
    answerBody(input, kind)

/** Handlers of draft routes by instruction kind. */
export const draftHandlers = (
  rows: Readonly<Record<string, Pick<AnyRoute, 'id'>>>,
): readonly (readonly [string, AnyHandler<NodeServices>])[] =>
  Object.entries(rows).map(([kind, { id }]) => [
    id,
    ((input: Drafting & { readonly body: unknown }) => answerBody(input, kind)) as AnyHandler<NodeServices>,
  ])
