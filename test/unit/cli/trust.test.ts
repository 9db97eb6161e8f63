/** Which key and which token meet which gateway (docs/concepts/trust.md): the folder that a command runs in may be a stranger's. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { clientOf, gatewayKey } from '../../../src/cli/gateway/gateway.js'
import { writeLocalnet } from '../../../src/cli/localnet/write.js'
import { resolveSettings } from '../../../src/cli/settings/settings.js'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { askNode } from '../../../src/doctor/live.js'
import { writeKeyFile } from '../../../src/files/key-file.js'
import { LedgerError } from '../../../src/model/errors.js'
import type { NodeConfig } from '../../../src/node/config/index.js'

const HASH = 'ab'.repeat(32)
const EVIL = 'https://gateway.evil.example'
const pair = await generateKeyPair('ed25519')

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
let home: string
let folder: string
let own: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'trust-home-'))
  folder = await mkdtemp(join(tmpdir(), 'trust-folder-'))
  folders.push(home, folder)
  own = join(home, 'real-key.json')
  await writeKeyFile(own, pair)
})

const settings = (flags: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) =>
  resolveSettings(flags, { XDG_CONFIG_HOME: home, ...env }, folder)
async function file(path: string, json: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(json))
}
const project = (json: unknown) => file(join(folder, '.causeway', 'config.json'), json)
const profile = (json: unknown) =>
  file(join(home, 'causeway', 'config.json'), { active: 'bank', profiles: { bank: json } })
const NET = 'http://127.0.0.1:29100'
const devKey = (): string => join(folder, '.causeway', 'localnet', 'dev-only-keys', 'admin.json')
async function localnet(): Promise<void> {
  const net = join(folder, '.causeway', 'localnet')
  await mkdir(join(net, 'dev-only-keys'), { recursive: true })
  await writeLocalnet(net, {
    chain: 'demo',
    genesisHash: HASH,
    manifest: 'genesis.json',
    peers: [
      { name: 'val-0', gateway: NET, p2p: '127.0.0.1:1', folder: 'val-0' },
      { name: 'val-1', gateway: 'http://127.0.0.1:29101', p2p: '127.0.0.1:2', folder: 'val-1' },
    ],
    accounts: [{ name: 'admin', alias: 'admin@bank', address: 'cw1', keyFile: 'dev-only-keys/admin.json' }],
  })
  await writeKeyFile(devKey(), pair)
}
const UNTRUSTED = { code: 'gateway_untrusted', hint: expect.stringContaining('--gateway') }

describe('an untrusted folder', () => {
  test('cannot set a gateway outside of its own local network', async () => {
    await project({ gateway: EVIL })
    await expect(settings()).rejects.toMatchObject(UNTRUSTED)
    await localnet()
    await expect(settings()).rejects.toMatchObject(UNTRUSTED)
    expect((await settings({ gateway: 'https://bank.example' })).gateway).toBe('https://bank.example')
  })

  test.each([
    ['a flag', () => settings({ 'key-file': own })],
    ['a variable', () => settings({}, { CAUSEWAY_KEY_FILE: own })],
  ])('cannot cause a signature with a key given by %s', async (_source, resolve) => {
    await localnet()
    await expect(gatewayKey(await resolve())).rejects.toMatchObject(UNTRUSTED)
    await project({ gateway: 'http://127.0.0.1:29101' })
    await expect(gatewayKey(await resolve())).rejects.toMatchObject(UNTRUSTED)
    await expect(clientOf(await resolve(), { signed: true })).rejects.toMatchObject(UNTRUSTED)
  })

  test('does not change the error for a missing key file', async () => {
    await localnet()
    const path = join(home, 'mistyped.json')
    const found = await settings({ 'key-file': path })
    await expect(gatewayKey(found)).rejects.toMatchObject({ code: 'key_file_missing', details: { path } })
  })

  test('cannot cause a signature with the key of a profile', async () => {
    await localnet()
    await profile({ key_file: own })
    await expect(gatewayKey(await settings())).rejects.toMatchObject(UNTRUSTED)
  })

  test('cannot cause a token to be sent', async () => {
    await localnet()
    const found = await settings({}, { CAUSEWAY_API_TOKEN: 'secret' })
    await expect(clientOf(found)).rejects.toMatchObject(UNTRUSTED)
    expect(() => found.tokenFor(found.gateway)).toThrow(LedgerError)
  })

  test('cannot set the key for a gateway of another source', async () => {
    await project({ key_file: own })
    const found = await settings({ gateway: 'https://bank.example' })
    await expect(gatewayKey(found)).rejects.toMatchObject(UNTRUSTED)
  })

  test('cannot select a key through a symbolic link', async () => {
    await localnet()
    const link = join(dirname(devKey()), 'alice.json')
    await symlink(own, link)
    await expect(gatewayKey(await settings({ 'key-file': link }))).rejects.toMatchObject(UNTRUSTED)
  })

  test('provides neither a token nor a pinned chain', async () => {
    await project({ gateway: NET, token: 'x' })
    await expect(settings()).rejects.toMatchObject({ code: 'config_invalid' })
    await project({ gateway: NET, genesis_hash: HASH })
    await expect(settings()).rejects.toMatchObject({ code: 'config_invalid' })
  })
})

describe('the local network of a folder', () => {
  beforeEach(localnet)

  test('is used with its own keys, whatever setting names them, and is pinned', async () => {
    const alice = join(dirname(devKey()), 'alice.json')
    await writeKeyFile(alice, pair)
    for (const found of [
      await settings(),
      await settings({ 'key-file': alice }),
      await settings({ 'key-file': alice, gateway: 'http://localhost:29101' }),
    ]) {
      expect(found).toMatchObject({ isLocal: true, pin: { chain: 'demo', genesisHash: HASH } })
      await expect(gatewayKey(found)).resolves.toBeDefined()
    }
    await project({ gateway: 'http://127.0.0.1:29101', key_file: alice })
    expect(await settings()).toMatchObject({ isLocal: true, gateway: 'http://127.0.0.1:29101' })
  })

  test('can be used with any key if the user gives its gateway', async () => {
    const found = await settings({ 'key-file': own, gateway: NET })
    expect(found).toMatchObject({ isLocal: false, pin: undefined })
    await expect(gatewayKey(found)).resolves.toBeDefined()
  })
})

describe('a profile', () => {
  const bank = {
    gateway: 'https://bank.example',
    chain: 'main',
    genesis_hash: HASH,
    network_key: 'ed01',
    token: 'secret',
  }

  test('binds gateway, chain, genesis, token and key', async () => {
    await profile({ ...bank, key_file: own })
    const found = await settings()
    expect(found).toMatchObject({
      gateway: bank.gateway,
      gatewaySource: 'profile bank',
      token: 'secret',
      pin: { chain: 'main', genesisHash: HASH, networkKey: 'ed01' },
      isLocal: false,
    })
    await expect(gatewayKey(found)).resolves.toBeDefined()
  })

  test('sends its token to no other gateway, and uses its key for no other chain', async () => {
    await profile({ ...bank, key_file: own })
    const found = await settings({ gateway: 'https://other.example' })
    expect(found).toMatchObject({ token: undefined, pin: { chain: 'main', genesisHash: HASH, networkKey: undefined } })
    expect((await settings({ gateway: 'https://other.example', 'key-file': own })).pin).toBeUndefined()
  })

  test('is refused with an invalid genesis hash', async () => {
    await profile({ ...bank, genesis_hash: 'abc' })
    await expect(settings()).rejects.toMatchObject({ code: 'config_invalid' })
  })
})

describe('the token in the environment', () => {
  const own = 'http://127.0.0.1:29100'

  test.each(['http://127.0.0.1:29101', 'https://127.0.0.1:29100', 'http://[::1]:29100', 'http://other.example:29100'])(
    'is not sent to the other origin %s',
    async (other) => {
      const { tokenFor } = await settings({ gateway: own }, { CAUSEWAY_API_TOKEN: 'secret' })
      expect(tokenFor(other)).toBeUndefined()
    },
  )

  test.each([own, 'http://127.0.0.1:29100/', 'http://localhost:29100'])(
    'is sent to the same origin %s',
    async (same) => {
      const { tokenFor } = await settings({ gateway: own }, { CAUSEWAY_API_TOKEN: 'secret' })
      expect(tokenFor(same)).toBe('secret')
    },
  )

  test('is not sent by the doctor to an examined gateway unless the user selected that gateway', async () => {
    const received: (string | undefined)[] = []
    const listener = createServer((request, response) => {
      received.push(request.headers['x-api-token'] as string | undefined)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    const config = { gateway: { listen: { host: '127.0.0.1', port }, tls: undefined } } as unknown as NodeConfig
    try {
      for (const gateway of [own, `http://127.0.0.1:${port}`]) {
        const access = await settings({ gateway }, { CAUSEWAY_API_TOKEN: 'secret' })
        await askNode(config, access).catch(() => undefined)
        expect(new Set(received.splice(0))).toEqual(new Set([gateway === own ? undefined : 'secret']))
      }
    } finally {
      listener.close()
    }
  })

  test('is not sent by the doctor over plain http to another machine', async () => {
    const config = { gateway: { listen: { host: '192.0.2.1', port: 80 }, tls: undefined } } as unknown as NodeConfig
    const access = await settings({ gateway: 'http://192.0.2.1' }, { CAUSEWAY_API_TOKEN: 'secret' })
    await expect(askNode(config, access)).rejects.toMatchObject({ code: 'gateway_insecure' })
  })
})

describe('plain http', () => {
  const flags = (gateway: string) => ({ gateway })
  const token = { CAUSEWAY_API_TOKEN: 'secret' }

  test('carries no token to another machine', async () => {
    await expect(clientOf(await settings(flags('http://bank.example'), token))).rejects.toMatchObject({
      code: 'gateway_insecure',
    })
  })

  test.each(['https://bank.example', 'http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1'])(
    'is allowed for %s',
    async (gateway) => {
      await (await clientOf(await settings(flags(gateway), token))).close()
    },
  )

  test('carries a token if the user allows it, and any request without a token', async () => {
    const found = await resolveSettings({ gateway: 'http://bank.example', insecure: true }, token, folder)
    await (await clientOf(found)).close()
    await (await clientOf(await settings(flags('http://bank.example')))).close()
  })
})
