/** Owns the command-line forms of contracts and calls: addresses and aliases, arguments as JSON, attached assets. */
import { Args, Flags } from '@oclif/core'
import { errorMessage } from '../../base/thrown.js'
import type { CausewayClient } from '../../client/index.js'
import type { Json } from '../../codec/index.js'
import { isJsonObject, type JsonObject } from '../../codec/schema.js'
import type { ValueType } from '../../features/contracts/schema/type-texts.js'
import type { ReadManifest } from '../gateway/contract-reading.js'
import { getJson, postView } from '../gateway/gateway.js'
import { parseJsonText } from '../input/json.js'
import { accountArg, assetValueFlag } from '../input/texts.js'
import { usageError } from '../terminal/failure.js'

type EntrypointView = ReadManifest['entrypoints'][number]

/** Contract argument of a command. */
export const contractArg = {
  contract: accountArg({ description: 'address or alias label@domain', required: true, ignoreStdin: true }),
}
export const entrypointArg = {
  entrypoint: Args.string({ description: 'entrypoint to call', required: true, ignoreStdin: true }),
}

export const callFlags = {
  args: Flags.string({ description: 'arguments by name, as JSON', helpValue: 'JSON', default: '{}' }),
  gas: Flags.integer({ description: 'maximum gas of the call', min: 1 }),
}
export const attachFlag = {
  attach: assetValueFlag({
    description: 'asset to attach; may be repeated',
    multiple: true,
    helpValue: 'NAME#DOMAIN=AMOUNT',
  }),
}

/** Default gas of a call: ten transfers of a token. */
export const GAS_DEFAULT = 300_000

/** Attached assets in the form of an instruction. */
export function attachmentsJson(texts: readonly string[] = []): readonly Json[] {
  return texts.map((text) => {
    const at = text.lastIndexOf('=')
    if (at < 1) throw usageError(`"${text}" is not an asset with an amount`, 'Write name#domain=12.5.')
    return { definition: text.slice(0, at), amount: text.slice(at + 1) }
  })
}

/** Contract record of a gateway with the fields for calls. */
export interface ContractView {
  readonly address: string
  readonly instance: { readonly artifact: string }
  readonly manifest: { readonly code_hash: string } & ReadManifest
}

/** Address of a text that is an address or an alias. */
export async function addressOf(client: CausewayClient, text: string): Promise<string> {
  if (!text.includes('@')) return text
  const view = await postView(client, ({ contracts }) => contracts.resolve, { alias: text })
  return String(view.address)
}

/** Contract by its address or alias. */
export async function contractOf(client: CausewayClient, text: string): Promise<ContractView> {
  const address = await addressOf(client, text)
  const view: unknown = await getJson(client, ({ contracts }) => contracts.instance, { params: { address } })
  // The client validated it by the schema of the route.
  return view as ContractView
}

/** Entrypoint of a contract by name. */
export function entrypointOf({ manifest }: Pick<ContractView, 'manifest'>, name: string): EntrypointView {
  const found = manifest.entrypoints.find((one) => one.name === name)
  if (found !== undefined) return found
  throw usageError(
    `the contract does not have the entrypoint ${name}`,
    `Entrypoints: ${manifest.entrypoints.map((one) => one.name).join(', ')}.`,
  )
}

/**
 * Value with addresses in place of account aliases; a value of another type is unchanged, and rejected by the encoder.
 */
async function withAddresses(type: ValueType, value: Json, account: AddressOf): Promise<Json> {
  if (type.kind === 'account' && typeof value === 'string') return account(value)
  if (type.kind === 'option') return value === null ? null : withAddresses(type.of, value, account)
  if (type.kind === 'list' && Array.isArray(value))
    return Promise.all((value as readonly Json[]).map((one) => withAddresses(type.of, one, account)))
  if (type.kind !== 'struct' || !isJsonObject(value)) return value
  const record: Record<string, Json> = { ...value }
  for (const { name, type: of } of type.fields) {
    const field = record[name]
    if (field !== undefined) record[name] = await withAddresses(of, field, account)
  }
  return record
}

/** Resolve an address or an alias to the address of an account. */
type AddressOf = (text: string) => Promise<string>

/** Arguments as the input of an entrypoint, in base64 like bytes in records. */
export async function inputOf(
  { params }: Pick<EntrypointView, 'params'>,
  text: string,
  prefix: string,
  account: AddressOf,
): Promise<string> {
  const given = parseJsonText(text, '--args')
  if (!isJsonObject(given)) throw usageError('--args is not a JSON object')
  const { paramsType } = await import('../../features/contracts/schema/type-texts.js')
  const { inputBytes } = await import('../../features/contracts/schema/value-types.js')
  const args = await withAddresses(paramsType(params), given, account)
  try {
    return inputBytes(params, args as JsonObject, prefix).toString('base64')
  } catch (error) {
    throw usageError(
      errorMessage(error),
      `Parameters: ${params.map(({ name, type }) => `${name}: ${type}`).join(', ')}.`,
    )
  }
}

/** Result of an entrypoint, decoded by its manifest; in hex if it does not match. */
export async function resultOf({ result }: EntrypointView, output: string, prefix: string): Promise<Json> {
  const bytes = Buffer.from(output, 'base64')
  if (result === null) return bytes.length === 0 ? null : bytes.toString('hex')
  const { parseType } = await import('../../features/contracts/schema/type-texts.js')
  const { valueOfBytes } = await import('../../features/contracts/schema/value-types.js')
  try {
    return valueOfBytes(parseType(result), bytes, prefix) as Json
  } catch {
    return bytes.toString('hex')
  }
}
