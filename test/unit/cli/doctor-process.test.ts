/** Findings of the doctor about the process of a running node and about its signer. */
import { expect, it } from 'vitest'
import type { SignerStatus } from '../../../src/api/index.js'
import type { DiagnosticContext, Finding, Level } from '../../../src/doctor/index.js'
import { type Live, NO_ACCESS } from '../../../src/doctor/live.js'
import { checkProcess } from '../../../src/doctor/process.js'
import { type ProcessFigures, processFigures } from '../../../src/doctor/process-figures.js'
import { checkSigner } from '../../../src/doctor/signer.js'
import type { NodeConfig } from '../../../src/node/config/index.js'
import { consensusRecord } from '../gateway/support.js'

const AT_MS = Date.UTC(2026, 0, 2, 12, 0, 0)
const PLACE = { kind: 'socket', path: '/run/causeway/signer.sock' } as const

/** A running node with a signer, by what it answers. */
function patientOf(live: Partial<Live> | Error | undefined): DiagnosticContext {
  const config = { signer: { place: PLACE } } as unknown as NodeConfig
  const rest = { configFile: '', genesis: undefined, holder: undefined, access: NO_ACCESS }
  return { ...rest, config, running: live !== undefined, live: live as Live | Error | undefined }
}
const findingText = ([finding]: readonly Finding[], check: string, level: Level): string | undefined =>
  finding?.check === check && finding.level === level ? finding.text : undefined
const withSigner = (signer: SignerStatus | undefined): Finding[] =>
  checkSigner(patientOf({ consensus: consensusRecord({ signer }) }))
const ACTING: SignerStatus = { connected: true, acts: true, leaseUntilMs: AT_MS + 2_000, lastSignatureMs: AT_MS }

it('a node without a signer has no finding about a signer', () => {
  expect(checkSigner({ ...patientOf({}), config: {} as NodeConfig })).toEqual([])
})

it('a connected signer is shown with lease and last signature', () => {
  expect(findingText(withSigner(ACTING), 'signer', 'ok')).toBe(
    '/run/causeway/signer.sock: connected, lease until 12:00:02 UTC, last signature 12:00:00 UTC',
  )
})

it('a standby node is healthy', () => {
  const standby = { connected: true, acts: false, leaseUntilMs: undefined, lastSignatureMs: undefined }
  expect(findingText(withSigner(standby), 'signer', 'ok')).toContain('standby: another node acts')
})

it('an unresponsive signer is a failure', () => {
  const text = findingText(withSigner({ ...ACTING, connected: false }), 'signer', 'fail')
  expect(text).toContain('not connected, this node does not vote')
})

it('a node that lost its signer and released its lease does not report another active node', () => {
  const alone = { connected: false, acts: false, leaseUntilMs: undefined, lastSignatureMs: undefined }
  const text = findingText(withSigner(alone), 'signer', 'fail')
  expect(text).toContain('does not vote')
  expect(text).not.toContain('another one acts')
})

it('a node running without its configured signer is a warning', () => {
  expect(findingText(withSigner(undefined), 'signer', 'warn')).toContain('does not use the signer')
})

it('the signer of a stopped or unresponsive node is skipped', () => {
  expect(findingText(checkSigner(patientOf(undefined)), 'signer', 'skip')).toBe('the node is not running')
  expect(findingText(checkSigner(patientOf(new Error('refused'))), 'signer', 'skip')).toBe('the node does not respond')
  expect(findingText(checkSigner(patientOf({ consensus: undefined })), 'signer', 'skip')).toContain('telemetry profile')
})

const METRICS = `# HELP process_open_fds Number of open file descriptors.
process_resident_memory_bytes 104857600
process_open_fds 40
process_max_fds 1024
nodejs_eventloop_lag_p99_seconds 0.0121
`
const WELL = processFigures(METRICS)
const findingOf = (changes: Partial<ProcessFigures>): Finding[] =>
  checkProcess(patientOf({ process: { ...WELL, ...changes } }))

it('a healthy process is shown by its metrics', () => {
  expect(findingText(findingOf({}), 'process', 'ok')).toBe(
    '100 MiB of memory, 40 open files, its main thread at most 13 ms late',
  )
})

it('a metric that is not a number is omitted', () => {
  const figures = processFigures('nodejs_eventloop_lag_p99_seconds Nan\nprocess_open_fds 3\n')
  expect(figures).toEqual({ residentBytes: undefined, openFiles: 3, openFilesMax: undefined, delaySeconds: undefined })
})

it('a process near its open file limit and a slow process are warnings', () => {
  expect(findingText(findingOf({ openFiles: 900 }), 'process', 'warn')).toContain('900 of 1024')
  expect(findingText(findingOf({ delaySeconds: 0.75 }), 'process', 'warn')).toContain('750 ms late')
})

it('the check of a process with hidden metrics is skipped', () => {
  expect(findingText(checkProcess(patientOf({ process: undefined })), 'process', 'skip')).toContain('telemetry profile')
  expect(checkProcess(patientOf(new Error('refused')))).toEqual([])
})
