/** Owns the mapping of thrown errors to messages and exit codes (docs/design/cli.md 3). */
import { errorMessage } from '../../base/thrown.js'
import { diskFaultOf } from '../../files/disk-fault.js'
import { type ErrorCode, type ErrorRecord, EXIT, LedgerError } from '../../model/errors.js'
import { type ParserFault, usageText } from './usage-text.js'

/** Error report of a command. */
export interface Failure {
  readonly record: ErrorRecord
  readonly exit: number
  /** Set for bugs; shown if CAUSEWAY_DEBUG is set. */
  readonly stack?: string | undefined
}

interface OclifLike {
  readonly message: string
  readonly parse?: unknown
  readonly oclif?: { readonly exit?: number }
  readonly code?: string
  readonly path?: string
}

/** File system codes that a user can resolve. */
const FILE_CODES: Readonly<Record<string, readonly [code: ErrorCode, why: string]>> = {
  ENOENT: ['file_missing', 'no such file or folder'],
  EACCES: ['file_unreadable', 'permission denied'],
  EPERM: ['file_unreadable', 'not permitted'],
  EISDIR: ['file_unreadable', 'is a folder'],
  ENOTDIR: ['file_unreadable', 'a part of the path is not a folder'],
  EEXIST: ['file_exists', 'already exists'],
}

/** Usage error with the command that explains more. */
export const usageError = (message: string, hint?: string): LedgerError => new LedgerError('usage', message, { hint })

/** Error report of any thrown value. `command` is the command line after `causeway`. */
export function failureOf(error: unknown, command: string): Failure {
  if (error instanceof LedgerError) return { record: error.toRecord(), exit: error.exit }
  const like = error as OclifLike
  const message = errorMessage(error)
  if (like?.oclif !== undefined || like?.parse !== undefined) {
    const text = usageText(error as ParserFault)
    const record: ErrorRecord = { code: 'usage', message: text, hint: `causeway ${command} --help`.replace('  ', ' ') }
    return { record, exit: EXIT.usage }
  }
  const disk = diskFaultOf(error)
  if (disk !== undefined) {
    const { errno, why } = disk
    const where = like.path === undefined ? '' : `${like.path}: `
    const code = errno === 'EIO' ? 'storage_failed' : 'file_unwritable'
    const full = new LedgerError(code, `${where}${why}`, { details: { errno } })
    return { record: full.toRecord(), exit: full.exit }
  }
  const meaning = like?.code === undefined ? undefined : FILE_CODES[like.code]
  if (meaning !== undefined) {
    const [code, why] = meaning
    const known = new LedgerError(code, `${like.path ?? 'file'}: ${why}`, {
      details: { errno: like.code ?? '' },
    })
    return { record: known.toRecord(), exit: known.exit }
  }
  const record: ErrorRecord = {
    code: 'internal',
    message: `this is a bug in causeway: ${message}`,
    hint: 'Run again with CAUSEWAY_DEBUG=1 and report the output.',
  }
  const stack = error instanceof Error ? error.stack : undefined
  return { record, exit: EXIT.internal, stack }
}

/** Maximum number of names of `details.known` that are shown. */
const KNOWN_SHOWN = 40

/** Known names, if one was unknown. */
export function knownLine({ message, details }: ErrorRecord): string | undefined {
  const given: unknown = details?.known
  const known = Array.isArray(given) ? given.filter((one): one is string => typeof one === 'string') : []
  if (known.every((one) => message.includes(one))) return undefined
  const rest = known.length > KNOWN_SHOWN ? `, ${known.length - KNOWN_SHOWN} more` : ''
  return `Known values: ${known.slice(0, KNOWN_SHOWN).join(', ')}${rest}`
}

/** Faults in `details`, one text each, unless the message contains them. */
export function faultLines(record: ErrorRecord): string[] {
  const given: unknown = record.details?.faults
  if (!Array.isArray(given) || record.message.includes('\n')) return []
  const faults = given.filter((one): one is Fault => typeof one === 'object' && one !== null)
  if (faults.every(({ message }) => typeof message === 'string' && record.message.includes(message))) return []
  return faults.map((one) => {
    const line = typeof one.line === 'number' && one.line > 0 ? `line ${one.line}: ` : ''
    const expected = plainText(one.expected)
    const parts = [plainText(one.code), expected === '' ? '' : `expected ${expected}`].filter((text) => text !== '')
    const what = plainText(one.message) || parts.join(': ')
    const value = plainText(one.value)
    const path = plainText(one.path)
    return `${line}${path === '' ? '' : `${path}: `}${what}${value === '' ? '' : `, got "${value}"`}`
  })
}

type Fault = Readonly<Record<string, unknown>>

/** Text or number in a record of a gateway; empty for anything else, which could have a misleading text. */
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
