/** Owns the bundle for a report: findings, versions, configuration, status, metrics, the end of the log; no key, no token. */
import { readFile } from 'node:fs/promises'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import type { Finding, Patient } from './check.js'
import { gatewayOf, ownClient } from './live.js'
import { withoutSecrets } from './redact.js'

/** Lines of the log that a bundle carries. */
const LOG_LINES = 500
/** What a node tells about itself. */
const PATHS = [
  '/status',
  '/v1/consensus/status',
  '/v1/consensus/phases',
  '/v1/consensus/key-lifecycle',
  '/v1/time/status',
  '/peers',
  '/metrics',
]

async function answersOf(gateway: string): Promise<Record<string, string>> {
  const client = await ownClient(gateway)
  const answers: Record<string, string> = {}
  try {
    for (const path of PATHS) {
      answers[path] = await client.api('GET', path, { accept: path === '/metrics' ? '*/*' : 'application/json' }).then(
        (answer) => answer.body.toString('utf8'),
        (error: Error) => `(${error.message})`,
      )
    }
  } finally {
    await client.close()
  }
  return answers
}

/** The bundle as JSON text. */
export async function bundleOf(patient: Patient, findings: readonly Finding[], version: string): Promise<string> {
  const { config } = patient
  const gateway = patient.running && config !== undefined ? gatewayOf(config) : undefined
  const text = await readFile(patient.configFile, 'utf8').catch(() => '')
  const log = config?.log.file === undefined ? '' : await readFile(config.log.file, 'utf8').catch(() => '')
  const bundle = {
    causeway: version,
    runtime: process.versions,
    machine: {
      platform: platform(),
      release: release(),
      arch: arch(),
      cores: cpus().length,
      memory_mib: Math.floor(totalmem() / 2 ** 20),
    },
    findings: findings.map(({ check, level, text: what }) => ({ check, level, text: what })),
    configuration: withoutSecrets(text),
    answers: gateway === undefined ? {} : await answersOf(gateway),
    log: log.trimEnd().split('\n').slice(-LOG_LINES),
  }
  return `${JSON.stringify(bundle, null, 2)}\n`
}
