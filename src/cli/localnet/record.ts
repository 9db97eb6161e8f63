/** Owns the record of a local network: what `localnet up` writes and the other commands find it by. */
import { join } from 'node:path'
import { LedgerError } from '../../model/errors.js'
import { readText } from '../text-file.js'

/** One process of a local network. */
export interface LocalPeer {
  readonly name: string
  /** URL of its gateway. */
  readonly gateway: string
  /** `host:port` of its links. */
  readonly p2p: string
  /** `host:port` that it listens on behind a proxy of its links; undefined: on `p2p` itself. */
  readonly listen?: string
  /** Absolute path of its folder: keys, data, logs. */
  readonly folder: string
  /** Absolute path of its configuration. */
  readonly config: string
}

/** An account of a local network, for development only. */
export interface LocalAccount {
  readonly name: string
  /** `label@domain`. */
  readonly alias: string
  readonly address: string
  /** Absolute path. */
  readonly keyFile: string
}

/** A local network. Paths are absolute here and relative to the folder in the file, so that it can be moved. */
export interface Localnet {
  readonly folder: string
  readonly chain: string
  readonly genesisHash: string
  readonly manifest: string
  readonly peers: readonly LocalPeer[]
  readonly accounts: readonly LocalAccount[]
}

/** Folder of the local network of a project, relative to the current one. */
export const DEFAULT_LOCALNET = join('.causeway', 'localnet')
/** Name of the record in the folder. */
export const RECORD_FILE = 'localnet.json'
/** Version of the record. */
export const RECORD_VERSION = 1

/** JSON of the record: what the file holds. */
export interface LocalnetFile {
  readonly version: number
  readonly chain: string
  readonly genesis_hash: string
  readonly manifest: string
  readonly peers: readonly { name: string; gateway: string; p2p: string; listen?: string; folder: string }[]
  readonly accounts: readonly { name: string; alias: string; address: string; key_file: string }[]
}

/** Reads the record of a folder; undefined when there is no network in it. Throws `config_invalid`, `file_unreadable`. */
export async function readLocalnet(folder: string): Promise<Localnet | undefined> {
  const path = join(folder, RECORD_FILE)
  const text = await readText(path)
  if (text === undefined) return undefined
  let file: LocalnetFile
  try {
    file = JSON.parse(text)
  } catch {
    throw new LedgerError('config_invalid', `${path}: the file is not JSON`, {
      hint: 'Remove the folder and start again.',
    })
  }
  if (file.version !== RECORD_VERSION || !Array.isArray(file.peers) || !Array.isArray(file.accounts)) {
    throw new LedgerError('config_invalid', `${path}: the record is of another release`, {
      hint: 'Run `causeway localnet reset --yes` with the release that made it, or remove the folder.',
    })
  }
  return {
    folder,
    chain: file.chain,
    genesisHash: file.genesis_hash,
    manifest: join(folder, file.manifest),
    peers: file.peers.map((one) => ({
      name: one.name,
      gateway: one.gateway,
      p2p: one.p2p,
      ...(one.listen === undefined ? {} : { listen: one.listen }),
      folder: join(folder, one.folder),
      config: join(folder, one.folder, 'node.toml'),
    })),
    accounts: file.accounts.map((one) => ({
      name: one.name,
      alias: one.alias,
      address: one.address,
      keyFile: join(folder, one.key_file),
    })),
  }
}

/** Reads the record of a folder that must hold a network; throws `config_invalid`. */
export async function requireLocalnet(folder: string): Promise<Localnet> {
  const found = await readLocalnet(folder)
  if (found !== undefined) return found
  throw new LedgerError('config_invalid', `${folder}: there is no local network`, {
    hint: 'Start one with `causeway localnet up`, or name its folder with --dir.',
  })
}
