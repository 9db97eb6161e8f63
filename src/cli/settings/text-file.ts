/** Owns the reading of small files of the toolkit: settings, profiles, records of local networks. */
import { readRegular } from '../../files/bounded-file.js'
import { LedgerError } from '../../model/errors.js'

/** Maximum size of these files, in bytes. */
const TEXT_MAX_BYTES = 8 * 1024 * 1024
/** System error codes for a file that this user may not read. */
const DENIED: readonly unknown[] = ['EACCES', 'EPERM']

/** Text of a file; undefined if it does not exist. Throws `file_unreadable` if this user may not read it. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readRegular(file, TEXT_MAX_BYTES)).toString('utf8')
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    if (error.code === 'file_missing') return undefined
    const errno = error.details?.['errno']
    if (!DENIED.includes(errno)) throw error
    throw new LedgerError('file_unreadable', `${file}: permission denied`, {
      hint: 'Does HOME or the current folder belong to another user? With --gateway and --key-file neither is needed.',
      details: { file, errno: String(errno) },
      cause: error,
    })
  }
}
