/** The pure parts of the pages: how values look, addresses of pages, what a search may mean, events of a stream. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortId } from '../../../src/base/ids.js'
import {
  bytesText,
  compact,
  grouped,
  parentName,
  sum,
  transactionsText,
  visible,
  words,
} from '../../../src/web/format.js'
import { afterError } from '../../../src/web/kept.js'
import { hrefOf, PAGES, routeOf } from '../../../src/web/route.js'
import { candidates } from '../../../src/web/search.js'
import { healthOf, type Observed, titleOf } from '../../../src/web/state/health.js'
import { EventParser } from '../../../src/web/state/sse.js'

describe('displayed values', () => {
  it('are grouped in thousands without losing a digit, at any length', () => {
    expect(grouped('12345678901234567890.123456')).toBe('12,345,678,901,234,567,890.123456')
    expect([grouped(0), grouped(999), grouped('-1000'), grouped('1e9'), grouped('')]).toEqual(['0', '999', '-1,000', '1e9', '']) // biome-ignore format: one line a case
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(grouped(String(value)).replaceAll(',', '')).toBe(String(value))
      }),
    )
  })

  it('include the parent of a name if the name contains a dot', () => {
    expect(['pay.desk@bank', 'a.b.c@bank', 'desk@bank', 'desk@bank.eu'].map(parentName)).toEqual([
      'desk@bank',
      'b.c@bank',
      undefined,
      undefined,
    ])
  })

  it('are added up exactly', () => {
    expect([sum('1.5', '2'), sum('0.10', '-0.1'), sum('3', '-5'), sum('-0.05', '0')]).toEqual([
      '3.5',
      '0.00',
      '-2',
      '-0.05',
    ])
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.nat(9), (a, b, scale) => {
        const text = (value: bigint): string => {
          const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
          const at = digits.length - scale
          return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${scale === 0 ? '' : `.${digits.slice(at)}`}`
        }
        expect(sum(text(a), text(b))).toBe(text(a + b))
      }),
    )
  })

  it('are abbreviated if large', () => {
    expect([compact(12), compact(1234), compact(12_345), compact(1_234_567)]).toEqual([
      '12',
      '1,234',
      '12.3 k',
      '1.23 M',
    ])
    expect([bytesText(12), bytesText(1536), bytesText(3 * 2 ** 20)]).toEqual(['12 B', '1.5 KiB', '3 MiB'])
    expect([shortId('abc'), shortId('a'.repeat(20) + 'b'.repeat(20))]).toEqual(['abc', 'aaaaaaaa…bbbbbb'])
    expect([words('cap_exceeded'), words('requestTimeout')]).toEqual(['cap exceeded', 'request timeout'])
  })

  it('omit rejected transactions for a block without stored results', () => {
    expect([3, 0, null, undefined].map((rejected) => transactionsText(5000, rejected))).toEqual([
      '5,000, 3 rejected',
      '5,000, 0 rejected',
      '5,000',
      '5,000',
    ])
  })

  it('escape direction marks, zero-width characters and control characters in untrusted text', () => {
    expect(visible('pay\u202eeur#knab')).toBe('pay⟨U+202E⟩eur#knab')
    expect(visible('a\u200bb\u0000c\u2066d\ufeffe\u{e0041}')).toBe('a⟨U+200B⟩b⟨U+0000⟩c⟨U+2066⟩d⟨U+FEFF⟩e⟨U+E0041⟩')
    expect(visible('<img src=x onerror=alert(1)> Żółć 東京 عربى')).toBe('<img src=x onerror=alert(1)> Żółć 東京 عربى')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/u)
      }),
    )
  })
})

describe('a cached response', () => {
  it('remains visible while the next request fails, but not if the object no longer exists', () => {
    const [shown, error] = [{ value: 'a balance', error: undefined }, new Error('no')]
    expect(afterError(shown, error, true)).toEqual({ value: 'a balance', error })
    expect(afterError(shown, error, false)).toEqual({ value: undefined, error })
  })
})

describe('page addresses', () => {
  it('can be parsed back for any id', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAGES),
        fc.string({ minLength: 1, maxLength: 60 }),
        fc.string(),
        (page, id, text) => {
          fc.pre(id.trim() !== '')
          const route = routeOf(hrefOf(page, id, { cursor: text, gone: undefined }))
          expect(route).toEqual({ page, id, query: text === '' ? {} : { cursor: text } })
        },
      ),
    )
  })

  it('lead to the overview if empty, and to no page if unknown', () => {
    expect(routeOf('')).toEqual({ page: 'overview', id: '', query: {} })
    expect(routeOf('#/blocks?cursor=abc')).toEqual({ page: 'blocks', id: '', query: { cursor: 'abc' } })
    for (const bad of ['#/__proto__', '#/constructor/x', '#/operators', '#//', '#/%zz/%'])
      expect(routeOf(bad).page, bad).toBe(bad === '#//' ? 'overview' : undefined)
    expect(routeOf('#/account/%zz').id).toBe('%zz')
    fc.assert(fc.property(fc.string(), (text) => routeOf(text) !== undefined))
  })
})

describe('a search in the explorer', () => {
  const kinds = (text: string): string[] => candidates(text).map(({ kind, id }) => `${kind} ${id}`)
  it('recognises ids by their form', () => {
    const hash = 'Ab'.repeat(32)
    expect(kinds(` ${hash} `)).toEqual([`transaction ${hash.toLowerCase()}`, `block ${hash.toLowerCase()}`])
    expect(kinds('alice@bank')).toEqual(['contract alice@bank', 'name alice@bank', 'account alice@bank'])
    expect(kinds('pay.desk@bank')).toContain('name pay.desk@bank')
    expect(kinds('cw1qyqqrgq7k3vd0gn24ge85ep0j8v5dnkpcdd27x8gn8un3n8c8t52mpmpvj5608')[1]).toMatch(/^account cw1/)
    expect(kinds('eur#bank')).toEqual(['asset eur#bank'])
    expect(kinds('licence$bank')).toEqual(['nft licence$bank'])
    expect(kinds('MSG-2026/1')).toEqual(['payment MSG-2026/1', 'reference MSG-2026/1'])
    expect(kinds('bank:standup')).toContain('call bank:standup')
    const key = `ea0130${'ab'.repeat(48)}`
    expect(kinds(key)).toEqual([`validator ${key}`])
    const uetr = 'EB6305C9-1F7F-49DE-AED0-16487C27B42D'
    expect(kinds(uetr)).toEqual([`reference ${uetr.toLowerCase()}`])
  })

  it('suggests the block height first for a number, then message ids', () => {
    expect(kinds('1,234')).toEqual(['block 1234', 'payment 1,234', 'reference 1,234'])
    expect(kinds('#7')).toEqual(['block 7', 'reference #7'])
    expect(kinds('0')).toEqual(['payment 0', 'reference 0'])
  })

  it('finds no ids in any other text, in linear time', () => {
    expect(kinds('')).toEqual([])
    expect(kinds('<img onerror=alert(1)>')).toEqual(['reference <img onerror=alert(1)>'])
    expect(kinds('x'.repeat(100_000))).toEqual([])
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => candidates(text).length <= 4))
    expect(candidates('1'.repeat(1_000_000)).length).toBeLessThanOrEqual(4)
    expect(candidates(`${'1,111'.repeat(100_000)}!`)).toEqual([])
  })
})

describe('the events of a stream', () => {
  const TEXT = 'retry: 3000\n\nid: 3.0\nevent: block\ndata: {"a":1}\n\n: keepalive\n\ndata: x\ndata: y\n\n'
  it('do not depend on how their bytes are split into chunks', () => {
    const whole = new EventParser().push(TEXT)
    expect(whole).toEqual([
      { id: '3.0', event: 'block', data: '{"a":1}' },
      { id: '3.0', event: 'message', data: 'x\ny' },
    ])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: TEXT.length })), (cuts) => {
        const parser = new EventParser()
        const places = [0, ...cuts.toSorted((a, b) => a - b), TEXT.length]
        const parts = places.slice(1).map((end, at) => TEXT.slice(places[at], end))
        expect(parts.flatMap((part) => parser.push(part))).toEqual(whole)
      }),
    )
  })

  it('are limited in size', () => {
    const parser = new EventParser()
    expect(() => {
      for (let at = 0; at < 20; at += 1) parser.push('x'.repeat(2 ** 20))
    }).toThrow('unterminated event')
  })
})

describe('the health of the chain in the explorer', () => {
  const cases: [Observed, string][] = [
    [{ link: 'live', isSynced: true, status: undefined }, 'Live'],
    [{ link: 'live', isSynced: true, status: { stall: null, halted: null } }, 'Live'],
    [{ link: 'live', isSynced: false, status: undefined }, 'Catching up'],
    [{ link: 'live', isSynced: false, status: { stall: { text: 'no quorum' } } }, 'Stalled'],
    [{ link: 'live', isSynced: true, status: { halted: 'no state', stall: {} } }, 'Halted'],
    [{ link: 'live', isSynced: true, status: { divergence: { height: 3 } } }, 'Halted'],
    [{ link: 'connecting', isSynced: true, status: { stall: {} } }, 'Connecting'],
    [{ link: 'lost', isSynced: false, status: { halted: 'no state' } }, 'Offline'],
  ]
  it.each(cases)('with %j is %s, and the page title shows it unless healthy', (seen, text) => {
    const health = healthOf(seen)
    expect(health.text).toBe(text)
    expect(health.tone === 'good').toBe(text === 'Live')
    expect(titleOf('Blocks', health)).toBe(text === 'Live' ? 'Blocks · Causeway' : `${text}: Blocks · Causeway`)
  })
})
