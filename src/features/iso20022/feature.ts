/** The ISO 20022 bridge as a feature of the ledger: bindings, submitters, claims. */
import type { Feature } from '../../executor/contract.js'
import {
  bindCurrency,
  bindIban,
  claimMessage,
  ISO_PERMISSIONS,
  setSubmitter,
  unbindCurrency,
  unbindIban,
} from './ledger/instructions.js'
import { isoClaim, isoResolve } from './ledger/queries.js'
import { claims, currencies, ibans, submitters, usage } from './ledger/tables.js'
import { errors } from './schema/errors.js'
import { ISO_EVENT_LIST } from './schema/events.js'

export const isoFeature: Feature = {
  name: 'iso20022',
  version: 1,
  tables: [ibans, currencies, submitters, claims, usage] as unknown as Feature['tables'],
  instructions: [
    bindIban,
    unbindIban,
    bindCurrency,
    unbindCurrency,
    setSubmitter,
    claimMessage,
  ] as unknown as Feature['instructions'],
  queries: [isoResolve, isoClaim] as unknown as Feature['queries'],
  events: ISO_EVENT_LIST as unknown as Feature['events'],
  permissions: Object.values(ISO_PERMISSIONS),
  parameters: [],
  errors,
}
