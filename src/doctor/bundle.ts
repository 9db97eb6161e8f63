/**
 * Owns the bundle for a report: findings, versions, configuration, status, metrics, the end of the log; without keys
 * and tokens.
 */
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { errorMessage } from '../base/thrown.js'
import { readBounded, readTail } from '../files/bounded-file.js'
import type { NodeConfig } from '../node/config/index.js'
import type { DiagnosticContext, Finding } from './check.js'
import { type Access, ownClient } from './live.js'
import { withoutSecrets } from './redact.js'

/** Lines of the log in a bundle, and the number of bytes at its end that are searched for them. */
const LOG_LINES = 500
const LOG_TAIL_BYTES = 1024 * 1024
/** Maximum size of a configuration in a bundle, in bytes: far above the size of a handwritten file. */
const CONFIG_MAX_BYTES = 1024 * 1024
/** Routes with the reports of a node about itself. */
const PATHS = [
  '/status',
  '/v1/consensus/status',
  '/v1/consensus/phases',
  '/v1/consensus/key-lifecycle',
  '/v1/time/status',
  '/peers',
  '/metrics',
]

async function answersOf(config: NodeConfig, access: Access): Promise<Record<string, string>> {
  const client = await ownClient(config, access)
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

/** Replacement for an unreadable file: the reason. */
const whyNot = (error: unknown): string => `(${errorMessage(error)})`

/** Last lines of a log, after a note about omitted lines. */
async function logOf(file: string): Promise<string[]> {
  try {
    const { bytes, leftOut } = await readTail(file, LOG_TAIL_BYTES)
    const all = bytes.toString('utf8').trimEnd().split('\n')
    // The first line of a tail may be incomplete.
    const whole = leftOut === 0 ? all : all.slice(1)
    const lines = whole.slice(-LOG_LINES)
    const isWhole = leftOut === 0 && lines.length === whole.length
    return isWhole ? lines : [`(the last ${lines.length} lines of ${leftOut + bytes.length} bytes)`, ...lines]
  } catch (error) {
    return [whyNot(error)]
  }
}

/** The bundle as JSON text. */
export async function bundleOf(
  patient: DiagnosticContext,
  findings: readonly Finding[],
  version: string,
): Promise<string> {
  const { config } = patient
  const text = await readBounded(patient.configFile, CONFIG_MAX_BYTES).then(String, whyNot)
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
    answers: patient.running && config !== undefined ? await answersOf(config, patient.access) : {},
    log: config?.log.file === undefined ? [] : await logOf(config.log.file),
  }
  return `${JSON.stringify(bundle, null, 2)}\n`
}
