/** Owns the writing of the record of a local network. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../files/write-file.js'
import { type LocalnetFile, RECORD_FILE, RECORD_VERSION } from '../settings/localnet-record.js'
import { markOf } from './mark.js'

/** Created files, with paths relative to the folder. */
export interface MadeLocalnet {
  readonly chain: string
  readonly genesisHash: string
  readonly manifest: string
  readonly peers: LocalnetFile['peers']
  readonly accounts: readonly {
    readonly name: string
    readonly alias: string
    readonly address: string
    readonly keyFile: string
  }[]
}

/** Write the record into the folder of the network. */
export async function writeLocalnet(folder: string, made: MadeLocalnet): Promise<void> {
  const file: LocalnetFile = {
    version: RECORD_VERSION,
    chain: made.chain,
    genesis_hash: made.genesisHash,
    manifest: made.manifest,
    peers: made.peers,
    accounts: made.accounts.map(({ name, alias, address, keyFile }) => ({ name, alias, address, key_file: keyFile })),
  }
  await replaceRecord(folder, file)
}

const replaceRecord = (folder: string, file: LocalnetFile): Promise<void> =>
  replaceFile(join(folder, RECORD_FILE), `${JSON.stringify(file, null, 2)}\n`)

const recordIn = async (folder: string): Promise<LocalnetFile> =>
  JSON.parse(await readFile(join(folder, RECORD_FILE), 'utf8'))

/** Write the record of a network owned by this user, who can then start it. */
export async function writeOwnLocalnet(folder: string, made: MadeLocalnet): Promise<void> {
  await writeLocalnet(folder, made)
  await recordMark(folder)
}

/** Mark a network as created by this user. */
export async function recordMark(folder: string): Promise<void> {
  const file = await recordIn(folder)
  await replaceRecord(folder, { ...file, mark: await markOf(file.genesis_hash) })
}

/** Put proxies in front of the peers of a network, which then listen on these ports, or remove the proxies. */
export async function recordProxies(folder: string, firstPort: number | undefined): Promise<void> {
  const file = await recordIn(folder)
  const peers = file.peers.map(({ name, gateway, p2p, folder: place }, index) => {
    const listen = firstPort === undefined ? undefined : `127.0.0.1:${firstPort + index}`
    return { name, gateway, p2p, listen, folder: place }
  })
  await replaceRecord(folder, { ...file, peers })
}
