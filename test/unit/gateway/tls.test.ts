/** HTTPS of the gateway: protocol versions, public addresses, files that cannot be used. */
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../../src/client/index.js'
import { type Gateway, readGatewayTls } from '../../../src/gateway/index.js'
import type { LedgerError } from '../../../src/model/index.js'
import { linkIdentity } from '../../../src/network/certificate.js'
import { blockAt } from './fake-chain.js'
import { FakeNode, gatewayOf } from './support.js'

const identity = linkIdentity(Buffer.alloc(32, 7))
const outsider = linkIdentity(Buffer.alloc(32, 8))
let folder: string
let certFile: string
let keyFile: string

async function fileOf(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-tls-'))
  certFile = await fileOf('gateway.crt', identity.certificate, 0o644)
  keyFile = await fileOf('gateway.key', identity.privateKey)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Answer {
  readonly status: number
  readonly body: string
  readonly protocol: string | null
}

const get = (url: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = httpsRequest(url, { ca: identity.certificate, checkServerIdentity: () => undefined }, (answer) => {
      const chunks: Buffer[] = []
      const protocol = (answer.socket as TLSSocket).getProtocol()
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString(), protocol }),
      )
    })
    request.on('error', reject)
    request.end()
  })

/** Protocol that a handshake agrees on, or the error that ends it. */
const handshake = (port: number, version: SecureVersion): Promise<string> =>
  new Promise((resolve) => {
    // The lowest security level: otherwise this side alone would refuse the old versions.
    const ciphers = 'DEFAULT@SECLEVEL=0'
    const options = { port, host: '127.0.0.1', minVersion: version, maxVersion: version, ciphers }
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      resolve(socket.getProtocol() ?? '')
      socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
  })

async function listening(): Promise<{ gateway: Gateway; url: string; port: number }> {
  const gateway = gatewayOf(new FakeNode(), { tls: await readGatewayTls({ certFile, keyFile }) })
  return { gateway, ...(await gateway.listen()) }
}

describe('HTTPS', () => {
  it('serves the routes under an https URL', async () => {
    const { gateway, url } = await listening()
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:[0-9]+$/)
    const answer = await get(`${url}/health`)
    expect([answer.status, answer.protocol]).toEqual([200, 'TLSv1.3'])
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'healthy' })
    expect((await get(`${url}/nowhere`)).status).toBe(404)
    await gateway.close()
  })

  it.each(['websocket', 'sse'] as const)(
    'serves streams over %s to a client that accepts only this certificate',
    async (transport) => {
      const node = new FakeNode()
      node.blocks.push(await blockAt(8))
      const gateway = gatewayOf(node, { tls: await readGatewayTls({ certFile, keyFile }) })
      const { url } = await gateway.listen()
      const clientOf = (certificate: string) => new CausewayClient({ gateway: url, retries: 0, certificate })
      const first = async (client: CausewayClient) => {
        const events = client.events({ transport, fromHeight: 8 })
        try {
          return (await events.next()).value
        } finally {
          await events.return()
          await client.close()
        }
      }
      expect(await first(clientOf(identity.certificate))).toMatchObject({ kind: 'event', value: { id: '8.0' } })
      await expect(first(clientOf(outsider.certificate))).rejects.toMatchObject({ code: 'unreachable' })
      await gateway.close()
    },
  )

  it('supports TLS 1.2 and 1.3 only', async () => {
    const { gateway, port } = await listening()
    expect(await handshake(port, 'TLSv1.3')).toBe('TLSv1.3')
    expect(await handshake(port, 'TLSv1.2')).toBe('TLSv1.2')
    expect(await handshake(port, 'TLSv1.1')).toMatch(/^ERR_SSL/)
    await gateway.close()
  })

  it('closes a plain HTTP connection without affecting other clients', async () => {
    const { gateway, url, port } = await listening()
    const code = await new Promise<string | undefined>((resolve) => {
      const request = httpRequest({ port, host: '127.0.0.1', path: '/health' }, () => resolve('answered'))
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      request.end()
    })
    expect(['ECONNRESET', 'EPIPE']).toContain(code)
    expect((await get(`${url}/health`)).status).toBe(200)
    await gateway.close()
  })

  it('permits a public address', async () => {
    const tls = await readGatewayTls({ certFile, keyFile })
    expect(() => gatewayOf(new FakeNode(), { address: '0.0.0.0:0' })).toThrow('without TLS')
    await gatewayOf(new FakeNode(), { address: '0.0.0.0:0', tls }).close()
  })
})

describe('certificate and key files', () => {
  const refusal = async (files: { certFile?: string; keyFile?: string }): Promise<LedgerError> => {
    const error: unknown = await readGatewayTls({ certFile, keyFile, ...files }).catch((cause: unknown) => cause)
    return error as LedgerError
  }

  it('are reported if they cannot be read or used', async () => {
    const missing = join(folder, 'missing')
    const text = await fileOf('text', 'no PEM')
    const other = await fileOf('other.key', outsider.privateKey)
    const cases: [{ certFile?: string; keyFile?: string }, string, string][] = [
      [{ certFile: missing }, missing, 'ENOENT'],
      [{ keyFile: missing }, missing, 'ENOENT'],
      [{ certFile: folder }, folder, 'is not a regular file'],
      [{ certFile: text }, text, 'no PEM certificate'],
      [{ keyFile: text }, text, 'no unencrypted PEM private key'],
      [{ keyFile: other }, other, certFile],
    ]
    for (const [files, path, message] of cases) {
      const error = await refusal(files)
      expect([error.code, error.details?.['path']]).toEqual(['config_invalid', path])
      expect(error.message).toContain(path)
      expect(error.message).toContain(message)
    }
  })

  it.each([0o640, 0o604, 0o644])('a key file of mode %o is refused', async (mode) => {
    const loose = await fileOf('loose.key', identity.privateKey, mode)
    const error = await refusal({ keyFile: loose })
    expect([error.code, error.details?.['path']]).toEqual(['key_file_loose', loose])
  })

  it('may be symbolic links, as certificate tools create them', async () => {
    const link = join(folder, 'live.key')
    await symlink(keyFile, link)
    const tls = await readGatewayTls({ certFile, keyFile: link })
    expect(tls.expiresAtMs).toBeGreaterThan(Date.now())
  })
})
