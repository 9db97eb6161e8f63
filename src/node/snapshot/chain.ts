/** Owns the proof of a header from genesis on: certificates are verified with the rosters that the headers before them fix. */
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

/** Certificates verified together, while the headers after them are read. */
const BATCH = 64
/** Of certificates that nothing needs, one in so many is verified all the same: who makes up a few hundred is found out. */
const SAMPLED_ONE_IN = 64

/**
 * Which certificates are verified. `needed`: of a stretch with one roster and epoch the first and the last, which prove the
 * headers between by the hashes of their parents, and some of those by chance; so the work does not grow with the chain.
 */
export type VerifiedCertificates = 'every' | 'needed'

const isSampled = (): boolean => Math.random() * SAMPLED_ONE_IN < 1

/** Roster that genesis starts with. */
export const genesisRoster = (genesis: SignedGenesis): ValidatorKey[] =>
  sortRoster(genesis.payload.value.topology.filter((one) => one.role === 'validator').map((one) => one.key))

const bad = (height: number, what: string): LedgerError =>
  new LedgerError('snapshot_invalid', `header ${height}: ${what}`)

/** A header whose certificate is not verified yet. */
interface Waiting {
  readonly certified: CertifiedHeader
  readonly committee: Committee
  readonly epoch: number
}

/** Follows a chain of headers upwards. */
export class HeaderChain {
  /** The last header that was taken. */
  tip: BlockHeader
  /** Height up to which certificates prove the chain, without a gap from genesis. */
  provenTo: number
  /** The same, where a block that somebody vouches for counts as proven. */
  certifiedTo: number
  private isVouchedFor = false
  private readonly rosters = new Map<string, readonly ValidatorKey[]>()
  /** Epochs by the height that they act from. */
  private readonly epochs = new Map<number, RosterEpoch>()
  private epoch: RosterEpoch
  /** The last header, while nothing needed its certificate yet. */
  private held: CertifiedHeader | undefined
  /**
   * Which roster and epoch act from which height on, as the headers that were taken say; above a gap that somebody vouched
   * for, those after it. They are as good as the certificates up to there.
   */
  starts: RosterStart[] = []
  private waiting: Waiting[] = []
  /** The batch that is verified meanwhile: what is wrong with it. */
  private verifying: Promise<LedgerError | undefined> = Promise.resolve(undefined)
  private gap = false
  /** What the tip may embed of its parent: known while there is no gap, where every certificate is verified. */
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
    this.knowRoster(genesisRoster(pinned.genesis))
  }

  /** A key list that a header may name by its hash. */
  knowRoster(roster: readonly ValidatorKey[]): void {
    this.rosters.set(keyString(keyListHash(roster)), roster)
  }

  /** An epoch of elected validators that begins at a height; a wrong one only fails its headers. */
  knowEpoch(height: number, epoch: RosterEpoch): void {
    this.epochs.set(height, epoch)
  }

  /** Takes the next header; where its certificate is verified, now or with the ones after it. Throws `snapshot_invalid`. */
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
    // Who votes next is fixed by the last header before.
    if (begins) await this.verifyHeld()
    this.epoch = epoch
    if (roster === undefined) this.gap = true
    if (this.gap || roster === undefined) return
    if (begins || this.verified === 'every' || isSampled()) await this.verify(certified, roster)
    else this.held = certified
    if (begins && !this.gap) this.starts.push({ height, roster, epoch })
  }

  /** Verifies the certificate of the header that was held back. */
  private async verifyHeld(): Promise<void> {
    const [held, roster] = [this.held, this.starts.at(-1)?.roster]
    this.held = undefined
    if (held !== undefined && roster !== undefined) await this.verify(held, roster)
  }

  /** Verifies a certificate, now or with the ones after it. */
  private async verify(certified: CertifiedHeader, roster: readonly ValidatorKey[]): Promise<void> {
    const { header, certificate } = certified
    const { height } = header
    this.held = undefined
    const committee = selectCommittee(roster, this.pinned.chainHash, this.epoch.seed, height)
    if (!sameBytes(committee.hash, header.committeeHash)) {
      // The roster acts again in an epoch that nobody told of.
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
   * What is wrong with the certificate that the tip's body embeds of its parent, its signature too; undefined when nothing
   * is. Another one than the stored one may be embedded. Above a gap the committee of the parent is unknown: only the hash
   * in the header is compared.
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

  /** Somebody vouches for the tip: what it fixes proves the headers after it, whatever was unknown before. */
  async trustTip(): Promise<void> {
    await this.flush()
    this.certifiedTo = this.tip.height
    if (!this.gap) return
    this.gap = false
    this.isVouchedFor = true
    this.starts = []
    this.current = undefined
  }

  /** Verifies what waits: that certificates prove the chain up to the tip, where there is no gap. */
  async flush(): Promise<void> {
    await this.verifyHeld()
    await this.startBatch()
    await this.endBatch()
  }

  /** Verifies what waits from now on, once the batch before it is known to hold. */
  private async startBatch(): Promise<void> {
    await this.endBatch()
    const batch = this.waiting
    this.waiting = []
    this.verifying = this.batchFault(batch)
    // Whether the service failed is told by whoever waits for the batch.
    this.verifying.catch(() => {})
  }

  private async endBatch(): Promise<void> {
    const fault = await this.verifying
    if (fault !== undefined) throw fault
  }

  /** What is wrong with the first bad one of a batch; where all hold, they are proven. */
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
    if (!this.isVouchedFor) this.provenTo = this.certifiedTo
    return undefined
  }
}
