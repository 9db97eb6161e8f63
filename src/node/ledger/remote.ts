/** Owns the main thread's end of the ledger: typed calls over the message channel to its thread. */
import { Worker } from 'node:worker_threads'
import type { Schema } from '../../codec/index.js'
import { compiledUrl, countsForThread, listThread } from '../../crypto/index.js'
import {
  type ChannelNotice,
  type ChannelRequest,
  type ChannelResponse,
  errorFromRecord,
  type LedgerTurn,
  transferable,
} from './channel.js'
import { CurrentView } from './current-view.js'
import { LEDGER_METHODS, type LedgerMethod, type LedgerPort } from './protocol.js'
import type { LedgerWorkerData } from './worker.js'

const MIB = 1024 * 1024
/**
 * Maximum old generation of the ledger thread, in MiB, besides the decoded content of its caches: far more than it
 * needs. With a limit below 2 GiB the runtime collects garbage when the heap has doubled; without a limit, when it has
 * quadrupled.
 */
const HEAP_MIB = 768
/** Heap bytes per cached byte after decoding, at most. */
const DECODED_FACTOR = 4
/**
 * Young generation, in MiB: temporary objects of a block are dead before they are copied twice. Twice the size costs
 * memory and saves no time.
 */
const YOUNG_MIB = 24

/** Callbacks about the thread of a ledger. */
interface LedgerEvents {
  readonly onReplay: (height: number, target: number) => void
  /** Called if the thread ends without a request to stop. */
  readonly onLost: (error: Error) => void
}

interface Pending {
  readonly resolve: (body: ArrayBuffer) => void
  readonly reject: (error: Error) => void
}

/**
 * Start the ledger thread and wait until the ledger is open; rejects with the reason if it does not open, with
 * `node_stopping` if the signal ended the replay of stored blocks.
 */
export async function startLedger(
  data: Omit<LedgerWorkerData, 'stop' | 'view' | 'cacheCounts'>,
  events: LedgerEvents,
  signal?: AbortSignal,
): Promise<LedgerPort> {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const view = new CurrentView()
  const endReplay = (): void => void Atomics.store(stop, 0, 1)
  signal?.addEventListener('abort', endReplay, { once: true })
  if (signal?.aborted === true) endReplay()
  const worker = new Worker(compiledUrl('node/ledger/worker.js'), {
    workerData: { ...data, stop, view: view.memory, cacheCounts: countsForThread() } satisfies LedgerWorkerData,
    resourceLimits: {
      maxOldGenerationSizeMb: HEAP_MIB + (DECODED_FACTOR * data.cacheBytes) / MIB,
      maxYoungGenerationSizeMb: YOUNG_MIB,
    },
  })
  listThread('ledger', worker)
  try {
    return await ledgerOf(worker, view, events)
  } finally {
    // A node that changes its role starts several ledgers under one signal, so listeners would accumulate.
    signal?.removeEventListener('abort', endReplay)
  }
}

/** Ledger of a started thread, once it is open; nodes use `startLedger`. */
export async function ledgerOf(
  worker: Pick<Worker, 'on' | 'postMessage' | 'terminate'>,
  view: CurrentView,
  events: LedgerEvents,
): Promise<LedgerPort> {
  const pending = new Map<number, Pending>()
  let nextId = 1
  let closing = false
  let lost: Error | undefined

  const lose = (error: Error): void => {
    if (closing || lost !== undefined) return
    lost = error
    for (const waiting of pending.values()) waiting.reject(error)
    pending.clear()
    events.onLost(error)
  }

  let exited: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    exited = resolve
  })
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: ChannelResponse | ChannelNotice) => {
      if ('notice' in message) {
        if (message.notice === 'ready') resolve()
        else if (message.notice === 'replaying') events.onReplay(message.height, message.target)
        else {
          closing = true
          reject(errorFromRecord(message.error))
        }
        return
      }
      const waiting = pending.get(message.id)
      pending.delete(message.id)
      if (message.error !== undefined) waiting?.reject(errorFromRecord(message.error))
      else waiting?.resolve(message.body ?? new ArrayBuffer(0))
    })
    worker.on('error', (error: Error) => {
      reject(error)
      lose(error)
    })
    worker.on('exit', (code) => {
      const error = new Error(`the ledger thread ended with code ${code}`)
      reject(error)
      lose(error)
      exited()
    })
  })
  try {
    await ready
  } catch (error) {
    // The files of the data folder are free for the next start once the thread has ended.
    await worker.terminate()
    throw error
  }

  const ask = (method: string, turn: LedgerTurn, body: ArrayBuffer): Promise<ArrayBuffer> =>
    new Promise((resolve, reject) => {
      if (lost !== undefined) return reject(lost)
      const request: ChannelRequest = { id: nextId++, method, turn, body }
      pending.set(request.id, { resolve, reject })
      worker.postMessage(request, [body])
    })

  const methods = Object.fromEntries(
    (Object.keys(LEDGER_METHODS) as LedgerMethod[]).map((method) => [
      method,
      async (input: unknown, turn: LedgerTurn = LEDGER_METHODS[method].turn) => {
        const schemas = LEDGER_METHODS[method] as { request: Schema<unknown>; response: Schema<unknown> }
        const answer = await ask(method, turn, transferable(schemas.request.encode(input)))
        const decoded = schemas.response.decode(Buffer.from(answer))
        if (!decoded.ok) throw new Error(`ledger answer to ${method} does not decode: ${decoded.fault.message}`)
        return decoded.value
      },
    ]),
  )
  return {
    ...(methods as Omit<LedgerPort, 'close' | 'enterView'>),
    enterView: (place) => view.enter(place),
    async close() {
      closing = true
      try {
        // A thread that dies during the close sends no reply.
        if (lost === undefined) await Promise.race([ask('close', 'consensus', new ArrayBuffer(0)), ended])
      } finally {
        // Even if its files did not close: a running thread keeps the process alive.
        await worker.terminate()
      }
    },
  }
}
