/**
 * Owns the life cycle of a payment message: submission, polling until it is final, proof of its settlement if the chain
 * is pinned.
 */
import { sleep } from '../base/sleep.js'
import { isJsonObject } from '../codec/index.js'
import { ISO_ROUTES } from '../features/iso20022/schema/routes.js'
import { EXIT, LedgerError, parseAddress } from '../model/index.js'
import type { GatewayCalls } from './calls.js'
import { notAGateway } from './decoded.js'
import { type IsoRecord, isoText, provenRecord } from './iso-proof.js'
import type { IsoFamily } from './options.js'
import { pathOf } from './route-call.js'
import type { Transactions } from './transactions.js'

/** Default wait for a final status, in ms: a view change or two. */
const WAIT_MS = 30_000
/** First and maximum interval between two requests for a record, in ms. */
const PAUSE_FIRST_MS = 20
const PAUSE_LAST_MS = 500

/** Filter for one of several messages with the same id. */
export interface IsoFilter {
  readonly family?: IsoFamily | undefined
  /** Address of the account that submitted it. */
  readonly submitter?: string | undefined
}

/** Filter for the payments of a message. */
export interface IsoPageOptions {
  /** Status code of pacs.002. */
  readonly status?: string | undefined
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

/** Options for submitting a message. */
export interface IsoSubmitOptions {
  /** Media type of the body; default: XML if it begins with `<`. */
  readonly contentType?: string | undefined
}

/** State to wait for, and timeout. */
export interface IsoWaitOptions {
  /**
   * Final state to wait for. `final`: settled (ACSC), rejected (RJCT), held for an operator, or, for several payments,
   * each in one of these states (PART); `submitted`: accepted by the gateway. Default: `final`.
   */
  readonly until?: 'final' | 'submitted' | undefined
  /** Timeout in ms; default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Called with the first record and after each change of status. */
  readonly onStatus?: ((record: IsoRecord) => void) | undefined
}

const isFinal = (record: IsoRecord): boolean =>
  record.pacs002_code === 'ACSC' ||
  record.pacs002_code === 'RJCT' ||
  (record.pacs002_code === 'PART' && !isUnderWay(record))

/** True while payments of a message with several payments wait for a block. */
const isUnderWay = ({ status_counts: counts }: IsoRecord): boolean =>
  Array.isArray(counts) &&
  counts.some((one) => isJsonObject(one) && (one['pacs002_code'] === 'ACTC' || one['pacs002_code'] === 'ACSP'))

/** True while it waits for an operator. */
const isHeld = (record: IsoRecord): boolean => record.pacs002_code === 'PDNG' || record.pacs002_code === 'ACWC'

/** Payment messages of one client. */
export class IsoMessages {
  constructor(
    private readonly calls: GatewayCalls,
    private readonly transactions: Transactions,
  ) {}

  async submit(family: IsoFamily, body: Uint8Array, { contentType }: IsoSubmitOptions): Promise<IsoRecord> {
    const type = contentType ?? (isXml(body) ? 'application/xml' : 'application/octet-stream')
    return (await this.calls.json('POST', ISO_ROUTES[family].path, { body, contentType: type }, true)) as IsoRecord
  }

  async status(messageId: string, filter: IsoFilter): Promise<IsoRecord> {
    const path = pathOf(ISO_ROUTES.status, { params: { msg_id: messageId }, query: { ...filter } })
    const record = (await this.calls.json('GET', path)) as IsoRecord
    const isOfFamily = filter.family === undefined || isoText(record, 'family')?.toLowerCase() === filter.family
    if (record.message_id !== messageId || !isOfFamily) throw notAGateway('the record belongs to another message')
    return record
  }

  /** Page of the payments of a message, in its order. */
  async payments(
    messageId: string,
    { status, cursor, limit, ...filter }: IsoFilter & IsoPageOptions,
  ): Promise<IsoRecord> {
    const query = { ...filter, status, cursor, limit }
    const path = pathOf(ISO_ROUTES.transactions, { params: { msg_id: messageId }, query })
    const page = (await this.calls.json('GET', path)) as IsoRecord
    if (page.message_id !== messageId) throw notAGateway('the payments of another message')
    return page
  }

  async submitAndWait(
    family: IsoFamily,
    body: Uint8Array,
    options: IsoSubmitOptions & IsoWaitOptions,
  ): Promise<IsoRecord> {
    const { until = 'final', timeoutMs = WAIT_MS, onStatus, ...how } = options
    const deadlineMs = performance.now() + timeoutMs
    const first = await this.submit(family, body, how)
    onStatus?.(first)
    const messageId = isoText(first, 'message_id')
    if (messageId === undefined) throw notAGateway('the record of the message has no id')
    const submitter = isoText(first, 'submitter')
    const filter = { family, submitter }
    // The wait does not include the decision of an operator.
    const isDone = until === 'submitted' || isHeld(first)
    const last = isDone ? first : await this.follow(messageId, filter, first, deadlineMs, onStatus)
    const asked = { messageId, submitter: this.calls.account, body }
    return { ...(await provenRecord(this.transactions, last, asked)), replayed: first.replayed === true }
  }

  async wait(messageId: string, options: IsoFilter & Omit<IsoWaitOptions, 'until'>): Promise<IsoRecord> {
    const { timeoutMs = WAIT_MS, onStatus, ...filter } = options
    const deadlineMs = performance.now() + timeoutMs
    const first = await this.status(messageId, filter)
    onStatus?.(first)
    const last = await this.follow(messageId, filter, first, deadlineMs, onStatus)
    const { addressPrefix } = await this.calls.codec()
    const submitter = filter.submitter === undefined ? undefined : parseAddress(filter.submitter, addressPrefix)
    return provenRecord(this.transactions, last, { messageId, submitter })
  }

  /** Poll a record until it is final or the timeout has passed. */
  private async follow(
    messageId: string,
    filter: IsoFilter,
    first: IsoRecord,
    deadlineMs: number,
    onStatus: IsoWaitOptions['onStatus'],
  ): Promise<IsoRecord> {
    let record = first
    let pauseMs = PAUSE_FIRST_MS
    while (!isFinal(record) && performance.now() < deadlineMs) {
      await sleep(pauseMs)
      pauseMs = Math.min(PAUSE_LAST_MS, pauseMs * 1.5)
      const next = await this.look(messageId, filter)
      if (next === undefined) continue
      if (next.pacs002_code !== record.pacs002_code) onStatus?.(next)
      record = next
    }
    return record
  }

  /** Record, or undefined if the node does not respond now: a restart must not end a wait. */
  private async look(messageId: string, filter: IsoFilter): Promise<IsoRecord | undefined> {
    try {
      return await this.status(messageId, filter)
    } catch (error) {
      if (error instanceof LedgerError && error.exit === EXIT.unreachable) return undefined
      throw error
    }
  }
}

/** True if the first byte besides spaces and a byte order mark is `<`. */
function isXml(body: Uint8Array): boolean {
  for (const byte of body) {
    if (byte === 0x3c) return true
    if (byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return false
  }
  return false
}
