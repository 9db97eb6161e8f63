/** Owns the mapping of thrown errors to messages and exit codes (docs/design/cli.md 3). */
import { type ErrorRecord, EXIT, LedgerError } from '../../model/errors.js'
import { type ParserFault, usageText } from './usage-text.js'

/** An error as a command reports it. */
export interface Failure {
  readonly record: ErrorRecord
  readonly exit: number
  /** Set for bugs: shown when CAUSEWAY_DEBUG is set. */
  readonly stack?: string
}

interface OclifLike {
  readonly message: string
  readonly parse?: unknown
  readonly oclif?: { readonly exit?: number }
  readonly code?: string
  readonly path?: string
}

/** Codes of the file system that a person can do something about. */
const FILE_CODES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'this is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'exists already',
}
/** Codes of a place that takes nothing more. */
const DISK_CODES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
}
/** Words of the database for the same: its errors have no code of the system. */
const DISK_WORDS: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, 'ENOSPC'],
  [/Disk quota exceeded/, 'EDQUOT'],
  [/Read-only file system/, 'EROFS'],
]
/** Errors behind one another that are looked at. */
const CAUSES_MAX = 5

/** The code of a disk that takes nothing more, wherever in the chain of causes it stands. */
function diskCodeOf(error: unknown): string | undefined {
  let at = error as (OclifLike & { readonly cause?: unknown }) | undefined
  for (let depth = 0; depth < CAUSES_MAX && typeof at === 'object' && at !== null; depth += 1) {
    const { code, message = '' } = at
    if (code !== undefined && Object.hasOwn(DISK_CODES, code)) return code
    const found = DISK_WORDS.find(([words]) => words.test(message))
    if (found !== undefined) return found[1]
    at = at.cause as typeof at
  }
  return undefined
}

/** A usage error with the command that explains more. */
export const usageError = (message: string, hint?: string): LedgerError =>
  new LedgerError('usage', message, hint === undefined ? {} : { hint })

/** What to report of any thrown value. `command` is the words typed after `causeway`. */
export function failureOf(error: unknown, command: string): Failure {
  if (error instanceof LedgerError) return { record: error.toRecord(), exit: error.exit }
  const like = error as OclifLike
  const message = error instanceof Error ? error.message : String(error)
  if (like?.oclif !== undefined || like?.parse !== undefined) {
    const text = usageText(error as ParserFault)
    const record: ErrorRecord = { code: 'usage', message: text, hint: `causeway ${command} --help`.replace('  ', ' ') }
    return { record, exit: EXIT.usage }
  }
  const disk = diskCodeOf(error)
  if (disk !== undefined) {
    const where = like.path === undefined ? '' : `${like.path}: `
    const full = new LedgerError('file_unwritable', `${where}${DISK_CODES[disk]}`, { details: { errno: disk } })
    return { record: full.toRecord(), exit: full.exit }
  }
  const meaning = like?.code === undefined ? undefined : FILE_CODES[like.code]
  if (meaning !== undefined) {
    const known = new LedgerError('file_unreadable', `${like.path ?? 'file'}: ${meaning}`, {
      details: { errno: like.code ?? '' },
    })
    return { record: known.toRecord(), exit: known.exit }
  }
  const record: ErrorRecord = {
    code: 'internal',
    message: `this is a bug of causeway: ${message}`,
    hint: 'Run again with CAUSEWAY_DEBUG=1 and report what it prints.',
  }
  const stack = error instanceof Error ? error.stack : undefined
  return { record, exit: EXIT.internal, ...(stack === undefined ? {} : { stack }) }
}

/** Names of `details.known` that a message does not hold, at most this many. */
const KNOWN_SHOWN = 40

/** The names that there are, where one was unknown. */
export function knownLine({ message, details }: ErrorRecord): string | undefined {
  const known = details?.known
  if (!Array.isArray(known) || known.length === 0 || known.every((one) => message.includes(String(one))))
    return undefined
  const rest = known.length > KNOWN_SHOWN ? `, ${known.length - KNOWN_SHOWN} more` : ''
  return `Known are: ${known.slice(0, KNOWN_SHOWN).join(', ')}${rest}`
}

/** A list of faults in `details`, one text each, unless the message shows them itself. */
export function faultLines(record: ErrorRecord): string[] {
  const faults = record.details?.faults
  if (!Array.isArray(faults) || record.message.includes('\n')) return []
  if (faults.every(({ message }) => typeof message === 'string' && record.message.includes(message))) return []
  return faults.map((one: Readonly<Record<string, unknown>>) => {
    const line = typeof one.line === 'number' && one.line > 0 ? `line ${one.line}: ` : ''
    const what = one.message ?? [one.code, one.expected && `expected ${one.expected}`].filter(Boolean).join(': ')
    const value = one.value === undefined || one.value === '' ? '' : `, got "${String(one.value)}"`
    const path = one.path === undefined || one.path === '' ? '' : `${String(one.path)}: `
    return `${line}${path}${String(what)}${value}`
  })
}
