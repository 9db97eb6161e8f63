/** Status of the signer of a node: none without a signer, otherwise with the role of the node. */
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { metricsOf } from '../../../src/api/metrics.js'
import { SignerStatus } from '../../../src/node/status/signer.js'
import type { SignerLink } from '../../../src/signer/client.js'

const NOW_MS = 1_000_000

function shown(link: SignerLink | undefined) {
  const registry = new Registry()
  const read = link === undefined ? undefined : () => link
  const status = new SignerStatus(read, () => NOW_MS, metricsOf(registry).signer)
  return { record: status.record(), metrics: () => registry.metrics() }
}

it('a node with local keys has neither a signer record nor signer metrics', async () => {
  const { record, metrics } = shown(undefined)
  expect(record).toBeUndefined()
  expect(await metrics()).not.toMatch(/^signer_/m)
})

it('the status of an active node contains its lease and its last signature', async () => {
  const { record, metrics } = shown({ connected: true, leaseUntilMs: NOW_MS + 1_500, lastSignatureMs: NOW_MS - 250 })
  expect(record).toEqual({
    connected: true,
    acts: true,
    leaseUntilMs: NOW_MS + 1_500,
    lastSignatureMs: NOW_MS - 250,
  })
  const text = await metrics()
  expect(text).toContain('signer_connected{role="active"} 1')
  expect(text).toContain('signer_lease_seconds{role="active"} 1.5')
  expect(text).toContain('signer_last_signature_age_seconds{role="active"} 0.25')
})

it('the metrics of a node that lost its signer report no connection and no lease', async () => {
  const { metrics } = shown({ connected: false, leaseUntilMs: NOW_MS - 3_000, lastSignatureMs: undefined })
  const text = await metrics()
  expect(text).toContain('signer_connected{role="active"} 0')
  expect(text).toContain('signer_lease_seconds{role="active"} 0')
  expect(text).not.toMatch(/^signer_last_signature_age_seconds/m)
})

it('the status of a standby node contains no lease', async () => {
  const { record, metrics } = shown({ connected: true, leaseUntilMs: undefined, lastSignatureMs: undefined })
  expect(record).toMatchObject({ acts: false, leaseUntilMs: undefined })
  expect(await metrics()).toContain('signer_connected{role="standby"} 1')
})
