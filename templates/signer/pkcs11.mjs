#!/usr/bin/env node
/**
 * A signer for `--signer-command`: signs with a secp256k1 key of a PKCS#11 token, by `pkcs11-tool` of OpenSC. The secret stays in the token.
 *
 * Environment: PKCS11_MODULE (library of the token), PKCS11_TOKEN and PKCS11_LABEL (names of token and key), PKCS11_PIN.
 * One request and one answer a line; docs/reference/signer-command.md says what they hold.
 */
import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Multicodec of a secp256k1 public key, and the length of its 33 bytes. */
const PUBLIC_KEY_PREFIX = 'e70121'

const setting = (name) => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`set ${name}`)
  return value
}

/** What pkcs11-tool writes, given its input; the PIN goes by the environment, since others may read arguments. */
function token(args, input) {
  const folder = mkdtempSync(join(tmpdir(), 'pkcs11-'))
  try {
    const [from, to] = [join(folder, 'in'), join(folder, 'out')]
    const where = ['--module', setting('PKCS11_MODULE'), '--token-label', setting('PKCS11_TOKEN')]
    const login = ['--login', '--pin', 'env:PKCS11_PIN', '--label', setting('PKCS11_LABEL')]
    setting('PKCS11_PIN')
    if (input !== undefined) writeFileSync(from, input)
    const files = [...(input === undefined ? [] : ['--input-file', from]), '--output-file', to]
    const run = spawnSync('pkcs11-tool', [...where, ...login, ...args, ...files], { encoding: 'utf8' })
    if (run.error !== undefined) throw new Error(`pkcs11-tool cannot be run: ${run.error.code}`)
    if (run.status !== 0) throw new Error(`pkcs11-tool: ${run.stderr.trim().split('\n').at(-1)}`)
    return readFileSync(to)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function publicKey() {
  const der = token(['--read-object', '--type', 'pubkey'])
  const { x, y } = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const isOdd = (Buffer.from(y, 'base64url').at(-1) & 1) === 1
  const point = Buffer.from(x, 'base64url').toString('hex').padStart(64, '0')
  return PUBLIC_KEY_PREFIX + `${isOdd ? '03' : '02'}${point}`.toUpperCase()
}

function answer({ method, message }) {
  if (method === 'public_key') return { public_key: publicKey() }
  if (method !== 'sign') return { error: `unknown method ${method}` }
  const digest = createHash('sha256').update(Buffer.from(message, 'hex')).digest()
  return { signature: token(['--sign', '--mechanism', 'ECDSA'], digest).toString('hex') }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let said
  try {
    said = answer(request)
  } catch (error) {
    said = { error: error.message }
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...said })}\n`)
}
