/** Owns the file of profiles: each binds a gateway with its chain, token and key; one is active. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseJson } from '../../codec/json-text.js'
import { changeAlone } from '../../files/change-alone.js'
import { replaceFile } from '../../files/write-file.js'
import { LedgerError } from '../../model/errors.js'
import { usageError } from '../terminal/failure.js'
import { profilesFile } from './settings.js'
import { readText } from './text-file.js'

/** Profile with the fields of the file. */
export interface Profile {
  readonly gateway?: string | undefined
  readonly chain?: string | undefined
  /** Hash of the genesis block, in hex. */
  readonly genesis_hash?: string | undefined
  /** Multihash text of the network key of the node: requests are signed only for it. */
  readonly network_key?: string | undefined
  readonly token?: string | undefined
  readonly key_file?: string | undefined
  /** Program that holds the key, instead of a key file. */
  readonly signer_command?: string | undefined
  readonly timeout?: string | undefined
}

export interface Profiles {
  readonly active?: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

/** Characters and length of the name of a new profile. */
const PROFILE_NAME = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Name of a new profile. Throws `usage` if it cannot be typed without quotes. Profiles of earlier releases with other
 * names remain readable.
 */
export function newProfileName(name: string): string {
  if (PROFILE_NAME.test(name)) return name
  throw usageError(
    `cannot create the profile ${JSON.stringify(name)}: a name has 1 to 64 letters, digits, dots, hyphens and underscores`,
    'causeway profile create bank-a',
  )
}

/** Profile for display: whether it has a token, but not the token. */
export const withoutToken = ({ token, ...profile }: Profile): Omit<Profile, 'token'> & { readonly token: boolean } => ({
  ...profile,
  token: token !== undefined,
})

/** Profiles of this user; none without a file. Throws `config_invalid`, `file_unreadable`. */
export async function readProfiles(env: NodeJS.ProcessEnv = process.env): Promise<Profiles> {
  const file = profilesFile(env)
  const text = (await readText(file)) ?? '{}'
  try {
    const json = parseJson(text) as Partial<Profiles>
    return { ...json, profiles: json.profiles ?? {} }
  } catch {
    throw new LedgerError('config_invalid', `${file}: the file is not JSON`)
  }
}

/**
 * Atomically replace the profiles of this user with the result of a function of the current profiles; safe against
 * concurrent commands.
 */
export async function changeProfiles(
  change: (before: Profiles) => Profiles,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Profiles> {
  const file = profilesFile(env)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return changeAlone(file, async () => {
    const profiles = change(await readProfiles(env))
    await replaceFile(file, `${JSON.stringify(profiles, null, 2)}\n`, 0o600)
    return profiles
  })
}

/** Profile of a name; throws `config_invalid` with the known names. */
export function profileOf({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const known = Object.keys(profiles)
  throw new LedgerError('config_invalid', `profile ${name} does not exist`, {
    hint: known.length === 0 ? 'Create one with `causeway profile create`.' : `Choose one of ${known.join(', ')}.`,
  })
}
