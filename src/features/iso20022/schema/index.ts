/** Owns the public interface of the bridge for clients. */

import { defineSchema } from '../../../api/feature.js'
import { range } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { ISO_UETR_UNIQUE } from './parameters.js'
import { queries } from './queries.js'
import { ISO_ROUTES } from './routes.js'

export const isoSchema = defineSchema({
  name: 'iso20022',
  version: 1,
  ids: [range(1)],
  errors,
  instructions,
  events,
  queries,
  parameters: [ISO_UETR_UNIQUE],
  routes: ISO_ROUTES,
  topics: {
    iso: 'ISO 20022 payment messages',
    'iso bind': 'Bind IBANs, currencies and submitters on the ledger',
    'iso hold': 'Messages that wait for an operator',
    'iso refdata': 'Files of reference data',
    'iso submit': 'Submit a payment message',
    'iso submitter': 'Submitters of messages, and the accounts that they may debit',
    'iso unbind': 'Remove bindings',
  },
})
