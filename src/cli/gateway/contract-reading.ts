/** Owns calls and events of contracts as text: arguments, results and fields with their names in the manifest. */
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { instructions } from '../../features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../features/contracts/schema/records.js'
import { type Params, paramsType } from '../../features/contracts/schema/type-texts.js'
import { valueOfBytes } from '../../features/contracts/schema/value-types.js'
import { LedgerError } from '../../model/errors.js'
import { bytesText } from '../text/readable.js'
import { getJson, type RoutePick, type View } from './gateway.js'

/**
 * Parts of a manifest for decoding calls and events, as shown by the gateway; a type alias, so that the compiler treats
 * it as JSON.
 */
export type ReadManifest = {
  readonly entrypoints: readonly {
    readonly name: string
    readonly kind: string
    readonly params: Params
    readonly result: string | null
    readonly permission: string | null
    readonly payable: boolean
  }[]
  readonly events: readonly { readonly topic: string; readonly fields: Params }[]
}

/** Value on one line: texts unchanged, records and lists with field names. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${valueText(one)}`)
  return fields.join(', ')
}

/** Values by name; undefined if the bytes do not match the types. */
export function valuesOf(params: Params, base64: string, prefix: string): Readonly<Record<string, Json>> | undefined {
  try {
    return valueOfBytes(paramsType(params), Buffer.from(base64, 'base64'), prefix) as Record<string, Json>
  } catch {
    return undefined
  }
}

/** Arguments or fields on one line; bytes without a type in the manifest are shown as text or size. */
export function paramsText(params: Params | undefined, base64: string, prefix: string): string {
  const values = params && valuesOf(params, base64, prefix)
  if (values !== undefined) return valueText(values)
  return base64 === '' ? '' : bytesText(base64)
}

/** Call on one line, such as `transfer(to: cw1…, amount: 2.5)`. */
export function callText(manifest: ReadManifest, entrypoint: string, input: string, prefix: string): string {
  const params = manifest.entrypoints.find(({ name }) => name === entrypoint)?.params
  return `${entrypoint}(${paramsText(params, input, prefix)})`
}

/** Event on one line, such as `transfer(from: cw1…, to: cw1…, amount: 2.5)`. */
export function eventText(
  { events }: Pick<ReadManifest, 'events'>,
  topic: string,
  data: string,
  prefix: string,
): string {
  return `${topic}(${paramsText(events.find((one) => one.topic === topic)?.fields, data, prefix)})`
}

/** Arguments of the initial call of a deployment on one line; undefined for a manifest without such an entrypoint. */
export function deploymentText(
  { entrypoints }: ReadManifest,
  inherit: boolean,
  input: string,
  prefix: string,
): string | undefined {
  const begin = entrypoints.find(({ kind }) => kind === (inherit ? 'Upgrade' : 'Init'))
  return begin && `${begin.name}(${paramsText(begin.params, input, prefix)})`
}

/** Format a manifest: entrypoints and events of the contract. */
export function manifestLines({ entrypoints, events }: ReadManifest): string[] {
  const list = (params: Params): string => params.map(({ name, type }) => `${name}: ${type}`).join(', ')
  return [
    ...entrypoints.map(({ kind, name, params, result, permission, payable }) => {
      const more = [...(permission === null ? [] : [`only for ${permission}`]), ...(payable ? ['accepts assets'] : [])]
      const gives = result === null ? '' : `: ${result}`
      return `${kind.toLowerCase()} ${name}(${list(params)})${gives}${more.length === 0 ? '' : `, ${more.join(', ')}`}`
    }),
    ...events.map(({ topic, fields }) => `event ${topic}(${list(fields)})`),
  ]
}

/** Bodies of all instructions of a kind, including nested ones. */
export function bodiesOf(value: Json, kind: string): View[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((one) => bodiesOf(one, kind))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, body]) => [
    ...(name === kind && isJsonObject(body) ? [body as View] : []),
    ...bodiesOf(body, kind),
  ])
}

/** Contracts and artifacts named by instructions, as reported by a gateway. */
export interface KnownContracts {
  /** Manifests by contract address or artifact hash. */
  readonly manifests: ReadonlyMap<string, ReadManifest>
  /** Aliases by contract address. */
  readonly aliases: ReadonlyMap<string, string>
}

/** Maximum contracts and artifacts looked up for one review. */
const LOOKUPS_MAX = 32

/** Read the contracts of the calls and deployments among instructions. */
export async function knownContracts(client: CausewayClient, jsonForms: readonly Json[]): Promise<KnownContracts> {
  const manifests = new Map<string, ReadManifest>()
  const aliases = new Map<string, string>()
  const read = async (pick: RoutePick, params: Readonly<Record<string, string>>, id: string): Promise<void> => {
    if (manifests.has(id) || manifests.size >= LOOKUPS_MAX) return
    try {
      const view = (await getJson(client, pick, { params })) as View
      manifests.set(id, view.manifest as ReadManifest)
      if (typeof view.alias === 'string') aliases.set(id, view.alias)
    } catch (error) {
      // Contracts unknown to the gateway are shown without names.
      if (!(error instanceof LedgerError)) throw error
    }
  }
  for (const body of bodiesOf(jsonForms, 'RegisterContract')) {
    const registered = instructions.registerContract.schema.fromJson(body as Json)
    if (!registered.ok) continue
    const { code, manifest } = registered.value
    manifests.set(artifactHashOf(code, manifest).toString('hex'), body.manifest as ReadManifest)
  }
  for (const { address } of bodiesOf(jsonForms, 'ContractCall'))
    await read(({ contracts }) => contracts.instance, { address: String(address) }, String(address))
  for (const { artifact } of bodiesOf(jsonForms, 'DeployContract'))
    await read(({ contracts }) => contracts.code, { hash: String(artifact) }, String(artifact))
  return { manifests, aliases }
}
