/**
 * Owns the submission of instructions from the command line: the confirmation before signing and sending, and the
 * output of the outcome.
 */
import { shortId } from '../../base/ids.js'
import type { CausewayClient, SignedBytes, TransactionState, WaitUntil } from '../../client/index.js'
import { type CodecContext, type Json, pascalCase } from '../../codec/index.js'
import type { SigningKey } from '../../crypto/signing-key.js'
import {
  accountOfPair,
  anyInstruction,
  formatAddress,
  type Instruction,
  type InstructionDef,
  type RecordJson,
  type TypedInstruction,
} from '../../model/index.js'
import { gatewayKey, proofWords, stateError, stateJson, withGateway } from '../gateway/gateway.js'
import type { WaitMode } from '../input/wait-mode.js'
import type { Settings } from '../settings/settings.js'
import type { Output } from '../terminal/output.js'
import { withProgress } from '../terminal/progress.js'
import { dryRunOf, printDryRun } from './dry-run.js'
import { type InstructionReader, instructionReader } from './instructions.js'
import { Names } from './resolve.js'
import { type ReviewFlags, reviewed } from './review.js'

/** Dependencies of a submission on its command. */
export interface SubmitContext {
  readonly settings: Settings
  readonly out: Output
  readonly silent: boolean
  readonly wait: WaitMode
  /** True to only report the effect. */
  readonly dryRun?: boolean | undefined
  /** Flags for the confirmation before signing. */
  readonly asking?: ReviewFlags
}

/**
 * Read the next instruction of a transaction from the JSON form of its record. Throws the fault of a field, with its
 * position.
 */
export type ReadInstruction = <T>(def: InstructionDef<T>, jsonForm: RecordJson<T>) => TypedInstruction<T>

/** Account of the signing key and the client that resolves others. */
export interface Signing {
  readonly client: CausewayClient
  readonly codec: CodecContext
  readonly read: ReadInstruction
  /** Resolver of accounts, which stores the names for the review. */
  readonly names: Names
  /** Reader of instructions with names from the gateway; names of accounts are proven as by `names`. */
  readonly reading: (jsonForms: readonly Json[]) => Promise<InstructionReader>
  /** Address of the key's account. */
  readonly address: string
}

/** Address of the account of a signing key. */
export const addressOfKey = (pair: SigningKey, addressPrefix: string): string =>
  formatAddress(accountOfPair(pair), addressPrefix)

/** Open the gateway for an account that signs with this key. */
export const withSigning = <T>(
  settings: Settings,
  pair: SigningKey,
  use: (signing: Signing & { readonly chain: string }) => Promise<T>,
): Promise<T> =>
  withGateway(settings, async (client) => {
    const { chain, addressPrefix } = await client.chain()
    const names = new Names(client, settings)
    const codec = names.codec(await client.codec())
    let count = 0
    const read: ReadInstruction = <T>(def: InstructionDef<T>, jsonForm: RecordJson<T>) =>
      names.instruction({ [pascalCase(def.kind)]: jsonForm }, count++, codec) as TypedInstruction<T>
    const address = addressOfKey(pair, addressPrefix)
    const reading = (jsonForms: readonly Json[]) =>
      instructionReader(client, settings.gateway, jsonForms, (id, name, isContract) =>
        names.confirms(id, name, isContract),
      )
    return use({ client, codec, read, names, reading, address, chain })
  })

/**
 * Sign and submit the result of `make`, print the hash, wait as requested, print the result; in a dry run nothing is
 * signed or sent. Throws the ledger's code if it rejects the transaction, `pending` at the timeout.
 */
export async function submitInstructions(
  context: SubmitContext,
  make: (signing: Signing) => Promise<readonly Instruction[]> | readonly Instruction[],
  more: readonly string[] = [],
): Promise<void> {
  const { settings, out } = context
  const signer = await gatewayKey(settings)
  await withSigning(settings, signer, async (signing) => {
    const { client, codec, chain, names, address: authority } = signing
    const built = await names.settled(() => make(signing))
    const { payload } = await client.draft(names.asserted(built), { signer })
    if (context.dryRun === true) return printDryRun(out, await dryRunOf(client, payload, codec))
    const instructions = payload.executable.value
    const jsonForms = instructions.map((one) => anyInstruction.toJson(one, codec))
    const reader = await signing.reading([...jsonForms, signing.address])
    const { resolved: aliases, cautions } = names
    const review = { chain, authority, aliases, cautions, more, instructions: jsonForms, reader }
    await reviewed(out, review, context.asking ?? {}, settings)
    // Rebuilt only now, so that the time of the question does not shorten the lifetime of the transaction.
    await submitSigned(context, client, await client.sign(instructions, { signer }))
  })
}

/** Submit a signed transaction, print the hash, wait as requested, print the result. */
export async function submitSigned(
  context: SubmitContext,
  client: CausewayClient,
  { id, bytes, expiresAtMs }: SignedBytes,
): Promise<void> {
  const { out, wait } = context
  const hash = id.toString('hex')
  await client.submitTransaction(bytes)
  if (wait === 'none') return out.result({ hash, state: 'submitted' }, hash)
  out.note(`submitted ${hash}`)
  await waited({ ...context, wait }, client, hash, expiresAtMs)
}

/**
 * Wait for a transaction and print its status; throws the ledger's code if it is rejected or expired. `expiresAtMs`:
 * end of its validity, if known.
 */
export async function waited(
  { settings, out, silent, wait }: Omit<SubmitContext, 'wait'> & { readonly wait: WaitUntil },
  client: CausewayClient,
  hash: string,
  expiresAtMs?: number,
): Promise<void> {
  const options = {
    until: wait,
    timeoutMs: settings.deadline.leftMs(),
    expiresAtMs,
  }
  const state = await withProgress(`waiting for ${shortId(hash)}`, silent, () => client.waitTransaction(hash, options))
  const failed = stateError(hash, state)
  if (failed !== undefined) throw failed
  out.result(stateJson(hash, state), `${hash} ${standingText(state, wait)}`)
}

/** Text of the state of a transaction. */
function standingText(state: TransactionState, wait: WaitUntil): string {
  if (wait === 'queued') return state.state
  const standing = `${state.state} at height ${state.height} (${proofWords(state)})${paymentsText(state)}`
  return state.supersededBy === undefined ? standing : `superseded by ${state.supersededBy}, ${standing}`
}

/** Number of executed payments of a transaction; each of them may have failed separately. */
function paymentsText({ payments }: TransactionState): string {
  if (payments === undefined) return ''
  const settled = payments.filter(({ outcome }) => outcome === 'settled').length
  return `; ${settled} of ${payments.length} payments settled according to the gateway, see causeway iso status`
}
