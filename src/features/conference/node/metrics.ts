/** Owns the metrics of conferences; no label contains a call id. */
import { defineMetrics } from '../../../api/metrics.js'

/** Bucket bounds in seconds: a signal takes a millisecond, a join of the longest list fifty. */
const PROOF_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]

export const conferenceMetrics = defineMetrics(({ gauge, counter, histogram }) => ({
  instructions: counter('conference_instructions_total', 'Conference instructions in blocks, by outcome', [
    'instruction',
    'result',
  ]),
  callsActive: gauge('conference_calls_active', 'Calls that have not ended'),
  proofs: counter('conference_proofs_total', 'Proofs in blocks by result', ['relation', 'verdict']),
  proofSeconds: histogram(
    'conference_proof_verify_seconds',
    'Verification time of a proof in the proof thread, its share of a batch',
    ['relation'],
    PROOF_SECONDS,
  ),
  registered: gauge('conference_relay_registered', 'Registered relays, by domain', ['domain']),
  manifestUpdates: counter('conference_relay_manifest_updates_total', 'Relay manifests set or cleared', [
    'domain',
    'action',
  ]),
  healthReports: counter('conference_relay_health_reports_total', 'Reports of hosts about relays', ['status']),
  healthState: gauge(
    'conference_relay_health_state',
    'Last report about a relay: 0 healthy, 1 degraded, 2 unavailable',
    ['domain', 'relay'],
  ),
  failovers: counter('conference_relay_failovers_total', 'Manifests that replaced an unexpired one with other hops', [
    'domain',
  ]),
}))
