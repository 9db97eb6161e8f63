/** Owns the trace of a run: lines of what happened, for people. */
import type { ConsensusMessage } from '../consensus/index.js'

/** A line of what happened, for whoever looks into a seed. */
export type Trace = (line: string) => void

/** Bytes as people compare them. */
const shortHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').slice(0, 8)

/** Kind and beginning of a message. */
export function textOf({ kind, value }: ConsensusMessage): string {
  const about = JSON.stringify(value, (_key, part) => {
    if (typeof part === 'bigint') return part.toString()
    if (part instanceof Uint8Array) return shortHex(part)
    return part?.type === 'Buffer' ? shortHex(Buffer.from(part.data)) : part
  })
  return `${kind} ${about.slice(0, 400)}`
}
