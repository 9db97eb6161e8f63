/** Owns the certificate and private key of the gateway: reading and validation of their files. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { errorCode } from '../base/thrown.js'
import { type ErrorCode, LedgerError } from '../model/index.js'

/** Minimum protocol version; earlier versions are insecure (RFC 8996). */
export const TLS_MIN_VERSION = 'TLSv1.2'
/** Maximum file size, in bytes: a certificate chain has a few kilobytes. */
const FILE_MAX_BYTES = 256 * 1024

/** Certificate chain and private key, both PEM. The key is a secret: never log it. */
export interface GatewayTls {
  readonly certificate: string
  readonly privateKey: string
  /** End of the certificate's validity, in ms since the Unix epoch. */
  readonly expiresAtMs: number
}

const refuse = (code: ErrorCode, path: string, message: string): LedgerError =>
  new LedgerError(code, `${path}: ${message}`, { details: { path } })

/** Refuse a key that other users can open or replace. Links are followed: certificate tools link to the current key. */
function checkPrivate(path: string, info: { readonly uid: number; readonly mode: number }): void {
  const uid = process.getuid?.()
  // Windows has no such owners or modes.
  if (uid === undefined) return
  if (info.uid !== uid && info.uid !== 0) throw refuse('key_file_loose', path, 'the key file belongs to another user')
  if ((info.mode & 0o077) === 0) return
  const mode = (info.mode & 0o777).toString(8).padStart(4, '0')
  throw refuse('key_file_loose', path, `the key file has mode ${mode}, so that other users can open it`)
}

async function readPem(path: string, secret: boolean): Promise<string> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    throw refuse('config_invalid', path, `cannot read the file (${errorCode(error) ?? 'unknown error'})`)
  }
  try {
    const info = await file.stat()
    if (!info.isFile()) throw refuse('config_invalid', path, 'is not a regular file')
    if (secret) checkPrivate(path, info)
    if (info.size > FILE_MAX_BYTES) throw refuse('config_invalid', path, `has more than ${FILE_MAX_BYTES} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/**
 * Read the files of `gateway.tls_cert` and `gateway.tls_key`.
 *
 * @throws LedgerError `config_invalid` for a file that cannot be read or used, `key_file_loose`
 */
export async function readGatewayTls(files: {
  readonly certFile: string
  readonly keyFile: string
}): Promise<GatewayTls> {
  const { certFile, keyFile } = files
  const certificate = await readPem(certFile, false)
  const privateKey = await readPem(keyFile, true)
  let leaf: X509Certificate
  try {
    leaf = new X509Certificate(certificate)
  } catch {
    throw refuse('config_invalid', certFile, 'contains no PEM certificate')
  }
  let key: KeyObject
  try {
    key = createPrivateKey(privateKey)
  } catch {
    // The cause could quote the file.
    throw refuse('config_invalid', keyFile, 'contains no unencrypted PEM private key')
  }
  if (!leaf.checkPrivateKey(key)) {
    throw refuse('config_invalid', keyFile, `does not match the first certificate in ${certFile}`)
  }
  try {
    createSecureContext({ cert: certificate, key: privateKey })
  } catch {
    throw refuse('config_invalid', certFile, 'contains an unreadable certificate after the first one')
  }
  return { certificate, privateKey, expiresAtMs: Date.parse(leaf.validTo) }
}
