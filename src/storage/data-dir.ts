/** Owns the data directory: its creation, format and genesis, and its exclusive use by one process. */
import { access, constants, mkdir, opendir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { readRegular } from '../files/bounded-file.js'
import { LedgerError } from '../model/index.js'
import { exists, replaceFile } from './files.js'
import { type HeldLock, type LockHolder, type LockUse, lockHolder, takeLock } from './lock.js'
import { makePrivate } from './private.js'

/** Version of the layout on disk; other versions are refused. */
export const DATA_DIR_FORMAT = 1
/** File name inside a data directory. */
export const FORMAT_FILE = 'format.json'
/** Maximum size of a format file, in bytes: it names a format, a chain and a hash. */
const FORMAT_MAX_BYTES = 4_096

/** Network of the data in a directory. */
export interface DataDirIdentity {
  readonly chain: string
  /** Block hash of genesis, 32 bytes. */
  readonly genesisHash: Uint8Array
}

/** Layout and network of a data directory. */
export interface FormatRecord {
  readonly format: number
  readonly chain: string
  readonly genesis_hash: string
}

/** Open data directory, locked for this process. */
export interface DataDir {
  readonly path: string
  /** True if this call created it. */
  readonly created: boolean
  close(): Promise<void>
}

/** Folder beside a data directory for a snapshot download, with the lock held meanwhile. */
export const joiningFolder = (dataDir: string): string => `${resolve(dataDir)}.joining`

/** Process that uses a data directory. */
export interface DataDirHolder extends LockHolder {
  /** True while it fills the directory from a snapshot, during which the directory is still empty. */
  readonly isJoining: boolean
}

/** Process that uses or fills a data directory; undefined if there is none. */
export async function dataDirHolder(path: string): Promise<DataDirHolder | undefined> {
  const holder = await lockHolder(path)
  if (holder !== undefined) return { ...holder, isJoining: false }
  const joining = await lockHolder(joiningFolder(path))
  return joining && { ...joining, isJoining: true }
}

/** Throw `data_dir_locked` while a node fills the directory from a snapshot, since it must stay empty until then. */
export async function requireNotJoining(path: string): Promise<void> {
  const holder = await lockHolder(joiningFolder(path))
  if (holder === undefined) return
  throw new LedgerError('data_dir_locked', `process ${holder.pid} is filling ${path} from a snapshot`, {
    hint: 'Wait until that node runs, or stop it first.',
    details: { path, pid: holder.pid },
  })
}

/**
 * Open or create a data directory and lock it. Its files are made private, including existing ones.
 *
 * A new directory has no vote log. The marks of the keys, which survive the loss of a directory, determine whether they
 * may vote.
 *
 * @throws LedgerError `data_dir_format`, `genesis_mismatch` (both values in its details), `data_dir_locked`
 */
export async function openDataDir(path: string, identity: DataDirIdentity, use: LockUse = 'command'): Promise<DataDir> {
  await requireNotJoining(path)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const lock: HeldLock = await takeLock(path, use)
  try {
    // A node may have begun to fill it meanwhile.
    await requireNotJoining(path)
    const found = await readDataDirFormat(path)
    if (found !== undefined) checkIdentity(path, found, identity)
    else await createFormat(path, identity)
    await makePrivate(path)
    return { path, created: found === undefined, close: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Inspect a data directory like `openDataDir`, without creating or locking anything; undefined if a start would create
 * it.
 *
 * @throws the errors of `openDataDir`, except for the lock; an error of the system if this process could not write
 */
export async function inspectDataDir(path: string, identity: DataDirIdentity): Promise<FormatRecord | undefined> {
  await checkWritable(path)
  const found = await readDataDirFormat(path)
  if (found !== undefined) checkIdentity(path, found, identity)
  else await checkFormatless(path)
  return found
}

/** Check that this process can write to a folder, or could create it. */
async function checkWritable(path: string): Promise<void> {
  try {
    await (await opendir(path)).close()
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const parent = dirname(path)
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error
    await checkWritable(parent)
  }
}

/**
 * Content of the format file of a directory; undefined if there is none. Throws `data_dir_format` for any other file,
 * and `file_unreadable` if this user may not read it.
 */
export async function readDataDirFormat(path: string): Promise<FormatRecord | undefined> {
  const file = join(path, FORMAT_FILE)
  let text: string
  try {
    text = (await readRegular(file, FORMAT_MAX_BYTES)).toString('utf8')
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    if (error.code === 'file_missing') return undefined
    throw new LedgerError('file_unreadable', error.message, {
      hint: 'Run this as the user of the node.',
      details: { path: file },
    })
  }
  try {
    const { format, chain, genesis_hash } = JSON.parse(text) as Partial<FormatRecord>
    if (typeof format === 'number') return { format, chain: String(chain), genesis_hash: String(genesis_hash) }
  } catch {
    // Falls through: the store writes the file atomically, so this is another file.
  }
  throw new LedgerError('data_dir_format', `${file} is not a format file`, { details: { path } })
}

function checkIdentity(path: string, found: FormatRecord, identity: DataDirIdentity): void {
  if (found.format !== DATA_DIR_FORMAT) {
    throw new LedgerError(
      'data_dir_format',
      `${path} has data format ${found.format}, but this release supports ${DATA_DIR_FORMAT}`,
      {
        hint: 'Use a release that reads this format, or another data directory.',
        details: { path, found: found.format, expected: DATA_DIR_FORMAT },
      },
    )
  }
  const expected = Buffer.from(identity.genesisHash).toString('hex')
  if (found.chain !== identity.chain || found.genesis_hash !== expected) {
    throw new LedgerError(
      'genesis_mismatch',
      `${path} contains chain ${found.chain} with genesis ${found.genesis_hash}, but the configuration has chain ${identity.chain} with genesis ${expected}`,
      {
        details: {
          path,
          found: { chain: found.chain, genesis_hash: found.genesis_hash },
          expected: { chain: identity.chain, genesis_hash: expected },
        },
      },
    )
  }
}

/** Throw if a directory without a format file has data, which must not be overwritten. */
async function checkFormatless(path: string): Promise<void> {
  for (const name of ['blocks', 'state']) {
    if (await exists(join(path, name))) {
      throw new LedgerError('data_dir_format', `${path} has ${name}/ but no ${FORMAT_FILE}`, {
        hint: 'It is not a data directory of this program, or its format file was removed: choose another directory.',
        details: { path },
      })
    }
  }
}

async function createFormat(path: string, identity: DataDirIdentity): Promise<void> {
  await checkFormatless(path)
  const record: FormatRecord = {
    format: DATA_DIR_FORMAT,
    chain: identity.chain,
    genesis_hash: Buffer.from(identity.genesisHash).toString('hex'),
  }
  await replaceFile(join(path, FORMAT_FILE), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`))
}
