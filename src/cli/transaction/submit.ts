/** Owns the submission of instructions from the command line: JSON to transaction, signature, waiting, result. */
import type { CausewayClient } from '../../client/index.js'
import type { CodecContext, Json } from '../../codec/index.js'
import type { KeyPair } from '../../crypto/keys.js'
import {
  accountOfPair,
  expiresAtMs,
  formatAddress,
  instruction,
  instructionsOf,
  LedgerError,
} from '../../model/index.js'
import type { Output } from '../command/output.js'
import { withProgress } from '../command/progress.js'
import { gatewayKey, proofWords, stateError, stateJson, withGateway } from '../gateway/gateway.js'
import { Names } from '../ledger/resolve.js'
import type { Settings } from '../settings/settings.js'
import { dryRunOf, printDryRun } from './dry-run.js'
import { type ReviewFlags, reviewed } from './review.js'

/** What a write waits for. */
export type WaitMode = 'committed' | 'queued' | 'none'
export const WAIT_MODES: readonly WaitMode[] = ['committed', 'queued', 'none']
/** Pause between two looks whether a node holds the transaction, in ms. */
const QUEUED_POLL_MS = 100

/** What a submission needs of its command. */
export interface SubmitContext {
  readonly settings: Settings
  readonly out: Output
  readonly silent: boolean
  readonly wait: WaitMode
  /** Only say what would happen. */
  readonly dryRun?: boolean | undefined
  /** What was said about asking before it signs. */
  readonly asking?: ReviewFlags
}

/** Account of the signing key and the client that resolves others. */
export interface Signing {
  readonly client: CausewayClient
  readonly codec: CodecContext
  /** Resolves accounts, and remembers them for whoever is to sign. */
  readonly names: Names
  /** Address of the key's account. */
  readonly address: string
}

/** Address of the account of a key that signs. */
export const addressOfKey = (pair: KeyPair, addressPrefix: string): string =>
  formatAddress(accountOfPair(pair), addressPrefix)

/** Opens the gateway for an account that signs with this key. */
export const withSigning = <T>(
  settings: Settings,
  pair: KeyPair,
  use: (signing: Signing & { readonly chain: string }) => Promise<T>,
): Promise<T> =>
  withGateway(settings, async (client) => {
    const { chain, addressPrefix } = await client.chain()
    const names = new Names(client, settings)
    return use({ client, codec: await client.codec(), names, address: addressOfKey(pair, addressPrefix), chain })
  })

/**
 * Signs and submits what `make` gives as JSON twins, prints the hash, waits as asked, prints the result; for a dry run
 * nothing is signed or sent. Throws the ledger's code when it rejects the transaction, `pending` when the time is up.
 */
export async function submitInstructions(
  context: SubmitContext,
  make: (signing: Signing) => Promise<readonly Json[]> | readonly Json[],
  more: readonly string[] = [],
): Promise<void> {
  const { settings, out } = context
  const pair = await gatewayKey(settings)
  await withSigning(settings, pair, async (signing) => {
    const { client, codec, chain } = signing
    const { buildTransaction, signTransaction } = await import('../../client/index.js')
    const authority = accountOfPair(pair)
    const instructions = instructionsOf(await make(signing), codec)
    if (context.dryRun === true) {
      const { payload } = buildTransaction({ chain, authority, instructions, codec })
      return printDryRun(out, await dryRunOf(client, payload, codec))
    }
    const review = { chain, authority: signing.address, aliases: signing.names.resolved, more }
    const shown = instructions.map((one) => instruction.toJson(one, codec))
    await reviewed(out, { ...review, instructions: shown }, context.asking ?? {}, settings)
    // Laid out only now: the time of a question is none of the transaction's life.
    const draft = buildTransaction({ chain, authority, instructions, codec })
    const signed = await signTransaction(draft, pair)
    await submitSigned(context, client, signed.id.toString('hex'), signed.bytes, expiresAtMs(draft.payload))
  })
}

/** Submits the canonical bytes of a signed transaction, prints the hash, waits as asked, prints the result. */
export async function submitSigned(
  context: SubmitContext,
  client: CausewayClient,
  hash: string,
  bytes: Uint8Array,
  expiryMs: number,
): Promise<void> {
  const { out, wait } = context
  await client.submitTransaction(bytes)
  if (wait === 'none') return out.result({ hash, state: 'submitted' }, hash)
  out.note(`submitted ${hash}`)
  await (wait === 'queued' ? queued(context, client, hash) : committed(context, client, hash, expiryMs))
}

/**
 * Waits until the transaction is in a block and prints where; throws the ledger's code when it is rejected or expired.
 * `expiryMs`: until when it may run, where that is known here: nobody is believed that it expired before.
 */
export async function committed(
  { settings, out, silent }: Omit<SubmitContext, 'wait'>,
  client: CausewayClient,
  hash: string,
  expiryMs?: number,
): Promise<void> {
  const state = await withProgress(`waiting for ${hash.slice(0, 12)}`, silent, () =>
    client.waitTransaction(hash, { timeoutMs: settings.deadline.leftMs() }),
  )
  if (state.state === 'expired' && expiryMs !== undefined && Date.now() < expiryMs) {
    const until = new Date(expiryMs).toISOString()
    throw new LedgerError(
      'not_a_gateway',
      `${hash} is expired according to the gateway, although it is valid until ${until}`,
      {
        hint: 'Ask another node for its status before you send it again; compare the clocks.',
        details: { hash },
      },
    )
  }
  const failed = stateError(hash, state)
  if (failed !== undefined) throw failed
  const standing = `${state.state} at height ${state.height} (${proofWords(state)})`
  const { supersededBy } = state
  const line = supersededBy === undefined ? standing : `superseded by ${supersededBy}, ${standing}`
  out.result(stateJson(hash, state), `${hash} ${line}`)
}

/** Waits until the node says that it holds the transaction: in its queue or already in a block. */
async function queued({ out, settings }: SubmitContext, client: CausewayClient, hash: string): Promise<void> {
  for (;;) {
    const state = await client.transactionStatus(hash)
    const failed = stateError(hash, state)
    if (failed !== undefined) throw failed
    if (state.state !== 'unknown') return out.result(stateJson(hash, state), `${hash} ${state.state}`)
    if (settings.deadline.leftMs() === 0)
      throw new LedgerError('pending', `${hash} is not in the queue yet`, { details: { hash } })
    await new Promise((resolve) => setTimeout(resolve, QUEUED_POLL_MS))
  }
}
