/**
 * Owns pending registrations: the salt of each commitment is on disk before the commitment is sent, so that a
 * registration can be continued after an interruption.
 */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Infer, option, string, struct, u8, u32 } from '../../codec/index.js'
import { OWNER_ONLY, writeNew } from '../../files/write-file.js'
import { LedgerError, NAME_TEXT_MAX_BYTES } from '../../model/index.js'
import { profilesFile } from '../settings/settings.js'
import { readText } from '../settings/text-file.js'

/** Folder mode: readable only by its owner. */
const FOLDER_MODE = 0o700
const FORMAT = 1
/** Maximum length of an alias as given, in bytes: longer than its canonical form. */
const ALIAS_MAX_BYTES = 1_024

/**
 * Registration whose commitment was sent or is about to be sent. The optional fields are absent in the files of earlier
 * releases.
 */
export interface PendingRegistration extends Infer<typeof pending> {}
const pending = struct('PendingRegistration', {
  format: u32,
  chain: string(128),
  name: string(NAME_TEXT_MAX_BYTES),
  /** Address of the committing account. */
  authority: string(128),
  /** Salt in hex. */
  salt: string(64),
  years: u8,
  /** Address of the account that the name resolves to. */
  account: option(string(128)),
  /** Alias that the account was given as. */
  alias: option(string(ALIAS_MAX_BYTES)),
  /** Maximum price. */
  maxPrice: option(struct('PendingPrice', { definition: string(256), amount: string(256) })),
})

/** Identity of a registration. */
type Key = Pick<PendingRegistration, 'chain' | 'name' | 'authority'>

/** Path of the record of a registration. */
function pendingPath({ chain, name, authority }: Key): string {
  const file = `${encodeURIComponent(chain)}-${authority}-${encodeURIComponent(name)}.json`
  return join(dirname(profilesFile(process.env)), 'names', file)
}

/** Pending registration of a name by an account; undefined if there is none. */
export async function readPending(key: Key): Promise<PendingRegistration | undefined> {
  const path = pendingPath(key)
  const text = await readText(path)
  if (text === undefined) return undefined
  const parsed = pending.parseJson(Buffer.from(text))
  if (!parsed.ok || parsed.value.format !== FORMAT)
    throw new LedgerError('config_invalid', `${path}: not the record of a registration`, {
      hint: 'Remove the file to register the name from the beginning.',
    })
  return parsed.value
}

/** Write a registration to disk. Throws `file_exists` if the account has a pending one. */
export async function keepPending(one: Omit<PendingRegistration, 'format'>): Promise<void> {
  const path = pendingPath(one)
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  await writeNew(path, `${JSON.stringify(pending.toJson({ format: FORMAT, ...one }), null, 2)}\n`, OWNER_ONLY)
}

/** Remove a registration that has ended. */
export const dropPending = (key: Key): Promise<void> => rm(pendingPath(key), { force: true })
