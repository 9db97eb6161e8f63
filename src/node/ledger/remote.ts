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
 * Largest old generation of the ledger thread, in MiB, beside what its caches may hold decoded: far more than it needs.
 * A bound below 2 GiB makes the runtime collect when the heap has doubled; without one it waits for four times as much.
 */
const HEAP_MIB = 768
/** Bytes that a cached byte may take as objects. */
const DECODED_FACTOR = 4
/**
 * Young generation, in MiB: what a block leaves behind is dead before it is copied twice. Twice as much costs its memory and
 * saves no time.
 */
const YOUNG_MIB = 24

/** What is told of the thread of a ledger. */
interface LedgerEvents {
  readonly onReplay: (height: number, target: number) => void
  /** The thread ended without being asked to. */
  readonly onLost: (error: Error) => void
}

interface Pending {
  readonly resolve: (body: ArrayBuffer) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts the ledger thread and waits until the ledger is open; rejects with the reason when it is not, `node_stopping` when
 * the signal ended the replay of stored blocks.
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
    // A node that changes its role starts again and again under one signal.
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
    // Who starts again finds the files of its folder free.
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
        // A thread that dies over it answers nothing.
        if (lost === undefined) await Promise.race([ask('close', 'consensus', new ArrayBuffer(0)), ended])
      } finally {
        // Also where its files did not close: a thread that is left keeps the process.
        await worker.terminate()
      }
    },
  }
}
