/** Owns the start of a local network: it starts the stopped processes and waits until all respond. */
import { sleep } from '../../base/sleep.js'
import { CausewayClient } from '../../client/index.js'
import { type ErrorCode, isErrorCode, LedgerError } from '../../model/errors.js'
import type { Localnet, LocalPeer } from '../settings/localnet-record.js'
import { outputTail, pidOf, type Started, startPeer, stopPeers } from './process.js'

const POLL_MS = 100
/** Timeout of a request while a peer starts, in ms. */
const ANSWER_MS = 1_000
/** Maximum lines of a failed peer's output in an error. */
const TAIL_LINES = 40
/** Time for peers to end after a failed start, in ms. */
const CLEAN_UP_MS = 5_000

/** True if the peer responds and has the genesis block; every telemetry profile serves liveness. */
async function isReady(peer: LocalPeer): Promise<boolean> {
  const client = new CausewayClient({ gateway: peer.gateway, timeoutMs: ANSWER_MS, retries: 0 })
  try {
    return (await client.height()) >= 1
  } catch (error) {
    // A halted peer reports nothing more: its status has the reason.
    if (error instanceof LedgerError) return error.code === 'node_halted'
    throw error
  } finally {
    await client.close()
  }
}

/** Error of a failed daemon: its code and text, parsed from text or JSON; else its last lines. */
function daemonError(output: string): { readonly code: string; readonly message: string } {
  const text = /^error: (.*) \[([a-z0-9_]+)\]$/m.exec(output)
  if (text !== null) return { code: text[2]!, message: text[1]! }
  try {
    const { error } = JSON.parse(output.slice(output.indexOf('{'))) as { error?: { code?: unknown; message?: unknown } }
    if (typeof error?.message === 'string') return { code: String(error.code), message: error.message }
  } catch {
    // Not a record: the lines are used.
  }
  return { code: 'internal', message: output }
}

async function failedStart(one: Started): Promise<LedgerError> {
  const { code, message } = daemonError(await outputTail(one.peer, TAIL_LINES))
  const how = one.ended()
  const known: ErrorCode = isErrorCode(code) ? code : 'internal'
  return new LedgerError(known, `${one.peer.name} ended with ${how}${message === '' ? '' : `: ${message}`}`, {
    hint: `See ${one.peer.folder}/node.log.`,
    details: { peer: one.peer.name, ended: how ?? null },
  })
}

/** Peers that were started, and peers that already ran. */
export interface UpResult {
  readonly started: readonly string[]
  readonly already: readonly string[]
}

/**
 * Start the stopped peers and wait until all respond with a committed genesis. Throws the error of a daemon that ended,
 * or `pending` at the timeout; peers started by this call are then stopped.
 */
export async function startPeers(
  peers: Localnet['peers'],
  executable: string,
  timeoutMs: number,
  report: (text: string) => void,
): Promise<UpResult> {
  const stopped: LocalPeer[] = []
  for (const peer of peers) if ((await pidOf(peer)) === undefined) stopped.push(peer)
  const started: Started[] = []
  try {
    for (const peer of stopped) started.push(await startPeer(peer, executable))
    await ready(peers, started, timeoutMs, report)
  } catch (error) {
    await stopPeers(
      started.map((one) => one.peer),
      CLEAN_UP_MS,
    )
    throw error
  }
  for (const one of started) one.release()
  const names = started.map((one) => one.peer.name)
  return { started: names, already: peers.map((one) => one.name).filter((name) => !names.includes(name)) }
}

async function ready(
  peers: readonly LocalPeer[],
  started: readonly Started[],
  timeoutMs: number,
  report: (text: string) => void,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  const waiting = new Set(peers)
  while (waiting.size > 0) {
    const failed = started.find((one) => one.ended() !== undefined)
    if (failed !== undefined) throw await failedStart(failed)
    const found = await Promise.all([...waiting].map(async (peer) => ((await isReady(peer)) ? peer : undefined)))
    for (const peer of found) if (peer !== undefined) waiting.delete(peer)
    if (waiting.size === 0) return
    const names = [...waiting].map((peer) => peer.name).join(', ')
    if (performance.now() > deadlineMs) {
      throw new LedgerError('pending', `${names} did not respond within ${timeoutMs} ms`, {
        hint: 'See node.log in the folders of the peers, or allow more time with --timeout.',
      })
    }
    report(`waiting for ${names}`)
    await sleep(POLL_MS)
  }
}
