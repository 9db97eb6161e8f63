/** Owns the dashboard without a screen: one line per event, or sentences for a screen reader. */

import { durationText } from '../../base/duration-text.js'
import { nameOf } from '../gateway/node-names.js'
import { counted } from '../terminal/output.js'
import { clean } from '../text/escape.js'
import { clockText, count } from '../text/figures.js'
import type { WatchEvent, WatchModel } from './model.js'
import { namedEvent } from './names.js'

/** Interval in which commits are combined into one sentence, in ms: speech cannot keep up with blocks. */
const SENTENCE_MS = 10_000

/** Events of a model after the first `seen` ones; evicted ones are left out. */
export function eventsSince(model: WatchModel, seen: number): readonly WatchEvent[] {
  const fresh = Math.min(model.eventCount - seen, model.events.length)
  return fresh <= 0 ? [] : model.events.slice(-fresh).map((event) => namedEvent(model, event))
}

/** Event as a line. */
export const lineOf = ({ atMs, kind, text, trouble }: WatchEvent): string =>
  `${clockText(atMs)} ${trouble ? '!' : ' '}${kind.padEnd(7)} ${text}`

/** Status of the node, in one line. */
export function standingLine(model: WatchModel): string {
  const { node, consensus, status, refused } = model
  const votes =
    consensus === undefined
      ? []
      : [
          `height ${count(consensus.height)}`,
          `leader ${nameOf(model, consensus.proposer)}`,
          `quorum ${consensus.quorum} of ${consensus.committee.length}`,
        ]
  const queue = status === undefined ? (refused.get('status') ?? 'no status yet') : `queue ${status.queueSize}`
  return `${clockText(model.nowMs)}  NODE    ${nameOf(model, node.validatorKey)} of ${clean(node.chain)}: ${[...votes, queue].join(', ')}`
}

/** Converter from events to sentences, which combines commits. */
export class Sentences {
  private first: number | undefined
  private last = 0
  private transactions = 0
  private sinceMs = 0

  /** Sentences due at this time after these events. */
  take(events: readonly WatchEvent[], nowMs: number): readonly string[] {
    const sentences: string[] = []
    for (const event of events) {
      if (event.kind === 'COMMIT') this.gather(event)
      else sentences.push(...this.flush(), sentenceOf(event))
    }
    if (this.first !== undefined && nowMs - this.sinceMs >= SENTENCE_MS) sentences.push(...this.flush())
    return sentences
  }

  private gather({ fields, atMs }: WatchEvent): void {
    if (this.first === undefined) {
      this.first = Number(fields['height'])
      this.sinceMs = atMs
    }
    this.last = Number(fields['height'])
    this.transactions += Number(fields['transactions'])
  }

  private flush(): readonly string[] {
    if (this.first === undefined) return []
    const heights = this.first === this.last ? `Height ${this.last} was` : `Heights ${this.first} to ${this.last} were`
    const text = `${heights} committed with ${counted(this.transactions, 'transaction')}.`
    this.first = undefined
    this.transactions = 0
    return [text]
  }
}

const OPENINGS: Readonly<Partial<Record<WatchEvent['kind'], string>>> = {
  VIEW: 'View change',
  STALL: 'The chain is stalled',
  MOVES: 'Recovered',
  REJECT: 'Rejected',
  LOST: 'The node does not respond',
  BACK: 'Recovered',
  HALT: 'The node halted',
  PEER: 'Peer',
}

const sentenceOf = ({ kind, text }: WatchEvent): string => `${OPENINGS[kind] ?? 'Event'}: ${text}.`

/** Status of the node, in sentences. */
export function standingSentence(model: WatchModel): string {
  const { node, consensus, status } = model
  if (consensus === undefined) {
    const why = model.refused.get('consensus')
    return `Watching ${clean(node.chain)} at ${node.gateway}.${why === undefined ? '' : ` The consensus status is not available: ${why}.`}`
  }
  const { height, committee, quorum, proposer } = consensus
  const up =
    status === undefined
      ? ''
      : ` The node is up for ${durationText(status.uptimeMs)} and has ${counted(status.queueSize, 'transaction')} in its queue.`
  return `Watching ${clean(node.chain)} at ${node.gateway}. Height ${height} is committed. ${committee.length} validators, quorum ${quorum}. The leader is ${nameOf(model, proposer)}.${up}`
}
