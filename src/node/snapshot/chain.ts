/**
 * Owns the proof of a header from genesis: certificates are verified with the rosters that earlier headers determine.
 */
import { sameBytes } from '../../base/bytes.js'
import {
  type Committee,
  checkCertifiedHeader,
  checkParentCertificate,
  embeddedCertificateHash,
  keyListHash,
  type ParentRecord,
  type SignatureCheck,
  selectCommittee,
  sortRoster,
  verifyAll,
  verifyMany,
} from '../../consensus/index.js'
import type { CryptoService } from '../../crypto/index.js'
import type { RosterEpoch, RosterStart } from '../../ledger/roster-index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  certificateHash,
  genesisSeed,
  hashOfHeader,
  keyString,
  LedgerError,
  type QuorumCertificate,
  type SignedGenesis,
  type ValidatorKey,
} from '../../model/index.js'
import type { PinnedGenesis } from '../identity/identity.js'

/** Number of certificates verified together, while the headers after them are read. */
const BATCH = 64
/**
 * Sampling rate of certificates that are not needed: one in this many, so that a few hundred forged ones are detected.
 */
const SAMPLED_ONE_IN = 64

/**
 * Selection of certificates to verify. `needed`: the first and the last certificate of each range with one roster and
 * epoch, which prove the headers between by their parent hashes, and a random sample of the others, so that the work
 * does not grow with the chain.
 */
export type VerifiedCertificates = 'every' | 'needed'

const isSampled = (): boolean => Math.random() * SAMPLED_ONE_IN < 1

/** Roster at genesis. */
export const genesisRoster = (genesis: SignedGenesis): ValidatorKey[] =>
  sortRoster(genesis.payload.value.topology.filter((one) => one.role === 'validator').map((one) => one.key))

const bad = (height: number, what: string): LedgerError =>
  new LedgerError('snapshot_invalid', `header ${height}: ${what}`)

/** Header whose certificate is not yet verified. */
interface Waiting {
  readonly certified: CertifiedHeader
  readonly committee: Committee
  readonly epoch: number
}

/** Verifier of a chain of headers in ascending order. */
export class HeaderChain {
  /** Last accepted header. */
  tip: BlockHeader
  /** Height up to which certificates prove the chain without a gap from genesis. */
  provenTo: number
  /** Height up to which certificates prove the chain, where a block trusted by an operator counts as proven. */
  certifiedTo: number
  private isTrusted = false
  private readonly rosters = new Map<string, readonly ValidatorKey[]>()
  /** Epochs by first height. */
  private readonly epochs = new Map<number, RosterEpoch>()
  private epoch: RosterEpoch
  /** Last header, as long as its certificate need not be verified. */
  private held: CertifiedHeader | undefined
  /**
   * Start heights of rosters and epochs, from the accepted headers. Above a gap with a trusted block, only start
   * heights after the gap. They are as trustworthy as the certificates up to there.
   */
  starts: RosterStart[] = []
  private waiting: Waiting[] = []
  /** Fault of the batch that is being verified, if any. */
  private verifying: Promise<LedgerError | undefined> = Promise.resolve(undefined)
  private gap = false
  /** Parent record that the tip may embed; known only if the chain has no gap and every certificate is verified. */
  private parent: (ParentRecord & { readonly certificateHash: Uint8Array }) | undefined
  private current: typeof this.parent

  constructor(
    private readonly pinned: PinnedGenesis,
    private readonly crypto: CryptoService,
    private readonly verified: VerifiedCertificates,
  ) {
    this.tip = pinned.genesis.header
    this.provenTo = this.tip.height
    this.certifiedTo = this.tip.height
    this.epoch = { number: 0, seed: genesisSeed(pinned.genesis.payload.bytes) }
    this.addRoster(genesisRoster(pinned.genesis))
  }

  /** Add a key list that a header may name by its hash. */
  addRoster(roster: readonly ValidatorKey[]): void {
    this.rosters.set(keyString(keyListHash(roster)), roster)
  }

  /** Add an epoch of elected validators by its first height; a wrong epoch only makes its headers invalid. */
  addEpoch(height: number, epoch: RosterEpoch): void {
    this.epochs.set(height, epoch)
  }

  /**
   * Accept the next header; its certificate is verified now or together with later ones, if needed. Throws
   * `snapshot_invalid`.
   */
  async take(certified: CertifiedHeader): Promise<void> {
    const { header } = certified
    const { height } = header
    const before = this.tip
    if (height !== before.height + 1) throw bad(height, `it follows header ${before.height}`)
    if (!sameBytes(header.parentHash, hashOfHeader(before))) throw bad(height, 'its parent hash differs')
    if (!sameBytes(header.committeeHash, before.nextCommitteeHash))
      throw bad(height, 'its committee differs from the one that its parent determined')
    if (certified.certificate.phase !== 'commit') throw bad(height, 'no commit certificate')
    this.tip = header
    const epoch = this.epochs.get(height) ?? this.epoch
    const roster = this.rosters.get(keyString(header.rosterHash))
    const last = this.starts.at(-1)
    const begins = last === undefined || last.roster !== roster || last.epoch !== epoch
    // The last header before an epoch determines its voters.
    if (begins) await this.verifyHeld()
    this.epoch = epoch
    if (roster === undefined) this.gap = true
    if (this.gap || roster === undefined) return
    if (begins || this.verified === 'every' || isSampled()) await this.verify(certified, roster)
    else this.held = certified
    if (begins && !this.gap) this.starts.push({ height, roster, epoch })
  }

  /** Verify the certificate of the last header if it was deferred. */
  private async verifyHeld(): Promise<void> {
    const [held, roster] = [this.held, this.starts.at(-1)?.roster]
    this.held = undefined
    if (held !== undefined && roster !== undefined) await this.verify(held, roster)
  }

  /** Verify a certificate, now or with the following ones. */
  private async verify(certified: CertifiedHeader, roster: readonly ValidatorKey[]): Promise<void> {
    const { header, certificate } = certified
    const { height } = header
    this.held = undefined
    const committee = selectCommittee(roster, this.pinned.chainHash, this.epoch.seed, height)
    if (!sameBytes(committee.hash, header.committeeHash)) {
      // The roster acts again in an unknown epoch.
      this.gap = true
      return
    }
    this.parent = this.current
    this.current = {
      originView: header.originView,
      committee,
      domain: { chainHash: this.pinned.chainHash, committeeHash: committee.hash, epoch: this.epoch.number, height },
      certificateHash: certificateHash(certificate),
    }
    this.waiting.push({ certified, committee, epoch: this.epoch.number })
    if (this.waiting.length >= BATCH) await this.startBatch()
  }

  /**
   * Fault of the certificate that the body of the tip embeds for its parent, including its signature; undefined if it
   * is valid. It may differ from the stored certificate. Above a gap the committee of the parent is unknown, and only
   * the hash in the header is compared.
   */
  async embeddedFault(certificate: QuorumCertificate | undefined): Promise<string | undefined> {
    const { parent } = this
    if (this.gap) {
      const isNamed = sameBytes(embeddedCertificateHash(certificate), this.tip.parentCertificateHash)
      return isNamed ? undefined : 'its parent certificate differs'
    }
    const check = checkParentCertificate(this.tip, certificate, parent)
    if ('fault' in check) return check.fault
    const isStored = parent !== undefined && sameBytes(parent.certificateHash, this.tip.parentCertificateHash)
    if (isStored || (await verifyAll(this.crypto, check.checks))) return undefined
    return 'the embedded certificate of its parent is invalid'
  }

  /** Trust the tip on behalf of an operator: it proves the headers after it, even if earlier headers are unproven. */
  async trustTip(): Promise<void> {
    await this.flush()
    this.certifiedTo = this.tip.height
    if (!this.gap) return
    this.gap = false
    this.isTrusted = true
    this.starts = []
    this.current = undefined
  }

  /** Verify the waiting certificates, which prove the chain up to the tip if it has no gap. */
  async flush(): Promise<void> {
    await this.verifyHeld()
    await this.startBatch()
    await this.endBatch()
  }

  /** Verify the waiting certificates, once the batch before them is known to be valid. */
  private async startBatch(): Promise<void> {
    await this.endBatch()
    const batch = this.waiting
    this.waiting = []
    this.verifying = this.batchFault(batch)
    // The caller that waits for the batch reports its failure.
    this.verifying.catch(() => {})
  }

  private async endBatch(): Promise<void> {
    const fault = await this.verifying
    if (fault !== undefined) throw fault
  }

  /** Fault of the first invalid header of a batch; if there is none, all are marked as proven. */
  private async batchFault(batch: readonly Waiting[]): Promise<LedgerError | undefined> {
    const checked: { readonly height: number; readonly checks: readonly SignatureCheck[] }[] = []
    for (const { certified, committee, epoch } of batch) {
      const { height } = certified.header
      const domain = { chainHash: this.pinned.chainHash, committeeHash: committee.hash, epoch, height }
      const check = checkCertifiedHeader(certified, committee, domain)
      if ('fault' in check) return bad(height, check.fault)
      checked.push({ height, checks: check.checks })
    }
    const all = checked.flatMap(({ checks }) => checks)
    if (!(await verifyMany(this.crypto, all))) {
      for (const { height, checks } of checked)
        if (!(await verifyAll(this.crypto, checks))) return bad(height, 'its certificate is invalid')
    }
    this.certifiedTo = batch.at(-1)?.certified.header.height ?? this.certifiedTo
    if (!this.isTrusted) this.provenTo = this.certifiedTo
    return undefined
  }
}
