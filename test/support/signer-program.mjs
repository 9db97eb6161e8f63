// A program that holds a key, for tests of --signer-command: honest, or lying as MODE says. `node signer-program.mjs ALGORITHM [MODE [LOG]]`;
// its process ids are appended to LOG.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , algorithm, mode = 'honest', log] = process.argv
if (log !== undefined) appendFileSync(log, `${process.pid}\n`)
const isEd = algorithm === 'ed25519'
const secret = createHash('sha256').update(`signer program ${algorithm}`).digest()
const PKCS8 = { ed25519: '302e020100300506032b657004220420' }
/** SEC 1 private key of secp256k1 without its public part. */
const sec1 = (bytes) =>
  Buffer.concat([Buffer.from('302e0201010420', 'hex'), bytes, Buffer.from('a00706052b8104000a', 'hex')])
const key = isEd
  ? createPrivateKey({ key: Buffer.concat([Buffer.from(PKCS8.ed25519, 'hex'), secret]), format: 'der', type: 'pkcs8' })
  : createPrivateKey({ key: sec1(secret), format: 'der', type: 'sec1' })
const { x, y } = createPublicKey(key).export({ format: 'jwk' })
const hex = (text) => Buffer.from(text, 'base64url').toString('hex')
const parity = () => ((Buffer.from(y, 'base64url').at(-1) & 1) === 1 ? '03' : '02')
const publicKey = isEd ? `ed0120${hex(x).toUpperCase()}` : `e70121${`${parity()}${hex(x)}`.toUpperCase()}`

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The other of the two S of a signature. */
function otherS(signature) {
  const s = ORDER - BigInt(`0x${signature.toString('hex', 32)}`)
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
}
const HALF = ORDER / 2n
const isHigh = (signature) => BigInt(`0x${signature.toString('hex', 32)}`) > HALF

function signatureOf(message) {
  if (isEd) return sign(null, message, key)
  const made = sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' })
  return (mode === 'high' && !isHigh(made)) || (mode !== 'high' && isHigh(made)) ? otherS(made) : made
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, message } = JSON.parse(line)
  const say = (answer) =>
    process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`.repeat(mode === 'twice' ? 2 : 1))
  if (mode === 'silent') continue
  if (mode === 'gone') process.exit(3)
  if (mode === 'noise') process.stdout.write('PIN?\n')
  else if (mode === 'long') say({ signature: 'a'.repeat(5_000) })
  else if (mode === 'refuses') say({ error: 'the card was removed' })
  else if (mode === 'other-id') process.stdout.write(`${JSON.stringify({ id: id + 1, public_key: publicKey })}\n`)
  else if (method === 'public_key') say({ public_key: mode === 'no-key' ? 'alice' : publicKey })
  else if (mode === 'forges') say({ signature: '11'.repeat(64) })
  else if (mode === 'short') say({ signature: '11' })
  else say({ signature: signatureOf(Buffer.from(message, 'hex')).toString('hex') })
  if (mode === 'once') process.stdout.write('', () => process.exit(0))
}
