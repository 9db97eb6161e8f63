/**
 * Owns the messages of the faulty member of a small world besides votes and timeouts: justified and unjustified
 * proposals, and forged certificates.
 */
import type { Justification } from '../../consensus/index.js'
import type { Forge, Formed, Signer } from './forge.js'
import type { Ground, NamedBlock } from './ground.js'
import type { Messages } from './messages.js'

/** Messages of the faulty member; empty if there is none. */
export class Adversary {
  constructor(
    private readonly messages: Messages,
    private readonly forge: Forge,
  ) {}

  private get setting() {
    return this.messages.setting
  }
  private get options() {
    return this.setting.options
  }

  /** The faulty member at a height; undefined if it is not in the committee, or if all members are correct. */
  signerAt({ context }: Ground): Signer | undefined {
    const from = this.setting.faulty
    const position = from < 0 ? undefined : context.committee.indexOf.get(this.setting.peers[from] ?? '')
    return position === undefined ? undefined : { position, from }
  }

  private proposesIn(ground: Ground, view: number): boolean {
    const { order } = ground.context
    return order[view % order.length] === this.setting.peers[this.setting.faulty]
  }

  /** Two blocks that a faulty proposer of view 0 proposes on each of these grounds. */
  opening(grounds: readonly Ground[]): number[] {
    return grounds.flatMap((ground) => {
      const byzantine = this.signerAt(ground)
      if (byzantine === undefined || !this.proposesIn(ground, 0)) return []
      return this.fresh(ground, 0).map((block) => this.forge.proposal(byzantine, 0, block, justificationOf(ground)))
    })
  }

  private fresh(ground: Ground, view: number): NamedBlock[] {
    return [0, 1].map((variant) => this.setting.block(ground, view, variant))
  }

  /**
   * Add proposals of a faulty proposer of a later view: proposals justified by a timeout certificate, and with forging
   * also unjustified ones.
   */
  addProposals(
    ids: Set<number>,
    blocks: Set<string>,
    by: { readonly ground: Ground; readonly grounds: readonly Ground[]; readonly entries: readonly number[] },
  ): void {
    const { forge, setting } = this
    const { height } = by.ground.context
    for (let view = 1; view <= this.options.views; view++) {
      if (!this.proposesIn(by.ground, view)) continue
      const fresh = by.grounds
        .filter(({ context }) => context.height === height)
        .flatMap((ground) => this.fresh(ground, view))
      for (const entry of by.entries) {
        const certificate = forge.timeoutCertificateOf(entry)
        if (certificate.view !== view - 1) continue
        const { highPrepare } = certificate
        const carried = highPrepare && setting.blockOf(highPrepare.certificate.blockHash)
        const wanted = carried === undefined ? fresh : [carried, ...(this.options.forges ? fresh : [])]
        for (const block of wanted) {
          this.addProposedOn(ids, entry, view, block)
          blocks.add(block.name)
        }
      }
    }
  }

  /** Add a proposal of the faulty member on a timeout certificate, justified by it or not. */
  private addProposedOn(ids: Set<number>, entry: number, view: number, block: NamedBlock): void {
    const byzantine = this.signerAt(block.ground)
    if (byzantine === undefined) return
    const justification = { kind: 'timeout', value: this.forge.timeoutCertificateOf(entry) } as const
    const text = `${block.ground.tag}P${view}:${block.name}:${this.messages.at(entry).text}:b`
    ids.add(this.forge.proposal(byzantine, view, block, justification, text))
  }

  /** Add messages of the faulty member that the rules do not permit; correct members drop all of them. */
  addForgeries(ids: Set<number>, ground: Ground, blocks: ReadonlySet<string>, prepared: readonly Formed[]): void {
    const { forge, setting } = this
    const byzantine = this.signerAt(ground)
    if (byzantine === undefined) return
    const named = [...blocks].map((name) => forge.blockOf(name)).filter((block) => block.ground === ground)
    for (let view = 0; view <= this.options.views; view++) {
      for (const block of named) {
        for (const phase of ['prepare', 'commit'] as const)
          ids.add(forge.lonelyCertificate(byzantine, phase, view, block))
      }
      const isOwn = this.proposesIn(ground, view)
      const fresh = this.fresh(ground, view)
      // A later view without a timeout certificate, and a view of another proposer.
      if (isOwn === view > 0) {
        for (const block of fresh) {
          const text = `${ground.tag}Y${view}:${block.name}`
          ids.add(forge.proposal(byzantine, view, block, justificationOf(ground), text))
        }
      }
      const shown = prepared.filter((one) => one.view < view).map(({ id }) => forge.certified(id))
      for (const carried of view === 0 ? [] : [undefined, ...shown]) {
        const block = carried && setting.blockOf(carried.certificate.blockHash)
        for (const times of [1, 3]) {
          const entry = forge.lonelyEntry(ground, byzantine, view - 1, carried, times)
          ids.add(entry)
          for (const one of isOwn ? (block === undefined ? fresh : [block]) : []) {
            this.addProposedOn(ids, entry, view, one)
          }
        }
      }
    }
  }
}

/** Justification of view 0 of a height. */
const justificationOf = ({ context }: Ground): Justification =>
  context.parentCertificate === undefined
    ? { kind: 'genesis', value: undefined }
    : { kind: 'commit', value: context.parentCertificate }
