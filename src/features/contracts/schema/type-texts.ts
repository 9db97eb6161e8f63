/**
 * Owns the type notation of manifests for arguments, results and event fields: `u64`, `list<account>`, `{to: account}`.
 */

/** Parsed type. */
export type ValueType =
  | { readonly kind: 'bool' | 'u8' | 'u16' | 'u32' | 'u64' | 'i64' | 'string' | 'bytes' }
  | { readonly kind: 'numeric' | 'account' | 'asset' | 'nft' }
  | { readonly kind: 'list' | 'option'; readonly of: ValueType }
  | { readonly kind: 'struct'; readonly fields: readonly { readonly name: string; readonly type: ValueType }[] }

const PLAIN = [
  'bool',
  'u8',
  'u16',
  'u32',
  'u64',
  'i64',
  'string',
  'bytes',
  'numeric',
  'account',
  'asset',
  'nft',
] as const
type Plain = (typeof PLAIN)[number]
const DEPTH_MAX = 8
const TOKEN = /\s*([A-Za-z_][A-Za-z0-9_]*|[<>{}:,])/y

class Parser {
  private at = 0
  constructor(private readonly text: string) {}

  whole(): ValueType {
    const type = this.type(0)
    if (this.text.slice(this.at).trim() !== '') this.fail()
    return type
  }

  private fail(): never {
    throw new Error(`invalid type at character ${this.at + 1}: ${this.text.slice(this.at, this.at + 20)}`)
  }
  private next(): string {
    TOKEN.lastIndex = this.at
    const [, token] = TOKEN.exec(this.text) ?? this.fail()
    this.at = TOKEN.lastIndex
    return token as string
  }
  private take(expected: string): void {
    if (this.next() !== expected) this.fail()
  }

  private type(depth: number): ValueType {
    if (depth > DEPTH_MAX) throw new Error(`a type can have at most ${DEPTH_MAX} levels`)
    const word = this.next()
    if (word === 'list' || word === 'option') {
      this.take('<')
      const of = this.type(depth + 1)
      this.take('>')
      return { kind: word, of }
    }
    if (word === '{') return this.fields(depth)
    return (PLAIN as readonly string[]).includes(word) ? { kind: word as Plain } : this.fail()
  }

  private fields(depth: number): ValueType {
    const fields: { name: string; type: ValueType }[] = []
    for (;;) {
      const name = this.next()
      this.take(':')
      fields.push({ name, type: this.type(depth + 1) })
      const after = this.next()
      if (after === '}') return { kind: 'struct', fields }
      if (after !== ',') this.fail()
    }
  }
}

/** Parse a type. Throws an error with the fault. */
export const parseType = (text: string): ValueType => new Parser(text).whole()

/** Reason why a type text is invalid. */
export function typeFault(text: string): string | undefined {
  try {
    parseType(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Names and types of consecutive values: the arguments of an entrypoint, or the fields of an event. */
export type Params = readonly { readonly name: string; readonly type: string }[]

/** Type of consecutive values. */
export const paramsType = (params: Params): ValueType => ({
  kind: 'struct',
  fields: params.map(({ name, type }) => ({ name, type: parseType(type) })),
})
