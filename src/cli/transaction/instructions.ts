/** Owns the display of instructions before signing: money, contract calls and other fields as text. */
import { withDigits } from '../../base/digits.js'
import { shortId } from '../../base/ids.js'
import type { CausewayClient } from '../../client/index.js'
import type { CodecContext, Json } from '../../codec/index.js'
import { isJsonObject, type JsonObject } from '../../codec/schema.js'
import { anyInstruction, DEFAULT_ADDRESS_PREFIX } from '../../model/index.js'
import { fieldsOf } from '../command/view-text.js'
import {
  callText,
  deploymentText,
  type KnownContracts,
  knownContracts,
  manifestLines,
  type ReadManifest,
} from '../gateway/contract-reading.js'
import { type Directory, directoryOf, NO_NAMES } from '../gateway/directory.js'
import { Readable, shortened, variantWords } from '../text/readable.js'

/** Maximum nesting of instructions that is displayed: a proposal that registers a trigger of calls needs three. */
const NESTED_MAX = 8
const INDENT = '  '

/** Account and definition of a balance. */
function balanceOf(asset: Json | undefined): { readonly definition: string; readonly account: string } | undefined {
  if (!isJsonObject(asset)) return undefined
  const { definition, account } = asset
  return typeof definition === 'string' && typeof account === 'string' ? { definition, account } : undefined
}

/** Kind and fields of the JSON form of an instruction. */
function partsOf(jsonForm: Json): readonly [kind: string, body: JsonObject] | undefined {
  const [entry, ...more] = isJsonObject(jsonForm) ? Object.entries(jsonForm) : []
  return entry !== undefined && more.length === 0 && isJsonObject(entry[1]) ? [entry[0], entry[1]] : undefined
}

/** Reader of the JSON forms of instructions. */
export class InstructionReader {
  private readonly readable: Readable

  constructor(
    private readonly codec: CodecContext = {},
    readonly names: Directory = NO_NAMES,
    private readonly contracts: KnownContracts['manifests'] = new Map(),
  ) {
    this.readable = new Readable(anyInstruction, names.digits, codec.registries, variantWords)
  }

  /** Instruction as lines: the first line has its effect, the lines below its content. */
  lines(jsonForm: Json, depth = 0): string[] {
    const parts = partsOf(jsonForm)
    if (parts === undefined) return [typeof jsonForm === 'string' ? jsonForm : JSON.stringify(jsonForm)]
    const [kind, raw] = parts
    const body = this.readable.of(jsonForm) as JsonObject
    const fields = isJsonObject(body[kind]) ? (body[kind] as JsonObject) : raw
    const money = this.moneyText(fields)
    if (money !== undefined) return [`${kind} ${money}`]
    if (kind === 'ContractCall' && this.contracts.has(String(raw['address']))) return [`${kind} ${this.callText(raw)}`]
    if (kind === 'AssertAliases') return [`${kind} ${this.assertedText(fields)}`]
    if (kind === 'RegisterContract') return this.registrationLines(fields, depth)
    return this.otherLines(kind, kind === 'DeployContract' ? this.deployment(raw, fields) : fields, depth)
  }

  /** Text of moved money; undefined if none moves. */
  private moneyText({ asset, amount, to }: JsonObject): string | undefined {
    const balance = balanceOf(asset)
    if (balance === undefined || typeof amount !== 'string') return undefined
    const { definition, account } = balance
    const money = `${amount} ${definition}`
    const named = (text: string): string => this.names.named(text, 'short')
    return typeof to === 'string' ? `${money} from ${named(account)} to ${named(to)}` : `${money} of ${named(account)}`
  }

  /** Aliases asserted by an instruction, each with its id. */
  private assertedText({ items }: JsonObject): string {
    return (Array.isArray(items) ? (items as readonly Json[]) : [])
      .filter(isJsonObject)
      .map(({ text, target }) => {
        const [id = ''] = isJsonObject(target) ? Object.values(target) : []
        const named = this.names.named(String(id), 'short')
        // The name of the account is often the asserted alias itself.
        return `${String(text)} is ${named.startsWith(`${String(text)} (`) ? shortId(String(id)) : named}`
      })
      .join(', ')
  }

  /** Lines for the registration of a contract: the contract, and its entry points below. */
  private registrationLines({ manifest, ...fields }: JsonObject, depth: number): string[] {
    if (!isJsonObject(manifest)) return this.otherLines('RegisterContract', fields, depth)
    const { entrypoints: _entrypoints, events: _events, ...about } = manifest
    const lines = manifestLines(manifest as ReadManifest)
    return [...this.otherLines('RegisterContract', { ...fields, ...about }, depth), ...lines.map((one) => INDENT + one)]
  }

  /** Text of a deployment, with the arguments of its initial call by name. */
  private deployment(raw: JsonObject, fields: JsonObject): JsonObject {
    const manifest = this.contracts.get(String(raw['artifact']))
    const prefix = this.codec.addressPrefix ?? DEFAULT_ADDRESS_PREFIX
    const begin = manifest && deploymentText(manifest, raw['inherit'] === true, String(raw['input']), prefix)
    return begin === undefined ? fields : { ...fields, input: begin }
  }

  private callText(raw: JsonObject): string {
    const address = String(raw['address'])
    const manifest = this.contracts.get(address)
    if (manifest === undefined) throw new Error('a call was read without its contract')
    const attached = (Array.isArray(raw['attach']) ? (raw['attach'] as readonly Json[]) : [])
      .filter(isJsonObject)
      .map(({ definition, amount }) => {
        const digits = this.names.digits.get(String(definition)) ?? 0
        return `${withDigits(String(amount), digits)} ${String(definition)}`
      })
    const sent = attached.length === 0 ? '' : `, with ${attached.join(' and ')}`
    const prefix = this.codec.addressPrefix ?? DEFAULT_ADDRESS_PREFIX
    const called = callText(manifest, String(raw['entrypoint']), String(raw['input']), prefix)
    const text = `${called} of ${address}${sent}, at most ${String(raw['gas_limit'])} gas`
    return this.names.named(text, 'short')
  }

  /** Fields by name, with nested instructions below. */
  private otherLines(kind: string, body: JsonObject, depth: number): string[] {
    const nested: string[] = []
    const own = Object.entries(body).filter(([name, value]) => {
      const inner = depth < NESTED_MAX ? this.instructionsIn(value) : []
      if (inner.length === 0) return true
      nested.push(`${INDENT}${name.replaceAll('_', ' ')}:`)
      for (const one of inner) for (const line of this.lines(one, depth + 1)) nested.push(`${INDENT}${INDENT}${line}`)
      return false
    })
    const fields = fieldsOf(Object.fromEntries(own)).map(
      ([name, text]) => `${name} ${this.names.named(shortened(text), 'short')}`,
    )
    return [fields.length === 0 ? kind : `${kind} ${fields.join(', ')}`, ...nested]
  }

  /** Instructions in a list; undefined for another value. */
  private instructionsIn(value: Json): readonly Json[] {
    if (!Array.isArray(value) || value.length === 0) return []
    const registry = Object.values(this.codec.registries ?? {})
    const isKnown = (one: Json): boolean => {
      const kind = partsOf(one)?.[0]
      const name = kind === undefined ? undefined : kind.charAt(0).toLowerCase() + kind.slice(1)
      return name !== undefined && registry.some(({ byKind }) => byKind(name) !== undefined)
    }
    return (value as readonly Json[]).every(isKnown) ? (value as readonly Json[]) : []
  }
}

/** Predicate for names reported by a gateway; a contract is identified by the alias in its line. */
type KeepsName = (id: string, name: string, isContract: boolean) => Promise<boolean>

/** Reader of instructions with names, digits and manifests reported by the gateway. */
export async function instructionReader(
  client: CausewayClient,
  gateway: string,
  jsonForms: readonly Json[],
  keeps: KeepsName = async () => true,
): Promise<InstructionReader> {
  const codec = await client.codec()
  const { manifests, aliases } = await knownContracts(client, jsonForms)
  const plain = new InstructionReader(codec, NO_NAMES, manifests)
  const shown = jsonForms.flatMap((jsonForm) => plain.lines(jsonForm))
  const reported = (await directoryOf(client, gateway, jsonForms, shown)).with(aliases)
  const names = await reported.filtered((id, name) => keeps(id, name, aliases.has(id)))
  return new InstructionReader(codec, names, manifests)
}
