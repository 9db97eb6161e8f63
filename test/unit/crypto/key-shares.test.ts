/** Shares of a key: enough of them make it again; too few, mixed, damaged or wrongly opened ones do not, and nothing shows a secret. */
import { chmod, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { combine } from 'shamir-secret-sharing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatSecret, generateKeyPair, KEY_ALGORITHMS, type KeyPair } from '../../../src/crypto/index.js'
import { readKeyFile, readKeyFileHead } from '../../../src/files/key-file.js'
import { checkShares, combineShares, readShare, splitKey } from '../../../src/files/key-shares.js'
import { LedgerError } from '../../../src/model/errors.js'

const PASSPHRASES = ['of anna', 'of boris', 'of clara']
let folder: string
let pair: KeyPair
let paths: string[]

/** Splits a key into three shares of which two make it; their paths. */
async function split(key: KeyPair, name: string): Promise<string[]> {
  const made: string[] = []
  const pathOf = (number: number): string => join(folder, `${name}.share-${number}.json`)
  const onFile = (path: string) => made.push(path)
  await splitKey(key, { threshold: 2, passphrases: PASSPHRASES, pathOf, onFile, scryptN: 1024 })
  return made
}

/** Message of a failed combination, which does not reveal the secret. */
async function refused(files: readonly string[], passphrases: readonly string[]): Promise<string> {
  const error = await Promise.all(files.map(readShare))
    .then((heads) => combineShares(heads, passphrases))
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  expect(error).toBeInstanceOf(LedgerError)
  const { code, message, stack } = error as LedgerError
  const shown = `${JSON.stringify((error as LedgerError).toRecord())}${stack}`.toLowerCase()
  for (const text of [pair.secret.toString('hex'), ...PASSPHRASES]) expect(shown).not.toContain(text)
  return `${code}: ${message.replaceAll(`${folder}/`, '')}`
}

/** Changes a share file; gives the path of the changed copy. */
async function changed(path: string, change: (text: string) => string): Promise<string> {
  const copy = join(folder, 'changed.json')
  await writeFile(copy, change(await readFile(path, 'utf8')), { mode: 0o600 })
  await chmod(copy, 0o600)
  return copy
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-shares-'))
  pair = await generateKeyPair('bls')
  paths = await split(pair, 'validator')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('shares of a key', () => {
  test.each(KEY_ALGORITHMS)('reconstruct a key of %s from any two of three, and from all', async (algorithm) => {
    const key = await generateKeyPair(algorithm)
    const files = await split(key, algorithm)
    for (const numbers of [
      [0, 1],
      [2, 0],
      [1, 2],
      [0, 1, 2],
    ]) {
      const heads = await Promise.all(numbers.map((at) => readShare(files[at] ?? '')))
      expect(
        await combineShares(
          heads,
          numbers.map((at) => PASSPHRASES[at] ?? ''),
        ),
      ).toEqual(key)
    }
  })

  test('are private files with the key, threshold and number, and an encrypted secret', async () => {
    for (const [index, path] of paths.entries()) {
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readShare(path)).toMatchObject({
        publicKey: pair.publicKey,
        threshold: 2,
        shares: 3,
        number: index + 1,
      })
      const text = (await readFile(path, 'utf8')).toLowerCase()
      expect(text).not.toContain(pair.secret.toString('hex'))
      expect(text).not.toContain(formatSecret('bls', pair.secret).toLowerCase())
    }
  })

  test('are refused as key files, with the reason', async () => {
    expect(await readKeyFileHead(paths[0] ?? '')).toBeUndefined()
    await expect(readKeyFile(paths[0] ?? '')).rejects.toMatchObject({
      code: 'key_file_invalid',
      hint: expect.stringContaining('key combine'),
    })
  })

  test('are rejected with the number of missing shares if only one is given', async () => {
    expect(await refused(paths.slice(0, 1), PASSPHRASES)).toBe(
      'key_shares: share 1 of 3: 1 more required, the threshold is 2',
    )
    expect(() => checkShares([])).toThrow('no share was given')
  })

  test('are rejected if the same share is given twice', async () => {
    const copy = join(folder, 'copy.json')
    await copyFile(paths[0] ?? '', copy)
    expect(await refused([paths[0] ?? '', copy], ['of anna', 'of anna'])).toBe(
      'key_shares: copy.json: share 1 was given twice, also as validator.share-1.json',
    )
  })

  test('a wrong or missing passphrase reports the share that cannot be decrypted', async () => {
    const two = [paths[0] ?? '', paths[2] ?? '']
    expect(await refused(two, ['of anna', 'of boris'])).toContain('key_passphrase: validator.share-3.json')
    expect(await refused(two, ['of anna'])).toContain('key_passphrase: validator.share-3.json')
  })

  test('are rejected if one belongs to another key, or to another split of the same key', async () => {
    const other = await split(await generateKeyPair('bls'), 'other')
    expect(await refused([paths[0] ?? '', other[1] ?? ''], PASSPHRASES)).toMatch(/^key_shares: other.*another key/)
    const again = await split(pair, 'again')
    expect(await refused([paths[0] ?? '', again[1] ?? ''], PASSPHRASES)).toMatch(/^key_shares: again.*another split/)
  })

  test('are checked for corruption in every field, without the passphrase', async () => {
    const path = paths[0] ?? ''
    const fields = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown> & { sealed_share: object }
    const damages = [
      { threshold: 1 },
      { number: 2 },
      { split: 'ab'.repeat(16) },
      { sealed_share: { ...fields.sealed_share, ciphertext: 'ab'.repeat(49) } },
      { checksum: 'ab'.repeat(32) },
    ]
    for (const damage of damages) {
      const copy = await changed(path, () => JSON.stringify({ ...fields, ...damage }))
      expect(await refused([copy, paths[1] ?? ''], PASSPHRASES)).toBe(
        'key_file_invalid: changed.json: the checksum does not match: the file is corrupt',
      )
    }
    for (const text of ['', '{', '[]', '{}']) {
      expect(await refused([await changed(path, () => text)], PASSPHRASES)).toMatch(/^key_file_invalid: changed.json/)
    }
  })

  test('cannot be decrypted if the header is changed together with its checksum', async () => {
    const { blake3 } = await import('../../../src/crypto/hash.js')
    const copy = await changed(paths[0] ?? '', (text) => {
      const { checksum: _, ...fields } = JSON.parse(text) as Record<string, unknown>
      const forged = { ...fields, number: 3 }
      return JSON.stringify({ ...forged, checksum: blake3(Buffer.from(JSON.stringify(forged))).toString('hex') })
    })
    expect(await refused([copy, paths[1] ?? ''], PASSPHRASES)).toContain('key_passphrase: changed.json')
  })

  test('are rejected without writing a key file if the reconstructed key differs from their header', async () => {
    const other = { publicKey: pair.publicKey, secret: (await generateKeyPair('bls')).secret }
    const files = await split(other, 'lying')
    expect(await refused(files.slice(1), PASSPHRASES.slice(1))).toMatch(
      /^key_shares: the shares reconstruct another key than/,
    )
  })

  test('are rejected if the file is readable by other users', async () => {
    const copy = await changed(paths[0] ?? '', (text) => text)
    await chmod(copy, 0o640)
    expect(await refused([copy], PASSPHRASES)).toContain('key_file_loose: changed.json')
  })
})

test('the library reconstructs the secret of shares computed by hand', async () => {
  // Shares of "secret" in hex at x = 1, 2 by the line secret + 5a * x over GF(2^8) with the polynomial of AES.
  const secret = Buffer.from('secret')
  const at = (x: number): Uint8Array => {
    const slope = x === 1 ? 0x5a : 0xb4
    return Uint8Array.from([...secret.map((byte) => byte ^ slope), x])
  }
  expect(Buffer.from(await combine([at(1), at(2)])).toString()).toBe('secret')
})
