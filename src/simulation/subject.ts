/** Owns the subject of a message: kind, height and view for schedulers, and its line in a trace. */
import type { ConsensusMessage } from '../consensus/index.js'

/** Kind of a message, with votes and certificates by phase. */
export type Kind =
  | 'proposal'
  | 'prepare'
  | 'commit'
  | 'timeout'
  | 'prepareCertificate'
  | 'commitCertificate'
  | 'timeoutCertificate'
  | 'status'
  | 'payload'
  | 'sync'

export interface Subject {
  readonly kind: Kind
  /** 0 if the message has none. */
  readonly height: number
  readonly view: number
}

export function subjectOfMessage(message: ConsensusMessage): Subject {
  switch (message.kind) {
    case 'proposal':
      return { kind: 'proposal', height: message.value.height, view: message.value.view }
    case 'vote':
      return { kind: message.value.phase, height: message.value.height, view: message.value.view }
    case 'timeout':
      return { kind: 'timeout', height: message.value.height, view: message.value.view }
    case 'certificate': {
      const { phase, height, view } = message.value.certificate
      return { kind: `${phase}Certificate`, height, view }
    }
    case 'timeoutCertificate':
      return { kind: 'timeoutCertificate', height: message.value.height, view: message.value.view }
    case 'status':
      return { kind: 'status', height: message.value.height, view: message.value.view }
    case 'payloadRequest':
    case 'payloadResponse':
    case 'recordRequest':
    case 'recordResponse':
    case 'rbcInit':
    case 'rbcChunk':
    case 'rbcReady':
    case 'rbcDeliver':
    case 'rbcRequest':
      return { kind: 'payload', height: message.value.height, view: 0 }
    case 'syncRequest':
      return { kind: 'sync', height: message.value.from, view: 0 }
    case 'syncResponse':
      return { kind: 'sync', height: message.value.blocks[0]?.header.height ?? 0, view: 0 }
  }
}

/** Trace line for debugging a seed. */
export type Trace = (line: string) => void

/** Shortened hex for display. */
const shortHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').slice(0, 8)

/** Kind and main fields of a message. */
export function textOf({ kind, value }: ConsensusMessage): string {
  const about = JSON.stringify(value, (_key, part) => {
    if (typeof part === 'bigint') return part.toString()
    if (part instanceof Uint8Array) return shortHex(part)
    return part?.type === 'Buffer' ? shortHex(Buffer.from(part.data)) : part
  })
  return `${kind} ${about.slice(0, 400)}`
}
