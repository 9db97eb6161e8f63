/** Owns views and simulations on the command line. */
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { eventText, type ReadManifest, valueText } from '../gateway/contract-reading.js'
import { type Directory, directoryOf } from '../gateway/directory.js'
import { postJson, type RoutePick, type View, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import type { Output } from '../terminal/output.js'
import { pairs } from '../terminal/output.js'
import { resolveAccount } from '../transaction/resolve.js'
import { attachmentsJson, contractOf, entrypointOf, inputOf, resultOf } from './forms.js'

export interface TrialFlags {
  readonly contract: string
  readonly entrypoint: string
  readonly args: string
  readonly gas?: number | undefined
  readonly caller?: string | undefined
  readonly attach?: readonly string[] | undefined
}

/** Result of a trial, and the inputs for decoding it. */
interface Tried {
  readonly view: View
  readonly result: Json
  /** Address of the called contract. */
  readonly address: string
  readonly manifest: ReadManifest
  readonly prefix: string
}

/** Simulate a call by a route and print the result; returns whether it succeeded. */
export function printTrial(settings: Settings, out: Output, pick: RoutePick, flags: TrialFlags): Promise<boolean> {
  return withGateway(settings, async (client) => {
    const tried = await tryCall(client, pick, flags)
    const { view, result } = tried
    const text = out.json ? '' : await trialText(client, settings, flags, tried)
    out.result({ ...view, result }, text)
    return view.outcome === 'ok'
  })
}

async function tryCall(client: CausewayClient, pick: RoutePick, flags: TrialFlags): Promise<Tried> {
  const { addressPrefix: prefix } = await client.chain()
  const { address, manifest } = await contractOf(client, flags.contract)
  const entry = entrypointOf({ manifest }, flags.entrypoint)
  const account = (text: string): Promise<string> => resolveAccount(client, text)
  const view = (await postJson(client, pick, {
    address,
    entrypoint: entry.name,
    input: await inputOf(entry, flags.args, prefix, account),
    gas_limit: flags.gas ?? null,
    caller: flags.caller === undefined ? null : await account(flags.caller),
    attach: attachmentsJson(flags.attach),
  })) as View
  return { view, result: await resultOf(entry, String(view.output), prefix), address, manifest, prefix }
}

/** Lines for the events of a simulation: events of the called contract by field, others by name. */
function eventLines({ view, address, manifest, prefix }: Tried): string[] {
  const events = Array.isArray(view.events) ? (view.events as readonly View[]) : []
  return events.map((event) => {
    const [[kind, body] = ['', {}]] = Object.entries(event)
    const { address: by, topic, data } = (body ?? {}) as View
    return kind === 'ContractEvent' && by === address
      ? eventText(manifest, String(topic), String(data), prefix)
      : `${kind} ${valueText(body)}`
  })
}

const placeLine = ({ function_index: index, byte_offset: offset, opcode, host }: View): string =>
  `function ${index}, byte ${offset}, ${opcode}${host === null || host === undefined ? '' : ` in ${host}`}`

async function trialText(
  client: CausewayClient,
  { gateway }: Settings,
  flags: TrialFlags,
  tried: Tried,
): Promise<string> {
  const { view, result } = tried
  const events = eventLines(tried)
  const names: Directory = await directoryOf(client, gateway, [result, events])
  const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])
  const isGood = view.outcome === 'ok'
  const limit = flags.gas === undefined ? '' : ` of ${flags.gas}`
  return pairs([
    [
      'outcome',
      isGood ? 'ok' : `${String(view.outcome).replaceAll('_', ' ')} in ${flags.entrypoint} of ${flags.contract}`,
    ],
    ['result', isGood ? names.named(valueText(result)) : undefined],
    ['says', view.abort_text === '' ? undefined : String(view.abort_text)],
    ...list(view.diagnostics).map((place): [string, string] => ['stopped', placeLine(place as View)]),
    ...events.map((text): [string, string] => ['event', names.named(text, 'short')]),
    ...list(view.logs).map((log): [string, string] => ['log', String(log)]),
    ['gas', `${String(view.gas_used)}${limit}`],
    ['height', String(view.height)],
  ])
}
