/** Owns the ledger thread: opens the ledger and answers the port's methods over a message channel. */
import { parentPort, workerData } from 'node:worker_threads'
import { Turns } from '../../base/turns.js'
import type { Schema } from '../../codec/index.js'
import { countInto } from '../../crypto/index.js'
import { ABIS, NEWEST_ABI, startAbi } from '../../features/abi.js'
import { readGenesisFile } from '../genesis/file.js'
import {
  type ChannelNotice,
  type ChannelRequest,
  type ChannelResponse,
  errorRecordOf,
  LEDGER_TURNS,
  transferable,
} from './channel.js'
import { CurrentView } from './current-view.js'
import { openLedger } from './open.js'
import { LEDGER_METHODS, type LedgerMethod, type LedgerPort } from './protocol.js'

/** Start options of the ledger thread. */
export interface LedgerWorkerData {
  readonly folder: string
  readonly genesisFile: string
  readonly cacheBytes: number
  readonly treeBits: number
  /** Shared with the main thread: non-zero if the node stops before the ledger is open. */
  readonly stop: Int32Array
  /** Shared with the main thread: current view of consensus. */
  readonly view: Int32Array
  /** Shared with the main thread: counters of the cache reads of this thread. */
  readonly cacheCounts: Float64Array
}

/** Blocks between two progress reports of a replay: a few reports per second. */
const REPLAY_NOTICE_BLOCKS = 100

async function main(): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('the ledger worker must run on its own thread')
  const notify = (notice: ChannelNotice): void => port.postMessage(notice)
  const data = workerData as LedgerWorkerData
  countInto(data.cacheCounts)
  let ledger: LedgerPort
  try {
    const genesis = await readGenesisFile(NEWEST_ABI, data.genesisFile)
    const abi = startAbi(genesis.payload.value.abi)
    ledger = await openLedger({
      folder: data.folder,
      genesis,
      abi,
      abis: ABIS,
      cacheBytes: data.cacheBytes,
      treeBits: data.treeBits,
      view: new CurrentView(data.view),
      stopped: () => Atomics.load(data.stop, 0) !== 0,
      onReplay: (height, target) => {
        if (height % REPLAY_NOTICE_BLOCKS === 0 || height === target) notify({ notice: 'replaying', height, target })
      },
    })
  } catch (error) {
    notify({ notice: 'failed', error: errorRecordOf(error) })
    port.close()
    return
  }

  const turns = new Turns(LEDGER_TURNS)
  port.on('message', (request: ChannelRequest) => {
    turns
      .take(request.turn, () => answer(ledger, request))
      .then(
        (response) => {
          port.postMessage(response, response.body === undefined ? [] : [response.body])
          if (request.method === 'close') port.close()
        },
        (error: unknown) => port.postMessage({ id: request.id, error: errorRecordOf(error) } satisfies ChannelResponse),
      )
  })
  notify({ notice: 'ready' })
}

async function answer(ledger: LedgerPort, request: ChannelRequest): Promise<ChannelResponse> {
  if (request.method === 'close') {
    await ledger.close()
    return { id: request.id, body: new ArrayBuffer(0) }
  }
  const method = request.method as LedgerMethod
  const schemas = LEDGER_METHODS[method] as { request: Schema<unknown>; response: Schema<unknown> }
  const decoded = schemas.request.decode(Buffer.from(request.body))
  if (!decoded.ok) throw new Error(`ledger request ${method} does not decode: ${decoded.fault.message}`)
  const run = ledger[method].bind(ledger) as (input: unknown) => Promise<unknown>
  const output = await run(decoded.value)
  return { id: request.id, body: transferable(schemas.response.encode(output)) }
}

await main()
