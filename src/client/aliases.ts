/**
 * Owns the aliases in content that a client builds. The gateway resolves them and the transaction asserts the result in
 * a block, so that a transaction with a wrong resolution has no effect.
 */
import { keyOf, Texts, type WantedText } from '../api/alias-ids.js'
import { canonicalTexts } from '../api/user-text.js'
import type { CodecContext, Json } from '../codec/index.js'
import { isJsonObject } from '../codec/schema.js'
import { type AliasAnswer, aliasRoutes, BATCH_MAX, type BatchedAlias } from '../features/names/schema/aliases.js'
import { type AssertedAlias, instructions as names } from '../features/names/schema/instructions.js'
import {
  anyInstruction,
  INSTRUCTION_REGISTRY,
  type Instruction,
  instruction,
  instructionOf,
  isErrorCode,
  LedgerError,
} from '../model/index.js'
import type { GatewayCalls } from './calls.js'

/** First ABI whose transactions can assert aliases. */
const ASSERTING_ABI = 2
/** Maximum nesting of JSON in which instruction lists are searched. */
const DEPTH_MAX = 32

/** An alias with the id that it resolves to. */
export interface ResolvedText extends WantedText {
  readonly id: string
  /** Form that the transaction asserts. The client computes it, since a gateway could name another alias. */
  readonly canonical: string
  readonly answer: AliasAnswer
}

/** Aliases of one transaction or file. */
export class Aliases {
  readonly texts = new Texts()
  /** Aliases that nested instruction lists assert. */
  readonly stored = new Map<string, WantedText>()
  private readonly found = new Map<string, ResolvedText>()

  constructor(private readonly calls: Pick<GatewayCalls, 'route' | 'chain'>) {}

  /** True if the transactions of the chain can assert aliases. */
  async canAssert(): Promise<boolean> {
    return (await this.calls.chain()).abiVersion >= ASSERTING_ABI
  }

  /** Resolved alias; undefined before `resolveMissing`. */
  get(wanted: WantedText): ResolvedText | undefined {
    return this.found.get(keyOf(wanted))
  }

  /** Resolve one alias. */
  async one(wanted: WantedText): Promise<ResolvedText> {
    const known = this.get(wanted)
    if (known !== undefined) return known
    await this.resolve([wanted])
    const found = this.get(wanted)
    if (found === undefined) throw new Error('an alias that was resolved is missing')
    return found
  }

  /**
   * Resolve the texts that were read and have no id yet. Throws `alias_unknown`, `bad_name` or `plaintext_identifier`.
   */
  resolveMissing(): Promise<void> {
    return this.resolve(this.texts.missing)
  }

  private async resolve(wanted: readonly WantedText[]): Promise<void> {
    if (!(await this.canAssert())) {
      throw new LedgerError('alias_unknown', 'transactions of ABI 1 cannot assert aliases', {
        hint: 'Give addresses and ids of asset definitions, or pin the genesis: causeway profile create --help.',
      })
    }
    const forms = await Promise.all(wanted.map(({ text }) => formsOf(text)))
    const answers = await this.answersTo([...new Set(forms.flat())])
    for (const [at, one] of wanted.entries()) {
      const resolved = pick(one, forms[at] ?? [], answers)
      this.found.set(keyOf(one), resolved)
      this.texts.resolved(one, resolved.id)
    }
  }

  private async answersTo(forms: readonly string[]): Promise<ReadonlyMap<string, BatchedAlias>> {
    const answers = new Map<string, BatchedAlias>()
    for (let from = 0; from < forms.length; from += BATCH_MAX) {
      const aliases = forms.slice(from, from + BATCH_MAX)
      const { items } = await this.calls.route(aliasRoutes.aliasBatch, { body: { aliases } })
      for (const [at, alias] of aliases.entries()) {
        const item = items[at]
        if (item !== undefined) answers.set(alias, item)
      }
    }
    return answers
  }

  /** Instruction that asserts aliases; undefined if there are none. */
  assertionOf(used: Iterable<WantedText>): Instruction | undefined {
    const items = new Map<string, AssertedAlias>()
    for (const wanted of used) {
      const resolved = this.get(wanted)
      if (resolved === undefined) continue
      const { canonical: text, want, id } = resolved
      const kind = want === 'account' ? 'account' : 'definition'
      items.set(keyOf({ text, want }), { text, target: { kind, value: id } })
    }
    return items.size === 0 ? undefined : instruction(names.assertAliases, { items: [...items.values()] })
  }

  /** Prepend the assertion of the aliases in instructions. */
  asserted(instructions: readonly Instruction[], used: Iterable<WantedText>): readonly Instruction[] {
    const assertion = this.assertionOf(used)
    return assertion === undefined ? instructions : [assertion, ...instructions]
  }

  /**
   * Replace the aliases in the JSON form of an instruction by ids, and add the aliases to `used`. A nested list of
   * instructions, such as in a proposal or trigger, starts with an assertion of its own aliases, which are not added.
   */
  read(jsonForm: Json, index: number, codec: CodecContext, used: Map<string, WantedText>): Instruction {
    const all = new Map<string, WantedText>()
    const plain = instructionOf(jsonForm, index, { ...codec, aliases: this.texts.reader(all) })
    if (all.size === 0) return plain
    const own = this.withStored(jsonForm, codec, 0)
    return instructionOf(own, index, { ...codec, aliases: this.texts.reader(used) })
  }

  /** JSON form in which instruction lists assert their aliases. */
  private withStored(value: Json, codec: CodecContext, depth: number): Json {
    if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return value
    if (isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, this.withStored(one, codec, depth + 1)]),
      )
    }
    const list = value as readonly Json[]
    if (list.length === 0 || !list.every((one) => isInstruction(one, codec))) {
      return list.map((one) => this.withStored(one, codec, depth + 1))
    }
    const used = new Map<string, WantedText>()
    const read = list.map((one, index) => this.read(one, index, codec, used))
    for (const [key, wanted] of used) this.stored.set(key, wanted)
    if (used.size === 0) return list.map((one) => this.withStored(one, codec, depth + 1))
    return this.asserted(read, used.values()).map((one) => anyInstruction.toJson(one, codec))
  }

  /** Codec that resolves aliases in JSON for reads, without an assertion. */
  reading(codec: CodecContext): CodecContext {
    return { ...codec, aliases: this.texts.aliases }
  }

  /** Repeat a read until all aliases are resolved. */
  async settled<T>(read: () => T | Promise<T>): Promise<T> {
    for (;;) {
      const result = await read()
      if (this.texts.missing.length === 0) return result
      await this.resolveMissing()
    }
  }
}

async function formsOf(text: string): Promise<readonly string[]> {
  const forms = await canonicalTexts(text)
  if ('code' in forms) throw new LedgerError(forms.code, forms.message)
  return forms.filter((form) => form !== undefined)
}

/** First form of a text that resolves to the wanted kind of object. */
function pick(wanted: WantedText, forms: readonly string[], answers: ReadonlyMap<string, BatchedAlias>): ResolvedText {
  for (const canonical of forms) {
    const answer = answers.get(canonical)?.answer
    const id = wanted.want === 'account' ? answer?.accountId : answer?.assetDefinitionId
    if (answer !== undefined && id !== undefined) return { ...wanted, id, canonical, answer }
  }
  const error = answers.get(forms[0] ?? '')?.error
  const what = wanted.want === 'account' ? 'account' : 'asset definition'
  const why = error?.standing === undefined ? '' : `; the name is in ${error.standing}`
  throw new LedgerError(
    error !== undefined && isErrorCode(error.code) && error.code !== 'alias_unknown' ? error.code : 'alias_unknown',
    `alias ${wanted.text} does not resolve to an ${what} now${why}`,
    { details: error?.standing === undefined ? undefined : { standing: error.standing } },
  )
}

/** True for the JSON form of an instruction. */
function isInstruction(value: Json, { registries }: CodecContext): boolean {
  const [kind, ...more] = isJsonObject(value) ? Object.keys(value) : []
  if (kind === undefined || more.length > 0) return false
  return registries?.[INSTRUCTION_REGISTRY]?.byKind(kind.charAt(0).toLowerCase() + kind.slice(1)) !== undefined
}
