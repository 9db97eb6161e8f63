/** Keys that a program holds: it is asked as documented, and nothing that it answers is used unchecked. */
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signMessage } from '../../src/client/index.js'
import { formatPublicKey, verifyEd25519, verifySecp256k1 } from '../../src/crypto/index.js'
import { readKeyFile, readSigningKey, writeCommandKeyFile } from '../../src/files/key-file.js'
import { type KeyCommand, openKeyProgram } from '../../src/files/key-program.js'
import { PATIENCE_MS } from '../support/ports.js'

const PROGRAM = resolve('test/support/signer-program.mjs')
const command = (algorithm: string, mode?: string): KeyCommand => [
  process.execPath,
  PROGRAM,
  algorithm,
  ...(mode === undefined ? [] : [mode]),
]
const MESSAGE = Buffer.from('what is paid')
const WAIT_MS = PATIENCE_MS
const open = (algorithm: string, mode?: string) => openKeyProgram(command(algorithm, mode), undefined, WAIT_MS)
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  )

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'key-program-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a program that holds a key', () => {
  it('signs successive messages with Ed25519 in request order', async () => {
    const key = await open('ed25519')
    const messages = Array.from({ length: 5 }, (_, at) => Buffer.from(`message ${at}`))
    const signatures = await Promise.all(messages.map((message) => signMessage(key, message)))
    for (const [at, message] of messages.entries()) {
      expect(verifyEd25519(key.publicKey.bytes, message, signatures[at] ?? MESSAGE)).toBe(true)
    }
  })

  it.each([undefined, 'high'])('signs with secp256k1, with low and high S (%s)', async (mode) => {
    const key = await open('secp256k1', mode)
    expect(verifySecp256k1(key.publicKey.bytes, MESSAGE, await signMessage(key, MESSAGE))).toBe(true)
  })

  it.each([
    ['gone', 'exited without a response'],
    ['noise', 'not a line of JSON'],
    ['refuses', 'it refused: the card was removed'],
    ['other-id', 'does not have the id 1'],
    ['no-key', '`public_key` is not a public key'],
    ['long', 'more than 4096 characters'],
  ])('is reported if it is %s: %s', async (mode, words) => {
    expect(await codeOf(open('ed25519', mode))).toMatch(new RegExp(`^key_program_failed: .*${words}`))
  })

  it.each([
    ['forges', 'is not by'],
    ['short', 'must have 128 hex digits'],
  ])('does not sign in the mode %s: %s', async (mode, words) => {
    for (const algorithm of ['ed25519', 'secp256k1']) {
      const key = await open(algorithm, mode)
      expect(await codeOf(signMessage(key, MESSAGE))).toMatch(new RegExp(`^key_program_failed: .*${words}`))
    }
  })

  it('is abandoned after a timeout if it does not respond, and reported if it is missing', async () => {
    expect(await codeOf(openKeyProgram(command('ed25519', 'silent'), undefined, 300))).toContain(
      'no response within 0.3 s',
    )
    expect(await codeOf(openKeyProgram([join(folder, 'none')]))).toContain('cannot run the program (ENOENT)')
  })

  it('is restarted for the next request if it exits after a response', async () => {
    const key = await open('ed25519', 'once')
    for (let round = 0; round < 3; round += 1) {
      // The delay until its end is noticed depends on the system.
      const signed = await signMessage(key, MESSAGE).catch(() => signMessage(key, MESSAGE))
      expect(verifyEd25519(key.publicKey.bytes, MESSAGE, signed)).toBe(true)
    }
  })

  it('leaves no extra process per request if it responds twice', async () => {
    const log = join(folder, 'pids')
    const [program, ...args] = command('ed25519', 'twice')
    const key = await openKeyProgram([program, ...args, log], undefined, WAIT_MS)
    for (let at = 0; at < 3; at += 1) {
      // The second answer may come with the first, or later as one to another question.
      const signed = await signMessage(key, MESSAGE).catch(() => undefined)
      if (signed !== undefined) expect(verifyEd25519(key.publicKey.bytes, MESSAGE, signed)).toBe(true)
    }
    const pids = (await readFile(log, 'utf8')).trim().split('\n').map(Number)
    expect(pids.length).toBeGreaterThan(1)
    const isAlive = (pid: number): boolean => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    // The one of the last answer is kept for the next question.
    await vi.waitUntil(() => pids.filter(isAlive).length <= 1, { timeout: WAIT_MS, interval: 20 })
  })
})

describe('a key file that names a program', () => {
  it('contains no secret, is private, and signs', async () => {
    const path = join(folder, 'alice.json')
    const { publicKey } = await open('ed25519')
    await writeCommandKeyFile(path, publicKey, command('ed25519'))
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(await readFile(path, 'utf8')))).toEqual([
      'version',
      'kind',
      'algorithm',
      'public_key',
      'command',
    ])
    const key = await readSigningKey(path)
    expect(verifyEd25519(publicKey.bytes, MESSAGE, await signMessage(key, MESSAGE))).toBe(true)
    expect(await codeOf(readKeyFile(path))).toContain('key_held_elsewhere')
    await chmod(path, 0o644)
    expect(await codeOf(readSigningKey(path))).toContain('key_file_loose')
  })

  it('is refused if the program holds another key', async () => {
    const path = join(folder, 'swapped.json')
    const { publicKey } = await open('ed25519')
    await writeCommandKeyFile(path, publicKey, command('secp256k1'))
    const key = await readSigningKey(path)
    expect(await codeOf(signMessage(key, MESSAGE))).toContain(`is not by ${formatPublicKey(publicKey)}`)
  })

  it.each([
    ['no list', { command: 'signer' }],
    ['an empty list', { command: [] }],
    ['a secret beside the program', { private_key: '00' }],
    ['an unknown kind', { kind: 'magic' }],
  ])('with %s is refused', async (name, change) => {
    const path = join(folder, `${name}.json`)
    const { publicKey } = await open('ed25519')
    const json = { version: 1, kind: 'command', algorithm: 'ed25519', public_key: formatPublicKey(publicKey) }
    await writeFile(path, JSON.stringify({ ...json, command: ['signer'], ...change }), { mode: 0o600 })
    expect(await codeOf(readSigningKey(path))).toContain('key_file_invalid')
  })
})
