/**
 * Owns the mark of a local network. It proves that this user created the network, whose configuration its nodes run
 * with.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readPrivate } from '../../files/private-file.js'
import { OWNER_ONLY, unwritable, writeNew } from '../../files/write-file.js'
import { LedgerError } from '../../model/errors.js'
import type { Localnet } from '../settings/localnet-record.js'
import { profilesFile } from '../settings/settings.js'

type Environment = NodeJS.ProcessEnv

/** File with the secret of this user, beside the profiles. */
const SECRET_FILE = 'localnet-secret'
const SECRET_BYTES = 32
/** Maximum size of the file, in bytes: the secret in hex, and a line break. */
const SECRET_FILE_MAX_BYTES = 2 * SECRET_BYTES + 1
/** Prefix of the authenticated data, before the genesis hash. */
const CONTEXT = 'causeway.localnet.v1:'

const isCode = (error: unknown, code: string): boolean => error instanceof LedgerError && error.code === code

async function secretIn(file: string): Promise<Buffer | undefined> {
  try {
    const secret = Buffer.from((await readPrivate(file, 'secret', SECRET_FILE_MAX_BYTES)).trim(), 'hex')
    if (secret.length === SECRET_BYTES) return secret
  } catch (error) {
    if (isCode(error, 'key_file_missing')) return undefined
    throw error
  }
  throw new LedgerError('config_invalid', `${file}: the file is not a secret of local networks`, {
    hint: 'Remove the file, then run `causeway localnet up --adopt` for each network that is yours.',
  })
}

async function newSecret(file: string): Promise<Buffer> {
  const secret = randomBytes(SECRET_BYTES)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeNew(file, `${secret.toString('hex')}\n`, OWNER_ONLY)
    return secret
  } catch (error) {
    // Another command created it meanwhile.
    const found = isCode(error, 'file_exists') ? await secretIn(file) : undefined
    if (found !== undefined) return found
    throw unwritable(file, error)
  }
}

const codeOf = (secret: Uint8Array, genesisHash: string): string =>
  createHmac('sha256', secret).update(`${CONTEXT}${genesisHash}`).digest('hex')

const secretFile = (env: Environment): string => join(dirname(profilesFile(env)), SECRET_FILE)

/** Mark of a network of this user. Creates the secret if it is missing. Throws `file_unwritable`, `key_file_loose`. */
export async function markOf(genesisHash: string, env: Environment = process.env): Promise<string> {
  const file = secretFile(env)
  return codeOf((await secretIn(file)) ?? (await newSecret(file)), genesisHash)
}

/** Throw `config_invalid` for a network without the mark of this user. */
export async function requireMark(net: Localnet, env: Environment = process.env): Promise<void> {
  const secret = net.mark === undefined ? undefined : await secretIn(secretFile(env))
  const [mark, own] = [net.mark ?? '', secret === undefined ? '' : codeOf(secret, net.genesisHash)]
  if (own !== '' && mark.length === own.length && timingSafeEqual(Buffer.from(mark), Buffer.from(own))) return
  throw new LedgerError('config_invalid', `cannot start the network in ${net.folder}: it was created by another user`, {
    hint: 'Its configuration decides what its nodes write and where they connect. If you trust it, run `causeway localnet up --adopt`.',
  })
}
