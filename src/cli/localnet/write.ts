/** Owns the writing of the record of a local network. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LocalnetFile, RECORD_FILE, RECORD_VERSION } from './record.js'

/** What was made, with paths relative to the folder. */
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

/** Writes the record into the folder that holds the network. */
export async function writeLocalnet(folder: string, made: MadeLocalnet): Promise<void> {
  const file: LocalnetFile = {
    version: RECORD_VERSION,
    chain: made.chain,
    genesis_hash: made.genesisHash,
    manifest: made.manifest,
    peers: made.peers,
    accounts: made.accounts.map(({ name, alias, address, keyFile }) => ({ name, alias, address, key_file: keyFile })),
  }
  await writeFile(join(folder, RECORD_FILE), `${JSON.stringify(file, null, 2)}\n`)
}
