/** Canonical texts against programs of others: idna on 100,000 names and python-stdnum on IBANs (test/vectors/aliases.py). */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalTexts } from '../../../src/api/user-text.js'
import { parseName } from '../../../src/model/index.js'
import { slice } from '../../suites.mjs'

interface Vectors {
  readonly names: {
    readonly accepted: number
    /** Digests of 1,000 results each. */
    readonly digests: readonly string[]
    readonly differences: readonly (readonly [text: string, ours: string, theirs: string])[]
  }
  readonly ibans: readonly (readonly [text: string, isValid: 0 | 1])[]
}
const script = readFileSync('test/vectors/aliases.py', 'utf8')
const vectors = JSON.parse(readFileSync('test/vectors/aliases.json', 'utf8')) as Vectors
const BLOCK = 1_000
const BLOCKS = slice(20, 100)

/** Ranges of code points, as the script has them. */
const RANGES = [...(/RANGES = \[([^\]]*)\]/.exec(script)?.[1] ?? '').matchAll(/\(0x([0-9A-F]+), 0x([0-9A-F]+)\)/g)].map(
  ([, low = '', high = '']) => [Number.parseInt(low, 16), Number.parseInt(high, 16)] as const,
)
const NEAR = Number(/^NEAR = (\d+)/m.exec(script)?.[1])

/** The generator of the script. */
class Generator {
  private state = 46

  private below(count: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    return (this.state >>> 8) % count
  }

  text(): string {
    const ranges = this.below(4) < 3 ? NEAR : RANGES.length
    const length = 1 + this.below(8)
    let text = ''
    for (let at = 0; at < length; at += 1) {
      const [low, high] = RANGES[this.below(ranges)] as readonly [number, number]
      text += String.fromCodePoint(low + this.below(high - low + 1))
    }
    return text
  }
}

/** Path of a canonical name; empty for a refused text. */
async function pathOf(text: string): Promise<string> {
  if (text.includes('@')) return ''
  const forms = await canonicalTexts(`${text}@bank`)
  return 'code' in forms || parseName(forms[0]) === undefined ? '' : forms[0].slice(0, -'@bank'.length)
}

describe('canonical names', () => {
  it('match idna on 100,000 texts except for the listed differences', async () => {
    const theirs = new Map(vectors.names.differences.map(([text, , result]) => [text, result]))
    const generator = new Generator()
    const digests: string[] = []
    let accepted = 0
    for (const _ of vectors.names.digests.slice(0, BLOCKS)) {
      const results: string[] = []
      for (let at = 0; at < BLOCK; at += 1) {
        const text = generator.text()
        results.push(theirs.get(text) ?? (await pathOf(text)))
      }
      accepted += results.filter((result) => result !== '').length
      digests.push(createHash('sha256').update(results.join('\n')).digest('hex').slice(0, 16))
    }
    expect(digests).toEqual(vectors.names.digests.slice(0, BLOCKS))
    if (BLOCKS === vectors.names.digests.length) expect(accepted).toBe(vectors.names.accepted)
  })
})

describe('canonical IBANs', () => {
  it('are valid if python-stdnum accepts them', async () => {
    for (const [text, isValid] of vectors.ibans) {
      if (isValid === 1) expect(await canonicalTexts(`iban:${text}`), text).not.toHaveProperty('code')
    }
  })

  it('have an invalid length or structure if only python-stdnum refuses them', async () => {
    const refused: string[] = []
    for (const [text, isValid] of vectors.ibans) {
      if (isValid === 0 && !('code' in (await canonicalTexts(`iban:${text}`)))) refused.push(text)
    }
    // The bridge refuses to bind a number that no bank issues, so that such an alias stands for nothing.
    const { canonicalIban, checkIban } = await import('../../../src/features/iso20022/message/values/iban.js')
    const codes = refused.map((text) => checkIban(canonicalIban(text))?.code ?? text)
    expect([...new Set(codes)].sort()).toEqual(['iban_country', 'iban_structure'])
  })
})
