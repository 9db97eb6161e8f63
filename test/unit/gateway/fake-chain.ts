/** Owns blocks as the ledger stores them, for tests of streams: real records, made-up roots. */

import { EVENT_MESSAGE_FRAME, type EventMessage, eventMessage } from '../../../src/api/index.js'
import type { StoredBlock } from '../../../src/api/services.js'
import { events as assetEvents } from '../../../src/features/assets/schema/events.js'
import { events as domainEvents } from '../../../src/features/domains/schema.js'
import {
  type BlockHeader,
  composeBody,
  type DataEvent,
  event,
  hashOfHeader,
  type QuorumCertificate,
  signedTransaction,
  transactionId,
  ZERO_HASH,
} from '../../../src/model/index.js'
import { BLANK_HEADER } from '../../support/headers.js'
import { accountOf, alice, bob, CHAIN, CODEC, signedBytes } from './support.js'

/** An event of a transaction of alice's. */
export const moved = (amount: bigint): DataEvent =>
  event(assetEvents.transferred, {
    asset: { definition: 'eur#d000', account: accountOf(alice) },
    to: accountOf(bob),
    amount: { mantissa: amount, scale: 0 },
  })

/** A domain that came into being. */
export const founded = (domain: string): DataEvent =>
  event(domainEvents.domainCreated, { domain, owner: accountOf(bob) })

/** Entries of a block: what each transaction caused, or that it was rejected. */
export type Entry = readonly DataEvent[] | 'rejected'

/** A block of this height. */
export async function blockAt(height: number, entries: readonly Entry[] = []): Promise<StoredBlock> {
  const records = await Promise.all(entries.map((_, at) => signedBytes(height * 1_000 + at + 1)))
  const ids = records.map((record) => {
    const decoded = signedTransaction.decode(record, CODEC)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    return transactionId(decoded.value.payload.bytes)
  })
  const header: BlockHeader = {
    ...BLANK_HEADER,
    chain: CHAIN,
    height,
    parentHash: ZERO_HASH,
    originView: 0,
    originProposer: 'p'.repeat(48),
    timeMs: 1_700_000_000_000 + height,
    transactionCount: entries.length,
    stateRoot: Buffer.alloc(32, height % 256),
  }
  const certificate: QuorumCertificate = {
    phase: 'commit',
    height,
    view: 0,
    blockHash: hashOfHeader(header),
    committeeHash: ZERO_HASH,
    bitmap: Buffer.of(0b111),
    aggregate: Buffer.alloc(96, 4),
  }
  const body = composeBody(
    undefined,
    [],
    records.map((bytes) => ({ lane: 0, dataspace: 0n, bytes })),
  )
  return {
    block: { header, certificate, body },
    outcome: {
      results: ids.map((id, at) => ({
        transactionId: id,
        outcome:
          entries[at] === 'rejected'
            ? { kind: 'rejected', value: { code: 9, instruction: 0 } }
            : { kind: 'approved', value: undefined },
        teu: 10,
      })),
      events: entries.flatMap((entry, at) =>
        entry === 'rejected' ? [] : entry.map((event) => ({ entry: at, event })),
      ),
      texts: [],
    },
  }
}

/** Blocks from a height to another, each with one transfer. */
export const blocksBetween = (from: number, to: number): Promise<StoredBlock[]> =>
  Promise.all(Array.from({ length: to - from + 1 }, (_, at) => blockAt(from + at, [[moved(BigInt(from + at))]])))

/** A message of `/events` in either form. */
export function messageOf(data: Buffer, isBinary: boolean): EventMessage {
  const decoded = isBinary ? EVENT_MESSAGE_FRAME.open(data, CODEC) : eventMessage.parseJson(data, CODEC)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}

/** Id of an event, or the name of another message. */
export const labelOf = (message: EventMessage): string =>
  message.kind === 'event' ? (message.value.id ?? 'pending') : message.kind
