/** Owns the fail points of consensus: around every durable record and every message (docs/design/consensus.md 13). */
import type { ConsensusMessage, DurableRecord } from '../../consensus/index.js'
import { type FailPoint, failPoint } from '../../storage/index.js'

/** Points before a record is appended and after it is on disk. */
const RECORD_POINTS: Readonly<Record<DurableRecord['kind'], readonly [FailPoint, FailPoint]>> = {
  proposed: [10, 11],
  prepared: [20, 21],
  locked: [30, 31],
  timedOut: [40, 41],
  entered: [50, 51],
  decided: [60, 61],
}

/** Append the records of one event, with the fail points before and after. */
export async function appendAtPoints(
  append: (records: readonly DurableRecord[]) => Promise<void>,
  records: readonly DurableRecord[],
): Promise<void> {
  for (const { kind } of records) failPoint(RECORD_POINTS[kind][0])
  await append(records)
  for (const { kind } of records) failPoint(RECORD_POINTS[kind][1])
}

/** Append a large payload to the staging segment, with the fail points before and after. */
export async function stageAtPoints(append: () => Promise<void>): Promise<void> {
  failPoint(62)
  await append()
  failPoint(63)
}

/** Points before a message is sent and after it was passed to the links. */
function messagePoints(message: ConsensusMessage): readonly [FailPoint, FailPoint] {
  switch (message.kind) {
    case 'proposal':
      return [110, 111]
    case 'vote':
      return message.value.phase === 'prepare' ? [120, 121] : [130, 131]
    case 'timeout':
      return [140, 141]
    case 'certificate':
      return message.value.certificate.phase === 'prepare' ? [150, 151] : [160, 161]
    case 'timeoutCertificate':
      return [170, 171]
    default:
      return [180, 181]
  }
}

/** Send a message, with the fail points before and after. */
export function sendAtPoints(message: ConsensusMessage, send: () => void): void {
  const [before, after] = messagePoints(message)
  failPoint(before)
  send()
  failPoint(after)
}
