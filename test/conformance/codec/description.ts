/** Owns the second reading of type descriptions, written from docs/reference/codec.md alone: text to tree. */

export type Type =
  | { readonly is: 'u8' | 'u16' | 'u32' | 'u64' | 'varint' | 'zigzag' | 'varint64' | 'bool' | 'numeric' }
  | {
      readonly is: 'bytes' | 'hex' | 'bytesN' | 'string' | 'text' | 'key' | 'keyN'
      readonly max: number
      readonly name: string
    }
  | { readonly is: 'option' | 'lazy' | 'refine'; readonly of: Type; readonly name: string }
  | { readonly is: 'list'; readonly of: Type; readonly max: number }
  | { readonly is: 'map'; readonly key: Type; readonly value: Type; readonly max: number }
  | { readonly is: 'struct'; readonly fields: readonly (readonly [name: string, type: Type])[] }
  | { readonly is: 'enum'; readonly variants: readonly { tag: number; name: string; type: Type | undefined }[] }
  | { readonly is: 'open'; readonly registry: string }
  | { readonly is: 'json'; readonly max: number; readonly depth: number }
  | { readonly is: 'rec' | 'named'; readonly name: string }

/** A parsed description: its root and its named types. */
export interface Description {
  readonly root: Type
  readonly named: ReadonlyMap<string, Type>
}

const PLAIN = ['u8', 'u16', 'u32', 'u64', 'varint', 'zigzag', 'varint64', 'bool', 'numeric'] as const
const SIZED = ['bytes', 'hex', 'bytesN', 'string', 'text', 'key', 'keyN'] as const
const WRAPPED = ['option', 'lazy', 'refine'] as const

class Parser {
  private at = 0
  constructor(
    private readonly text: string,
    private readonly owner: string,
  ) {}

  whole(): Type {
    const type = this.expression()
    if (this.at !== this.text.length) throw new Error(`rest of a description: ${this.text.slice(this.at)}`)
    return type
  }

  private expect(literal: string): void {
    if (!this.text.startsWith(literal, this.at))
      throw new Error(`expected "${literal}" at: ${this.text.slice(this.at)}`)
    this.at += literal.length
  }

  private takes(literal: string): boolean {
    if (!this.text.startsWith(literal, this.at)) return false
    this.at += literal.length
    return true
  }

  private word(): string {
    const found = /^[A-Za-z0-9]+/.exec(this.text.slice(this.at))?.[0]
    if (found === undefined) throw new Error(`expected a word at: ${this.text.slice(this.at)}`)
    this.at += found.length
    return found
  }

  private number(): number {
    return Number(this.word())
  }

  private expression(): Type {
    const word = this.word()
    const plain = PLAIN.find((candidate) => candidate === word)
    if (plain !== undefined) return { is: plain }
    if (word === 'struct') return this.struct()
    if (word === 'enum') return this.enumeration()
    if (!this.takes('(')) return { is: 'named', name: word }
    const type = this.call(word)
    this.expect(')')
    return type
  }

  private call(word: string): Type {
    const sized = SIZED.find((candidate) => candidate === word)
    if (sized !== undefined) return { is: sized, max: this.number(), name: this.owner }
    const wrapped = WRAPPED.find((candidate) => candidate === word)
    if (wrapped !== undefined) return { is: wrapped, of: this.expression(), name: this.owner }
    if (word === 'open') return { is: 'open', registry: this.word() }
    if (word === 'rec') return { is: 'rec', name: this.word() }
    if (word === 'list') {
      const of = this.expression()
      this.expect(', ')
      return { is: 'list', of, max: this.number() }
    }
    if (word === 'map') {
      const key = this.expression()
      this.expect(', ')
      const value = this.expression()
      this.expect(', ')
      return { is: 'map', key, value, max: this.number() }
    }
    if (word === 'json') {
      const max = this.number()
      this.expect(', ')
      return { is: 'json', max, depth: this.number() }
    }
    throw new Error(`unknown type ${word}`)
  }

  private struct(): Type {
    if (this.takes(' {}')) return { is: 'struct', fields: [] }
    const fields: (readonly [string, Type])[] = []
    this.expect(' { ')
    do {
      const name = this.word()
      this.expect(': ')
      fields.push([name, this.expression()])
    } while (this.takes(', '))
    this.expect(' }')
    return { is: 'struct', fields }
  }

  private enumeration(): Type {
    const variants: { tag: number; name: string; type: Type | undefined }[] = []
    this.expect(' { ')
    do {
      const tag = this.number()
      this.expect(' ')
      const name = this.word()
      variants.push({ tag, name, type: this.takes(': ') ? this.expression() : undefined })
    } while (this.takes(', '))
    this.expect(' }')
    return { is: 'enum', variants }
  }
}

/** Tree of a description. */
export function parseDescription(text: string): Description {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('a description ends with a line feed')
  const named = new Map<string, Type>()
  for (const line of lines.slice(1)) {
    const [name = '', definition = ''] = line.split(' = ')
    named.set(name, new Parser(definition, name).whole())
  }
  return { root: new Parser(lines[0]!, '').whole(), named }
}
