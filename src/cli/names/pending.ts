/**
 * Owns registrations that are under way: the salt of each commitment is on the disk before the commitment is sent, so that a
 * registration can be continued after an interruption.
 */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Infer, string, struct, u8, u32 } from '../../codec/index.js'
import { OWNER_ONLY, writeNew } from '../../files/write-file.js'
import { LedgerError, NAME_TEXT_MAX_BYTES } from '../../model/index.js'
import { profilesFile } from '../settings/settings.js'
import { readText } from '../settings/text-file.js'

/** Folder that only its owner can read. */
const FOLDER_MODE = 0o700
const FORMAT = 1

/** A registration whose commitment was, or is about to be, sent. */
export interface PendingRegistration extends Infer<typeof pending> {}
const pending = struct('PendingRegistration', {
  format: u32,
  chain: string(128),
  name: string(NAME_TEXT_MAX_BYTES),
  /** Address of the account that commits. */
  authority: string(128),
  /** Hex digits. */
  salt: string(64),
  years: u8,
})

/** What tells registrations apart. */
type Key = Pick<PendingRegistration, 'chain' | 'name' | 'authority'>

/** Path of the record of a registration. */
function pendingPath({ chain, name, authority }: Key): string {
  const file = `${encodeURIComponent(chain)}-${authority}-${encodeURIComponent(name)}.json`
  return join(dirname(profilesFile(process.env)), 'names', file)
}

/** The registration of a name by an account that is under way; undefined if there is none. */
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

/** Write a registration to the disk. Throws `file_exists` if one of the account is under way. */
export async function keepPending(one: Omit<PendingRegistration, 'format'>): Promise<void> {
  const path = pendingPath(one)
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  await writeNew(path, `${JSON.stringify({ format: FORMAT, ...one }, null, 2)}\n`, OWNER_ONLY)
}

/** Forget a registration that has ended. */
export const dropPending = (key: Key): Promise<void> => rm(pendingPath(key), { force: true })
