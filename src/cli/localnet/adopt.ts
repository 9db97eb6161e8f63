/** Owns the checks of the files of a local network: no path leads outside its folder. */
import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { insideFolder } from '../../files/file-names.js'
import { LedgerError } from '../../model/errors.js'
import { type Localnet, type LocalPeer, requireLocalnet } from '../settings/localnet-record.js'
import { recordMark } from './write.js'

/** Maximum entries checked below the folder of a network: a ledger that is years old has thousands. */
const ENTRIES_MAX = 100_000

/** Read the absolute paths in the configuration of a node, by key. */
export type PathsIn = (configFile: string) => Promise<readonly { readonly key: string; readonly path: string }[]>

const refused = (what: string): LedgerError =>
  new LedgerError('config_invalid', what, {
    hint: 'Files of a local network stay in its folder. Create a network in another folder: `causeway localnet up --dir`.',
  })

/** Throw `config_invalid` if a path in the configuration of a peer leads outside the folder of the network. */
export async function requireInside(folder: string, peer: LocalPeer, pathsIn: PathsIn): Promise<void> {
  for (const { key, path } of await pathsIn(peer.config)) {
    if ((await insideFolder(folder, relative(folder, path))) !== undefined) continue
    throw refused(`${peer.config}: cannot use ${key} ${JSON.stringify(path)}: it is outside of ${folder}`)
  }
}

/**
 * Throw `config_invalid` unless everything below a folder is a folder or a file of this user without other hard links.
 */
async function requirePlain(folder: string): Promise<void> {
  const uid = process.getuid?.()
  const folders = [folder]
  let seen = 0
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const name of await readdir(at)) {
      const path = join(at, name)
      const info = await lstat(path)
      seen += 1
      if (seen > ENTRIES_MAX) throw refused(`${folder}: cannot check more than ${ENTRIES_MAX} files`)
      if (uid !== undefined && info.uid !== uid) throw refused(`${path}: the file belongs to another user`)
      if (info.isDirectory()) folders.push(path)
      else if (!info.isFile()) throw refused(`${path}: this is a link or a device, not a file`)
      else if (info.nlink > 1) throw refused(`${path}: the file has another hard link elsewhere`)
    }
  }
}

/** Mark a network created by another user or an earlier release as owned by this user. Throws `config_invalid`. */
export async function adopt(folder: string, pathsIn: PathsIn): Promise<Localnet> {
  const net = await requireLocalnet(folder)
  await requirePlain(folder)
  for (const peer of net.peers) await requireInside(folder, peer, pathsIn)
  await recordMark(folder)
  return requireLocalnet(folder)
}
