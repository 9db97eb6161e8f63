import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLocalnet } from '../../../src/cli/localnet/write.js'
import { readLocalnet } from '../../../src/cli/settings/localnet-record.js'
import { NEWEST_ABI } from '../../../src/features/abi.js'
import { readKeyFile } from '../../../src/files/key-file.js'
import { verifyGenesis } from '../../../src/node/chain/genesis.js'
import { loadNodeConfig } from '../../../src/node/config/index.js'
import { choosePorts, provision, readGenesisFile } from '../../../src/node/genesis/index.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'provision-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const optionsFor = (name: string) => ({
  abi: NEWEST_ABI,
  folder: join(folder, name),
  template: 'genesis/iso-demo.json',
  chain: 'local',
  validators: 4,
  gatewayPort: 18_080,
  p2pPort: 17_400,
  logLevel: 'info',
  nowMs: 1_767_225_600_000,
})

describe('a local network on disk', () => {
  test('contains valid configurations, one genesis, private keys and a record', async () => {
    await provision(optionsFor('net'), writeLocalnet)
    const net = await readLocalnet(join(folder, 'net'))
    expect(net?.peers.map((one) => one.gateway)).toEqual([0, 1, 2, 3].map((at) => `http://127.0.0.1:${18_080 + at}`))
    expect(net?.accounts.map((one) => one.alias)).toEqual([
      'admin@bank',
      'alice@bank',
      'bob@bank',
      'carol@bank',
      'bridge@bank',
    ])
    for (const peer of net?.peers ?? []) {
      const config = await loadNodeConfig(peer.config, {})
      expect(config.genesis.hash).toBe(net?.genesisHash)
      expect(config.features.iso20022).toMatchObject({ anonymousSubmitter: 'bridge@bank' })
      const genesis = await readGenesisFile(NEWEST_ABI, config.genesis.file)
      expect((await verifyGenesis(NEWEST_ABI, genesis)).hash.toString('hex')).toBe(config.genesis.hash)
      for (const file of [
        config.keys.validator,
        config.keys.network,
        ...config.keys.features.map(({ path }) => path),
      ]) {
        expect((await stat(file)).mode & 0o777).toBe(0o600)
        await readKeyFile(file)
      }
    }
  })

  test('does not overwrite other files, and leaves no files when it fails', async () => {
    await writeFile(join(folder, 'taken'), '')
    await expect(provision({ ...optionsFor('a'), template: 'absent.json' }, writeLocalnet)).rejects.toMatchObject({
      code: 'file_missing',
    })
    await expect(stat(join(folder, 'a'))).rejects.toMatchObject({ code: 'ENOENT' })
    await writeFile(join(folder, 'net', 'more.txt'), 'x')
    await expect(provision(optionsFor('net'), writeLocalnet)).rejects.toMatchObject({ code: 'file_exists' })
    expect(await readFile(join(folder, 'net', 'more.txt'), 'utf8')).toBe('x')
  })

  test('never overwrites a network that another run creates at the same time', async () => {
    const place = join(folder, 'twice')
    const second = provision({ ...optionsFor('twice'), validators: 1 }, async (draft, made) => {
      await writeLocalnet(draft, made)
      await mkdir(place)
      await writeFile(join(place, 'validator.json'), 'theirs')
    })
    await expect(second).rejects.toMatchObject({ code: 'file_exists' })
    expect(await readdir(place)).toEqual(['validator.json'])
    expect((await readdir(folder)).filter((name) => name.includes('twice'))).toEqual(['twice'])
  })
})

test('ports in use cause an error, or are skipped', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', port: 0 }, resolve))
  const { port } = server.address() as { port: number }
  try {
    await expect(choosePorts(port, 1, true, '--gateway-port')).rejects.toMatchObject({
      code: 'address_in_use',
      details: { ports: [port] },
    })
    const range = await choosePorts(port, 1, false, '--gateway-port')
    expect(range.base).toBeGreaterThan(port)
    expect(range.moved).toEqual([port])
  } finally {
    server.close()
  }
})
