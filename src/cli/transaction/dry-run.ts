/** Owns dry runs on the command line: the request to the node, and the text of its response. */
import type { CausewayClient } from '../../client/index.js'
import type { CodecContext } from '../../codec/index.js'
import type { ErrorCode } from '../../model/errors.js'
import { isErrorCode, type TransactionPayload, transactionPayload } from '../../model/index.js'
import { answerView, optionalView, RejectedError, textOf, type View, viewsOf } from '../gateway/gateway.js'
import { type Output, pairs } from '../terminal/output.js'

/** Effect of a payload in the next block, as reported by the node. */
export async function dryRunOf(
  client: CausewayClient,
  payload: TransactionPayload,
  codec: CodecContext,
): Promise<View> {
  const { dryRunRoute } = await import('../../api/index.js')
  const answer = await client.json(dryRunRoute.method, dryRunRoute.path, {
    body: Buffer.from(JSON.stringify(transactionPayload.toJson(payload, codec))),
    contentType: 'application/json',
    signed: false,
  })
  return answerView(answer)
}

/** Error of a dry run that ends in a rejection; undefined otherwise. */
export function dryRunError(view: View): RejectedError | undefined {
  const rejection = optionalView(view.rejection)
  if (rejection === undefined) return undefined
  const code = String(rejection.code)
  const known: ErrorCode = isErrorCode(code) ? code : 'not_permitted'
  const at = rejection.instruction === null ? '' : `instruction ${textOf(rejection.instruction)}: `
  return new RejectedError(known, `${at}${textOf(rejection.message)}`, { details: { dry_run: view } })
}

/** Lines that describe the effect of a transaction. */
export const dryRunText = (view: View): string =>
  pairs([
    ['would be', `${textOf(view.outcome)?.toLowerCase()} at height ${textOf(view.height)}`],
    ['lane', `${textOf(view.lane)}, dataspace ${textOf(view.dataspace)}`],
    ['cost', `${textOf(view.teu)} execution units`],
    ...viewsOf(view.events).map((event): readonly [string, string] => {
      const [[name, body] = ['', {}]] = Object.entries(event)
      return ['event', `${name} ${JSON.stringify(body)}`]
    }),
  ])

/** Print the effect of a transaction; throws the rejection if the ledger would reject it. */
export function printDryRun(out: Output, view: View): void {
  const rejected = dryRunError(view)
  if (rejected !== undefined) throw rejected
  out.result({ dry_run: true, ...view }, dryRunText(view))
}
