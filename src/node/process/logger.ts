/** Owns the node's log: JSON lines with a constant message and fields. */
import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import { errorCode } from '../../base/thrown.js'
import { OWNER_ONLY, unwritable } from '../../files/write-file.js'
import { LedgerError } from '../../model/index.js'
import { LogSink } from './log-sink.js'

export type { Logger } from 'pino'

/** Log of a process. */
export interface NodeLog {
  readonly logger: Logger
  /** Open the file again, so that lines go to a new file if the old one was moved. Throws `file_unwritable`. */
  reopen(): void
  /** Number of lines that the sink dropped. */
  lost(): number
  /** Wait for the last lines; false if the sink is blocked, so that only a signal can end the process. */
  end(): Promise<boolean>
}

const STANDARD_OUTPUT = 1

const APPEND = constants.O_WRONLY | constants.O_APPEND

/** Create the file of a log; undefined if the name exists. */
function made(file: string): number | undefined {
  try {
    return openSync(file, APPEND | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined
    throw error
  }
}

/**
 * Open an existing file. The permissions of a user's own file are restricted to its owner; devices, pipes and files of
 * others keep theirs. A link is followed only to a device or a pipe, such as `/dev/stdout`.
 */
function found(file: string): number {
  try {
    const own = openSync(file, APPEND | constants.O_NOFOLLOW)
    const info = fstatSync(own)
    if (info.isFile() && info.uid === process.getuid?.()) fchmodSync(own, OWNER_ONLY)
    return own
  } catch (error) {
    if (errorCode(error) !== 'ELOOP') throw error
  }
  const descriptor = openSync(file, APPEND)
  if (!fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new LedgerError('file_unwritable', `cannot log to ${file}: it is a symbolic link to a file`, {
    hint: 'Give the target file in log.file, or omit the key to log to standard output.',
    details: { file },
  })
}

/** Open the file of a log; create it if it does not exist. */
function opened(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true })
    return made(file) ?? found(file)
  } catch (error) {
    throw unwritable(file, error)
  }
}

/** Create the log of one node, to a file or to standard output. */
export function createLogger(options: { readonly level: string; readonly file: string | undefined }): NodeLog {
  const { level, file } = options
  const sink = new LogSink(file === undefined ? STANDARD_OUTPUT : opened(file))
  return {
    logger: pino({ level, base: null, timestamp: stdTimeFunctions.isoTime }, sink),
    lost: () => sink.lost,
    end: () => sink.end(),
    reopen: () => {
      if (file !== undefined) sink.moveTo(opened(file))
    },
  }
}
