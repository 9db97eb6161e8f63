/**
 * Owns the detection of disk faults in errors of the system and the database: full, over quota, read-only or failing.
 */
import { LedgerError } from '../model/errors.js'

/** Fault reported by the disk. */
export interface DiskFault {
  /** Code of the system call. */
  readonly errno: string
  readonly why: string
}

/**
 * Faults by code, and by message for errors that crossed a thread (`CODE: ...`) or come from the database, whose errors
 * have no codes.
 */
const FAULTS: Readonly<Record<string, { readonly why: string; readonly message: RegExp }>> = {
  ENOSPC: { why: 'the disk is full', message: /\bENOSPC: |no space left on device/i },
  EDQUOT: { why: 'the disk quota is exceeded', message: /\bEDQUOT: |disk quota exceeded/i },
  EROFS: { why: 'the file system is read-only', message: /\bEROFS: |read-only file system/i },
  EFBIG: { why: 'the file cannot grow', message: /\bEFBIG: |file too large/i },
  EMFILE: {
    why: 'too many open files; raise the limit with `ulimit -n 4096`, under systemd with LimitNOFILE',
    message: /\bEMFILE: |\bENFILE: |too many open files/i,
  },
  EIO: { why: 'the disk reports an error', message: /\bEIO: |input\/output error/i },
}
/** Maximum depth of the cause chain. */
const CAUSES_MAX = 5

interface Thrown {
  readonly code?: string
  readonly message?: string
  readonly cause?: unknown
}

/** Disk fault in the cause chain of an error; undefined for any other error. */
export function diskFaultOf(error: unknown): DiskFault | undefined {
  let at = error as Thrown | undefined
  for (let depth = 0; depth < CAUSES_MAX && typeof at === 'object' && at !== null; depth += 1) {
    const { code = '', message = '' } = at
    for (const [errno, fault] of Object.entries(FAULTS)) {
      if (code === errno || fault.message.test(message)) return { errno, why: fault.why }
    }
    at = at.cause as typeof at
  }
  return undefined
}

/**
 * `storage_failed` for a disk error in an operation of a node, with the failed operation; undefined for any other
 * error.
 */
export function storageFailed(error: unknown): LedgerError | undefined {
  const fault = diskFaultOf(error)
  if (fault === undefined) return undefined
  const what = error instanceof Error ? error.message : fault.errno
  return new LedgerError('storage_failed', `${what}: ${fault.why}`, { details: { errno: fault.errno }, cause: error })
}
