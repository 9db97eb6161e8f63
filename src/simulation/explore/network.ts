/**
 * Owns the network of a small world: the set of all sent messages, its consequences, and invariants 1 to 3, 8 and 12
 * over it.
 */
import { hashKey, type Vote } from '../../consensus/index.js'
import type { CertifiedHeader } from '../../model/index.js'
import { Adversary } from './adversary.js'
import { combinations, orders, selections } from './choices.js'
import { Forge, type Formed } from './forge.js'
import type { Ground, Setting } from './ground.js'
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

/** Deliverable messages of a set of sent messages. */
export interface Delivery {
  readonly ids: Int32Array
  /** Violated invariant. */
  readonly broken: string | undefined
}

/** Computes deliveries from sets of sent messages. */
export class Network {
  private readonly forge: Forge
  private readonly adversary: Adversary

  constructor(private readonly messages: Messages) {
    this.forge = new Forge(messages)
    this.adversary = new Adversary(messages, this.forge)
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
  /**
   * Deliverable messages of a set of messages sent by correct nodes. `heights`: heights of correct nodes by their
   * numbers, if current statuses are delivered.
   */
  deliveryOf(sent: readonly number[], heights: ReadonlyMap<number, number> = new Map()): Delivery {
    const { adversary } = this
    const contents = sent.map((id) => this.messages.at(id).content)
    const votes = contents.filter((one): one is VoteContent => one.kind === 'vote')
    const tallies = this.talliesOf(votes)
    const prepared = this.formed(tallies, 'prepare')
    const decided = this.formed(tallies, 'commit')
    const grounds = this.groundsOf(decided)
    const broken = this.twiceOf(votes) ?? this.conflictOf(prepared, decided) ?? orderFault(grounds)
    const ids = new Set([...adversary.opening(grounds), ...sent])
    const blocks = this.blocksOf([...ids])
    if (this.isReduced || this.hasFaulty) for (const { id } of [...prepared, ...decided]) ids.add(id)
    const rows: number[] = []
    for (const ground of firstOfHeights(grounds)) {
      const entries = this.addTimeouts(ids, rows, { ground, sent, prepared: prepared.filter(isAt(ground)) })
      if (this.hasFaulty) adversary.addProposals(ids, blocks, { ground, grounds, entries })
    }
    this.addVotes(ids, rows, tallies, blocks)
    if (this.hasFaulty && this.options.forges) {
      for (const ground of grounds) adversary.addForgeries(ids, ground, blocks, prepared.filter(isAt(ground)))
    }
    for (const name of blocks) ids.add(this.forge.payload(this.forge.blockOf(name)))
    for (const id of this.statusesOf(heights)) ids.add(id)
    return { ids: Int32Array.from([...ids, ...rows]), broken }
  }

  /** Grounds of correct members: the first ground, and the grounds above blocks that a quorum of votes can commit. */
  private groundsOf(decided: readonly Formed[]): Ground[] {
    const { setting } = this.messages
    const above = decided.flatMap(({ id }) => setting.groundAbove(this.forge.certified(id).certificate) ?? [])
    return [...new Set([setting.start, ...above])]
  }

  /** Current statuses: correct nodes report their height, the faulty node any height. */
  private statusesOf(heights: ReadonlyMap<number, number>): number[] {
    const { forge, faulty, messages, options } = this
    const first = messages.setting.start.context.height
    const statuses = [...heights].map(([number, height]) => forge.status(number, height))
    if (heights.size === 0 || !this.hasFaulty) return statuses
    return [...statuses, ...Array.from({ length: options.heights + 1 }, (_, at) => forge.status(faulty, first + at))]
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
    const { forge, faulty, hasFaulty, adversary } = this
    return tallies.flatMap((tally) => {
      const block = forge.blockOf(tally.block)
      const { quorum } = block.ground.context.committee
      const byzantine = adversary.signerAt(block.ground)
      const signers = [...tally.voters, ...(byzantine === undefined ? [] : [byzantine.position])].sort((a, b) => a - b)
      if (tally.phase !== phase || signers.length < quorum) return []
      const used = signers.slice(-quorum)
      const from = hasFaulty ? faulty : nodeAt(block.ground, this.messages.setting, used[0] ?? 0)
      const { view, height } = tally
      return [{ view, height, block: tally.block, id: forge.certificate(from, phase, view, block, used) }]
    })
  }

  /** Invariant 3: at most one vote of a member in each phase, view and height. */
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

  /** Invariants 1, 2 and 8 over all certificates that a quorum can form, formed or not. */
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

  /** Add single votes of the faulty member, or quorums of votes at once. */
  private addVotes(ids: Set<number>, rows: number[], tallies: readonly Tally[], blocks: ReadonlySet<string>): void {
    const { forge, adversary } = this
    if (!this.isReduced) {
      for (const name of blocks) {
        const block = forge.blockOf(name)
        const byzantine = adversary.signerAt(block.ground)
        for (let view = 0; byzantine !== undefined && view <= this.options.views; view++) {
          for (const phase of ['prepare', 'commit'] as const) ids.add(forge.vote(byzantine, phase, view, block))
        }
      }
      return
    }
    for (const id of [...ids]) if (this.messages.at(id).content.kind === 'vote') ids.delete(id)
    const { setting } = this.messages
    for (const { phase, view, block: name, voters } of tallies) {
      const block = forge.blockOf(name)
      const byzantine = adversary.signerAt(block.ground)
      const members = [...voters].map((position) => ({ position, from: nodeAt(block.ground, setting, position) }))
      if (byzantine !== undefined) members.push(byzantine)
      if (members.length < block.ground.context.committee.quorum) continue
      rows.push(this.messages.row(members.map((member) => forge.vote(member, phase, view, block))))
    }
  }

  /** Add timeouts of the faulty member, timeout certificates, and rows of f + 1 timeouts; returns the certificates. */
  private addTimeouts(
    ids: Set<number>,
    rows: number[],
    by: { readonly ground: Ground; readonly sent: readonly number[]; readonly prepared: readonly Formed[] },
  ): number[] {
    const { ground } = by
    const { committee, height } = ground.context
    const byzantine = this.adversary.signerAt(ground)
    const entries: number[] = []
    for (let view = 0; view < this.options.views; view++) {
      const honest = by.sent.filter((id) => {
        const { content } = this.messages.at(id)
        return content.kind === 'timeout' && content.view === view && content.height === height
      })
      const shown = by.prepared.filter((one) => one.view <= view).map(({ id }) => this.forge.certified(id))
      const forged =
        byzantine === undefined
          ? []
          : [undefined, ...shown].map((high) => this.forge.timeout(ground, byzantine, view, high))
      if (this.isReduced || this.hasFaulty) entries.push(...this.entriesOf(ground, view, { honest, forged, shown }))
      if (!this.isReduced) {
        for (const id of forged) ids.add(id)
        continue
      }
      for (const id of honest) ids.delete(id)
      // The order matters: a timeout may bring the certificate that permits a vote before the next one ends the view.
      for (const some of combinations([...honest, ...forged], committee.faults + 1)) {
        if (new Set(some.map((id) => this.forge.timeoutOf(id).index)).size < some.length) continue
        for (const row of orders(some)) rows.push(this.messages.row(row))
      }
    }
    for (const id of entries) ids.add(id)
    return entries
  }

  /** Timeout certificates of a view, of any quorum and forged. */
  private entriesOf(
    ground: Ground,
    view: number,
    by: {
      readonly honest: readonly number[]
      readonly forged: readonly number[]
      readonly shown: readonly CertifiedHeader[]
    },
  ): number[] {
    const { forge, messages, adversary } = this
    const { quorum } = ground.context.committee
    const byzantine = adversary.signerAt(ground)
    const entries: number[] = []
    for (const group of selections(by.honest, quorum - (byzantine === undefined ? 0 : 1))) {
      const joined: (number | undefined)[] = group.length >= quorum ? [undefined, ...by.forged] : [...by.forged]
      for (const one of joined) {
        const timeouts = [...group, ...(one === undefined ? [] : [one])].map((id) => forge.timeoutOf(id))
        if (timeouts.length < quorum) continue
        const viewOf = (certified: CertifiedHeader | undefined): number => certified?.certificate.view ?? -1
        const carried = timeouts.reduce<CertifiedHeader | undefined>(
          (best, { highPrepare }) => (viewOf(highPrepare) > viewOf(best) ? highPrepare : best),
          undefined,
        )
        const from = byzantine?.from ?? nodeAt(ground, messages.setting, timeouts[0]?.index ?? 0)
        entries.push(forge.timeoutCertificate(ground, from, view, { timeouts, carried }))
        if (!this.options.forges || byzantine === undefined) continue
        for (const forgery of [undefined, ...by.shown]) {
          if (messages.certificate(forgery) === messages.certificate(carried)) continue
          const text = `F${view}/${viewOf(carried)}/${messages.certificate(forgery)}`
          entries.push(forge.timeoutCertificate(ground, from, view, { timeouts, carried: forgery }, text))
        }
      }
    }
    return entries
  }
}

/** Invariant 12: nodes above the same block agree on the order, with whichever certificate they committed it. */
function orderFault(grounds: readonly Ground[]): string | undefined {
  const orders = new Map<string, string>()
  for (const { context } of grounds) {
    const parent = hashKey(context.parentHash)
    const order = context.order.join()
    if ((orders.get(parent) ?? order) !== order) return `two proposer orders at height ${context.height}`
    orders.set(parent, order)
  }
  return undefined
}

const isAt =
  ({ context }: Ground) =>
  ({ height }: Formed): boolean =>
    height === context.height

/** One ground of each height; messages about views do not identify the blocks below. */
const firstOfHeights = (grounds: readonly Ground[]): Ground[] => [
  ...new Map([...grounds].reverse().map((ground) => [ground.context.height, ground])).values(),
]

/** Number of the node at a position of the committee of a height. */
const nodeAt = ({ context }: Ground, { peers }: Setting, position: number): number =>
  peers.indexOf(context.committee.keys[position] ?? '')
