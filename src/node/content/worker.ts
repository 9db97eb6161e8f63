/** Owns the entry point of the content thread: large transaction records, one after the other. */
import { serveJobs } from '../../crypto/index.js'
import type { TransactionLimits } from '../../executor/index.js'
import { ABIS } from '../../features/abi.js'
import { type ContentAnswer, contentOf } from './content.js'

/** Record to read, with the names of the rules for it; its memory is transferred. */
export interface ContentJob {
  readonly record: ArrayBuffer
  readonly abi: number
  readonly addressPrefix: string
  readonly chain: string
  readonly limits: TransactionLimits
  readonly timeMs: number
  readonly lanesEnabled: boolean
}

serveJobs(({ record, abi: number, addressPrefix, ...rules }: ContentJob): ContentAnswer => {
  const abi = ABIS.get(number)
  if (abi === undefined) throw new Error(`the content thread does not support ABI ${number}`)
  return contentOf({ ...rules, abi, codec: abi.codec(addressPrefix) }, new Uint8Array(record))
})
