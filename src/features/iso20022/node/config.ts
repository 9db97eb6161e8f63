/** Owns the configuration of the bridge. */
import { defineConfig, integer } from '../../../config/index.js'
import type { DuplicateUetr, SettlementDays } from '../bridge/context.js'
import type { PinMode } from '../bridge/resolve.js'
import { HOLD_RULES, type HoldRuleConfig } from './hold-rules.js'

/** The configuration of the bridge; paths are absolute. */
export interface IsoConfig {
  /** Address or alias `label@domain`; undefined: messages need a credential. */
  readonly anonymousSubmitter: string | undefined
  readonly holds: readonly HoldRuleConfig[]
  readonly pins: PinMode
  readonly retentionDays: number
  readonly reference: {
    readonly bic: string | undefined
    readonly iban: string | undefined
    readonly currency: string | undefined
    readonly refreshSeconds: number
  }
  readonly duplicateUetr: DuplicateUetr
  readonly settlementWindow: SettlementDays
}

export const isoConfig = defineConfig<IsoConfig>({
  sections: {
    iso: 'The ISO 20022 bridge.',
    'iso.reference': 'Files that payments are checked against; `causeway iso refdata lint` checks the files.',
    'iso.settlement_window': 'Settlement dates accepted around today (UTC).',
  },
  keys: [
    {
      path: ['iso', 'anonymous_submitter'],
      kind: { type: 'text' },
      example: 'bridge@bank',
      doc: [
        'Account (address or alias) that is the submitter of messages without a credential.',
        'For local networks only: anyone who can reach the gateway can then move money of bound accounts.',
      ],
    },
    {
      path: ['iso', 'hold'],
      reloads: true,
      kind: HOLD_RULES,
      fallback: [],
      doc: [
        'Payments that wait for an operator (PDNG): { min_amount = "10000.00", currency = "EUR", submitter = "desk@bank", bic = "ALPHDEFF" }.',
        'A rule holds payments that meet all its conditions; min_total is the sum of a message in the currency of the payment.',
        'Release and refuse them with `causeway iso release` and `iso hold refuse`.',
      ],
    },
    {
      path: ['iso', 'pins'],
      kind: { type: 'choice', values: ['match', 'override'] },
      fallback: 'match',
      doc: [
        'match: accounts and assets in SplmtryData must be those that IBAN and currency are bound to.',
        'override: they replace the bindings, within the accounts that the submitter may debit.',
      ],
    },
    {
      path: ['iso', 'duplicate_uetr'],
      kind: { type: 'choice', values: ['warn', 'refuse'] },
      fallback: 'warn',
      doc: [
        'A payment with the UETR of an earlier one of its submitter at this gateway, under another message id.',
        'warn: a line in the log lists the earlier messages. refuse: 422 with DU03.',
      ],
    },
    {
      path: ['iso', 'retention_days'],
      kind: integer(7, 36_500),
      fallback: 400,
      doc: ['Days that the record of a finished message is kept; its claim on the ledger stays for ever.'],
    },
    {
      path: ['iso', 'reference', 'bic_file'],
      kind: { type: 'path' },
      example: 'refdata/bic.json',
      doc: ['Directory of banks; a payment with an agent that is not in it is refused. Absent: not checked.'],
    },
    {
      path: ['iso', 'reference', 'iban_file'],
      kind: { type: 'path' },
      example: 'refdata/iban.json',
      doc: ['Crosswalk from accounts to banks. Absent: not checked.'],
    },
    {
      path: ['iso', 'reference', 'currency_file'],
      kind: { type: 'path' },
      example: 'refdata/currency.json',
      doc: ['Crosswalk of currencies. Absent: not checked.'],
    },
    {
      path: ['iso', 'reference', 'refresh_seconds'],
      kind: integer(1, 86_400),
      fallback: 60,
      doc: ['Interval in seconds for checking files for changes; a changed file is read, an invalid one is ignored.'],
    },
    {
      path: ['iso', 'settlement_window', 'past_days'],
      kind: integer(0, 3_650),
      fallback: 10,
      doc: ['Days that a settlement date may be in the past; earlier dates are refused with DT01.'],
    },
    {
      path: ['iso', 'settlement_window', 'future_days'],
      kind: integer(0, 3_650),
      example: 10,
      doc: [
        'Days that a settlement date may be in the future; later dates are refused with DT04. Absent: not checked.',
      ],
    },
  ],
  keyFiles: [
    {
      name: 'bridge',
      algorithm: 'ed25519',
      doc: [
        'Key of the account under which the ISO 20022 bridge submits. Without it the bridge accepts no payments.',
        'Debtor accounts must have granted this account the permission CanTransferAsset.',
      ],
    },
  ],
  build: ({ get, path }) => ({
    anonymousSubmitter: get('iso.anonymous_submitter'),
    holds: get('iso.hold'),
    pins: get('iso.pins'),
    retentionDays: get('iso.retention_days'),
    duplicateUetr: get('iso.duplicate_uetr'),
    reference: {
      bic: path('iso.reference.bic_file'),
      iban: path('iso.reference.iban_file'),
      currency: path('iso.reference.currency_file'),
      refreshSeconds: get('iso.reference.refresh_seconds'),
    },
    settlementWindow: {
      pastDays: get('iso.settlement_window.past_days'),
      futureDays: get('iso.settlement_window.future_days'),
    },
  }),
  check: ({ has }) =>
    has('iso.anonymous_submitter') && !has('keys.bridge')
      ? [{ path: 'iso.anonymous_submitter', message: 'needs keys.bridge: the bridge signs with that key' }]
      : [],
})
