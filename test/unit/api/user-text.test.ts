/** Texts of users: one canonical form for each name, and nothing is guessed. */
import fc from 'fast-check'
import { toASCII } from 'tr46'
import { describe, expect, it } from 'vitest'
import { canonicalTexts } from '../../../src/api/user-text.js'
import { parseName } from '../../../src/model/index.js'

const UTS46 = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const

describe('the canonical form of a text', () => {
  it.each([
    ['bob@bank', 'bob@bank'],
    ['ｂｏｂ@bank', 'bob@bank'],
    ['b\u200bob@bank', 'bob@bank'],
    ['ＰＡＹ.bob@Bank', 'pay.bob@Bank'],
    ['eur#bank', 'eur#bank'],
    ['iban:DE89 3704 0044 0532 0130 00', 'iban:DE89370400440532013000'],
    ['IBAN:de89370400440532013000', 'iban:DE89370400440532013000'],
    ['ccy:eur', 'ccy:EUR'],
    ['cw1qqqq', 'cw1qqqq'],
  ])('of %j is %j', async (text, canonical) => {
    expect(await canonicalTexts(text)).toEqual([canonical])
  })

  it('of a label of ABI 1 includes the text itself, after the current form if there is one', async () => {
    expect(await canonicalTexts('Bob_1@bank')).toEqual(['Bob_1@bank'])
    expect(await canonicalTexts('Bob@bank')).toEqual(['bob@bank', 'Bob@bank'])
  })

  it.each([
    ['@bank', 'bad_name'],
    ['bob@', 'bad_name'],
    ['b@@c', 'bad_name'],
    ['бob@bank', 'bad_name'],
    ['b\u202eob@bank', 'bad_name'],
    ['b\u0000ob@bank', 'bad_name'],
    ['bücher@bank', 'bad_name'],
    ['bob@bаnk', 'bad_name'],
    ['iban:DE88370400440532013000', 'bad_name'],
    ['ccy:EURO', 'bad_name'],
    ['phone:+4930123456', 'plaintext_identifier'],
    ['MailTo:bob@bank.example', 'plaintext_identifier'],
  ])('does not exist for %j', async (text, code) => {
    const fault = await canonicalTexts(text)
    expect(fault).toMatchObject({ code })
    if (text.length > 6) expect(JSON.stringify(fault)).not.toContain(text)
  })
})

/** Characters that UTS #46 maps, ignores or refuses, beside plain ones. */
const letter = fc.oneof(
  fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-._ABCZ'),
  fc.constantFrom(...'ａＢ１．。\u200b\u00ad\u0130ßſ①Ⅷбо\u0301\u05d0\u200d'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const path = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => letters.join('').replaceAll('@', 'a'))

describe('canonical forms of random texts', () => {
  it('are names that do not change when they are canonicalised again', async () => {
    await fc.assert(
      fc.asyncProperty(path, async (label) => {
        const forms = await canonicalTexts(`${label}@bank`)
        if ('code' in forms) return
        for (const form of forms) expect(await canonicalTexts(String(form))).toContain(form)
        if (parseName(forms[0]) !== undefined) expect(await canonicalTexts(forms[0])).toEqual([forms[0]])
      }),
    )
  })

  it('are equal only for texts that UTS #46 maps to one name', async () => {
    await fc.assert(
      fc.asyncProperty(path, async (label) => {
        const forms = await canonicalTexts(`${label}@bank`)
        const mapped = `${toASCII(label, UTS46) ?? ''}@bank`
        const isName = parseName(mapped) !== undefined
        if ('code' in forms) expect(isName).toBe(false)
        else if (isName) expect(forms[0]).toBe(mapped)
        else expect(forms).toEqual([`${label}@bank`])
      }),
    )
  })
})
