/**
 * Owns the decoding of JSON that contains aliases in place of ids: a first pass collects the aliases, a second pass
 * decodes.
 */
import type { AliasIds, CodecContext } from '../codec/index.js'
import { settlementUnit } from '../lanes/index.js'
import {
  accountId,
  accountOfPolicyHash,
  assetDefinitionId,
  keyBytes,
  lotFault,
  lotId,
  PERMISSION_OBJECT,
  tokenObject,
} from '../model/index.js'
import { assetText } from './query-inputs.js'

/** Kind of object that a text resolves to. */
export type Wanted = 'account' | 'asset'

/** Text in a request, and the kind of object that it must resolve to. */
export interface WantedText {
  readonly text: string
  readonly want: Wanted
}

/** Maximum number of texts in one request or file. */
export const TEXTS_MAX = 256

/** Schemas of ids that have aliases. */
const WANTED: ReadonlyMap<string, Wanted> = new Map([
  [String(accountId.name), 'account'],
  [String(assetDefinitionId.name), 'asset'],
  [String(assetText.name), 'asset'],
  [String(settlementUnit.name), 'asset'],
])

/** True for an alias in place of an id; no id has the form of an alias. */
export const isAliasText = (text: string): boolean => /@|^(?:iban|ccy|phone|mailto):/i.test(text)

/** Key of a wanted text in maps. */
export const keyOf = ({ text, want }: WantedText): string => `${want} ${text}`

/** Placeholder for an id that is looked up after the pass: unique, since a record may not name an id twice. */
function placeholder(want: Wanted, count: number): string {
  if (want === 'asset') return `unresolved#${count}`
  const hash = Buffer.alloc(32)
  hash.writeUInt32BE(count)
  return accountOfPolicyHash(hash)
}

/** Texts of one request or file, with the ids of the resolved texts. */
export class Texts {
  private readonly ids = new Map<string, string>()
  private readonly asked = new Map<string, WantedText>()

  /** Ids for a codec; a text without an id is collected and gets a placeholder id. */
  readonly aliases: AliasIds = this.reader(new Map())

  /** Ids for a codec; each text that the codec reads is added to `used`. */
  reader(used: Map<string, WantedText>): AliasIds {
    return (schema, text) => {
      if (schema === lotId.name) return this.lotOf(text, used)
      if (schema === PERMISSION_OBJECT) return this.permissionObjectOf(text, used)
      const want = WANTED.get(schema)
      if (want === undefined || !isAliasText(text)) return undefined
      const wanted = { text, want }
      const key = keyOf(wanted)
      used.set(key, wanted)
      const known = this.ids.get(key)
      if (known !== undefined) return known
      this.asked.set(key, wanted)
      return placeholder(want, this.asked.size)
    }
  }

  /** Lot of a class given by its alias, `alias/number`. */
  private lotOf(text: string, used: Map<string, WantedText>): string | undefined {
    const at = text.lastIndexOf('/')
    const definition = at < 0 ? undefined : this.reader(used)(String(assetDefinitionId.name), text.slice(0, at))
    const lot = definition === undefined ? undefined : `${definition}${text.slice(at)}`
    return lot === undefined || lotFault(lot) !== undefined ? undefined : lot
  }

  /** Object of a permission, `ALIAS`, `DEFINITION#ACCOUNT` with an alias in either part, or undefined without aliases. */
  private permissionObjectOf(text: string, used: Map<string, WantedText>): string | undefined {
    const read = this.reader(used)
    const assetOf = (part: string): string | undefined => read(String(assetDefinitionId.name), part)
    const accountOf = (part: string): string | undefined => {
      const id = read(String(accountId.name), part)
      return id === undefined ? undefined : keyBytes(id).toString('hex')
    }
    const at = text.lastIndexOf('#')
    if (at < 0) return /^ccy:/i.test(text) ? assetOf(text) : accountOf(text)
    const [definition, account] = [text.slice(0, at), text.slice(at + 1)]
    if (!isAliasText(definition) && !isAliasText(account)) return undefined
    return tokenObject(`${assetOf(definition) ?? definition}#${accountOf(account) ?? account}`)
  }

  /** Texts that are not resolved yet. */
  get missing(): readonly WantedText[] {
    return [...this.asked.values()]
  }

  /** Number of all texts. */
  get size(): number {
    return this.ids.size + this.asked.size
  }

  /** Add the id of a text. */
  resolved(wanted: WantedText, id: string): void {
    const key = keyOf(wanted)
    this.asked.delete(key)
    this.ids.set(key, id)
  }
}

/**
 * Read JSON with aliases in place of ids. `read` is called with a codec until all aliases that it meets are resolved;
 * `resolve` adds their ids, or returns why it cannot.
 */
export async function readWithAliases<T, F>(
  codec: CodecContext,
  read: (codec: CodecContext) => T,
  resolve: (texts: Texts) => Promise<F | undefined>,
): Promise<T | F> {
  const texts = new Texts()
  for (;;) {
    const result = read({ ...codec, aliases: texts.aliases })
    if (texts.missing.length === 0) return result
    const fault = await resolve(texts)
    if (fault !== undefined) return fault
  }
}
