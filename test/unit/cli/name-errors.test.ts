/** Errors of commands about names that do not exist or have the wrong form: they name the subject and the next step. */
import { describe, expect, it } from 'vitest'
import { withReplaceHint } from '../../../src/cli/iso/bind.js'
import { validatedFamily } from '../../../src/cli/iso/explain.js'
import { permissionError } from '../../../src/cli/ledger/query-errors.js'
import { newProfileName } from '../../../src/cli/settings/profiles.js'
import { packageId } from '../../../src/features/registry/schema/records.js'
import { LedgerError } from '../../../src/model/errors.js'

describe('the error for the holders of a permission', () => {
  const absent = new LedgerError('not_found', 'the query returned nothing')
  it.each([
    ['CanFoo', 'permission CanFoo does not exist, or it requires an object'],
    ['CanMint:usd#bank', 'permission CanMint:usd#bank does not exist, or its object does not'],
  ])('names %s', (text, message) => {
    expect(permissionError(absent, text)).toMatchObject({ code: 'not_found', message })
  })
  it('is unchanged if the query failed for another reason', () => {
    const denied = new LedgerError('unknown_account', 'the authority is not registered')
    expect(permissionError(denied, 'CanFoo')).toBe(denied)
  })
})

describe('the error for a binding that exists', () => {
  const exists = new LedgerError('exists', 'instruction 0: IBAN NL1 is bound to another account')
  it('names the holder and --replace', async () => {
    await expect(
      withReplaceHint(Promise.reject(exists), 'IBAN NL1', async () => 'account cw1bob'),
    ).rejects.toMatchObject({
      code: 'exists',
      message: 'IBAN NL1 is bound to account cw1bob',
      hint: expect.stringContaining('--replace'),
    })
  })
  it('keeps its text if the gateway does not resolve the binding', async () => {
    const unresolved = async (): Promise<string> => Promise.reject(new LedgerError('not_found', 'unknown'))
    await expect(withReplaceHint(Promise.reject(exists), 'IBAN NL1', unresolved)).rejects.toMatchObject({
      message: exists.message,
      hint: expect.stringContaining('--replace'),
    })
  })
})

describe('a message family to validate', () => {
  it.each([
    ['pacs.008', 'pacs.008'],
    ['PACS008', 'pacs.008'],
    ['camt.053', 'camt.053'],
  ])('%s is accepted as %s', (text, family) => {
    expect(validatedFamily(text)).toBe(family)
  })
  it.each(['foo', 'camt.029'])('%s is refused with the list of families', (text) => {
    expect(() => validatedFamily(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `--family: unknown message family ${text}`,
        hint: expect.stringContaining('pacs.008'),
      }),
    )
  })
})

describe('the name of a new profile', () => {
  it.each(['bank-a', 'A.b_1', 'x'.repeat(64)])('%s is accepted', (name) => {
    expect(newProfileName(name)).toBe(name)
  })
  it.each(['bad name', '', 'a/b', 'x'.repeat(65), 'é'])('"%s" is refused as a usage error', (name) => {
    expect(() => newProfileName(name)).toThrow(expect.objectContaining({ code: 'usage' }))
  })
})

describe('the id of a package', () => {
  it.each(['kit', '/kit', 'kit@bank'])('%s is refused with the expected form of an id', (text) => {
    expect(packageId.fromJson(text)).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining('domain/name') },
    })
  })
})
