/**
 * Owns the import of blocks into the data directory of a stopped node: each certificate is verified with the committee
 * determined by the state before it, from genesis on, and each block is executed and its roots compared before it is
 * stored. Imported blocks are kept after a failure, and another run continues from there.
 */
import type { StreamedBlock } from '../../api/index.js'
import { sameBytes } from '../../base/bytes.js'
import type { CodecContext } from '../../codec/index.js'
import { checkCertifiedHeader, verifyAll } from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import type { Abi } from '../../executor/index.js'
import { committeeAt } from '../../executor/membership.js'
import { type CertifiedHeader, GENESIS_HEIGHT, hashOfHeader, LedgerError, payloadHash } from '../../model/index.js'
import { openDataDir } from '../../storage/index.js'
import { openLedger } from '../ledger/open.js'
import type { LedgerPort, Tip } from '../ledger/protocol.js'
import { signedSlices } from '../ledger/slices.js'
import { publishDataDir } from '../process/publish-directory.js'
import { type OfflinePlace, recordsOf } from './offline.js'

/** Dependencies of an import. */
export interface ImportOptions {
  readonly crypto: CryptoService
  /** Every ABI of this release. */
  readonly abis: ReadonlyMap<number, Abi>
  readonly cacheBytes: number
  readonly treeBits: number
  /** Called after each block, new or known. */
  readonly onBlock?: (height: number) => void
}

/** Result of an import. */
export interface ImportReport {
  /** Height before the import. */
  readonly from: number
  /** Height after the import. */
  readonly height: number
  readonly blockHash: Uint8Array
  readonly stateRoot: Uint8Array
  /** Number of new blocks. */
  readonly imported: number
  /** Number of blocks that already existed, and are equal. */
  readonly known: number
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const invalid = (message: string, hint?: string): LedgerError => new LedgerError('blocks_invalid', message, { hint })

/**
 * Create a data directory that contains only genesis, without a vote log: a node that starts from imported blocks may
 * have voted before, and abstains at first. Throws `file_exists` unless the directory is absent or empty,
 * `data_dir_locked` while a node fills it from a snapshot.
 */
export const beginDataDir = ({ folder, abi, pinned }: OfflinePlace): Promise<void> =>
  publishDataDir(folder, async (draft) => {
    const { genesis, hash } = pinned
    const dir = await openDataDir(draft, { chain: genesis.payload.value.chain, genesisHash: hash })
    try {
      await (await openLedger({ folder: draft, genesis, abi })).close()
    } finally {
      await dir.close()
    }
  })

/**
 * Import blocks into a locked data directory up to the last one. Existing blocks are compared.
 *
 * @throws LedgerError `blocks_invalid` for a gap, a block of another fork, an invalid certificate; `genesis_mismatch`
 * for blocks of another network; `state_divergence` if a certified block executes to other roots; errors of the block
 * source. The details report the imported blocks
 */
export async function importBlocks(
  place: OfflinePlace,
  blocks: AsyncIterable<StreamedBlock>,
  options: ImportOptions,
): Promise<ImportReport> {
  const { folder, abi, pinned } = place
  const { abis, cacheBytes, treeBits } = options
  const ledger = await openLedger({ folder, genesis: pinned.genesis, abi, abis, cacheBytes, treeBits })
  try {
    return await new Import(place, ledger, await ledger.tip(), options.crypto).run(blocks, options.onBlock)
  } finally {
    await ledger.close()
  }
}

class Import {
  private readonly from: number
  private readonly codec: CodecContext
  private known = 0

  constructor(
    private readonly place: OfflinePlace,
    private readonly ledger: LedgerPort,
    private tip: Tip,
    private readonly crypto: CryptoService,
  ) {
    this.from = tip.height
    this.codec = recordsOf(place).codec(place.pinned.genesis.payload.value.addressPrefix)
  }

  async run(blocks: AsyncIterable<StreamedBlock>, onBlock: ImportOptions['onBlock']): Promise<ImportReport> {
    try {
      for await (const block of blocks) {
        const { height } = block.header
        if (height <= this.tip.height) await this.compare(block)
        else await this.add(block)
        onBlock?.(height)
      }
    } catch (error) {
      throw this.withPlace(error)
    }
    const { height, header, stateRoot } = this.tip
    const { from, known } = this
    return { from, height, blockHash: hashOfHeader(header), stateRoot, imported: height - from, known }
  }

  /** Add the progress of the import to an error: the blocks imported before it are valid and kept. */
  private withPlace(error: unknown): unknown {
    if (!(error instanceof LedgerError)) return error
    const { code, message, hint, details } = error
    const { height } = this.tip
    return new LedgerError(code, message, {
      hint: [hint, `The data directory is valid up to height ${height}; run the import again to continue from there.`]
        .filter((one) => one !== undefined)
        .join(' '),
      details: { ...details, height, imported: height - this.from },
      cause: error,
    })
  }

  /** Compare a block of an existing height with the stored one. */
  private async compare({ header }: StreamedBlock): Promise<void> {
    const { height } = header
    const { hash } = this.place.pinned
    const given = hashOfHeader(header)
    if (height === GENESIS_HEIGHT) {
      if (!sameBytes(given, hash)) throw otherNetwork(hex(given), hex(hash))
    } else {
      const { certified } = await this.ledger.certificate({ height })
      const held = certified === undefined ? undefined : hashOfHeader(certified.header)
      if (held === undefined || !sameBytes(given, held)) {
        const other = held === undefined ? 'none' : hex(held)
        throw invalid(`block ${height} has hash ${hex(given)}, but the data directory has ${other}`)
      }
    }
    this.known += 1
  }

  /** Verify, execute and store the next block. */
  private async add({ header, certificate, body }: StreamedBlock): Promise<void> {
    const { height } = header
    const next = this.tip.height + 1
    if (height !== next) {
      throw invalid(
        `block ${height} follows a gap: the next block is ${next}`,
        `Export from ${next} on: \`causeway block export FILE --from-height ${next}\`.`,
      )
    }
    const { chain } = this.place.pinned.genesis.payload.value
    if (header.chain !== chain) throw otherNetwork(header.chain, chain)
    if (body.kind !== 'block' || certificate === undefined) throw invalid(`block ${height} has no commit certificate`)
    const { bytes } = body.value
    const certified = { header, certificate }
    await this.verify(certified)
    if (bytes.length !== header.payloadBytes || !sameBytes(payloadHash(bytes), header.payloadHash)) {
      throw invalid(`the payload of block ${height} does not match its header`)
    }
    const blockHash = certificate.blockHash
    const { hashes } = signedSlices(bytes, this.codec)
    const result = await this.ledger.execute({ blockHash, header, body: bytes, hashes, certified: true })
    if (!result.ok) {
      const { report, detail } = result
      const details = report === undefined ? undefined : { report }
      throw new LedgerError('state_divergence', `certified block ${height} is invalid here: ${detail}`, { details })
    }
    // It was just executed, so its candidate cannot have been evicted.
    const { tip } = await this.ledger.commit({ certified })
    if (tip === undefined) throw new Error(`the candidate of block ${height} was not kept`)
    this.tip = tip
  }

  /**
   * Throw unless a quorum of the committee of the next height committed the block, and the block follows the local
   * chain.
   */
  private async verify(certified: CertifiedHeader): Promise<void> {
    const { header, certificate } = certified
    const { height } = header
    const { schedule, header: parent } = this.tip
    const { chainHash } = this.place.pinned
    if (!sameBytes(header.parentHash, hashOfHeader(parent))) throw invalid(`block ${height} has another parent`)
    if (certificate.phase !== 'commit') throw invalid(`block ${height} has no commit certificate`)
    const { committee } = committeeAt(schedule, chainHash, height)
    const domain = { chainHash, committeeHash: committee.hash, epoch: schedule.epoch, height }
    const check = checkCertifiedHeader(certified, committee, domain)
    if ('fault' in check) throw invalid(`block ${height}: invalid certificate: ${check.fault}`)
    if (!(await verifyAll(this.crypto, check.checks))) throw invalid(`block ${height}: its certificate is invalid`)
  }
}

const otherNetwork = (found: string, own: string): LedgerError =>
  new LedgerError('genesis_mismatch', `the blocks belong to the network ${found}, but this node belongs to ${own}`, {
    hint: 'Compare the genesis hashes: `causeway genesis verify`.',
  })
