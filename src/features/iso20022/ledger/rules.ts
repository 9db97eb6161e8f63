/** Owns the rules of the bridge that differ between ABIs. */
import type { Rule } from '../../../executor/rules.js'

export const ISO_RULES = {
  decidedIbans: {
    since: 2,
    text: 'who manages currencies unbinds any IBAN',
  },
  datedCurrencies: {
    since: 2,
    text: 'a currency is not bound by a definition that was registered after its binding',
  },
  datedSubmitters: {
    since: 2,
    text: 'a submitter row is not about accounts and domains that were registered after it was set',
  },
  replacement: {
    since: 2,
    text: 'a submitter row is replaced by who manages its debtors',
  },
  oneClaim: {
    since: 2,
    text: 'a message that was claimed with several payments is not claimed with one, and a UETR is used for one payment',
  },
} as const satisfies Record<string, Rule>
