/** Owns shared parts of the ISO 20022 commands: submission and waiting, faults of refused messages, printing of records. */
import { withDigits } from '../../base/digits.js'
import type { IsoFamily } from '../../client/index.js'
// Not from the index, which would load the parser for every command.
import { faultJson } from '../../features/iso20022/message/fault.js'
import type { FaultStage, IsoFault } from '../../features/iso20022/message/index.js'
import { currencyScale } from '../../features/iso20022/message/values/currency.js'
// Its codes must be in the catalogue.
import '../../features/iso20022/schema/errors.js'
import { type ErrorCode, EXIT, LedgerError } from '../../model/errors.js'
import { signsRequests, textOf, type View, viewsOf, withGateway } from '../gateway/gateway.js'
import type { WaitMode } from '../input/wait-mode.js'
import type { Settings } from '../settings/settings.js'
import { type Output, pairs, table } from '../terminal/output.js'
import { withProgress } from '../terminal/progress.js'

const STAGE_CODES: Readonly<Record<FaultStage, ErrorCode>> = {
  size: 'iso_too_large',
  encoding: 'iso_encoding',
  malformed: 'iso_malformed',
  invalid: 'iso_invalid',
}

/** Error of a refused message, with all its faults in `details.faults`. */
export function faultsOf(name: string, stage: FaultStage, faults: readonly IsoFault[]): LedgerError {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return new LedgerError(STAGE_CODES[stage], `${name}: ${count}`, {
    hint: 'Correct the listed faults; `causeway iso template pacs008` prints a valid message.',
    details: { stage, faults: faults.map(faultJson) },
  })
}

/** State for which the client waits. */
export const waitedFor = (wait: WaitMode): 'final' | 'submitted' => (wait === 'committed' ? 'final' : 'submitted')

/** Counts of a message with several payments, by code; empty for a message with one payment. */
const countsOf = ({ status_counts: counts }: View): readonly View[] => viewsOf(counts)

const hasCode = (record: View, code: string): boolean => countsOf(record).some((one) => one.pacs002_code === code)

/** Exit code of a record. */
export function exitOf(record: View, wait: WaitMode): number {
  if (record.pacs002_code === 'RJCT' || hasCode(record, 'RJCT')) return EXIT.rejected
  return record.pacs002_code === 'ACSC' || wait !== 'committed' ? EXIT.ok : EXIT.pending
}

/** Amount and currency of a record, with the digits of the currency; undefined for a record without an amount. */
export function moneyText({ amount, currency }: View): string | undefined {
  if (typeof amount !== 'string') return undefined
  const code = textOf(currency) ?? ''
  return `${withDigits(amount, currencyScale(code) ?? 0)} ${code}`.trimEnd()
}

/** Text lines of a record. */
export function recordText(record: View): string {
  const amount = moneyText(record)
  const fields = pairs([
    ['message id', textOf(record.message_id)],
    ['status', `${textOf(record.pacs002_code)}${meaning(textOf(record.pacs002_code))}`],
    ['payments', typeof record.number_of_transactions === 'number' ? paymentsText(record) : undefined],
    ['reason', textOf(record.rejection_reason_code)],
    ['held by', textOf(record.hold_reason_code)],
    [
      'changes',
      Array.isArray(record.change_reason_codes) ? record.change_reason_codes.join(' ') || undefined : undefined,
    ],
    ['detail', textOf(record.detail)],
    ['amount', amount],
    ['settlement', textOf(record.settlement_date)],
    ['end to end', textOf(record.end_to_end_id)],
    ['from', textOf(record.source_account_id)],
    ['to', textOf(record.target_account_id)],
    ['asset', textOf(record.asset_definition_id)],
    ['transaction', textOf(record.transaction_hash)],
    ['submitter', textOf(record.submitter)],
    ['body hash', textOf(record.body_hash)],
    [
      'proof',
      record.proof === 'verified'
        ? 'proven'
        : record.proof === undefined
          ? undefined
          : 'unverified: reported by this gateway only',
    ],
    ['replayed', record.replayed === true ? 'yes: this message was already submitted' : undefined],
  ])
  const refused = viewsOf(record.transactions).filter((one) => one.pacs002_code === 'RJCT')
  return refused.length === 0 ? fields : `${fields}\n\n${paymentTable(refused.slice(0, REFUSED_SHOWN_MAX))}`
}

/** Maximum rejected payments shown with the record of a message. */
const REFUSED_SHOWN_MAX = 20

/** Payments of a message as a table. */
export function paymentTable(payments: readonly View[]): string {
  const rows = payments.map((one) => [
    String(one.place),
    textOf(one.pacs002_code) ?? '',
    textOf(one.rejection_reason_code) ?? textOf(one.hold_reason_code) ?? '',
    moneyText(one) ?? '',
    textOf(one.end_to_end_id) ?? '',
    textOf(one.uetr) ?? '',
    textOf(one.detail) ?? '',
  ])
  return table(['PLACE', 'STATUS', 'REASON', 'AMOUNT', 'END TO END', 'UETR', 'DETAIL'], rows)
}

/** Numbers and sums of the payments of a message: `100: 98 settled 1250.00 EUR, 2 rejected`. */
function paymentsText(record: View): string {
  const parts = countsOf(record).map(({ pacs002_code: code, number_of_transactions: count, sums }) => {
    const amounts = viewsOf(sums).flatMap((sum) => moneyText(sum) ?? [])
    return [String(count), MEANINGS[textOf(code) ?? ''] ?? textOf(code), ...amounts].join(' ')
  })
  return `${String(record.number_of_transactions)}: ${parts.join(', ')}`
}

const MEANINGS: Readonly<Record<string, string>> = {
  ACTC: 'validated',
  ACSP: 'queued',
  ACSC: 'settled',
  RJCT: 'rejected',
  PDNG: 'held',
  ACWC: 'changed',
  PART: 'partial',
}
const meaning = (code: string | undefined): string =>
  code !== undefined && MEANINGS[code] !== undefined ? ` (${MEANINGS[code]})` : ''

/** Text of an observed status. */
export const statusWords = (record: View): string => {
  const words = `${textOf(record.pacs002_code)}${meaning(textOf(record.pacs002_code))}`
  return countsOf(record).length < 2 ? words : `${words} ${paymentsText(record)}`
}

/** Run `iso submit`: send, wait, print the record; returns the exit code. */
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
  const how = { until: waitedFor(wait), timeoutMs: settings.timeoutMs, onStatus: seen }
  const record = await withGateway(
    settings,
    (client) =>
      withProgress('waiting for settlement', options.silent, () => client.isoSubmitAndWait(family, body, how)),
    { signed: signsRequests(settings) },
  )
  if (!watch) out.result(record, recordText(record))
  return exitOf(record, wait)
}
