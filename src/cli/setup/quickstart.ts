/** Owns the payment of the quickstart and its output: statuses, one state on all peers, next commands. */
import { CausewayClient } from '../../client/index.js'
import { textOf, type View } from '../gateway/gateway.js'
import { recordText, statusWords } from '../iso/iso.js'
import { type LocalnetStatus, settledStatus } from '../localnet/status.js'
import { dirHint, statusTable, typed } from '../localnet/summary.js'
import type { Localnet } from '../settings/localnet-record.js'
import { pinOf } from '../settings/trust.js'

/** Maximum wait until all peers have the block of the payment, in ms. */
const SETTLE_MS = 10_000

/** Result of the quickstart. */
export interface QuickstartOutcome {
  /** Statuses in the order in which they were seen. */
  readonly seen: readonly string[]
  readonly payment: View
  readonly status: LocalnetStatus
}

/** Submit the message through the first peer and compare all peers. */
export async function runQuickstart(
  net: Localnet,
  body: Uint8Array,
  timeoutMs: number,
  report: (text: string) => void,
): Promise<QuickstartOutcome> {
  const first = net.peers[0]
  if (first === undefined) throw new Error('the local network has no peers')
  const client = new CausewayClient({ gateway: first.gateway, timeoutMs, pin: pinOf(net) })
  const seen: string[] = []
  const note = (record: View): void => {
    seen.push(textOf(record.pacs002_code) ?? '')
    report(statusWords(record))
  }
  try {
    const payment = await client.isoSubmitAndWait('pacs008', body, { timeoutMs, onStatus: note })
    return { seen, payment, status: await settledStatus(net, SETTLE_MS) }
  } finally {
    await client.close()
  }
}

/** Final output of the quickstart; `message` is the file of the paid message. */
export function quickstartText(net: Localnet, message: string, outcome: QuickstartOutcome, elapsedMs: number): string {
  const { payment, status } = outcome
  const dir = dirHint(net)
  const same =
    status.agreed === true
      ? `All ${status.running} peers have the same block hash and state root at height ${status.height}.`
      : 'The peers report different states: see `causeway localnet logs`.'
  return [
    recordText(payment),
    '',
    statusTable(status),
    same,
    '',
    `Done in ${(elapsedMs / 1000).toFixed(1)} s; the network keeps running. Try next:`,
    `  npx causeway account show bob@bank`,
    `  npx causeway iso submit pacs008 ${typed(message)}   # the same message: replayed, paid once`,
    `  npx causeway localnet status${dir}`,
    `  npx causeway status`,
    'Stop it with:',
    `  npx causeway localnet down${dir}                            # reset instead of down removes it`,
  ].join('\n')
}
