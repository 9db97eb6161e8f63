/** Whose a local network is: the mark of the user that made it, and files that stay in its folder. */
import { link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { adopt, requireInside } from '../../../src/cli/localnet/adopt.js'
import { markOf, requireMark } from '../../../src/cli/localnet/mark.js'
import { recordProxies, writeOwnLocalnet } from '../../../src/cli/localnet/write.js'
import { type Localnet, type LocalPeer, requireLocalnet } from '../../../src/cli/settings/localnet-record.js'
import { insideFolder } from '../../../src/files/file-names.js'
import { openAnew } from '../../../src/files/write-file.js'
import { pathsIn } from '../../../src/node/config/index.js'

const HASH = '11'.repeat(32)
const PEER = { name: 'val-0', gateway: 'http://127.0.0.1:8080', p2p: '127.0.0.1:7400', folder: 'val-0' }
const TOML = `[genesis]\nhash = "${HASH}"\n`

let root: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'localnet-mark-'))
  folder = join(root, 'net')
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'user'))
  await mkdir(join(folder, 'val-0'), { recursive: true })
  await writeFile(join(folder, 'val-0', 'node.toml'), TOML)
  await writeOwnLocalnet(folder, {
    chain: 'demo',
    genesisHash: HASH,
    manifest: 'genesis.json',
    peers: [PEER],
    accounts: [],
  })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(root, { recursive: true, force: true })
})

const peerOf = (net: Localnet): LocalPeer => net.peers[0] as LocalPeer

describe('a local network', () => {
  it('has the mark of the user that created it, with a private secret', async () => {
    await requireMark(await requireLocalnet(folder))
    const secret = join(root, 'user', 'causeway', 'localnet-secret')
    expect((await stat(secret)).mode & 0o777).toBe(0o600)
    expect((await requireLocalnet(folder)).mark).toBe(await markOf(HASH))
  })

  it.each([
    ['has no mark', { mark: undefined }],
    ['has another mark', { mark: '00'.repeat(32) }],
    ['has a mark that is not a text', { mark: 7 }],
    ['has the mark of another network', { genesis_hash: '22'.repeat(32) }],
  ])('is refused if it %s, and can be adopted with --adopt', async (_what, change) => {
    const path = join(folder, 'localnet.json')
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...change }))
    await expect(requireMark(await requireLocalnet(folder))).rejects.toMatchObject({
      code: 'config_invalid',
      hint: expect.stringContaining('--adopt'),
    })
    await requireMark(await adopt(folder, pathsIn))
  })

  it('is refused if it belongs to another user', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', join(root, 'other'))
    await expect(requireMark(await requireLocalnet(folder))).rejects.toMatchObject({ code: 'config_invalid' })
  })

  it('keeps its mark when proxies are put in front of its peers', async () => {
    await recordProxies(folder, 9_000)
    await requireMark(await requireLocalnet(folder))
  })

  it.each([
    ['a symbolic link', (path: string) => symlink(join(root, 'mine'), path)],
    ['a dangling link', (path: string) => symlink(join(root, 'none'), path)],
    ['a hard link to a file elsewhere', (path: string) => link(join(root, 'mine'), path)],
  ])('is not adopted with %s in its folder', async (_what, plant) => {
    await writeFile(join(root, 'mine'), 'precious')
    await plant(join(folder, 'val-0', 'output.txt'))
    await expect(adopt(folder, pathsIn)).rejects.toMatchObject({ code: 'config_invalid' })
  })

  it.each([
    ['log.file', '[log]\nfile = "../../mine"\n'],
    ['log.file', '[log]\nfile = "/etc/passwd"\n'],
    ['keys.validator', '[keys]\nvalidator = "../../key.json"\n'],
    ['log.file', '[log]\nfile = "out/new.txt"\n'],
    ['log.file', '[log]\nfile = "dangling"\n'],
  ])('does not start with %s outside of its folder: %j', async (key, text) => {
    await symlink(root, join(folder, 'val-0', 'out'))
    await symlink(join(root, 'none'), join(folder, 'val-0', 'dangling'))
    await writeFile(join(folder, 'val-0', 'node.toml'), `${TOML}${text}`)
    const peer = peerOf(await requireLocalnet(folder))
    await expect(requireInside(folder, peer, pathsIn)).rejects.toThrow(key)
  })

  it('starts with paths inside its folder, including absolute paths and paths of another peer', async () => {
    const text = `${TOML}[log]\nfile = "${join(folder, 'logs', 'a.log')}"\n[keys]\nvalidator = "../keys/a.json"\n`
    await writeFile(join(folder, 'val-0', 'node.toml'), text)
    await requireInside(folder, peerOf(await requireLocalnet(folder)), pathsIn)
  })
})

it('opening an output file replaces a link with a new file, and keeps the link target', async () => {
  const [mine, place] = [join(root, 'mine'), join(root, 'output.txt')]
  for (const plant of [symlink, link]) {
    await writeFile(mine, 'precious')
    await rm(place, { force: true })
    await plant(mine, place)
    const file = await openAnew(place)
    await file.writeFile('new')
    await file.close()
    expect([await readFile(mine, 'utf8'), await readFile(place, 'utf8')]).toEqual(['precious', 'new'])
  }
})

it('a path below a link that leaves the folder counts as outside, even if the path does not exist', async () => {
  await symlink(root, join(folder, 'out'))
  expect(await insideFolder(folder, join('out', 'none', 'x'))).toBeUndefined()
  expect(await insideFolder(folder, join('val-0', 'none', 'x'))).toBe(join(folder, 'val-0', 'none', 'x'))
})
