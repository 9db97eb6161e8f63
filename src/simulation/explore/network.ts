/** Owns the network of a small world: everything that was ever sent, what follows from it, and the invariants over it. */
import type { Vote } from '../../consensus/index.js'
import type { CertifiedHeader } from '../../model/index.js'
import { combinations, orders, selections } from './choices.js'
import { Forge } from './forge.js'
import type { NamedBlock } from './ground.js'
import type { Content, Messages } from './messages.js'

type VoteContent = Extract<Content, { kind: 'vote' }>

/** Votes of one phase, view and block. */
interface Tally {
  readonly phase: Vote['phase']
  readonly view: number
  readonly block: string
  readonly height: number
  readonly voters: Set<number>
}

/** A certificate that a quorum of votes, with the faulty member, can form. */
interface Formed {
  readonly view: number
  readonly block: string
  readonly height: number
  readonly id: number
}

const GENESIS = { kind: 'genesis', value: undefined } as const

/** What can be delivered in a set of sent messages. */
export interface Delivery {
  readonly ids: Int32Array
  /** Violated invariant. */
  readonly broken: string | undefined
}

/** Computes deliveries from sets of sent messages. */
export class Network {
  private readonly forge: Forge
  private readonly opening: readonly number[]

  constructor(private readonly messages: Messages) {
    this.forge = new Forge(messages)
    this.opening = this.equivocations()
  }

  private get options() {
    return this.messages.setting.options
  }
  private get faulty(): number {
    return this.messages.setting.faulty
  }
  private get hasFaulty(): boolean {
    return this.faulty >= 0
  }
  private get isReduced(): boolean {
    return this.options.mode === 'reduced'
  }
  private get committee() {
    return this.messages.setting.start.context.committee
  }

  /** Two blocks that a faulty proposer of view 0 proposes. */
  private equivocations(): number[] {
    const { setting } = this.messages
    if (setting.faulty !== 0) return []
    return [0, 1].map((variant) => this.forge.proposal(0, 0, setting.block(setting.start, 0, variant), GENESIS))
  }

  /** Deliverable messages of a set of messages that correct nodes sent. */
  deliveryOf(sent: readonly number[]): Delivery {
    const ids = new Set([...this.opening, ...sent])
    const contents = sent.map((id) => this.messages.at(id).content)
    const votes = contents.filter((one): one is VoteContent => one.kind === 'vote')
    const tallies = this.talliesOf(votes)
    const blocks = this.blocksOf([...ids])
    const prepared = this.formed(tallies, 'prepare')
    const decided = this.formed(tallies, 'commit')
    const broken = this.twiceOf(votes) ?? this.conflictOf(prepared, decided)
    if (this.isReduced || this.hasFaulty) for (const { id } of [...prepared, ...decided]) ids.add(id)
    const rows: number[] = []
    const entries = this.addTimeouts(ids, rows, { sent, prepared })
    this.addVotes(ids, rows, tallies, blocks)
    this.addProposals(ids, blocks, entries)
    if (this.hasFaulty && this.options.forges) this.addForgeries(ids, blocks, prepared)
    for (const name of blocks) ids.add(this.forge.payload(this.forge.blockOf(name)))
    return { ids: Int32Array.from([...ids, ...rows]), broken }
  }

  private talliesOf(votes: readonly VoteContent[]): Tally[] {
    const tallies = new Map<string, Tally>()
    for (const { phase, view, block, index } of votes) {
      const slot = `${phase}:${view}:${block}`
      const { height } = this.forge.blockOf(block).ground.context
      const tally = tallies.get(slot) ?? { phase, view, block, height, voters: new Set<number>() }
      tally.voters.add(index)
      tallies.set(slot, tally)
    }
    return [...tallies.values()]
  }

  /** Names of all blocks in proposals and votes. */
  private blocksOf(ids: readonly number[]): Set<string> {
    const names = new Set<string>()
    for (const id of ids) {
      const { content } = this.messages.at(id)
      if (content.kind === 'proposal' || content.kind === 'vote') names.add(content.block)
    }
    return names
  }

  private formed(tallies: readonly Tally[], phase: Vote['phase']): Formed[] {
    const { forge, faulty, hasFaulty } = this
    return tallies.flatMap((tally) => {
      const block = forge.blockOf(tally.block)
      const { quorum } = block.ground.context.committee
      const signers = [...tally.voters, ...(hasFaulty ? [faulty] : [])].sort((a, b) => a - b)
      if (tally.phase !== phase || signers.length < quorum) return []
      const used = signers.slice(-quorum)
      const from = hasFaulty ? faulty : (used[0] ?? 0)
      const { view, height } = tally
      return [{ view, height, block: tally.block, id: forge.certificate(from, phase, view, block, used) }]
    })
  }

  /** 3: one vote of a member in each phase, view and height. */
  private twiceOf(votes: readonly VoteContent[]): string | undefined {
    const seen = new Map<string, string>()
    for (const { phase, view, index, block } of votes) {
      const { height } = this.forge.blockOf(block).ground.context
      const slot = `${height}:${phase}:${view}:${index}`
      if ((seen.get(slot) ?? block) !== block) return `two ${phase} votes of member ${index} in view ${view}`
      seen.set(slot, block)
    }
    return undefined
  }

  /** 1, 2 and 8 over all certificates that a quorum permits, formed or not. */
  private conflictOf(prepared: readonly Formed[], decided: readonly Formed[]): string | undefined {
    for (const one of decided) {
      for (const other of decided) {
        if (one.height === other.height && one.block !== other.block)
          return `FORK at height ${one.height}: ${one.block} in view ${one.view}, ${other.block} in view ${other.view}`
      }
      for (const other of prepared) {
        if (one.height === other.height && other.view >= one.view && one.block !== other.block)
          return `${other.block} is prepare-certified in view ${other.view} after the commit of ${one.block} in view ${one.view}`
      }
    }
    for (const one of prepared) {
      for (const other of prepared) {
        if (one.height === other.height && one.view === other.view && one.block !== other.block)
          return `two prepare-certified blocks in view ${one.view}: ${one.block}, ${other.block}`
      }
    }
    return undefined
  }

  /** Single votes of the faulty member, or quorums of votes at once. */
  private addVotes(ids: Set<number>, rows: number[], tallies: readonly Tally[], blocks: ReadonlySet<string>): void {
    const { forge, faulty, hasFaulty } = this
    if (!this.isReduced) {
      if (!hasFaulty) return
      for (const name of blocks) {
        for (let view = 0; view <= this.options.views; view++) {
          for (const phase of ['prepare', 'commit'] as const)
            ids.add(forge.vote(faulty, phase, view, forge.blockOf(name)))
        }
      }
      return
    }
    for (const id of [...ids]) if (this.messages.at(id).content.kind === 'vote') ids.delete(id)
    for (const { phase, view, block, voters } of tallies) {
      const members = [...voters, ...(hasFaulty ? [faulty] : [])]
      if (members.length < this.committee.quorum) continue
      rows.push(this.messages.row(members.map((index) => forge.vote(index, phase, view, forge.blockOf(block)))))
    }
  }

  /** Timeouts of the faulty member, timeout certificates, and rows of f + 1 timeouts; returns the certificates. */
  private addTimeouts(
    ids: Set<number>,
    rows: number[],
    by: { readonly sent: readonly number[]; readonly prepared: readonly Formed[] },
  ): number[] {
    const entries: number[] = []
    for (let view = 0; view < this.options.views; view++) {
      const honest = by.sent.filter((id) => {
        const { content } = this.messages.at(id)
        return content.kind === 'timeout' && content.view === view
      })
      const shown = by.prepared.filter((one) => one.view <= view).map(({ id }) => this.forge.certified(id))
      const lying = this.hasFaulty
        ? [undefined, ...shown].map((high) => this.forge.timeout(this.faulty, view, high))
        : []
      if (this.isReduced || this.hasFaulty) entries.push(...this.entriesOf(view, honest, lying, shown))
      if (!this.isReduced) {
        for (const id of lying) ids.add(id)
        continue
      }
      for (const id of honest) ids.delete(id)
      // The order matters: a timeout may bring the certificate that permits a vote before the next one ends the view.
      for (const some of combinations([...honest, ...lying], this.committee.faults + 1)) {
        if (new Set(some.map((id) => this.forge.timeoutOf(id).index)).size < some.length) continue
        for (const row of orders(some)) rows.push(this.messages.row(row))
      }
    }
    for (const id of entries) ids.add(id)
    return entries
  }

  /** Timeout certificates of a view: of any quorum, and forged ones. */
  private entriesOf(
    view: number,
    honest: readonly number[],
    lying: readonly number[],
    shown: readonly CertifiedHeader[],
  ): number[] {
    const { forge, messages, hasFaulty } = this
    const { quorum } = this.committee
    const entries: number[] = []
    for (const group of selections(honest, quorum - (hasFaulty ? 1 : 0))) {
      const joined: (number | undefined)[] = group.length >= quorum ? [undefined, ...lying] : [...lying]
      for (const liar of joined) {
        const members = [...group, ...(liar === undefined ? [] : [liar])].map((id) => forge.timeoutOf(id))
        if (members.length < quorum) continue
        const viewOf = (certified: CertifiedHeader | undefined): number => certified?.certificate.view ?? -1
        const carried = members.reduce<CertifiedHeader | undefined>(
          (best, { highPrepare }) => (viewOf(highPrepare) > viewOf(best) ? highPrepare : best),
          undefined,
        )
        const from = hasFaulty ? this.faulty : (members[0]?.index ?? 0)
        entries.push(forge.timeoutCertificate(from, view, members, carried))
        if (!this.options.forges || !hasFaulty) continue
        for (const lie of [undefined, ...shown]) {
          if (messages.certificate(lie) === messages.certificate(carried)) continue
          const text = `F${view}/${viewOf(carried)}/${messages.certificate(lie)}`
          entries.push(forge.timeoutCertificate(from, view, members, lie, text))
        }
      }
    }
    return entries
  }

  /** Proposals of a faulty proposer of a later view: what a timeout certificate justifies, and when forging what it does not. */
  private addProposals(ids: Set<number>, blocks: Set<string>, entries: readonly number[]): void {
    const { forge, messages } = this
    const { setting } = messages
    if (!this.hasFaulty) return
    for (let view = 1; view <= this.options.views; view++) {
      if (view % this.options.members !== this.faulty) continue
      const fresh = [0, 1].map((variant) => setting.block(setting.start, view, variant))
      for (const entry of entries) {
        const certificate = forge.timeoutCertificateOf(entry)
        if (certificate.view !== view - 1) continue
        const { highPrepare } = certificate
        const carried = highPrepare && setting.blockOf(highPrepare.certificate.blockHash)
        const wanted = carried === undefined ? fresh : [carried, ...(this.options.forges ? fresh : [])]
        for (const block of wanted) {
          ids.add(this.proposedOn(entry, view, block))
          blocks.add(block.name)
        }
      }
    }
  }

  /** Proposal of the faulty member that a timeout certificate justifies, or not. */
  private proposedOn(entry: number, view: number, block: NamedBlock): number {
    const justification = { kind: 'timeout', value: this.forge.timeoutCertificateOf(entry) } as const
    const text = `P${view}:${block.name}:${this.messages.at(entry).text}:b`
    return this.forge.proposal(this.faulty, view, block, justification, text)
  }

  /** Messages of the faulty member that no rule permits: correct members drop all of them. */
  private addForgeries(ids: Set<number>, blocks: ReadonlySet<string>, prepared: readonly Formed[]): void {
    const { forge, faulty } = this
    const { setting } = this.messages
    const named = [...blocks].map((name) => forge.blockOf(name))
    for (let view = 0; view <= this.options.views; view++) {
      for (const block of named) {
        for (const phase of ['prepare', 'commit'] as const) ids.add(forge.lonelyCertificate(faulty, phase, view, block))
      }
      const isOwn = view % this.options.members === faulty
      const fresh = [0, 1].map((variant) => setting.block(setting.start, view, variant))
      // A later view without a timeout certificate, and a view of another proposer.
      if (isOwn === view > 0) {
        for (const block of fresh) ids.add(forge.proposal(faulty, view, block, GENESIS, `Y${view}:${block.name}`))
      }
      const shown = prepared.filter((one) => one.view < view).map(({ id }) => forge.certified(id))
      for (const carried of view === 0 ? [] : [undefined, ...shown]) {
        const block = carried && setting.blockOf(carried.certificate.blockHash)
        for (const times of [1, 3]) {
          const entry = forge.lonelyEntry(faulty, view - 1, carried, times)
          ids.add(entry)
          if (isOwn) for (const one of block === undefined ? fresh : [block]) ids.add(this.proposedOn(entry, view, one))
        }
      }
    }
  }
}
