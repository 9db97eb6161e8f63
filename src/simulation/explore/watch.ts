/** Owns the invariants of one node at each step (docs/design/consensus.md 12): 3 to 7, 9, 12, 13 and 18. */

import { errorMessage } from '../../base/thrown.js'
import {
  type ConsensusMessage,
  type ConsensusState,
  type DurableRecord,
  hashKey,
  positionsOf,
  type Report,
} from '../../consensus/index.js'
import type { CertifiedHeader, Evidence } from '../../model/index.js'
import { Broken, cachesWithinBounds, claim } from '../cache-bounds.js'
import { contentOf } from '../checker.js'
import type { LocalState } from './local-state.js'
import type { Messages } from './messages.js'

/** Marks of a state that never decrease. */
interface Marks {
  readonly height: number
  readonly view: number
  readonly high: number
}

const highOf = (certified: CertifiedHeader | undefined): number => certified?.certificate.view ?? -1

/** Invariant 12: the certificates of a node have a quorum of signers of its committee. */
export function signedByMembers(node: number, { context, highPrepare, decided }: ConsensusState): void {
  const { keys, quorum } = context.committee
  for (const certified of [highPrepare, decided]) {
    const signers = certified && positionsOf(certified.certificate.bitmap, keys.length)?.length
    const holds = certified === undefined || (signers ?? 0) >= quorum
    claim(holds, () => `node ${node}: a certificate has ${signers ?? 'unknown'} signers, the quorum is ${quorum}`)
  }
}

/** Checker of one node. Its assertions throw `Broken`. */
export class Watch {
  private readonly faultyKeys: ReadonlySet<string>

  constructor(
    private readonly node: number,
    private readonly messages: Messages,
  ) {
    const { peers, faulty } = messages.setting
    this.faultyKeys = new Set(peers.filter((_, at) => at === faulty))
  }

  private claim(holds: boolean, text: () => string): void {
    claim(holds, () => `node ${this.node}: ${text()}`)
  }

  /** Run a function; an error thrown by the state machine counts as a violated invariant. */
  guarded<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      throw new Broken(`node ${this.node}: ${errorMessage(error)}`)
    }
  }

  ends(holds: boolean): void {
    this.claim(holds, () => 'its own work never ends')
  }

  halted(detail: string): void {
    this.claim(false, () => `halted: ${detail}`)
  }

  marksOf({ context, view, highPrepare }: ConsensusState): Marks {
    return { height: context.height, view, high: highOf(highPrepare) }
  }

  /**
   * Invariant 7: height, view and highest certificate never decrease. Invariant 12: signers are members. Invariant 13:
   * caches are bounded.
   */
  advanced(before: Marks, state: ConsensusState): void {
    const now = this.marksOf(state)
    this.claim(now.height >= before.height, () => `height fell from ${before.height} to ${now.height}`)
    if (now.height === before.height) {
      this.claim(now.view >= before.view, () => `view fell from ${before.view} to ${now.view}`)
      this.claim(now.high >= before.high, () => `highest certificate fell from ${before.high} to ${now.high}`)
    }
    signedByMembers(this.node, state)
    cachesWithinBounds(this.node, state, this.faultyKeys)
  }

  /** Invariants 3 to 6 over the records of this node in their order. */
  persisted({ disk, unsynced, ground }: LocalState, records: readonly DurableRecord[]): void {
    const kept = { timedOut: -1, high: -1 }
    const signed = new Map<string, string>()
    const { height } = ground.context
    const old = [...disk, ...unsynced.flatMap((append) => append.records)].filter((one) => one.value.height === height)
    for (const record of old) this.note(record, kept, signed)
    for (const record of records) {
      this.allowed(record, kept, signed)
      this.note(record, kept, signed)
    }
  }

  private note(record: DurableRecord, kept: { timedOut: number; high: number }, signed: Map<string, string>): void {
    const seen = contentOf(record)
    if (seen !== undefined) signed.set(seen.slot, seen.content)
    if (record.kind === 'timedOut') {
      kept.timedOut = Math.max(kept.timedOut, record.value.timeout.view)
      kept.high = Math.max(kept.high, highOf(record.value.timeout.highPrepare))
    } else if (record.kind === 'locked') kept.high = Math.max(kept.high, highOf(record.value.certified))
    else if (record.kind === 'entered') {
      const { entry, highPrepare } = record.value
      kept.high = Math.max(kept.high, highOf(highPrepare), highOf(entry?.highPrepare))
    }
  }

  private allowed(
    record: DurableRecord,
    { timedOut, high }: { readonly timedOut: number; readonly high: number },
    signed: ReadonlyMap<string, string>,
  ): void {
    const seen = contentOf(record)
    const before = seen && signed.get(seen.slot)
    this.claim(before === undefined || before === seen?.content, () => `two different ${seen?.slot}`)
    if (record.kind === 'prepared' || record.kind === 'locked') {
      const { vote } = record.value
      this.claim(vote.view > timedOut, () => `${vote.phase} vote in view ${vote.view} given up before`)
      if (record.kind !== 'locked') return
      const { certificate } = record.value.certified
      this.claim(certificate.view >= vote.view, () => 'commit vote without its prepare certificate')
      const isSame = hashKey(certificate.blockHash) === hashKey(vote.blockHash)
      this.claim(isSame, () => 'commit vote for another block than its certificate')
    } else if (record.kind === 'timedOut') {
      const named = highOf(record.value.timeout.highPrepare)
      this.claim(named >= high, () => `a timeout names certificate ${named}, ${high} is durable`)
    }
  }

  /** Invariant 9: the basis of a signature is durable before it is sent. Invariant 12: only members sign. */
  sent({ disk, machine }: LocalState, message: ConsensusMessage): void {
    if (message.kind === 'vote' || message.kind === 'timeout' || message.kind === 'proposal') {
      const { committee, height } = machine.context
      const isMember = message.value.height !== height || committee.indexOf.has(machine.self)
      this.claim(isMember, () => `a ${message.kind} at height ${height}, whose committee it is not in`)
    }
    const isDurable = (slot: string): boolean => disk.some((record) => contentOf(record)?.slot === slot)
    if (message.kind === 'vote') {
      const { phase, view, blockHash, height } = message.value
      const isSafe = disk.some(
        (record) =>
          (record.kind === 'prepared' || record.kind === 'locked') &&
          record.value.vote.phase === phase &&
          record.value.vote.view === view &&
          record.value.height === height &&
          hashKey(record.value.vote.blockHash) === hashKey(blockHash),
      )
      this.claim(isSafe, () => `a ${phase} vote of view ${view} left before it was durable`)
    } else if (message.kind === 'timeout') {
      const { view } = message.value
      this.claim(isDurable(`timeout in view ${view}`), () => `a timeout of view ${view} left before it was durable`)
    } else if (message.kind === 'proposal') {
      const { view } = message.value
      this.claim(isDurable(`proposal in view ${view}`), () => `a proposal of view ${view} left before it was durable`)
    }
  }

  /**
   * Check that a certified block is executed with equal roots. Other nodes on the same ground compute the same roots (1
   * and 10 follow from the names).
   */
  committed({ ground, committed }: LocalState, { certificate }: CertifiedHeader): void {
    this.claim(certificate.height === ground.context.height, () => `committed height ${certificate.height}`)
    this.claim(committed === '', () => `committed height ${certificate.height} twice`)
  }

  /** Check that evidence is against a faulty member. */
  accused({ index, proof }: Evidence): void {
    const { faulty } = this.messages.setting
    this.claim(index === faulty, () => `accuses the correct member ${index} of ${proof.kind}`)
  }

  /** Invariant 18: no fault is found in a message of a correct node. */
  reported(report: Report): void {
    if (report.kind === 'dropped' && report.reason === 'fault') {
      const { from, message, why } = report
      this.claim(this.faultyKeys.has(from), () => `a ${message} of a correct member is dropped as a fault: ${why}`)
    }
    if (report.kind === 'badSignature') {
      this.claim(this.faultyKeys.has(report.peer), () => `a bad signature of a correct member: ${report.what}`)
    }
  }
}
