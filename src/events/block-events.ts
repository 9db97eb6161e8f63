/**
 * Owns the events of a block, in order: events of each transaction and its outcome, events of the block itself, the
 * block.
 */
import {
  formatPosition,
  type StreamEvent,
  type StreamEventBody,
  streamEvent,
  type TransactionEvent,
} from '../api/index.js'
import type { BlockHistory, PendingChange, StoredBlock } from '../api/services.js'
import { type CodecContext, type Json, pascalCase, toHex } from '../codec/index.js'
import { EVENT_SUBJECTS } from '../features/composed.js'
import {
  type BlockEntry,
  blockBody,
  type EntryOutcome,
  EVENT_REGISTRY,
  GENESIS_HEIGHT,
  hashOfHeader,
  type RecordedEvent,
  rejectionOf,
} from '../model/index.js'
import { type EventIds, IdFinder } from './event-ids.js'
import { EventItem, type EventTraits } from './event-item.js'

const NO_IDS: EventIds = { accounts: new Set(), assets: new Set(), domains: new Set() }

/** Results of the contract calls in an entry, without their hashes. */
function calledOf(outcome: EntryOutcome): TransactionEvent['called'] {
  if (outcome.kind !== 'called') return undefined
  const { trap, abortCode, gasUsed } = outcome.value
  return { trap, abortCode, gasUsed }
}

type EventJson = { readonly event: Readonly<Record<string, Readonly<Record<string, Json>>>> }

/** Create events from stored blocks. */
export class EventMaker {
  private readonly finder: IdFinder

  constructor(
    private readonly codec: CodecContext,
    private readonly errorName: BlockHistory['errorName'],
  ) {
    this.finder = new IdFinder(codec.registries?.[EVENT_REGISTRY])
  }

  /** All events of a block, numbered. */
  ofBlock({ block, outcome }: StoredBlock): EventItem[] {
    const { header, certificate } = block
    const { height, timeMs } = header
    const entries = height === GENESIS_HEIGHT ? [] : this.entriesOf(block.body, height)
    const items: EventItem[] = []
    const add = (event: StreamEventBody): void => {
      const position = { height, index: items.length }
      items.push(this.item({ id: formatPosition(position), timeMs, event }, position))
    }
    const byEntry = new Map<number, RecordedEvent[]>()
    for (const recorded of outcome.events) {
      const entry = Math.min(recorded.entry, entries.length)
      const own = byEntry.get(entry)
      if (own === undefined) byEntry.set(entry, [recorded])
      else own.push(recorded)
    }
    const addState = (recorded: readonly RecordedEvent[] | undefined, transaction: Uint8Array | undefined): void => {
      for (const { event } of recorded ?? []) {
        add({ kind: 'data', value: { subject: EVENT_SUBJECTS.get(event.kind), transaction, event } })
      }
    }
    let rejected = 0
    for (const [index, { lane, dataspace, transaction }] of entries.entries()) {
      const result = outcome.results[index]
      if (result === undefined) throw new Error(`block ${height} has no result of transaction ${index}`)
      addState(byEntry.get(index), result.transactionId)
      const { authority } = transaction.value.payload.value
      const refused = rejectionOf(result.outcome)
      if (refused !== undefined) rejected += 1
      const value: TransactionEvent = {
        status: refused === undefined ? 'approved' : 'rejected',
        hash: result.transactionId,
        authority,
        lane,
        dataspace,
        blockHeight: height,
        index,
        rejection: refused && {
          code: this.errorName(refused.code) ?? String(refused.code),
          instruction: refused.instruction,
        },
        called: calledOf(result.outcome),
      }
      add({ kind: 'transaction', value })
    }
    addState(byEntry.get(entries.length), undefined)
    add({
      kind: 'block',
      value: {
        status: 'committed',
        height,
        hash: hashOfHeader(header),
        parentHash: header.parentHash,
        view: certificate?.view ?? 0,
        stateRoot: header.stateRoot,
        transactions: entries.length,
        rejected,
      },
    })
    return items
  }

  /** Event of a transaction that is not in a block. */
  ofPending({ hash, status, authority, lane, dataspace, atMs }: PendingChange): EventItem {
    const none = { blockHeight: undefined, index: undefined, rejection: undefined, called: undefined }
    const value: TransactionEvent = { status, hash, authority, lane, dataspace, ...none }
    return this.item({ id: undefined, timeMs: atMs, event: { kind: 'transaction', value } }, undefined)
  }

  private entriesOf(body: Uint8Array, height: number): readonly BlockEntry[] {
    const decoded = blockBody.decode(body, this.codec)
    if (!decoded.ok) throw new Error(`the body of block ${height} does not decode: ${decoded.fault.message}`)
    return decoded.value.entries
  }

  private item(record: StreamEvent, position: EventItem['position']): EventItem {
    const jsonForm = streamEvent.toJson(record, this.codec)
    return new EventItem(
      record,
      position,
      this.traitsOf(record, jsonForm as EventJson, position?.height),
      jsonForm,
      this.codec,
    )
  }

  private traitsOf({ event }: StreamEvent, jsonForm: EventJson, height: number | undefined): EventTraits {
    const nowhere = { transaction: undefined, lane: undefined, dataspace: undefined, height }
    switch (event.kind) {
      case 'block': {
        const { status } = event.value
        return { ...nowhere, category: 'block', subject: 'block', kind: pascalCase(status), status, ids: NO_IDS }
      }
      case 'transaction': {
        const { status, hash, lane, dataspace } = event.value
        const authority = jsonForm.event['Transaction']?.['authority'] as string
        return {
          category: 'transaction',
          subject: 'transaction',
          kind: pascalCase(status),
          status,
          ids: { ...NO_IDS, accounts: new Set([authority]) },
          transaction: toHex(hash),
          height,
          lane,
          dataspace,
        }
      }
      case 'data': {
        const { subject, transaction, event: change } = event.value
        const kind = pascalCase(change.kind)
        const body = (jsonForm.event['Data']?.['event'] as Readonly<Record<string, Json>> | undefined)?.[kind] ?? null
        return {
          ...nowhere,
          category: 'data',
          subject,
          kind,
          status: undefined,
          ids: this.finder.find(change.kind, body),
          transaction: transaction === undefined ? undefined : toHex(transaction),
        }
      }
    }
  }
}
