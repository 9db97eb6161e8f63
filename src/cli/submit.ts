/** Owns the submission of instructions from the command line: JSON to transaction, signature, waiting, result. */
import type { CausewayClient } from '../client/index.js'
import type { CodecContext, Json } from '../codec/index.js'
import type { KeyPair } from '../crypto/keys.js'
import { accountOfPair, formatAddress, instructionsOf, LedgerError } from '../model/index.js'
import { dryRunOf, printDryRun } from './dry-run.js'
import { stateError, stateJson, withGateway } from './gateway.js'
import { signingKey } from './key.js'
import type { Output } from './output.js'
import { withProgress } from './progress.js'
import type { Settings } from './settings.js'

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
}

/** Account of the signing key and the client that resolves others. */
export interface Signing {
  readonly client: CausewayClient
  readonly codec: CodecContext
  /** Address of the key's account. */
  readonly address: string
}

/** Address of the account of a key that signs. */
export const addressOfKey = (pair: KeyPair, addressPrefix: string): string =>
  formatAddress(accountOfPair(pair), addressPrefix)

/** Address of an account that is written as an address or as an alias `label@domain`. */
export async function resolveAccount(client: CausewayClient, text: string): Promise<string> {
  if (!text.includes('@')) return text
  const { getJson } = await import('./gateway.js')
  const view = (await getJson(client, `/v1/accounts/${encodeURIComponent(text)}`)) as { readonly id?: Json }
  if (typeof view.id !== 'string') throw new LedgerError('unknown_account', `${text}: the node answered no account`)
  return view.id
}

/** Opens the gateway for an account that signs with this key. */
export const withSigning = <T>(
  settings: Settings,
  pair: KeyPair,
  use: (signing: Signing & { readonly chain: string }) => Promise<T>,
): Promise<T> =>
  withGateway(settings, async (client) => {
    const { chain, addressPrefix } = await client.chain()
    return use({ client, codec: await client.codec(), address: addressOfKey(pair, addressPrefix), chain })
  })

/**
 * Signs and submits what `make` gives as JSON twins, prints the hash, waits as asked, prints the result; for a dry run
 * nothing is signed or sent. Throws the ledger's code when it rejects the transaction, `pending` when the time is up.
 */
export async function submitInstructions(
  context: SubmitContext,
  make: (signing: Signing) => Promise<readonly Json[]> | readonly Json[],
): Promise<void> {
  const { settings, out } = context
  const pair = await signingKey(settings)
  if (settings.keySource !== 'flags' && context.dryRun !== true)
    out.hint(`signing with ${settings.keyFile} (from ${settings.keySource})`)
  await withSigning(settings, pair, async (signing) => {
    const { client, codec, chain } = signing
    const { buildTransaction, signTransaction } = await import('../client/index.js')
    const authority = accountOfPair(pair)
    const instructions = instructionsOf(await make(signing), codec)
    const draft = buildTransaction({ chain, authority, instructions, codec })
    if (context.dryRun === true) return printDryRun(out, await dryRunOf(client, draft.payload, codec))
    const signed = await signTransaction(draft, pair)
    await submitSigned(context, client, signed.id.toString('hex'), signed.bytes)
  })
}

/** Submits the canonical bytes of a signed transaction, prints the hash, waits as asked, prints the result. */
export async function submitSigned(
  context: SubmitContext,
  client: CausewayClient,
  hash: string,
  bytes: Uint8Array,
): Promise<void> {
  const { out, wait } = context
  await client.submitTransaction(bytes)
  if (wait === 'none') return out.result({ hash, state: 'submitted' }, hash)
  out.note(`submitted ${hash}`)
  await (wait === 'queued' ? queued(context, client, hash) : committed(context, client, hash))
}

/** Waits until the transaction is in a block and prints where; throws the ledger's code when it is rejected or expired. */
export async function committed(
  { settings, out, silent }: Omit<SubmitContext, 'wait'>,
  client: CausewayClient,
  hash: string,
): Promise<void> {
  const state = await withProgress(`waiting for ${hash.slice(0, 12)}`, silent, () =>
    client.waitTransaction(hash, { timeoutMs: settings.timeoutMs }),
  )
  const failed = stateError(hash, state)
  if (failed !== undefined) throw failed
  out.result(stateJson(hash, state), `${hash} ${state.state} at height ${state.height}`)
}

/** Waits until the node says that it holds the transaction: in its queue or already in a block. */
async function queued({ out, settings }: SubmitContext, client: CausewayClient, hash: string): Promise<void> {
  const deadlineMs = performance.now() + settings.timeoutMs
  for (;;) {
    const state = await client.transactionStatus(hash)
    const failed = stateError(hash, state)
    if (failed !== undefined) throw failed
    if (state.state !== 'unknown') return out.result(stateJson(hash, state), `${hash} ${state.state}`)
    if (performance.now() > deadlineMs)
      throw new LedgerError('pending', `${hash} is not in the queue yet`, { details: { hash } })
    await new Promise((resolve) => setTimeout(resolve, QUEUED_POLL_MS))
  }
}
