/** Owns the record of a local network: written by `localnet up` and read by the other commands. */

import { join, relative, resolve } from 'node:path'
import { isLoopback } from '../../client/loopback.js'
import { parseJson } from '../../codec/json-text.js'
import { FILE_NAME_FORM, insideFolder, isFileName } from '../../files/file-names.js'
import { LedgerError } from '../../model/errors.js'
import { usageError } from '../terminal/failure.js'
import { shellWord } from '../text/shell.js'
import { readText } from './text-file.js'

/** Process of a local network. */
export interface LocalPeer {
  readonly name: string
  /** URL of its gateway. */
  readonly gateway: string
  /** Address `host:port` of its links. */
  readonly p2p: string
  /** Listen address `host:port` behind a link proxy; undefined: `p2p` itself. */
  readonly listen?: string | undefined
  /** Absolute path of its folder: keys, data, logs. */
  readonly folder: string
  /** Absolute path of its configuration. */
  readonly config: string
}

/** Account of a local network, for development only. */
export interface LocalAccount {
  readonly name: string
  /** Alias `label@domain`. */
  readonly alias: string
  readonly address: string
  /** Absolute path of the key file. */
  readonly keyFile: string
}

/** Local network. Paths are absolute here and relative to the folder in the file, so that it can be moved. */
export interface Localnet {
  readonly folder: string
  readonly chain: string
  readonly genesisHash: string
  readonly manifest: string
  /** Mark of the creating user (`mark.ts`); absent for networks of earlier releases. */
  readonly mark?: string | undefined
  readonly peers: readonly LocalPeer[]
  readonly accounts: readonly LocalAccount[]
}

/** Default folder of the local network of a project, relative to the current one. */
export const DEFAULT_LOCALNET = join('.causeway', 'localnet')

/** Absolute folder of the local network given by the flag, the environment or the default. */
export const localnetFolder = (dir: string | undefined): string =>
  resolve(dir ?? (process.env.CAUSEWAY_LOCALNET || DEFAULT_LOCALNET))
/** Name of the record in the folder. */
export const RECORD_FILE = 'localnet.json'
/** Version of the record. */
export const RECORD_VERSION = 1

/** JSON form of the record. */
export interface LocalnetFile {
  readonly version: number
  readonly chain: string
  readonly genesis_hash: string
  readonly manifest: string
  readonly mark?: string
  readonly peers: readonly { name: string; gateway: string; p2p: string; listen?: string | undefined; folder: string }[]
  readonly accounts: readonly { name: string; alias: string; address: string; key_file: string }[]
}

/** Read the record of a folder; undefined without a network. Throws `config_invalid`, `file_unreadable`. */
export async function readLocalnet(folder: string): Promise<Localnet | undefined> {
  const path = join(folder, RECORD_FILE)
  const text = await readText(path)
  if (text === undefined) return undefined
  let file: LocalnetFile
  try {
    file = parseJson(text) as LocalnetFile
  } catch {
    throw new LedgerError('config_invalid', `${path}: the file is not JSON`, {
      hint: 'Remove the folder and start again.',
    })
  }
  if (file.version !== RECORD_VERSION || !Array.isArray(file.peers) || !Array.isArray(file.accounts)) {
    throw new LedgerError('config_invalid', `${path}: the record was written by another release`, {
      hint: 'Run `causeway localnet reset --yes` with the release that wrote it, or remove the folder.',
    })
  }
  return localnetOf(folder, file, path)
}

/** Network of a record. The folder may be untrusted: no path may lead outside it, and no address to another machine. */
async function localnetOf(folder: string, file: LocalnetFile, path: string): Promise<Localnet> {
  const refused = (what: string): LedgerError =>
    new LedgerError('config_invalid', `${path}: ${what}`, {
      hint: 'The file was not written by `causeway localnet up`: use another folder.',
    })
  const inside = async (field: string, text: unknown): Promise<string> => {
    const place = typeof text === 'string' ? await insideFolder(folder, text) : undefined
    if (place === undefined) throw refused(`${field} ${JSON.stringify(text)} is outside of the folder`)
    return place
  }
  const named = (name: unknown): string => {
    if (typeof name === 'string' && isFileName(name)) return name
    throw refused(`a name must have ${FILE_NAME_FORM}, got ${JSON.stringify(name)}`)
  }
  const here = (address: unknown, url: string): string => {
    if (typeof address === 'string' && isLoopback(url)) return address
    throw refused(`${JSON.stringify(address)} is not an address of this machine`)
  }
  const peers: LocalPeer[] = []
  for (const { name, gateway, p2p, listen, folder: place } of file.peers) {
    const own = await inside('folder', place)
    peers.push({
      name: named(name),
      gateway: here(gateway, gateway),
      p2p: here(p2p, `http://${p2p}`),
      listen: listen === undefined ? undefined : here(listen, `http://${listen}`),
      folder: own,
      config: join(own, 'node.toml'),
    })
  }
  const accounts: LocalAccount[] = []
  for (const { name, alias, address, key_file: keyFile } of file.accounts)
    accounts.push({ name: named(name), alias, address, keyFile: await inside('key_file', keyFile) })
  const manifest = await inside('manifest', file.manifest)
  const mark = typeof file.mark === 'string' ? file.mark : undefined
  return { folder, chain: file.chain, genesisHash: file.genesis_hash, manifest, mark, peers, accounts }
}

/** Record of a folder that must contain a network; throws `config_invalid`. */
export async function requireLocalnet(folder: string): Promise<Localnet> {
  const found = await readLocalnet(folder)
  if (found !== undefined) return found
  throw new LedgerError('config_invalid', `${folder}: no local network`, {
    hint: 'Start one with `causeway localnet up`, or give its folder with --dir.',
  })
}

/**
 * Command that examines a peer, as a suggestion for a folder without `node.toml` that is, or contains, the folder of a
 * local network; undefined for any other folder.
 */
export async function peerDoctorHint(folder: string = process.cwd()): Promise<string | undefined> {
  for (const place of [resolve(folder, process.env.CAUSEWAY_LOCALNET || DEFAULT_LOCALNET), folder]) {
    const [first, ...others] = (await readLocalnet(place))?.peers.map((peer) => relative(folder, peer.folder)) ?? []
    if (first === undefined) continue
    return `causeway doctor --peer-dir ${shellWord(first)}${others.length === 0 ? '' : `, or ${others.join(', ')}`}`
  }
  return undefined
}

/** Peers with the given names, or all peers if no names are given; throws `usage` for an unknown name. */
export function pickPeers(net: Localnet, names: readonly string[]): readonly LocalPeer[] {
  const known = net.peers.map((one) => one.name)
  const stray = names.find((name) => !known.includes(name))
  if (stray !== undefined) throw usageError(`unknown peer ${stray}`, `Choose one of ${known.join(', ')}.`)
  return names.length === 0 ? net.peers : net.peers.filter((one) => names.includes(one.name))
}
