/** Owns bulk messages for tests: several payments of one debtor in one pacs.008, as flat lines. */
import { CREDITOR_IBAN, DEBTOR_IBAN } from '../fixtures/iso20022/messages.js'

/** Payment of a bulk message; absent fields have valid defaults. */
export interface BulkPayment {
  readonly amount?: string
  readonly currency?: string
  readonly creditor?: string
  readonly uetr?: string
  readonly more?: readonly string[]
}

/** A pacs.008 with these payments, whose end-to-end ids are E1, E2 and so on. */
export function bulkMessage(
  messageId: string,
  payments: readonly BulkPayment[],
  group: readonly string[] = [],
): string {
  const lines = payments.flatMap(({ amount = '10', currency = 'EUR', creditor = CREDITOR_IBAN, uetr, more = [] }, at) =>
    [
      `EndToEndId=E${at + 1}`,
      ...(uetr === undefined ? [] : [`UETR=${uetr}`]),
      `IntrBkSttlmAmt=${amount}`,
      `IntrBkSttlmCcy=${currency}`,
      `DbtrAcct=${DEBTOR_IBAN}`,
      `CdtrAcct=${creditor}`,
      'DbtrAgt=ALPHDEFF',
      'CdtrAgt=BETAFRPP',
      ...more,
    ].map((line) => `CdtTrfTxInf[${at + 1}]/${line}`),
  )
  return ['MsgDefIdr=pacs.008.001.08', `MsgId=${messageId}`, 'IntrBkSttlmDt=2026-03-02', ...group, ...lines].join('\n')
}
