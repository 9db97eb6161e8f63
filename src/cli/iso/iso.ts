/** Owns shared parts of the ISO 20022 commands: submission and waiting, faults of refused messages, printing of records. */
import type { CausewayClient, IsoFamily } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
// Not from the index: that would load the parser for every command.
import { faultJson } from '../../features/iso20022/message/fault.js'
import type { FaultStage, IsoFault } from '../../features/iso20022/message/index.js'
// Its codes must be in the catalogue.
import '../../features/iso20022/schema/errors.js'
import { type ErrorCode, EXIT, LedgerError } from '../../model/errors.js'
import { type Output, pairs } from '../command/output.js'
import { withProgress } from '../command/progress.js'
import { signsRequests, textOf, type View, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { WaitMode } from '../transaction/submit.js'
import { provenRecord } from './proof.js'

/** First and last pause between two looks at a record, in ms. */
const PAUSE_FIRST_MS = 20
const PAUSE_LAST_MS = 500

const STAGE_CODES: Readonly<Record<FaultStage, ErrorCode>> = {
  size: 'iso_too_large',
  encoding: 'iso_encoding',
  malformed: 'iso_malformed',
  invalid: 'iso_invalid',
}

/** The error of a refused message, with all its faults in `details.faults`. */
export function faultsOf(name: string, stage: FaultStage, faults: readonly IsoFault[]): LedgerError {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return new LedgerError(STAGE_CODES[stage], `${name}: ${count}`, {
    hint: 'Correct what is listed; `causeway iso template pacs008` prints a message that is accepted.',
    details: { stage, faults: faults.map(faultJson) },
  })
}

/** True when nothing changes any more. */
const isFinal = (record: View): boolean => record.pacs002_code === 'ACSC' || record.pacs002_code === 'RJCT'

/** True while it waits for an operator. */
const isHeld = (record: View): boolean => record.pacs002_code === 'PDNG' || record.pacs002_code === 'ACWC'

/** Exit code that a record stands for. */
export function exitOf(record: View, wait: WaitMode): number {
  if (record.pacs002_code === 'RJCT') return EXIT.rejected
  return record.pacs002_code === 'ACSC' || wait !== 'committed' ? EXIT.ok : EXIT.pending
}

/** A record as lines for people. */
export function recordText(record: View): string {
  const amount = textOf(record.amount)
  return pairs([
    ['message id', textOf(record.message_id)],
    ['status', `${textOf(record.pacs002_code)}${meaning(textOf(record.pacs002_code))}`],
    ['reason', textOf(record.rejection_reason_code)],
    ['held by', textOf(record.hold_reason_code)],
    [
      'changes',
      Array.isArray(record.change_reason_codes) ? record.change_reason_codes.join(' ') || undefined : undefined,
    ],
    ['detail', textOf(record.detail)],
    ['amount', amount === undefined ? undefined : `${amount} ${textOf(record.currency) ?? ''}`],
    ['settlement', textOf(record.settlement_date)],
    ['end to end', textOf(record.end_to_end_id)],
    ['from', textOf(record.source_account_id)],
    ['to', textOf(record.target_account_id)],
    ['asset', textOf(record.asset_definition_id)],
    ['transaction', textOf(record.transaction_hash)],
    ['submitter', textOf(record.submitter)],
    [
      'proof',
      record.proof === 'verified'
        ? 'proven'
        : record.proof === undefined
          ? undefined
          : 'unverified: reported by this gateway only',
    ],
    ['replayed', record.replayed === true ? 'yes: this message was submitted before' : undefined],
  ])
}

const MEANINGS: Readonly<Record<string, string>> = {
  ACTC: 'validated',
  ACSP: 'queued',
  ACSC: 'settled',
  RJCT: 'rejected',
  PDNG: 'held',
  ACWC: 'changed',
}
const meaning = (code: string | undefined): string =>
  code !== undefined && MEANINGS[code] !== undefined ? ` (${MEANINGS[code]})` : ''

/** Words of an observed status. */
export const statusWords = (record: View): string =>
  `${textOf(record.pacs002_code)}${meaning(textOf(record.pacs002_code))}`

/** A message to submit. */
export interface IsoSubmission {
  readonly family: IsoFamily
  readonly body: Uint8Array
  readonly wait: WaitMode
  readonly timeoutMs: number
  /** Told each status as it is seen. */
  readonly seen: (record: View) => void
}

/** Submits a message and follows its record until it is final or the time is up; gives the last record. */
export async function submitMessage(client: CausewayClient, submission: IsoSubmission): Promise<View> {
  const { family, wait, seen } = submission
  const deadlineMs = performance.now() + submission.timeoutMs
  let record = asView(await client.isoSubmit(family, submission.body))
  const replayed = record.replayed === true
  seen(record)
  const messageId = textOf(record.message_id)
  if (messageId === undefined) throw new LedgerError('internal', 'the node answered a record without a message id')
  const submitter = textOf(record.submitter)
  // A held message waits for a person: nobody waits for that at a prompt.
  if (wait === 'committed' && !isHeld(record)) {
    const filter = { family, ...(submitter === undefined ? {} : { submitter }) }
    record = await follow(client, messageId, filter, record, deadlineMs, seen)
  }
  return { ...(await provenRecord(client, record, submission.body)), replayed }
}

/** Asks for a record until it is final or the time is up; tells each change of its status. */
async function follow(
  client: CausewayClient,
  messageId: string,
  filter: MessageFilter,
  first: View,
  deadlineMs: number,
  seen: (record: View) => void,
): Promise<View> {
  let record = first
  let pauseMs = PAUSE_FIRST_MS
  while (!isFinal(record) && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(PAUSE_LAST_MS, pauseMs * 1.5)
    const next = await look(client, messageId, filter)
    if (next === undefined) continue
    if (next.pacs002_code !== record.pacs002_code) seen(next)
    record = next
  }
  return record
}

/** Follows a message that was submitted before; the first status is told too. */
export async function followMessage(
  client: CausewayClient,
  messageId: string,
  filter: MessageFilter,
  timeoutMs: number,
  seen: (record: View) => void,
): Promise<View> {
  const deadlineMs = performance.now() + timeoutMs
  const first = asView(await client.isoStatus(messageId, filter))
  seen(first)
  return provenRecord(client, await follow(client, messageId, filter, first, deadlineMs, seen))
}

/** Which of the messages with one id is meant. */
export interface MessageFilter {
  readonly family?: IsoFamily
  readonly submitter?: string
}

/** The record, or undefined when the node does not answer now: a restart must not end a wait. */
async function look(client: CausewayClient, messageId: string, filter: MessageFilter): Promise<View | undefined> {
  try {
    return asView(await client.isoStatus(messageId, filter))
  } catch (error) {
    if (error instanceof LedgerError && error.exit === EXIT.unreachable) return undefined
    throw error
  }
}

export const asView = (json: Json): View => json as View

/** The whole of `iso submit`: sends, waits, prints the record; gives the exit code. */
export async function runSubmit(
  settings: Settings,
  out: Output,
  options: { family: IsoFamily; body: Uint8Array; wait: WaitMode; silent: boolean; watch: boolean },
): Promise<number> {
  const { family, body, wait, watch } = options
  const seen = (record: View): void => {
    if (watch) out.line(record, `${statusWords(record)} ${textOf(record.transaction_hash) ?? ''}`.trimEnd())
    else if (!out.json) out.note(statusWords(record))
  }
  const record = await withGateway(
    settings,
    (client) =>
      withProgress('waiting for settlement', options.silent, () =>
        submitMessage(client, { family, body, wait, timeoutMs: settings.timeoutMs, seen }),
      ),
    { signed: signsRequests(settings) },
  )
  if (!watch) out.result(record, recordText(record))
  return exitOf(record, wait)
}
