/** Owns shared parts of commands that print a stream: end condition and item format. */
import { Flags } from '@oclif/core'
import type { EventFilter, StreamEvent } from '../../api/index.js'
import { shortId } from '../../base/ids.js'
import { sleep } from '../../base/sleep.js'
import type { CodecContext, Json } from '../../codec/index.js'
import { accountFlag, assetFlag } from '../input/texts.js'
import { usageError } from '../terminal/failure.js'
import { INTERRUPTED, interruptible } from '../terminal/interrupt.js'
import { counted, type Output } from '../terminal/output.js'
import { leaveWithReader } from '../terminal/standard-output.js'
import type { View } from './gateway.js'

export const tailFlags = {
  limit: Flags.integer({ char: 'n', description: 'exit after this many lines', min: 1, helpValue: 'N' }),
}

/** Read a stream until it ends, the limit is reached or the user interrupts; returns the exit code. */
export function follow<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  limit: number | undefined,
  print: (item: T) => void,
): Promise<number> {
  leaveWithReader()
  return interruptible(async (signal) => {
    let left = limit ?? Number.POSITIVE_INFINITY
    for await (const item of open(signal)) {
      print(item)
      left -= 1
      if (left <= 0) break
    }
    return signal.aborted ? INTERRUPTED : 0
  })
}

/** Delay between two polls of an object, in ms. */
const POLL_MS = 500

/** Object whose changes are followed. */
interface Followed {
  readonly read: () => Promise<View>
  /** Line that differs after each change. */
  readonly changeOf: (view: View) => string
  /** Text of a change if it needs lookups; by default its line. */
  readonly textOf?: (view: View) => Promise<string>
  readonly isLast: (view: View) => boolean
}

/** Poll an object and print each change until the last one or until the user interrupts; returns the exit code. */
export function followChanges(out: Output, { read, changeOf, textOf, isLast }: Followed): Promise<number> {
  leaveWithReader()
  return interruptible(async (signal) => {
    for (let shown = ''; !signal.aborted; ) {
      const view = await read()
      const change = changeOf(view)
      if (change !== shown) out.line(view as Json, out.json ? change : ((await textOf?.(view)) ?? change))
      shown = change
      if (isLast(view)) return 0
      await sleep(POLL_MS, { signal })
    }
    return INTERRUPTED
  })
}

export const filterFlags = {
  category: Flags.option({
    options: ['block', 'transaction', 'data'] as const,
    description: 'category of the events',
  })(),
  subject: Flags.string({ description: 'kind of object of the events, such as asset or account' }),
  kind: Flags.string({ description: 'name of an event, such as Transferred' }),
  status: Flags.option({
    options: ['committed', 'approved', 'rejected', 'queued', 'expired'] as const,
    description: 'status of a transaction or a block',
  })(),
  account: accountFlag({ description: 'address of an account' }),
  asset: assetFlag({ description: 'asset definition, name#domain' }),
  domain: Flags.string({ description: 'domain' }),
  transaction: Flags.string({ description: 'hash of a transaction' }),
}

/** Event filter of these flags; undefined without flags. Throws `usage` for an invalid value. */
export function filterOf(
  flags: { readonly [name in keyof typeof filterFlags]?: string | undefined },
  codec: CodecContext,
  schema: typeof import('../../api/index.js').eventFilter,
): EventFilter | undefined {
  const given = Object.keys(filterFlags).flatMap((name) => {
    const value = flags[name as keyof typeof filterFlags]
    if (value === undefined) return []
    // Enum values are capitalised in JSON.
    const word = name === 'category' || name === 'status' ? value[0]!.toUpperCase() + value.slice(1) : value
    return [[name, word] as const]
  })
  if (given.length === 0) return undefined
  const filter = schema.fromJson(Object.fromEntries(given), codec)
  if (filter.ok) return filter.value
  throw usageError(`--${filter.fault.path ?? 'filter'}: ${filter.fault.message}`)
}

/** Event on one line; `jsonForm` is its JSON form. */
export function eventLine({ id, event }: StreamEvent, jsonForm: unknown): string {
  const place = (id ?? '-').padEnd(10)
  switch (event.kind) {
    case 'block': {
      const { height, hash, transactions, rejected } = event.value
      return `${place} block ${height} ${shortId(Buffer.from(hash).toString('hex'))} ${counted(Number(transactions), 'transaction')}, ${rejected} rejected`
    }
    case 'transaction': {
      const { status, hash, rejection } = event.value
      const why = rejection === undefined ? '' : ` [${rejection.code}]`
      return `${place} transaction ${Buffer.from(hash).toString('hex')} ${status}${why}`
    }
    case 'data': {
      const change = (jsonForm as { event: { Data: { event: Record<string, unknown> } } }).event.Data.event
      const [[name, body] = ['', {}]] = Object.entries(change)
      return `${place} ${name} ${JSON.stringify(body)}`
    }
  }
}
