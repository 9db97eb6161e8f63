/** Owns the submission of many message files: bounded concurrency, a progress bar, a resume file, a summary. */
import { createHash } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import type { CausewayClient, IsoFamily } from '../../client/index.js'
import { readBounded } from '../../files/bounded-file.js'
import { EXIT, LedgerError } from '../../model/errors.js'
import { signsRequests, textOf, withStreams } from '../gateway/gateway.js'
import { inputName, readInput } from '../input/input.js'
import type { WaitMode } from '../input/wait-mode.js'
import type { Settings } from '../settings/settings.js'
import { batchExit } from '../terminal/batch-exit.js'
import type { Progressed } from '../terminal/meter.js'
import { type Output, table } from '../terminal/output.js'
import { withBar } from '../terminal/progress-bar.js'
import { exitOf, waitedFor } from './iso.js'

/** Maximum size of a message file, in bytes; the gateway enforces its own limit. */
const FILE_MAX_BYTES = 4 * 1024 * 1024
/** Maximum size of a resume file, in bytes: a line of several hundred bytes for each of 100,000 messages. */
const RESUME_MAX_BYTES = 64 * 1024 * 1024
/** Permissions of a resume file: only its owner may read names of files and ids of payments. */
const RESUME_MODE = 0o600
/** Maximum failures listed in a text summary. */
const LISTED_MAX = 20

/** Outcome of one file. */
export interface FileOutcome {
  readonly file: string
  /** Absent if the file could not be read. */
  readonly sha256: string | undefined
  readonly message_id: string | undefined
  readonly pacs002_code: string | undefined
  readonly transaction_hash: string | undefined
  readonly replayed: boolean
  /** `verified`: proven against the pinned genesis hash. */
  readonly proof: 'verified' | 'unverified'
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown } | undefined
  readonly exit: number
}

export interface BatchOptions {
  readonly family: IsoFamily
  readonly files: readonly string[]
  readonly wait: WaitMode
  readonly concurrency: number
  /** File to which outcomes are appended; files that settled in an earlier run are skipped. */
  readonly resumeFile: string | undefined
  readonly silent: boolean
}

/** Line of the resume file: the outcome of one file, and the chain that it was proven on. */
interface ResumeLine extends FileOutcome {
  /** Hash of the pinned genesis; null without one. */
  readonly genesis_hash: string | null
}

/**
 * Hashes of settled files in a resume file. If a genesis is pinned, each needs a proof on that chain, since the file
 * may come from a rehearsal on another network.
 */
export async function doneBefore(path: string | undefined, genesisHash: string | undefined): Promise<Set<string>> {
  const done = new Set<string>()
  if (path === undefined) return done
  const bytes = await readBounded(path, RESUME_MAX_BYTES).catch((error: unknown) => {
    if (error instanceof LedgerError && error.code === 'file_missing') return Buffer.alloc(0)
    throw error
  })
  for (const line of bytes.toString('utf8').split('\n')) {
    if (line.trim() === '') continue
    try {
      const { sha256, pacs002_code, proof, genesis_hash } = JSON.parse(line) as Partial<ResumeLine>
      const isProven = proof === 'verified' && genesis_hash === genesisHash
      const settled = pacs002_code === 'ACSC' && (genesisHash === undefined || isProven)
      if (settled && sha256 !== undefined) done.add(sha256)
    } catch {
      // A line that a killed run left incomplete: its file is sent again, which moves nothing twice.
    }
  }
  return done
}

/** Outcome of a file without a known record. Rethrows bugs. */
function failedOutcome(file: string, sha256: string | undefined, error: unknown): FileOutcome {
  if (!(error instanceof LedgerError)) throw error
  const { code, message, details } = error.toRecord()
  return {
    file: inputName(file),
    sha256,
    message_id: undefined,
    pacs002_code: undefined,
    transaction_hash: undefined,
    replayed: false,
    proof: 'unverified',
    error: { code, message, details },
    exit: error.exit,
  }
}

/** Send a file unless it is done; an unreadable file fails without ending the run, since other files may be pending. */
async function submitFile(
  client: CausewayClient,
  file: string,
  done: ReadonlySet<string>,
  options: BatchOptions,
  timeoutMs: number,
): Promise<FileOutcome | 'done'> {
  const { family, wait } = options
  let sha256: string | undefined
  try {
    const body = await readInput(file, FILE_MAX_BYTES)
    sha256 = createHash('sha256').update(body).digest('hex')
    if (done.has(sha256)) return 'done'
    const record = await client.isoSubmitAndWait(family, body, { until: waitedFor(wait), timeoutMs })
    return {
      file: inputName(file),
      sha256,
      message_id: textOf(record.message_id),
      pacs002_code: textOf(record.pacs002_code),
      transaction_hash: textOf(record.transaction_hash),
      replayed: record.replayed === true,
      proof: record.proof === 'verified' ? 'verified' : 'unverified',
      error: undefined,
      exit: exitOf(record, wait),
    }
  } catch (error) {
    return failedOutcome(file, sha256, error)
  }
}

/** Throw `file_unwritable` if outcomes cannot be stored, before anything is sent. */
async function keepable(path: string): Promise<void> {
  await appendFile(path, '', { mode: RESUME_MODE }).catch((error: Error) => {
    throw new LedgerError('file_unwritable', `${path}: ${error.message}`)
  })
}

/** Run `iso submit FAMILY FILE...`; returns the exit code. */
export async function runBatch(settings: Settings, out: Output, options: BatchOptions): Promise<number> {
  const genesisHash = settings.pin?.genesisHash
  const done = await doneBefore(options.resumeFile, genesisHash)
  if (options.resumeFile !== undefined) await keepable(options.resumeFile)
  const outcomes: FileOutcome[] = []
  const queue = options.files.entries()
  let skipped = 0
  const total = options.files.length
  let unkept: string | undefined
  /**
   * Write a line of the resume file. If this fails, a later run sends the message again, which does not repeat its
   * payments.
   */
  const note = async (line: ResumeLine): Promise<void> => {
    if (options.resumeFile === undefined) return
    await appendFile(options.resumeFile, `${JSON.stringify(line)}\n`, { mode: RESUME_MODE }).catch((error: Error) => {
      unkept ??= error.message
    })
  }
  const send = (report: (now: Progressed) => void) =>
    withStreams(
      settings,
      async (client) => {
        const work = async (): Promise<void> => {
          for (const [, file] of queue) {
            const outcome = await submitFile(client, file, done, options, settings.timeoutMs)
            if (outcome === 'done') skipped += 1
            else {
              outcomes.push(outcome)
              if (outcome.sha256 !== undefined) await note({ ...outcome, genesis_hash: genesisHash ?? null })
            }
            const failed = outcomes.filter((one) => one.exit !== EXIT.ok).length
            report({ done: outcomes.length + skipped, total, note: failed === 0 ? undefined : `${failed} not settled` })
          }
        }
        await Promise.all(Array.from({ length: Math.min(options.concurrency, options.files.length) }, work))
      },
      { signed: signsRequests(settings) },
    )
  await withBar({ label: 'submitting', unit: 'messages', silent: options.silent || out.json }, send)
  outcomes.sort((a, b) => (a.file < b.file ? -1 : 1))
  const failures = outcomes.filter((one) => one.exit !== EXIT.ok)
  const counts: Record<string, number> = {}
  for (const one of outcomes) {
    const key = one.pacs002_code ?? one.error?.code ?? 'unknown'
    counts[key] = (counts[key] ?? 0) + 1
  }
  const exit = batchExit(outcomes)
  const summary = { files: options.files.length, skipped, counts, exit, results: outcomes }
  const lines = Object.entries(counts).map(([key, count]) => `${String(count).padStart(6)}  ${key}`)
  if (skipped > 0) lines.push(`${String(skipped).padStart(6)}  settled in an earlier run`)
  const listed = failures
    .slice(0, LISTED_MAX)
    .map((one) => [
      one.file,
      one.pacs002_code ?? one.error?.code ?? '',
      one.error?.message.split('\n')[0]?.slice(0, 100) ?? '',
    ])
  if (listed.length > 0) lines.push('', table(['FILE', 'RESULT', 'WHY'], listed))
  if (unkept !== undefined) {
    out.note(
      `${options.resumeFile}: outcomes are missing (${unkept}); a later run sends their files again, which pays nothing twice`,
    )
  }
  if (failures.length > LISTED_MAX) lines.push(`and ${failures.length - LISTED_MAX} more; --json lists all`)
  out.result(summary, lines.join('\n'))
  return exit
}
