/** Owns views and simulations on the command line. */
import type { Output } from '../command/output.js'
import { pairs } from '../command/output.js'
import { postView, type RoutePick, viewsOf, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import { attachTwins, contractOf, entrypointOf, inputOf, resultOf } from './forms.js'

export interface TrialFlags {
  readonly contract: string
  readonly entrypoint: string
  readonly args: string
  readonly gas?: number | undefined
  readonly caller?: string | undefined
  readonly attach?: readonly string[] | undefined
}

/** Tries a call by a route and prints what it came to; whether it went well. */
export async function printTrial(
  settings: Settings,
  out: Output,
  pick: RoutePick,
  flags: TrialFlags,
): Promise<boolean> {
  const { view, result } = await withGateway(settings, async (client) => {
    const { addressPrefix } = await client.chain()
    const contract = await contractOf(client, flags.contract)
    const entry = entrypointOf(contract, flags.entrypoint)
    const trial = {
      address: contract.address,
      entrypoint: entry.name,
      input: await inputOf(entry, flags.args, addressPrefix),
      gas_limit: flags.gas ?? null,
      caller: flags.caller ?? null,
      attach: attachTwins(flags.attach),
    }
    const answered = await postView(client, pick, trial)
    return { view: answered, result: await resultOf(entry, String(answered.output), addressPrefix) }
  })
  const isGood = view.outcome === 'ok'
  const lines = Array.isArray(view.logs) ? view.logs.map((log): [string, string] => ['log', String(log)]) : []
  const places = viewsOf(view.diagnostics)
  const text = pairs([
    ['outcome', String(view.outcome)],
    ...(isGood ? [['result', JSON.stringify(result)] as const] : []),
    ...(view.abort_text === '' ? [] : [['says', String(view.abort_text)] as const]),
    ...places.map(({ function_index, byte_offset, opcode, host }): [string, string] => [
      'stopped',
      `function ${function_index}, byte ${byte_offset}, ${opcode}${host === null || host === undefined ? '' : ` in ${host}`}`,
    ]),
    ...lines,
    ['gas', String(view.gas_used)],
    ['height', String(view.height)],
  ])
  out.result({ ...view, result }, text)
  return isGood
}
