/** Owns the offline check of a block store: links, certificates, payloads and their roots, from the genesis hash on. */
import { join } from 'node:path'
import { sameBytes } from '../../base/bytes.js'
import type { CodecContext } from '../../codec/index.js'
import { type CryptoService, merkleRoot } from '../../crypto/index.js'
import { evidenceRootOf } from '../../executor/index.js'
import { epochOfIndex, rosterOfIndex } from '../../ledger/roster-index.js'
import {
  blockBody,
  blockOutcome,
  entryResultLeaf,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  hashOfHeader,
  LedgerError,
  payloadHash,
  signedHash,
} from '../../model/index.js'
import { LevelBackend, WorldState } from '../../state/index.js'
import { BlockStore } from '../../storage/index.js'
import { HeaderChain } from '../snapshot/chain.js'
import { type OfflinePlace, recordsOf } from './offline.js'

export interface BlocksReport {
  readonly height: number
  /** Number of heights whose payload and results are stored and were checked. */
  readonly bodies: number
  /** Height up to which every certificate was verified; lower if rosters of old heights are unknown. */
  readonly provenTo: number
  /** First fault; undefined if valid. */
  readonly fault: string | undefined
}

/**
 * Mismatch at the tip of the chain between a stored payload, or its results, and the header; undefined if they match.
 */
async function bodyFault(
  chain: HeaderChain,
  body: Uint8Array,
  outcome: Uint8Array,
  codec: CodecContext,
): Promise<string | undefined> {
  const header = chain.tip
  if (!sameBytes(payloadHash(body), header.payloadHash)) return 'the payload hash differs'
  const opened = blockBody.decode(body, codec)
  if (!opened.ok) return `the payload does not decode: ${opened.fault.message}`
  const { entries, evidence, parentCertificate } = opened.value
  const leaves = entries.map((entry) => signedHash(entry.transaction.bytes))
  if (leaves.length !== header.transactionCount) return 'the number of transactions differs'
  if (!sameBytes(merkleRoot(leaves), header.transactionsRoot)) return 'the transactions root differs'
  if (!sameBytes(evidenceRootOf(evidence), header.evidenceRoot)) return 'the evidence root differs'
  const embedded = await chain.embeddedFault(parentCertificate)
  if (embedded !== undefined) return embedded
  const results = blockOutcome.decode(outcome, codec)
  if (!results.ok) return `the results do not decode: ${results.fault.message}`
  return sameBytes(merkleRoot(results.value.results.map(entryResultLeaf)), header.resultsRoot)
    ? undefined
    : 'the results root differs'
}

/** Check every block of a locked data directory. State roots need execution: `block replay`. */
export async function verifyBlocks(
  place: OfflinePlace,
  crypto: CryptoService,
  onBlock: (height: number, of: number) => void = () => {},
): Promise<BlocksReport> {
  const { folder, pinned } = place
  const codec = recordsOf(place).codec(pinned.genesis.payload.value.addressPrefix)
  const store = await BlockStore.open(folder, {})
  const backend = await LevelBackend.open(join(folder, 'state'))
  const world = await WorldState.open({ backend, context: codec })
  const chain = new HeaderChain(pinned, crypto, 'every')
  let bodies = 0
  const check = async (): Promise<string | undefined> => {
    // Genesis has no certificate, but a start reads it nevertheless.
    const [genesis] = [await store.read(GENESIS_HEIGHT), await store.readOutcome(GENESIS_HEIGHT)]
    if (genesis === undefined || !sameBytes(hashOfHeader(genesis.header), pinned.hash)) {
      return `block ${GENESIS_HEIGHT} is not the pinned genesis`
    }
    for (let height = FIRST_VOTED_HEIGHT; height <= store.height; height++) {
      onBlock(height, store.height)
      const certified = await store.readCertificate(height)
      if (certified === undefined) return `block ${height} has no certificate`
      // Rosters of the index are trusted only if a header names their hash.
      const roster = rosterOfIndex((key) => world.indexGet(key), height)
      if (roster !== undefined) chain.addRoster(roster)
      const epoch = epochOfIndex((key) => world.indexGet(key), height)
      if (epoch !== undefined) chain.addEpoch(height, epoch)
      await chain.take(certified)
      const [block, outcome] = [await store.read(height), await store.readOutcome(height)]
      if (block === undefined || outcome === undefined) continue
      bodies += 1
      const fault = await bodyFault(chain, block.body, outcome, codec)
      if (fault !== undefined) return `block ${height}: ${fault}`
    }
    await chain.flush()
    return undefined
  }
  try {
    const fault = await check().catch((error: unknown) => {
      if (error instanceof LedgerError) return error.message
      throw error
    })
    return { height: store.height, bodies, provenTo: chain.provenTo, fault }
  } finally {
    await Promise.all([world.close(), store.close()])
  }
}
