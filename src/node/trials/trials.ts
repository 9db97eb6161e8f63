/** Owns trials: dry runs, views and simulations on the state of the last block, without changing it. */
import type { CodecContext } from '../../codec/index.js'
import {
  type Abi,
  type AbiSchedule,
  abiNeededAt,
  chainInfo,
  EXECUTIONS,
  routesAt,
  SINGLETON_KEY,
  transactionLimitsOf,
} from '../../executor/index.js'
import { chainHashOf } from '../../model/index.js'
import type { HeightState } from '../../state/index.js'
import { replayIdKey } from '../chain/indexes.js'
import { HEAD_RECORD, type Head, headRecord } from '../ledger/head-record.js'
import type { Ledger } from '../ledger/ledger.js'
import { type QueryRecords, runQuery } from '../ledger/query.js'
import { tryPayload } from './dry-run.js'

/** Maximum decoded rows cached by trials for one height, in bytes: enough for several thousand accounts. */
export const TRIAL_CACHE_BYTES = 8 * 1024 * 1024

/** Trial: a payload in its canonical bytes at a time in ms since the Unix epoch, or a query in its canonical bytes. */
export type TrialWork =
  | { readonly kind: 'dryRun'; readonly payload: Uint8Array; readonly timeMs: number }
  | { readonly kind: 'query'; readonly query: string; readonly input: Uint8Array }

/**
 * Runner of trials; returns the canonical bytes of the result, or undefined if nothing was found. Rejects with the
 * error of admission.
 */
export interface TrialService {
  run(work: TrialWork): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** Data that is constant between two blocks. */
interface Place {
  readonly state: HeightState
  readonly abi: Abi
  readonly codec: CodecContext
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly head: Head
}

const needsLedger = (): never => {
  throw new Error('trials can only read the state of the last block')
}

/** Trials on the calling thread. */
export class Trials implements TrialService {
  private place: Place | undefined

  /** @param open opens the state of the last block; undefined if that block is still the one at `height` */
  constructor(
    private readonly abis: AbiSchedule,
    private readonly open: (height: number | undefined) => Promise<HeightState | undefined>,
  ) {}

  async run(work: TrialWork): Promise<Uint8Array | undefined> {
    const place = await this.current()
    if (work.kind === 'dryRun') return dryRunAt(place, work.payload, work.timeMs)
    const { state, abi, codec } = place
    return runQuery(EXECUTIONS.trialQuery, { state, records: recordsOf(place), abi, codec }, work.query, work.input)
  }

  async close(): Promise<void> {
    await this.place?.state.close()
    this.place = undefined
  }

  /** State of the last block; the state of the previous block is closed. */
  private async current(): Promise<Place> {
    const state = await this.open(this.place?.state.height)
    if (state !== undefined) {
      await this.close()
      try {
        this.place = placeOf(this.abis, state)
      } catch (error) {
        await state.close()
        throw error
      }
    }
    if (this.place === undefined) throw new Error('no state is available for trials')
    return this.place
  }
}

/** Read the trial inputs of a height. */
function placeOf(abis: AbiSchedule, state: HeightState): Place {
  const info = state.reader.get(chainInfo, SINGLETON_KEY)
  if (info === undefined) throw new Error('the world state has no chain record: genesis was not applied')
  abis.switchTo(abiNeededAt(state.reader, state.height + 1), state.height + 1)
  const { abi } = abis
  const codec = abi.codec(info.addressPrefix)
  state.setContext(codec)
  const stored = headRecord.decode(state.meta(HEAD_RECORD) ?? Buffer.alloc(0))
  if (!stored.ok || stored.value.header.height !== state.height) {
    throw new Error(`the record of the last block does not belong to height ${state.height}`)
  }
  const { chain } = info
  return { state, abi, codec, chain, chainHash: chainHashOf(chain, info.genesisSeed), head: stored.value }
}

/** Stored blocks are reduced to the header of the last one. */
const recordsOf = ({ state, head }: Place): QueryRecords => ({
  header: async (height) => (height === state.height ? head.header : needsLedger()),
  firstHeight: state.height,
  block: needsLedger,
  heightOf: needsLedger,
  certified: needsLedger,
  outcome: needsLedger,
  results: needsLedger,
  prove: needsLedger,
})

function dryRunAt(
  { state, abi, codec, chain, chainHash, head }: Place,
  payload: Uint8Array,
  timeMs: number,
): Uint8Array {
  const { reader, height } = state
  const route = routesAt(abi.policies, reader, height + 1)
  const validity = {
    abi,
    chain,
    limits: transactionLimitsOf(reader),
    timeMs: Math.max(timeMs, head.header.timeMs + 1),
    isCommitted: (id: Uint8Array) => state.indexGet(replayIdKey(id)) !== undefined,
    // A block of one transaction has no lane slots.
    lanes: route && { route, slots: [] },
  }
  return tryPayload({ abi, codec, state, chainHash, certificate: head.certificate, validity }, payload)
}

/** Trials on the thread of the ledger. */
export const trialsBeside = (ledger: Pick<Ledger, 'heightState'>, abis: AbiSchedule): Trials =>
  new Trials(abis, () => ledger.heightState(TRIAL_CACHE_BYTES))
