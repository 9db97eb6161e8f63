/** Sources of gateway, key file and timeout (docs/design/cli.md 2), and settings without effect on them. */
import files, { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Parser } from '@oclif/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { globalFlags } from '../../../src/cli/command/base-command.js'
import { writeLocalnet } from '../../../src/cli/localnet/write.js'
import { peerDoctorHint } from '../../../src/cli/settings/localnet-record.js'
import { changeProfiles, readProfiles } from '../../../src/cli/settings/profiles.js'
import { profilesFile, resolveSettings, settingLayers } from '../../../src/cli/settings/settings.js'

/** Files that this user may not read: root may read any. */
const denied = new Set<string>()
const { open } = files
beforeAll(() => {
  vi.spyOn(files, 'open').mockImplementation(async (...args) => {
    if (denied.has(String(args[0]))) throw Object.assign(new Error('denied'), { code: 'EACCES' })
    return open(...args)
  })
  syncBuiltinESMExports()
})
afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

let folder: string
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  denied.clear()
  folder = await mkdtemp(join(tmpdir(), 'settings-'))
  folders.push(folder)
  env = { XDG_CONFIG_HOME: join(folder, 'xdg') }
})

const settings = (flags: Record<string, string> = {}, more: NodeJS.ProcessEnv = {}) =>
  resolveSettings(flags, { ...env, ...more }, folder)

const profilesAt = () => join(folder, 'xdg', 'causeway', 'config.json')
const projectAt = () => join(folder, '.causeway', 'config.json')

async function file(path: string, json: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(json))
}

const profiles = (active?: string) =>
  file(profilesAt(), {
    active,
    profiles: { a: { gateway: 'http://a:1', timeout: '5s' }, b: { gateway: 'http://b:1', key_file: 'b.json' } },
  })

async function localnet(path: string, gateway: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await writeLocalnet(path, {
    chain: 'c',
    genesisHash: '',
    manifest: 'genesis.json',
    peers: [
      { name: 'val-0', gateway, p2p: '127.0.0.1:2', folder: 'val-0' },
      { name: 'val-1', gateway: `${gateway}1`, p2p: '127.0.0.1:3', folder: 'val-1' },
    ],
    accounts: [{ name: 'admin', alias: 'admin@bank', address: 'cw1', keyFile: 'keys/admin.json' }],
  })
}

describe('settings sources in order of priority', () => {
  test('flag, variable, project file, active profile, local network, default', async () => {
    expect(await settings()).toMatchObject({ gateway: 'http://127.0.0.1:8080', timeoutMs: 30_000, keyFile: undefined })
    await localnet(join(folder, '.causeway', 'localnet'), 'http://127.0.0.5:1')
    expect((await settings()).gateway).toBe('http://127.0.0.5:1')
    await profiles('a')
    expect(await settings()).toMatchObject({ gateway: 'http://a:1', timeoutMs: 5_000 })
    await file(projectAt(), { gateway: 'http://127.0.0.5:11/' })
    expect((await settings()).gateway).toBe('http://127.0.0.5:11')
    expect((await settings({}, { CAUSEWAY_GATEWAY: 'http://e:1' })).gateway).toBe('http://e:1')
    expect((await settings({ gateway: 'http://f:1' }, { CAUSEWAY_GATEWAY: 'http://e:1' })).gateway).toBe('http://f:1')
    const sources = (await settingLayers({}, env, folder)).map(({ source }) => source)
    expect(sources).toEqual([
      'flags',
      'environment',
      join('.causeway', 'config.json'),
      'profile a',
      'local network (DEV ONLY)',
    ])
  })

  test('a profile given by a flag or a variable overrides the project file', async () => {
    await profiles('a')
    await file(projectAt(), { gateway: 'http://p:1' })
    expect((await settings({ profile: 'b' })).gateway).toBe('http://b:1')
    expect((await settings({}, { CAUSEWAY_PROFILE: 'b' })).gateway).toBe('http://b:1')
  })

  test('a local network given by a variable overrides the project file', async () => {
    await profiles('a')
    await localnet(join(folder, 'net'), 'http://127.0.0.6:1')
    expect((await settings({}, { CAUSEWAY_LOCALNET: 'net' })).gateway).toBe('http://127.0.0.6:1')
  })
})

describe('the key of a local network', () => {
  const key = () => join(folder, '.causeway', 'localnet', 'keys', 'admin.json')

  test('signs for its own peers', async () => {
    await localnet(join(folder, '.causeway', 'localnet'), 'http://127.0.0.1:1')
    expect((await settings()).keyFile).toBe(key())
    expect((await settings({ gateway: 'http://localhost:11' })).keyFile).toBe(key())
  })

  test('does not sign for any other gateway', async () => {
    await localnet(join(folder, '.causeway', 'localnet'), 'http://127.0.0.1:1')
    await profiles('a')
    expect(await settings()).toMatchObject({ gateway: 'http://a:1', keyFile: undefined })
    expect((await settings({ gateway: 'http://127.0.0.1:2' })).keyFile).toBeUndefined()
  })
})

describe('the hint for the doctor in a folder without a configuration', () => {
  test('lists the peers of a local network that is in the folder or is the folder itself', async () => {
    expect(await peerDoctorHint(folder)).toBeUndefined()
    const net = join(folder, '.causeway', 'localnet')
    await localnet(net, 'http://127.0.0.5:1')
    expect(await peerDoctorHint(folder)).toBe(
      'causeway doctor --peer-dir .causeway/localnet/val-0, or .causeway/localnet/val-1',
    )
    expect(await peerDoctorHint(net)).toBe('causeway doctor --peer-dir val-0, or val-1')
  })
})

describe('unreadable files', () => {
  beforeEach(async () => {
    await profiles('a')
    await file(projectAt(), { timeout: '7s' })
    await localnet(join(folder, '.causeway', 'localnet'), 'http://127.0.0.5:1')
    for (const path of [profilesAt(), projectAt(), join(folder, '.causeway', 'localnet', 'localnet.json')]) {
      denied.add(path)
    }
  })

  test('are ignored if a flag or a variable sets the gateway', async () => {
    expect(await settings({ gateway: 'http://f:1', 'key-file': 'k.json' })).toMatchObject({
      gateway: 'http://f:1',
      keyFile: 'k.json',
      timeoutMs: 30_000,
    })
    expect((await settings({}, { CAUSEWAY_GATEWAY: 'http://e:1' })).gateway).toBe('http://e:1')
  })

  test('are reported if they may set the gateway, or were given explicitly', async () => {
    await expect(settings()).rejects.toMatchObject({ code: 'file_unreadable', exit: 3, details: { file: projectAt() } })
    denied.delete(projectAt())
    await expect(settings()).rejects.toMatchObject({ code: 'file_unreadable', details: { file: profilesAt() } })
    await expect(settings({ gateway: 'http://f:1', profile: 'b' })).rejects.toMatchObject({ code: 'file_unreadable' })
  })
})

test('no profiles exist if the home directory is a file', async () => {
  await writeFile(join(folder, 'home'), '')
  expect((await settings({}, { XDG_CONFIG_HOME: join(folder, 'home') })).gateway).toBe('http://127.0.0.1:8080')
})

test('invalid settings are refused', async () => {
  await expect(settings({ gateway: 'nowhere' })).rejects.toMatchObject({ code: 'usage' })
  await expect(settings({ profile: 'zzz' })).rejects.toMatchObject({ code: 'config_invalid' })
  await expect(settings({ timeout: 'long' })).rejects.toMatchObject({ code: 'usage' })
})

test('profiles written concurrently are all kept, private, without temporary files', async () => {
  const names = Array.from({ length: 16 }, (_, at) => `bank-${at}`)
  const add = (name: string) =>
    changeProfiles((before) => ({ profiles: { ...before.profiles, [name]: { token: 'secret' } } }), env)
  await Promise.all(names.map(add))
  expect(Object.keys((await readProfiles(env)).profiles).toSorted()).toEqual(names.toSorted())
  expect((await files.stat(profilesAt())).mode & 0o777).toBe(0o600)
  expect(await files.readdir(dirname(profilesAt()))).toEqual(['config.json'])
})

describe('an empty variable', () => {
  test('does not cause profiles of the current folder to be read', () => {
    const own = profilesFile({})
    expect(profilesFile({ XDG_CONFIG_HOME: '' })).toBe(own)
    expect(profilesFile({ XDG_CONFIG_HOME: 'config' })).toBe(own)
    expect(profilesFile({ XDG_CONFIG_HOME: join(folder, 'xdg') })).toBe(profilesAt())
  })

  test('does not make the current folder an explicit local network', async () => {
    await localnet(folder, 'http://127.0.0.6:1')
    await localnet(join(folder, '.causeway', 'localnet'), 'http://127.0.0.5:1')
    expect(await settings({}, { CAUSEWAY_LOCALNET: '' })).toMatchObject({ gateway: 'http://127.0.0.5:1' })
    const layers = await settingLayers({}, { ...env, CAUSEWAY_LOCALNET: '' }, folder)
    expect(layers.find(({ net }) => net !== undefined)?.isFolder).toBe(true)
  })

  test('leaves the active profile and its token in use', async () => {
    await file(profilesAt(), { active: 'a', profiles: { a: { gateway: 'http://a:1', token: 'secret' } } })
    const found = await settings({}, { CAUSEWAY_PROFILE: '', CAUSEWAY_API_TOKEN: '' })
    expect(found).toMatchObject({ gateway: 'http://a:1', token: 'secret' })
  })
})

test.each(['profile', 'gateway', 'timeout', 'key-file', 'signer-command'])(
  'an empty --%s is refused, because another network or key would be used',
  async (name) => {
    await expect(Parser.parse([`--${name}`, ''], { flags: globalFlags })).rejects.toThrow(`--${name} is empty`)
    const { flags } = await Parser.parse([`--${name}`, 'x'], { flags: globalFlags })
    expect(flags).toMatchObject({ [name]: 'x' })
  },
)

test.each(['https://ann:secret@bank.example', 'https://bank.example/?token=secret', 'https://bank.example/#secret'])(
  'a value with %s is refused, and not repeated in the error',
  async (gateway) => {
    const refused = await settings({ gateway }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'usage' })
    expect(String(refused)).not.toContain('secret')
    expect((await settings({ gateway: 'https://bank.example/node/' })).gateway).toBe('https://bank.example/node')
  },
)
