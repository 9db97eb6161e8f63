/** Owns the generated functions of structs: straight-line source per struct, created with `new Function` if allowed. */
import { emitPut, emitSkip, emitTake } from './emit.js'
import { located } from './fault.js'
import type { EmitScope, SchemaNode } from './node.js'
import { misuse } from './writer.js'

/** Operations of one struct. */
export type Operations = Pick<SchemaNode<any>, 'put' | 'take' | 'skip'>

interface GeneratedField {
  readonly name: string
  readonly node: SchemaNode<any>
}

/** Undefined until the first attempt; false under `--disallow-code-generation-from-strings`. */
let allowed: boolean | undefined

/** True if code generation is allowed, so that structs use generated functions. */
export function codeGenerationAllowed(): boolean {
  if (allowed === undefined) {
    try {
      // Trying is the only way to find out.
      new Function('return 0')
      allowed = true
    } catch {
      allowed = false
    }
  }
  return allowed
}

/** Names of nodes in one source text. */
class Scope implements EmitScope {
  readonly nodes: SchemaNode<any>[] = []

  ref(node: SchemaNode<any>): string {
    let index = this.nodes.indexOf(node)
    if (index < 0) index = this.nodes.push(node) - 1
    return `n${index}`
  }
}

/**
 * Generated operations of a struct, or undefined if code generation is not allowed.
 *
 * One function per struct: nested structs and variants are calls. Inlining them all is slower than closures, because
 * the functions get too large for the optimiser. Field names were checked when the struct was declared: no other caller
 * input enters the source.
 */
export function generateStruct(name: string, fields: readonly GeneratedField[]): Operations | undefined {
  if (!codeGenerationAllowed()) return undefined
  const scope = new Scope()
  const put: string[] = []
  const take: string[] = []
  const skip: string[] = []
  let fixedFrom = -1
  let fixedBytes = 0
  const flush = (): void => {
    if (fixedBytes > 0) skip.push(`f=${fixedFrom};r.skip(${fixedBytes});`)
    fixedBytes = 0
  }
  fields.forEach((field, index) => {
    put.push(`f=${index};${emitPut(field.node, `v.${field.name}`, scope)}`)
    take.push(`f=${index};const v${index}=${emitTake(field.node, scope)};`)
    const fixed = field.node.emit?.fixed
    if (fixed === undefined) {
      flush()
      skip.push(`f=${index};${emitSkip(field.node, scope)}`)
    } else {
      if (fixedBytes === 0) fixedFrom = index
      fixedBytes += fixed
    }
  })
  flush()
  const literal = fields.map((field, index) => `${field.name}:v${index}`).join(',')
  const guard = (body: string): string => `let f=0;try{${body}}catch(e){throw located(e,names[f])}`
  const params = ['located', 'misuse', 'names', 'label', ...scope.nodes.map((_, index) => `n${index}`)]
  const source = `'use strict';return{
put(w,v){if(v===null||typeof v!=='object')misuse(label,v);${guard(put.join('\n'))}},
take(r){${guard(`${take.join('\n')}return{${literal}}`)}},
skip(r){${guard(skip.join('\n'))}}}`
  const names = fields.map((field) => field.name)
  return new Function(...params, source)(located, misuse, names, name, ...scope.nodes) as Operations
}
