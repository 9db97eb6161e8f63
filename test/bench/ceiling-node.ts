/**
 * Owns one process of the ceiling: the ledger of a node without network, gateway and consensus, fed with prepared
 * blocks.
 */
import { CryptoPool } from '../../src/crypto/index.js'
import { signatureItems } from '../../src/executor/index.js'
import { NEWEST_ABI } from '../../src/features/abi.js'
import {
  type CertifiedHeader,
  composeBody,
  hashOfHeader,
  type QuorumCertificate,
  ZERO_HASH,
} from '../../src/model/index.js'
import { startLedger } from '../../src/node/ledger/remote.js'
import { signedSlices } from '../../src/node/ledger/slices.js'
import { DEFAULT_TREE_BITS } from '../../src/state/index.js'
import { readRecords } from './records-file.js'

/** Zero certificate: it is not verified here, and has the size of a real one. */
const certificateOf = (height: number, blockHash: Uint8Array): QuorumCertificate => ({
  phase: 'commit',
  height,
  view: 0,
  blockHash,
  committeeHash: ZERO_HASH,
  bitmap: Buffer.from([7]),
  aggregate: Buffer.alloc(96),
})

const [folder = '', genesisFile = '', fundingFile = '', warmFile = '', transfersFile = '', perBlockText = '512'] =
  process.argv.slice(2)
const perBlock = Number(perBlockText)
const ledger = await startLedger(
  { folder, genesisFile, cacheBytes: 64 * 1024 * 1024, treeBits: DEFAULT_TREE_BITS },
  { onReplay: () => undefined, onLost: (error) => process.emitWarning(error) },
)
const crypto = new CryptoPool({ threads: 1 })
let tip = await ledger.tip({})
const codec = NEWEST_ABI.codec('cw')

/** Decode, verify, execute, hash and append one block. */
async function block(records: readonly Uint8Array[]): Promise<void> {
  const entries = records.map((bytes) => ({ lane: 0, dataspace: 0n, bytes }))
  const body = composeBody(tip.certificate, [], entries)
  const { slices, hashes } = signedSlices(body, codec)
  const results = await crypto.verifyBatch(slices.flatMap((slice) => signatureItems(slice.signed, slice.id)))
  if (!results.every((result) => result === true)) throw new Error('a prepared transaction is badly signed')
  const height = tip.height + 1
  const header = {
    ...tip.header,
    height,
    parentHash: hashOfHeader(tip.header),
    timeMs: Math.max(Date.now(), tip.header.timeMs + 1),
    originView: 0,
    originProposer: tip.schedule.roster[0] ?? '',
  }
  const built = await ledger.build({ header, body, hashes })
  if (built.header === undefined) throw new Error(`the ceiling refuses a transaction: ${built.invalid[0]?.code}`)
  const blockHash = hashOfHeader(built.header)
  const certified: CertifiedHeader = { header: built.header, certificate: certificateOf(height, blockHash) }
  const committed = await ledger.commit({ certified })
  if (committed.tip === undefined) throw new Error('the candidate of the block was not kept')
  tip = committed.tip
}

async function all(file: string, count: number): Promise<void> {
  const prepared = await readRecords(file)
  for (let at = 0; at < prepared.length; at += count) {
    await block(prepared.slice(at, at + count).map((one) => one.bytes))
  }
}

// As many registrations as fit a block: each record has a hundred.
await all(fundingFile, 3)
await all(warmFile, perBlock)
process.send?.({ type: 'ready' })
await new Promise((resolve) => process.once('message', resolve))
const started = performance.now()
await all(transfersFile, perBlock)
const seconds = (performance.now() - started) / 1_000
process.send?.({ type: 'done', seconds, approved: tip.approved, rejected: tip.rejected })
await ledger.close()
await crypto.close()
process.disconnect()
