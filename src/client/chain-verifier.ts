/**
 * Owns the verification of a chain by a reader: each block is verified against the previous one, from the pinned
 * genesis on, so that a gateway can only omit blocks at the end.
 */
import type { FinalityProof } from '../api/index.js'
import { sameBytes } from '../base/bytes.js'
import { hash32, type Infer, list, option, struct, varint } from '../codec/index.js'
import { type Committee, selectCommittee } from '../consensus/index.js'
import type { CryptoService } from '../crypto/index.js'
import { merkleRoot } from '../crypto/merkle.js'
import {
  type BlockHeader,
  type BlockOutcome,
  blockHeader,
  type CertifiedHeader,
  type CommittedBlock,
  chainHashOf,
  entryResultLeaf,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  genesisSeed,
  hashOfHeader,
  LedgerError,
  payloadHash,
  ROSTER_MAX,
  validatorKey,
} from '../model/index.js'
import { certificateFault } from './proofs.js'

interface ActingRoster extends Infer<typeof actingRoster> {}
const actingRoster = struct('ActingRoster', {
  epoch: varint,
  /** Seed from which the committees of the epoch are drawn. */
  seed: hash32,
  keys: list(validatorKey, ROSTER_MAX),
})

/**
 * Position of a reader, against which the next block is verified. Stored with the data, it allows the reader to resume
 * later.
 */
export interface ChainPlace extends Infer<typeof chainPlace> {}
export const chainPlace = struct('ChainPlace', {
  /** Header of the last verified block. */
  header: blockHeader,
  genesisSeed: hash32,
  /** Absent at genesis, which no committee signs. */
  roster: option(actingRoster),
})

/** Untrusted rosters from a gateway for heights at which the roster changed. */
export type RosterSource = (height: number) => Promise<Pick<FinalityProof, 'rosters'>>

const wrong = (height: number, fault: string): LedgerError =>
  new LedgerError('proof_invalid', `block ${height}: ${fault}`, {
    hint: 'The gateway does not prove this block. Ask another node.',
    details: { height },
  })

/** Verifier of a chain, block by block. */
export class ChainVerifier {
  private current: ChainPlace | undefined

  /** `place`: position of an earlier reader; without it the first block must be the genesis of this hash. */
  constructor(
    private readonly genesisHash: Uint8Array,
    private readonly crypto: CryptoService,
    private readonly rosters: RosterSource,
    place?: ChainPlace,
  ) {
    this.current = place
  }

  /** Position to resume from; undefined before genesis. */
  get place(): ChainPlace | undefined {
    return this.current
  }

  /**
   * Verify the next block with its results, and return the committee that signed it (undefined for genesis). Throws
   * `proof_invalid`.
   */
  async take({ header, certificate, body }: CommittedBlock, outcome: BlockOutcome): Promise<Committee | undefined> {
    const { height } = header
    if (!sameBytes(payloadHash(body), header.payloadHash))
      throw wrong(height, 'its payload does not match the payload hash')
    if (this.current === undefined) {
      this.current = this.genesis(header, body)
      return undefined
    }
    const { current } = this
    this.checkAfter(current.header, header)
    if (!sameBytes(merkleRoot(outcome.results.map(entryResultLeaf)), header.resultsRoot)) {
      throw wrong(height, 'its results do not match its header')
    }
    if (certificate === undefined) throw wrong(height, 'it has no commit certificate')
    const signed = { header, certificate }
    const kept = current.roster === undefined ? 'no roster' : await this.faultUnder(current.roster, signed, current)
    const roster = kept === undefined ? current.roster : await this.rosterOf(height, current)
    const fault = kept === undefined ? undefined : await this.faultUnder(roster, signed, current)
    if (roster === undefined || fault !== undefined)
      throw wrong(height, fault ?? 'the gateway does not return its roster')
    this.current = { ...current, header, roster }
    return selectCommittee(roster.keys, chainHashOf(header.chain, current.genesisSeed), roster.seed, height)
  }

  private genesis(header: BlockHeader, body: Uint8Array): ChainPlace {
    if (header.height !== GENESIS_HEIGHT) throw wrong(header.height, 'the first block must be genesis')
    if (!sameBytes(hashOfHeader(header), this.genesisHash)) throw wrong(header.height, 'the hash of genesis differs')
    return { header, genesisSeed: genesisSeed(body), roster: undefined }
  }

  private checkAfter(before: BlockHeader, header: BlockHeader): void {
    const { height } = header
    if (height !== before.height + 1) throw wrong(height, `it does not follow block ${before.height}`)
    if (header.chain !== before.chain) throw wrong(height, 'it belongs to another chain')
    if (!sameBytes(header.parentHash, hashOfHeader(before))) throw wrong(height, 'its parent hash differs')
    // The previous roster, which signed the previous height, determined the signers of this one.
    if (!sameBytes(header.committeeHash, before.nextCommitteeHash)) {
      throw wrong(height, 'its committee differs from the one that its parent determined')
    }
  }

  /** Reason why a block is not signed by a quorum of the committee at its height. */
  private async faultUnder(
    roster: ActingRoster | undefined,
    signed: CertifiedHeader,
    { genesisSeed: seed }: ChainPlace,
  ): Promise<string | undefined> {
    if (roster === undefined) return 'the gateway does not return its roster'
    const trusted = { chainHash: chainHashOf(signed.header.chain, seed), roster: roster.keys, ...roster }
    return certificateFault(trusted, signed, this.crypto)
  }

  /** Roster at a height as claimed by the gateway: the resulting committee is compared with the header's. */
  private async rosterOf(height: number, { genesisSeed: seed }: ChainPlace): Promise<ActingRoster | undefined> {
    const steps = (await this.rosters(height)).rosters
    const step = steps.findLast((one) => one.height >= FIRST_VOTED_HEIGHT && one.height <= height)
    return step && { keys: step.roster, epoch: step.epoch?.number ?? 0, seed: step.epoch?.seed ?? seed }
  }
}
