/** Owns the reading of the small files that the toolkit keeps for itself: settings, profiles, records of local networks. */
import { open } from 'node:fs/promises'
import { readAll } from '../../files/bounded-file.js'
import { LedgerError } from '../../model/errors.js'

/** Largest of these files, in bytes. */
const TEXT_MAX_BYTES = 8 * 1024 * 1024
/** What a system says of a file that is not there. */
const ABSENT = ['ENOENT', 'ENOTDIR']
/** What it says of one that this user may not read. */
const DENIED = ['EACCES', 'EPERM']

/** Text of a file; undefined when there is none. Throws `file_unreadable` when this user may not read it. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    const opened = await open(file, 'r')
    try {
      return (await readAll(opened.createReadStream({ autoClose: false }), file, TEXT_MAX_BYTES)).toString('utf8')
    } finally {
      await opened.close()
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (ABSENT.includes(code)) return undefined
    if (!DENIED.includes(code)) throw error
    throw new LedgerError('file_unreadable', `${file}: permission denied`, {
      hint: 'Is HOME, or the current folder, that of another user? With --gateway and --key-file neither is needed.',
      details: { file, errno: code },
      cause: error,
    })
  }
}
