/** Owns the metrics of the bridge. */
import { defineMetrics } from '../../../api/metrics.js'

export const isoMetrics = defineMetrics(({ gauge, counter }) => ({
  messages: counter('iso_messages_total', 'Submitted payment messages by outcome', ['outcome']),
  payments: counter('iso_payments_total', 'Payments of this gateway that blocks decided, by outcome', ['outcome']),
  duplicateUetrs: counter('iso_duplicate_uetr_total', 'Payments with the UETR of an earlier one of their submitter'),
  held: gauge('iso_held_messages', 'Messages that wait for an operator'),
  referenceStatus: gauge('iso_reference_status', 'Reference data: 1 loaded, 0 no file, -1 not readable', ['dataset']),
  referenceAge: gauge('iso_reference_age_seconds', 'Age of the reference data in force', ['dataset']),
  referenceRecords: gauge('iso_reference_records', 'Entries of the reference data in force', ['dataset']),
  referenceFaulty: gauge('iso_reference_file_faulty', '1 when the file was refused and an older set is in force', [
    'dataset',
  ]),
}))
