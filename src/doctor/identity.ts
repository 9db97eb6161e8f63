/** Owns the checks of the identity of a peer: its key files, and its registration in the network. */
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { readKey } from '../cli/settings/key.js'
import { shellWord } from '../cli/text/shell.js'
import { formatPublicKey, type KeyAlgorithm, type PublicKey } from '../crypto/index.js'
import { keyString, LedgerError, type Peer, type ValidatorKey } from '../model/index.js'
import type { NodeConfig, SignerSection } from '../node/config/index.js'
import { type Check, type DiagnosticContext, type Finding, fail, failed, ok, skip, warn } from './check.js'
import type { Live } from './live.js'

/** Sections of a configuration about the keys of its node. */
type KeySections = Pick<NodeConfig, 'keys' | 'signer'>

/** Mode bits of access by users other than the owner. */
const OTHERS = 0o077

/** Reasons why this peer is not in a topology; empty if it is. A joining peer is not in it yet. */
export async function ownPeerFaults(config: KeySections, topology: readonly Peer[]): Promise<string[]> {
  const { keys, signer } = config
  const validator = await validatorKeyOf(config)
  const network = (await readKey(keys.network)).publicKey
  const own = topology.find((one) => one.key === keyString(validator.bytes))
  if (own === undefined) {
    const place = signer === undefined ? keys.validator : 'signer.validator'
    return [`the topology has no peer with the validator key ${formatPublicKey(validator)} (${place})`]
  }
  if (own.networkKey === keyString(network.bytes)) return []
  return [`the network key of this peer in the topology is not ${formatPublicKey(network)} (${keys.network})`]
}

/** Consensus key of a node: from its file, or as configured with a signer. */
export const validatorKeyOf = async ({ keys, signer }: KeySections): Promise<PublicKey> =>
  signer?.validator ?? (await readKey(keys.validator)).publicKey

/** Expected type of each key file. */
const ROLES = {
  validator: { check: 'key.validator', algorithm: 'bls' },
  nextValidator: { check: 'key.next_validator', algorithm: 'bls' },
  network: { check: 'key.network', algorithm: 'ed25519' },
} as const

interface KeyFile {
  readonly check: Check
  readonly algorithm: KeyAlgorithm
}

async function keyFinding({ check, algorithm }: KeyFile, path: string): Promise<Finding> {
  try {
    const { publicKey } = await readKey(path)
    if (publicKey.algorithm !== algorithm) {
      return fail(check, `${path}: expected a ${algorithm} key, got ${publicKey.algorithm}`)
    }
    return ok(check, `${path}: ${formatPublicKey(publicKey)}`)
  } catch (error) {
    const loose = error instanceof LedgerError && error.code === 'key_file_loose' ? await looseFile(path) : undefined
    if (loose === undefined) return failed(check, error)
    return {
      ...fail(check, `${path}: other users can read it (mode ${loose})`, `chmod 600 ${shellWord(path)}`),
      fix: async () => {
        await makePrivate(path)
        return `${path}: mode 600`
      },
    }
  }
}

/**
 * Mode of a regular file of this user that others may read; undefined for anything else, whose mode the doctor does not
 * change.
 */
async function looseFile(path: string): Promise<string | undefined> {
  const info = await lstat(path)
  const isOwn = info.isFile() && info.uid === process.getuid?.()
  return isOwn && (info.mode & OTHERS) !== 0 ? (info.mode & 0o777).toString(8) : undefined
}

/** Change the mode of the file itself: links are not followed, and a folder that has replaced it is not changed. */
async function makePrivate(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if ((await file.stat()).isFile()) await file.chmod(0o600)
  } finally {
    await file.close()
  }
}

/** Check the key files and the registration of this peer. */
export async function checkIdentity(patient: DiagnosticContext): Promise<Finding[]> {
  const { config } = patient
  if (config === undefined) return [skip('key.validator', 'needs the configuration')]
  const findings: Finding[] = []
  for (const role of ['validator', 'nextValidator', 'network'] as const) {
    const path = config.keys[role]
    const held = config.signer !== undefined && (role === 'validator' || role === 'nextValidator')
    if (held) findings.push(...atSigner(role, config.signer))
    else if (path !== undefined) findings.push(await keyFinding(ROLES[role], path))
  }
  for (const { name, algorithm, path } of config.keys.features) {
    findings.push(await keyFinding({ check: `key.${name}`, algorithm }, path))
  }
  if (findings.some((one) => one.level === 'fail')) return [...findings, skip('topology', 'needs the key files')]
  return [...findings, ...(await checkMembership(patient, config))]
}

/** True if the ledger of the running node, or the genesis of a stopped one, has this peer. */
async function checkMembership({ genesis, live }: DiagnosticContext, config: NodeConfig): Promise<Finding[]> {
  if (live !== undefined && !(live instanceof Error)) return [registration(await ownKeys(config), live)]
  if (genesis === undefined) return [skip('topology', 'needs the genesis')]
  const faults = await ownPeerFaults(config, genesis.topology)
  if (faults.length === 0) return [ok('topology', 'the peer is in the genesis')]
  const hint = 'A peer that joined later is in the ledger once its node runs; otherwise pin the correct genesis.'
  return faults.map((text) => warn('topology', text, hint))
}

/** Finding for a key held by a signer, of which only the public half is known. */
function atSigner(role: 'validator' | 'nextValidator', signer: SignerSection): Finding[] {
  const key = signer[role]
  return key === undefined ? [] : [ok(ROLES[role].check, `held by the signer: ${formatPublicKey(key)}`)]
}

async function ownKeys({ keys, signer }: NodeConfig): Promise<ReadonlySet<ValidatorKey>> {
  if (signer !== undefined) {
    const { validator, nextValidator: next } = signer
    return new Set([validator, ...(next === undefined ? [] : [next])].map(({ bytes }) => keyString(bytes)))
  }
  const { validator, nextValidator } = keys
  const paths = nextValidator === undefined ? [validator] : [validator, nextValidator]
  return new Set(await Promise.all(paths.map(async (path) => keyString((await readKey(path)).publicKey.bytes))))
}

/**
 * Registration of this peer on the ledger, found by its keys; keys of a removed peer stay there, permanently disabled.
 */
function registration(own: ReadonlySet<ValidatorKey>, { keys, peers }: Live): Finding {
  const { items, height } = keys
  const peer = items.find(({ key }) => own.has(key))?.peer
  if (peer === undefined)
    return warn('topology', `no peer with this key is registered in the ledger, as of height ${height}`, REGISTER)
  const linked = peers.items.some(({ connected }) => connected)
  const refused = peers.items.some(({ lastError }) => lastError?.includes(NOT_REGISTERED))
  const rows = items.filter((one) => one.peer === peer)
  // A removal takes effect two heights later, but peers disconnect a removed peer at once, so it may never reach those
  // heights.
  const living = rows.filter(({ status, disabledFrom }) => status !== 'disabled' && disabledFrom === undefined)
  if (living.length === 0) {
    const end = Math.max(...rows.map((one) => one.disabledFrom ?? one.replacedFrom ?? 0))
    return linked
      ? warn('topology', `its consensus key is disabled from height ${end} on: the node follows without a vote`, ROTATE)
      : fail('topology', `this peer was removed from the network: its key is inactive from height ${end} on`, REGISTER)
  }
  if (!linked && refused) {
    return fail(
      'topology',
      `this peer was removed after height ${height}, the last one in its ledger: its peers refuse it`,
      REGISTER,
    )
  }
  const held = living.find(({ key }) => own.has(key))
  if (held !== undefined)
    return ok(
      'topology',
      `the peer is registered in the ledger: its key is ${held.status}, from height ${held.activeFrom} on`,
    )
  return warn('topology', 'no key file of this peer contains its consensus key from the ledger', NEXT_KEY)
}

/** Text with which a peer refuses an unregistered network key. */
const NOT_REGISTERED = 'is not registered'
const REGISTER = '`causeway peer register` registers a peer; a removed peer needs new keys.'
const ROTATE = '`causeway peer rotate-key` replaces it.'
const NEXT_KEY = 'Set keys.next_validator to the file of the rotated key.'
