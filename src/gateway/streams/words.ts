/** Owns the vocabulary of event filters: kinds and families, from the registry and the feature list. */
import { EVENT_STATUSES, type EventFilter } from '../../api/index.js'
import { type CodecContext, pascalCase } from '../../codec/index.js'
import { FEATURE_OF_EVENT } from '../../features/composed.js'
import { unknownWord } from '../../features/responses.js'
import { EVENT_REGISTRY, type LedgerError } from '../../model/index.js'
import { UNKNOWN_FAMILY } from './block-events.js'

export class EventWords {
  private readonly kinds: ReadonlySet<string>
  private readonly families: ReadonlySet<string>

  constructor(codec: CodecContext) {
    const entries = codec.registries?.[EVENT_REGISTRY]?.entries ?? []
    // Events of blocks and transactions have the name of the standing that they tell of.
    this.kinds = new Set([...EVENT_STATUSES.map(pascalCase), ...entries.map(({ kind }) => pascalCase(kind))])
    this.families = new Set(['block', 'transaction', UNKNOWN_FAMILY, ...FEATURE_OF_EVENT.values()])
  }

  /** Why a filter can match nothing: a word that no event has. */
  fault({ kind, family }: EventFilter): LedgerError | undefined {
    if (kind !== undefined && !this.kinds.has(kind)) return unknownWord('kind', kind, [...this.kinds])
    if (family !== undefined && !this.families.has(family)) return unknownWord('family', family, [...this.families])
    return undefined
  }
}
