/** Owns resolution of the settings gateway, key file, token and timeout: flag, environment, project, profile, local network, default. */

import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { isRecord } from '../../base/guards.js'
import { Deadline } from '../../client/deadline.js'
import { originOf } from '../../client/loopback.js'
import { API_TOKEN_ENV, apiTokenOf } from '../../client/options.js'
import { parseJson } from '../../codec/json-text.js'
import { LedgerError } from '../../model/errors.js'
import { parseDuration } from '../input/duration.js'
import { DEFAULT_LOCALNET, type Localnet, readLocalnet } from './localnet-record.js'
import { readText } from './text-file.js'
import { type Bound, boundOf, type Layer } from './trust.js'

/** Source name of settings from a local network. */
export const LOCALNET_SOURCE = 'local network (DEV ONLY)'
/** Default gateway. */
export const DEFAULT_GATEWAY = 'http://127.0.0.1:8080'
/** Default timeout of a command, in ms. */
export const DEFAULT_TIMEOUT_MS = 30_000
/** Settings file of a project, relative to the current folder. */
const PROJECT_FILE = join('.causeway', 'config.json')

/** Global flags for settings. */
export interface SettingFlags {
  readonly gateway?: string | undefined
  readonly timeout?: string | undefined
  readonly 'key-file'?: string | undefined
  readonly 'signer-command'?: string | undefined
  readonly profile?: string | undefined
  readonly insecure?: boolean | undefined
}

/** Settings of one command. */
export interface Settings extends Bound {
  /** Origin without a trailing slash. */
  readonly gateway: string
  /** Source of the gateway, for messages. */
  readonly gatewaySource: string
  readonly timeoutMs: number
  /** undefined: no key is configured. */
  readonly keyFile: string | undefined
  /** Program that holds the key, instead of a key file. */
  readonly signerCommand: string | undefined
  /** True if the current folder, which may be untrusted, names the key. */
  readonly isKeyOfFolder: boolean
  /** Source of the key, for messages. */
  readonly keySource: string
  /** True if a token may be sent over plain HTTP to another machine. */
  readonly insecure: boolean
  /** Deadline of all requests of the command. */
  readonly deadline: Deadline
}

const KEYS = ['gateway', 'timeout', 'key_file']
/** Keys of flags and variables, which come from the user and may therefore name a program to run. */
const OWN_KEYS = [...KEYS, 'signer_command']
/** Additional keys of a profile, which belong to its gateway. */
const PROFILE_KEYS = [...KEYS, 'signer_command', 'chain', 'genesis_hash', 'network_key', 'token']
const HASH = /^[0-9a-f]{64}$/

function layerOf(source: string, value: unknown, keys: readonly string[] = KEYS, isFolder = false): Layer {
  if (!isRecord(value)) throw new LedgerError('config_invalid', `${source}: expected an object`)
  const texts: Record<string, string | undefined> = {}
  for (const [key, one] of Object.entries(value)) {
    if (!keys.includes(key))
      throw new LedgerError('config_invalid', `${source}: unknown key ${key}; known are ${keys.join(', ')}`)
    if (typeof one !== 'string') throw new LedgerError('config_invalid', `${source}: ${key} must be a text`)
    texts[key] = one
  }
  const { gateway, timeout, key_file: keyFile, signer_command: signerCommand, token } = texts
  if (keyFile !== undefined && signerCommand !== undefined) {
    throw new LedgerError('usage', `${source}: both a key file and a signer command are set`, {
      hint: 'Set only one of them.',
    })
  }
  const { chain, genesis_hash: genesisHash, network_key: networkKey } = texts
  if (genesisHash !== undefined && !HASH.test(genesisHash)) {
    throw new LedgerError('config_invalid', `${source}: genesis_hash must be 64 hex digits`)
  }
  return {
    source,
    isFolder,
    token,
    pin: (chain ?? genesisHash ?? networkKey) === undefined ? undefined : { chain, genesisHash, networkKey },
    gateway,
    timeout,
    keyFile,
    signerCommand,
  }
}

async function jsonOf(file: string): Promise<unknown> {
  const text = await readText(file)
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    throw new LedgerError('config_invalid', `${file}: the file is not JSON`)
  }
}

/**
 * Path of the profiles: `{"active": NAME, "profiles": {NAME: {gateway, chain, genesis_hash, network_key, token,
 * key_file, timeout}}}`. Never in the current folder, which may be untrusted: an empty or relative XDG_CONFIG_HOME
 * counts as unset, as its specification requires, and so does an empty HOME.
 */
export function profilesFile({ XDG_CONFIG_HOME: own = '' }: NodeJS.ProcessEnv): string {
  const folder = isAbsolute(own) ? own : resolve('/', homedir(), '.config')
  return join(folder, 'causeway', 'config.json')
}

async function profileLayer(env: NodeJS.ProcessEnv, named: string | undefined): Promise<Layer | undefined> {
  const file = profilesFile(env)
  const json = (await jsonOf(file)) as { active?: unknown; profiles?: Record<string, unknown> } | undefined
  const name = named ?? (typeof json?.active === 'string' ? json.active : undefined)
  if (name === undefined) return undefined
  const profiles = json?.profiles ?? {}
  if (!Object.hasOwn(profiles, name)) {
    const known = Object.keys(profiles)
    throw new LedgerError('config_invalid', `profile ${name} does not exist in ${file}`, {
      hint: known.length === 0 ? 'Create one with `causeway profile create`.' : `Choose one of ${known.join(', ')}.`,
    })
  }
  return layerOf(`profile ${name}`, profiles[name], PROFILE_KEYS)
}

function checkedGateway(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new LedgerError('usage', `${source}: "${text}" is not a gateway URL`, {
      hint: 'Write, for example, http://127.0.0.1:8080.',
    })
  }
  // Neither would be sent, and gateways are displayed and logged: the text is not repeated.
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new LedgerError('usage', `${source}: a gateway URL must not have a user name, password, query or fragment`, {
      hint: `Set a token for the gateway with ${API_TOKEN_ENV} or in a profile.`,
    })
  }
  return text.replace(/\/+$/, '')
}

/**
 * Sources of settings, the highest priority first (docs/design/cli.md 2). A profile or a local network given by a flag
 * or a variable has the priority of that flag or variable. An unreadable source of another kind is an error only while
 * no gateway is given: a service with the HOME of another user needs no profile.
 */
export async function settingLayers(
  flags: SettingFlags,
  env: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
): Promise<Layer[]> {
  const { CAUSEWAY_PROFILE: profileOfEnv, CAUSEWAY_LOCALNET: localnet } = drop(env)
  const profile = flags.profile ?? profileOfEnv
  const layers: Layer[] = [
    layerOf(
      'flags',
      drop({
        gateway: flags.gateway,
        timeout: flags.timeout,
        key_file: flags['key-file'],
        signer_command: flags['signer-command'],
      }),
      OWN_KEYS,
    ),
    layerOf(
      'environment',
      drop({
        gateway: env.CAUSEWAY_GATEWAY,
        timeout: env.CAUSEWAY_TIMEOUT,
        key_file: env.CAUSEWAY_KEY_FILE,
        signer_command: env.CAUSEWAY_SIGNER_COMMAND,
      }),
      OWN_KEYS,
    ),
  ]
  const add = (layer: Layer | undefined): void => {
    if (layer !== undefined) layers.push(layer)
  }
  const readNet = async (path: string, isFolder: boolean) =>
    localnetLayer(await readLocalnet(resolve(folder, path)), layers, isFolder)
  if (profile !== undefined) add(await profileLayer(env, profile))
  if (localnet !== undefined) add(await readNet(localnet, false))
  for (const read of [
    () => projectLayer(folder),
    async () => (profile === undefined ? profileLayer(env, undefined) : undefined),
    async () => (localnet === undefined ? readNet(DEFAULT_LOCALNET, true) : undefined),
  ]) {
    try {
      add(await read())
    } catch (error) {
      const denied = error instanceof LedgerError && error.code === 'file_unreadable'
      if (!denied || gatewayOf(layers) === undefined) throw error
    }
  }
  return layers
}

/** Resolve the settings of a command; throws `usage` or `config_invalid`. */
export async function resolveSettings(
  flags: SettingFlags,
  env: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
): Promise<Settings> {
  const found = await settingLayers(flags, env, folder)
  const gateway = found.find((one) => one.gateway !== undefined)
  const timeout = found.find((one) => one.timeout !== undefined)
  const key = found.find((one) => one.keyFile !== undefined || one.signerCommand !== undefined)
  const url = checkedGateway(gateway?.gateway ?? DEFAULT_GATEWAY, gateway?.source ?? 'default')
  const nets = found.flatMap(({ net }) => (net === undefined ? [] : [net]))
  const timeoutMs =
    timeout?.timeout === undefined ? DEFAULT_TIMEOUT_MS : parseDuration(timeout.timeout, `timeout (${timeout.source})`)
  const bound = await boundOf({ url, gateway, key, layers: found, nets, environmentToken: apiTokenOf(env) })
  return {
    gateway: url,
    gatewaySource: gateway?.source ?? 'default',
    timeoutMs,
    keyFile: key?.keyFile,
    signerCommand: key?.signerCommand,
    isKeyOfFolder: key?.isFolder === true,
    keySource: key?.source ?? 'default',
    ...bound,
    insecure: flags.insecure === true,
    deadline: new Deadline(timeoutMs),
  }
}

/** Settings that are present: an empty variable counts as absent. */
const drop = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((row): row is [string, string] => row[1] !== undefined && row[1] !== ''),
  )

const gatewayOf = (layers: readonly Layer[]): string | undefined =>
  layers.find((one) => one.gateway !== undefined)?.gateway

async function projectLayer(folder: string): Promise<Layer | undefined> {
  const json = await jsonOf(join(folder, PROJECT_FILE))
  return json === undefined ? undefined : layerOf(PROJECT_FILE, json, KEYS, true)
}

/** Gateway and key of a local network. The key is only for its own peers, since it is unknown to other networks. */
function localnetLayer(net: Localnet | undefined, stronger: readonly Layer[], isFolder: boolean): Layer | undefined {
  const first = net?.peers[0]
  if (net === undefined || first === undefined) return undefined
  const gateway = originOf(gatewayOf(stronger) ?? first.gateway)
  const admin = net.accounts.find((one) => one.name === 'admin')
  const own = net.peers.some((peer) => originOf(peer.gateway) === gateway)
  return {
    source: LOCALNET_SOURCE,
    isFolder,
    net,
    gateway: first.gateway,
    keyFile: own ? admin?.keyFile : undefined,
  }
}
