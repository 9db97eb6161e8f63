/** Owns the vocabulary of event filters: kinds and subjects, from the declarations of events. */

import { unknownKind, unknownWord } from '../api/answers.js'
import { EVENT_STATUSES, type EventFilter } from '../api/index.js'
import { type CodecContext, pascalCase } from '../codec/index.js'
import { EVENT_SUBJECTS } from '../features/composed.js'
import { EVENT_REGISTRY, type LedgerError } from '../model/index.js'

const ALL_KINDS = 'Run `causeway codec schema`, which lists all events.'

export class EventNames {
  private readonly kinds: ReadonlySet<string>
  private readonly subjects: ReadonlySet<string>

  constructor(codec: CodecContext) {
    const entries = codec.registries?.[EVENT_REGISTRY]?.entries ?? []
    // Events of blocks and transactions have the name of their status.
    this.kinds = new Set([...EVENT_STATUSES.map(pascalCase), ...entries.map(({ kind }) => pascalCase(kind))])
    this.subjects = new Set(['block', 'transaction', ...EVENT_SUBJECTS.values()])
  }

  /** Reason why a filter cannot match any event: a kind or subject that no event has. */
  fault({ kind, subject }: EventFilter): LedgerError | undefined {
    if (kind !== undefined && !this.kinds.has(kind)) return unknownKind('kind', kind, [...this.kinds], ALL_KINDS)
    if (subject !== undefined && !this.subjects.has(subject)) return unknownWord('subject', subject, [...this.subjects])
    return undefined
  }
}
