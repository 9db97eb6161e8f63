/** Owns the reading of single blocks from a node, and their text form. */

import type { StreamedBlock } from '../../api/index.js'
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/index.js'
import { getView, optionalView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { pairs } from '../terminal/output.js'
import { isoTime } from '../text/figures.js'

const noBlock = (what: string): LedgerError =>
  new LedgerError('not_found', `the node does not store block ${what}`, { hint: 'causeway status shows its height.' })

const notHeld = ({ from, to }: { readonly from: number; readonly to: number }): LedgerError =>
  new LedgerError('history_pruned', `block ${from}: after genesis, the blocks of this node begin at height ${to + 1}`, {
    details: { first_height: to + 1 },
  })

/** Height of a block by its hash in hex; throws `not_found`. */
export async function heightOfHash(client: CausewayClient, hash: string): Promise<number> {
  const answer = await getView(client, ({ peers }) => peers.commitQc, { params: { hash } })
  const { commit_qc: certificate } = answer
  const height = optionalView(certificate)?.height
  if (typeof height !== 'number') throw noBlock(hash)
  return height
}

/**
 * Blocks of a range of heights in order, both ends included; throws `history_pruned` if the node has pruned one,
 * `not_found` if one does not exist yet.
 */
export async function* blocksOf(client: CausewayClient, from: number, to: number): AsyncGenerator<StreamedBlock, void> {
  const height = await client.height()
  if (to > height) throw noBlock(`${to}: its height is ${height}`)
  const stop = new AbortController()
  try {
    for await (const item of client.blocks({ fromHeight: from, signal: stop.signal })) {
      if (item.kind === 'gap') throw notHeld(item.value)
      yield item.value
      if (item.value.header.height >= to) return
    }
  } finally {
    stop.abort()
  }
}

/** Block of a height; throws `not_found`. */
export async function blockAt(client: CausewayClient, height: number): Promise<StreamedBlock> {
  for await (const block of blocksOf(client, height, height)) return block
  throw noBlock(String(height))
}

/** Kinds of the instructions of an entry. */
function kindsOf(entry: View): string {
  const payload = viewOf(optionalView(entry.transaction)?.payload)
  const instructions = viewsOf(optionalView(payload.executable)?.Instructions)
  return instructions.map((one) => Object.keys(one)[0]).join(' ')
}

/** Format a block for the terminal; `jsonForm` is its JSON form. */
export function blockText({ hash, header, results }: StreamedBlock, jsonForm: Json): string {
  const entries = viewsOf(viewOf(viewOf(viewOf(jsonForm).body).Block).entries)
  const lines = results.map(({ transactionId, outcome, teu }, at) => {
    const entry = entries[at]
    const what = entry === undefined ? 'a trigger' : `lane ${textOf(entry.lane)}  ${kindsOf(entry)}`
    return `${at}  ${Buffer.from(transactionId).toString('hex')}  ${outcome.kind}  ${teu} TEU  ${what}`
  })
  const head = pairs([
    ['height', String(header.height)],
    ['hash', Buffer.from(hash).toString('hex')],
    ['parent', Buffer.from(header.parentHash).toString('hex')],
    ['time', isoTime(header.timeMs)],
    ['view', String(header.originView)],
    ['state root', Buffer.from(header.stateRoot).toString('hex')],
    ['transactions', String(header.transactionCount)],
  ])
  return [head, ...lines].join('\n')
}
