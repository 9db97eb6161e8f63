// Checks key text, key generation and key files with their refusals.
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  formatPublicKey,
  formatSecret,
  generateKeyPair,
  KEY_ALGORITHMS,
  keyPairFromSecret,
  parsePublicKey,
  parseSecret,
} from '../../../src/crypto/index.js'
import { readKeyFile, writeKeyFile } from '../../../src/files/key-file.js'
import { LedgerError } from '../../../src/model/errors.js'
import { needs } from '../../support/needs.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-keys-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const failure = async (promise: Promise<unknown>): Promise<LedgerError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(LedgerError)
  return error as LedgerError
}

describe('key text', () => {
  test('has a multihash prefix and decodes to the same key', async () => {
    const prefixes = { ed25519: 'ed0120', secp256k1: 'e70121', bls: 'ea0130' }
    for (const algorithm of KEY_ALGORITHMS) {
      const pair = await generateKeyPair(algorithm, Buffer.from('seed'))
      const text = formatPublicKey(pair.publicKey)
      expect(text.startsWith(prefixes[algorithm])).toBe(true)
      expect(text.slice(6)).toBe(text.slice(6).toUpperCase())
      expect(parsePublicKey(text)).toEqual(pair.publicKey)
      expect(parsePublicKey(text.toLowerCase())).toEqual(pair.publicKey)
      expect(parsePublicKey(`${algorithm}:${text}`)).toEqual(pair.publicKey)
      expect(parseSecret(formatSecret(algorithm, pair.secret))).toEqual({ algorithm, secret: pair.secret })
    }
  })

  test('refuses any other text', () => {
    const good = `ed0120${'AB'.repeat(32)}`
    expect(parsePublicKey(good)).toBeDefined()
    for (const bad of [
      '',
      good.slice(0, -2),
      `${good}00`,
      good.replace('ed', 'ee'),
      `bls:${good}`,
      `${good.slice(0, -1)}G`,
      ` ${good}`,
      `ea0130${'AB'.repeat(32)}`,
    ]) {
      expect(parsePublicKey(bad)).toBeUndefined()
    }
    expect(() => formatPublicKey({ algorithm: 'ed25519', bytes: Buffer.alloc(33) })).toThrow(/32 bytes/)
  })
})

describe('key generation', () => {
  test('a seed determines the pair, without a seed each is new', async () => {
    for (const algorithm of KEY_ALGORITHMS) {
      const seed = Buffer.from('one')
      expect(await generateKeyPair(algorithm, seed)).toEqual(await generateKeyPair(algorithm, seed))
      expect(await generateKeyPair(algorithm)).not.toEqual(await generateKeyPair(algorithm))
      expect((await generateKeyPair(algorithm)).secret.length).toBe(32)
    }
  })

  test('invalid secrets are refused without being shown', async () => {
    for (const algorithm of KEY_ALGORITHMS) {
      for (const secret of [Buffer.alloc(31, 0xee), Buffer.alloc(32, 0xff)]) {
        if (algorithm === 'ed25519' && secret.length === 32) continue
        const error = await keyPairFromSecret(algorithm, secret).catch((thrown: Error) => thrown)
        expect(error).toBeInstanceOf(Error)
        expect(String((error as Error).stack).toLowerCase()).not.toMatch(/(ff){8}|(ee){8}/)
      }
    }
  })
})

describe('key files', () => {
  test('are written with mode 0600, read back, and leave no temporary files', async () => {
    for (const algorithm of KEY_ALGORITHMS) {
      const path = join(folder, `${algorithm}.json`)
      const pair = await generateKeyPair(algorithm)
      await writeKeyFile(path, pair)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect(await readKeyFile(path)).toEqual(pair)
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('contain a secret that is encrypted with a passphrase', async () => {
    const path = join(folder, 'sealed.json')
    const pair = await generateKeyPair('bls')
    await writeKeyFile(path, pair, { passphrase: 'correct horse', scryptN: 1024 })
    const text = await readFile(path, 'utf8')
    expect(text.toLowerCase()).not.toContain(pair.secret.toString('hex'))
    expect(await readKeyFile(path, 'correct horse')).toEqual(pair)
    expect((await failure(readKeyFile(path, 'wrong'))).code).toBe('key_passphrase')
    expect((await failure(readKeyFile(path))).code).toBe('key_passphrase')
    const other = await generateKeyPair('bls')
    const swapped = text.replace(formatPublicKey(pair.publicKey), formatPublicKey(other.publicKey))
    await writeFile(path, swapped, { mode: 0o600 })
    expect((await failure(readKeyFile(path, 'correct horse'))).code).toBe('key_passphrase')
    await writeFile(path, text.replace('"n": 1024', '"n": 1073741824'), { mode: 0o600 })
    expect((await failure(readKeyFile(path, 'correct horse'))).code).toBe('key_file_invalid')
  })

  test('are never overwritten unless requested', async () => {
    const path = join(folder, 'kept.json')
    const first = await generateKeyPair('ed25519')
    const second = await generateKeyPair('ed25519')
    await writeKeyFile(path, first)
    expect((await failure(writeKeyFile(path, second))).code).toBe('file_exists')
    expect(await readKeyFile(path)).toEqual(first)
    await writeKeyFile(path, second, { overwrite: true })
    expect(await readKeyFile(path)).toEqual(second)
  })

  test(
    'may be mounted by a container platform only if configured',
    needs(process.getuid?.() === 0 ? undefined : 'only root owns such files'),
    async () => {
      const path = join(folder, 'mounted.json')
      const pair = await generateKeyPair('ed25519')
      await writeKeyFile(path, pair)
      await chmod(path, 0o440)
      await symlink(path, join(folder, 'mounted-link.json'))
      const link = join(folder, 'mounted-link.json')
      expect((await failure(readKeyFile(link))).hint).toContain('CAUSEWAY_MOUNTED_KEYS=1')
      expect((await failure(readKeyFile(path))).hint).toContain('CAUSEWAY_MOUNTED_KEYS=1')
      vi.stubEnv('CAUSEWAY_MOUNTED_KEYS', '1')
      try {
        expect(await readKeyFile(link)).toEqual(pair)
        for (const mode of [0o444, 0o460, 0o450]) {
          await chmod(path, mode)
          expect((await failure(readKeyFile(link))).code).toBe('key_file_loose')
        }
      } finally {
        vi.unstubAllEnvs()
      }
    },
  )

  test('are refused if readable by others, linked, a folder, missing or malformed', async () => {
    const path = join(folder, 'loose.json')
    const pair = await generateKeyPair('ed25519')
    await writeKeyFile(path, pair)
    for (const mode of [0o640, 0o604, 0o660, 0o777]) {
      await chmod(path, mode)
      expect((await failure(readKeyFile(path))).code).toBe('key_file_loose')
    }
    await chmod(path, 0o600)
    await symlink(path, join(folder, 'link.json'))
    expect((await failure(readKeyFile(join(folder, 'link.json')))).code).toBe('key_file_invalid')
    expect((await failure(readKeyFile(folder))).code).toBe('key_file_invalid')
    expect((await failure(readKeyFile(join(folder, 'absent.json')))).code).toBe('key_file_missing')

    const secretText = formatSecret('ed25519', pair.secret)
    const publicText = formatPublicKey((await generateKeyPair('ed25519')).publicKey)
    const contents = [
      '',
      `{"private_key": "${secretText}"`,
      '[]',
      'null',
      '{}',
      JSON.stringify({ version: 2, algorithm: 'ed25519', public_key: publicText, private_key: secretText }),
      JSON.stringify({ version: 1, algorithm: 'bls', public_key: publicText, private_key: secretText }),
      JSON.stringify({ version: 1, algorithm: 'ed25519', public_key: publicText, private_key: secretText }),
      JSON.stringify({ version: 1, algorithm: 'ed25519', public_key: publicText, sealed_private_key: { n: 2 } }),
      JSON.stringify({ version: 1, algorithm: 'ed25519', public_key: publicText, sealed_private_key: null }),
      'x'.repeat(20_000),
    ]
    for (const content of contents) {
      await writeFile(path, content)
      const error = await failure(readKeyFile(path))
      expect(error.code).toBe('key_file_invalid')
      const shown = `${JSON.stringify(error.toRecord())}${error.stack}`
      expect(shown).not.toContain(secretText)
      expect(shown.toLowerCase()).not.toContain(pair.secret.toString('hex'))
    }
  })
})
