/** Owns the node's log: JSON lines with a constant message and fields. */
import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import { errorCode } from '../../base/thrown.js'
import { OWNER_ONLY, unwritable } from '../../files/write-file.js'
import { LedgerError } from '../../model/index.js'
import { LogSink } from './log-sink.js'

export type { Logger } from 'pino'

/** The log of a process. */
export interface NodeLog {
  readonly logger: Logger
  /** Opens the file again, so that lines go into a new one where the old one was moved away. Throws `file_unwritable`. */
  reopen(): void
  /** Lines that its sink did not take. */
  lost(): number
  /** Waits for the last lines; false if the sink holds them up, so that the process can only be ended by a signal. */
  end(): Promise<boolean>
}

const STANDARD_OUTPUT = 1

const APPEND = constants.O_WRONLY | constants.O_APPEND

/** Makes the file of a log; undefined if there is something of this name. */
function made(file: string): number | undefined {
  try {
    return openSync(file, APPEND | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined
    throw error
  }
}

/**
 * Opens what is there. A file of this user becomes its owner's alone; devices, pipes and files of others keep their permissions. A
 * link is followed to a device or a pipe, as `/dev/stdout` is one, and to no file.
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

/** Opens the file of a log, which is made if there is none. */
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
