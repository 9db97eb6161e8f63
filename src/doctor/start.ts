/**
 * Owns the check of the files that a start of the node reads: configuration, genesis, keys, certificate of the gateway,
 * data directory.
 */
import { NEWEST_ABI, startAbi } from '../features/abi.js'
import { verifyGenesis } from '../node/chain/genesis.js'
import { loadNodeConfig } from '../node/config/index.js'
import { aheadText } from '../node/genesis/ahead.js'
import { readStartFiles } from '../node/identity/identity.js'
import { inspectDataDir } from '../storage/index.js'

/** Files of a node that is ready to start. */
export interface StartCheck {
  readonly view: {
    readonly config: string
    readonly chain: string
    readonly genesis_hash: string
    readonly ready: true
  }
  /** Present if the genesis is dated in the future. */
  readonly note: string | undefined
}

/** Read and verify the files as a start does, without starting. Throws the first fault with the code of a start. */
export async function checkStart(path: string, nowMs: number): Promise<StartCheck> {
  const config = await loadNodeConfig(path)
  const { genesis, hash } = (await readStartFiles(config, NEWEST_ABI)).pinned
  const { chain, abi, createdAtMs } = genesis.payload.value
  await inspectDataDir(config.dataDir, { chain, genesisHash: hash })
  await verifyGenesis(startAbi(abi), genesis)
  const view = { config: config.file, chain, genesis_hash: hash.toString('hex'), ready: true } as const
  return { view, note: aheadText(createdAtMs, nowMs) }
}
