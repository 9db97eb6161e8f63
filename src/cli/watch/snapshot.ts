/** Owns the JSON of the dashboard model, for export and for `--once --json`. */
import { consensusStatus, nodeStatus, pacemakerRecord, peerList, qcSummary, rbcStatus } from '../../api/index.js'
import type { WatchEvent, WatchModel } from './model.js'
import { namedEvent } from './names.js'
import { rateOf } from './panes/load.js'
import { validatorRows } from './validator-rows.js'

/** Event as a line of NDJSON. */
export const eventJson = ({ atMs, kind, text, trouble, fields }: WatchEvent): Record<string, unknown> => ({
  kind: kind.toLowerCase(),
  at_ms: atMs,
  trouble,
  text,
  ...fields,
})

function nextProposalJson({ proposal }: WatchModel): Record<string, unknown> | null {
  if (proposal === undefined || proposal === null) return null
  const { dueMs, ...shown } = proposal
  return { ...shown, due_ms: dueMs }
}

/**
 * JSON of the model without its histories. Records have the form of their routes; null: not served, or not read yet.
 */
export const snapshotJson = (model: WatchModel): Record<string, unknown> => ({
  gateway: model.node.gateway,
  chain: model.node.chain,
  at_ms: model.nowMs,
  connection: { state: model.connection.state, contact_ms: model.connection.contactMs },
  status: model.status === undefined ? null : nodeStatus.toJson(model.status),
  consensus: model.consensus === undefined ? null : consensusStatus.toJson(model.consensus),
  peers: peerList.toJson({ items: [...model.peers], total: model.peers.length }),
  pacemaker: model.pacemaker === undefined ? null : pacemakerRecord.toJson(model.pacemaker),
  qc: model.qc === undefined ? null : qcSummary.toJson(model.qc),
  rbc: model.rbc === undefined ? null : rbcStatus.toJson(model.rbc),
  evidence: model.evidence ?? null,
  calls_active: model.calls ?? null,
  next_proposal: nextProposalJson(model),
  not_served: Object.fromEntries(model.refused),
  transactions_per_second: rateOf(model.rates),
  payments_per_second: rateOf(model.paymentRates),
  validators: validatorRows(model).map((row) => ({
    name: row.name,
    key: row.key,
    role: row.role,
    link: row.link.toLowerCase(),
    signed: row.signed,
    certificates_seen: row.seen,
    silent: row.silent,
    round_trip_ms: row.roundTripMs ?? null,
    missing: row.missing,
  })),
  events: model.events.map((event) => eventJson(namedEvent(model, event))),
})
