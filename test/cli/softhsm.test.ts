/** The example of `templates/signer`: a key of a SoftHSM2 token signs, and its secret stays in the token. Skipped where the token's programs are not installed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signMessage } from '../../src/client/index.js'
import { verifySecp256k1 } from '../../src/crypto/index.js'
import { readSigningKey, writeCommandKeyFile } from '../../src/files/key-file.js'
import { openKeyProgram } from '../../src/files/key-program.js'
import { needs } from '../support/needs.js'

/** Paths of the library of SoftHSM2 in distributions. */
const MODULES = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/softhsm/libsofthsm.so', '/usr/lib64/libsofthsm2.so']
const module_ = MODULES.find((path) => existsSync(path))
const isThere = (program: string): boolean => spawnSync(program, ['--help']).error === undefined
const missing =
  module_ === undefined || !isThere('softhsm2-util') || !isThere('pkcs11-tool')
    ? 'softhsm2 and opensc are not installed'
    : undefined

const SIGNER = [process.execPath, resolve('templates/signer/pkcs11.mjs')] as const
const PIN = '4711'

describe('a key of a PKCS#11 token', needs(missing), () => {
  let folder: string
  const before = { ...process.env }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'softhsm-'))
    await mkdir(join(folder, 'tokens'))
    const conf = join(folder, 'softhsm2.conf')
    await writeFile(conf, `directories.tokendir = ${join(folder, 'tokens')}\nobjectstore.backend = file\n`)
    Object.assign(process.env, {
      SOFTHSM2_CONF: conf,
      PKCS11_MODULE: module_,
      PKCS11_TOKEN: 'bank',
      PKCS11_LABEL: 'alice',
      PKCS11_PIN: PIN,
    })
    const run = (program: string, ...args: string[]): void => {
      const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
    }
    run('softhsm2-util', '--init-token', '--free', '--label', 'bank', '--pin', PIN, '--so-pin', '0815')
    const pair = ['--keypairgen', '--key-type', 'EC:secp256k1', '--label', 'alice']
    run('pkcs11-tool', '--module', module_ ?? '', '--token-label', 'bank', '--login', '--pin', PIN, ...pair)
  })
  afterAll(async () => {
    process.env = before
    await rm(folder, { recursive: true })
  })

  it('signs messages that its public key verifies, whether selected by flag or by key file', async () => {
    const key = await openKeyProgram(SIGNER)
    const path = join(folder, 'alice.json')
    await writeCommandKeyFile(path, key.publicKey, SIGNER)
    for (const one of [key, await readSigningKey(path)]) {
      // Half of all signatures of a token have the high one of two forms.
      for (let round = 0; round < 4; round += 1) {
        const message = Buffer.from(`payment ${round}`)
        expect(verifySecp256k1(key.publicKey.bytes, message, await signMessage(one, message))).toBe(true)
      }
    }
  })

  it('prints the error of the token if signing fails', async () => {
    const key = await openKeyProgram(SIGNER)
    process.env.PKCS11_PIN = 'wrong'
    const other = await openKeyProgram(SIGNER).catch((error: Error) => error)
    expect(String(other)).toMatch(/it refuses: pkcs11-tool: /)
    process.env.PKCS11_PIN = PIN
    await expect(signMessage(key, Buffer.from('x'))).resolves.toHaveLength(64)
  })
})
