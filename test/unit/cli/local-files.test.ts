/** Files that commands read and write: a stranger's record of a network, bounds before reading, permissions, bundles. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readInput } from '../../../src/cli/input/input.js'
import { type LocalnetFile, readLocalnet } from '../../../src/cli/settings/localnet-record.js'
import { readText } from '../../../src/cli/settings/text-file.js'
import { readEntries } from '../../../src/cli/setup/topology-file.js'
import { bundleOf } from '../../../src/doctor/bundle.js'
import type { DiagnosticContext } from '../../../src/doctor/index.js'
import { LedgerError } from '../../../src/model/errors.js'
import { readBytes } from '../../../src/node/genesis/json-file.js'
import { accountsOf } from '../../../src/node/genesis/template.js'
import { createLogger } from '../../../src/node/process/logger.js'

const folders: string[] = []
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-files-'))
  folders.push(folder)
})
afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true, force: true }))))

describe('the record of a local network in an untrusted folder', () => {
  const RECORD: LocalnetFile = {
    version: 1,
    chain: 'demo',
    genesis_hash: '00'.repeat(32),
    manifest: 'genesis.json',
    peers: [{ name: 'val-0', gateway: 'http://127.0.0.1:8080', p2p: '127.0.0.1:7400', folder: 'val-0' }],
    accounts: [{ name: 'admin', alias: 'admin@bank', address: 'cw1', key_file: 'dev-only-keys/admin.json' }],
  }
  const read = async (change: (record: LocalnetFile) => unknown) => {
    const record = structuredClone(RECORD)
    change(record)
    await writeFile(join(folder, 'localnet.json'), JSON.stringify(record))
    return readLocalnet(folder)
  }

  it('is read if all its paths are in the folder', async () => {
    const net = await read(() => undefined)
    expect(net).toMatchObject({
      peers: [{ folder: join(folder, 'val-0') }],
      accounts: [{ keyFile: join(folder, 'dev-only-keys', 'admin.json') }],
    })
  })

  it.each<[string, (record: LocalnetFile) => unknown]>([
    ['a folder above', (record) => Object.assign(record.peers[0] ?? {}, { folder: '../elsewhere' })],
    ['an absolute folder', (record) => Object.assign(record.peers[0] ?? {}, { folder: '/etc' })],
    ['the folder itself', (record) => Object.assign(record.peers[0] ?? {}, { folder: '.' })],
    ['a key file elsewhere', (record) => Object.assign(record.accounts[0] ?? {}, { key_file: 'a/../../real.json' })],
    ['a manifest elsewhere', (record) => Object.assign(record, { manifest: '../genesis.json' })],
    ['a name that is a path', (record) => Object.assign(record.peers[0] ?? {}, { name: '../val-0' })],
    [
      'a name with terminal control characters',
      (record) => Object.assign(record.accounts[0] ?? {}, { name: 'a\u001b[2K' }),
    ],
    ['a gateway on another machine', (record) => Object.assign(record.peers[0] ?? {}, { gateway: 'http://a.example' })],
    ['a gateway that is not a text', (record) => Object.assign(record.peers[0] ?? {}, { gateway: 7 })],
    ['links to another machine', (record) => Object.assign(record.peers[0] ?? {}, { p2p: '10.0.0.1:7400' })],
  ])('is refused with %s', async (_what, change) => {
    await expect(read(change)).rejects.toMatchObject({ code: 'config_invalid' })
  })

  it('is refused with a symbolic link that leaves the folder', async () => {
    await writeFile(join(dirname(folder), 'real-key.json'), '{}')
    await mkdir(join(folder, 'dev-only-keys'))
    await symlink(join(dirname(folder), 'real-key.json'), join(folder, 'dev-only-keys', 'admin.json'))
    await expect(read(() => undefined)).rejects.toMatchObject({ code: 'config_invalid' })
    await rm(join(dirname(folder), 'real-key.json'))
  })
})

describe('a manifest template', () => {
  it.each(['../../planted', 'a/b', 'Admin', '', 'x'.repeat(65), 'a.json', 'a b'])(
    'cannot name the key file %j',
    (name) => {
      expect(() => accountsOf(`{"a": "{{account:${name}}}", "b": "{{account:${name} }}"}`)).toThrow(
        /1 to 64 characters/,
      )
    },
  )
  it('can use plain account names', () => {
    expect(accountsOf('{{account:a-1_b}} {{account:a-1_b}} {{chain}}')).toEqual(['a-1_b'])
  })
})

describe('an endless file', () => {
  const readers: readonly [string, (path: string) => Promise<unknown>][] = [
    ['an input', (path) => readInput(path, 1024)],
    ['a genesis or a manifest', readBytes],
    ['settings', readText],
    ['a topology', readEntries],
  ]
  it.each(readers)('is not read beyond the limit of %s', async (_what, read) => {
    // Files that are found, and not named, are refused unless they are regular.
    const code = read === readText ? 'file_unreadable' : 'payload_too_large'
    await expect(read('/dev/zero')).rejects.toMatchObject({ code })
  })
  it.each(readers)('is refused because of its size before it is read as %s', async (_what, read) => {
    const huge = join(folder, 'huge')
    await writeFile(huge, '')
    await truncate(huge, 2 ** 40)
    await expect(read(huge)).rejects.toMatchObject({ code: 'payload_too_large' })
  })
})

describe('the log of a node', () => {
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

  const logTo = (file: string): Promise<void> =>
    new Promise((resolve) => {
      const { logger } = createLogger({ level: 'info', file })
      logger.info('said')
      logger.flush(() => resolve())
    })

  it('is a private file, even if the existing file was readable by others', async () => {
    const [made, old] = [join(folder, 'new', 'node.log'), join(folder, 'old.log')]
    await writeFile(old, 'before\n', { mode: 0o644 })
    for (const file of [made, old]) await logTo(file)
    expect([await modeOf(made), await modeOf(old)]).toEqual([0o600, 0o600])
    expect(await readFile(old, 'utf8')).toMatch(/^before\n.*said/)
  })

  it('is not written through a symbolic link, whether or not the target file exists', async () => {
    const [other, missing] = [join(folder, 'other.txt'), join(folder, 'missing.txt')]
    await writeFile(other, 'precious', { mode: 0o644 })
    for (const [name, target] of [
      ['a.log', other],
      ['b.log', missing],
    ] as const) {
      await symlink(target, join(folder, name))
      expect(() => createLogger({ level: 'info', file: join(folder, name) })).toThrow(LedgerError)
    }
    expect(await readFile(other, 'utf8')).toBe('precious')
    expect(await readdir(folder)).not.toContain('missing.txt')
  })

  it('can be a link to a device, whose permissions do not change', async () => {
    const before = await modeOf('/dev/null')
    await symlink('/dev/null', join(folder, 'stdout'))
    await logTo(join(folder, 'stdout'))
    expect(await modeOf('/dev/null')).toBe(before)
  })

  it('is a new file after the old one was moved and the log was reopened', async () => {
    const file = join(folder, 'node.log')
    const { logger, reopen } = createLogger({ level: 'info', file })
    const fails = (text: string): Promise<void> =>
      new Promise((resolve) => {
        logger.info(text)
        logger.flush(() => resolve())
      })
    await fails('first')
    await rename(file, `${file}.1`)
    reopen()
    await fails('second')
    expect(await readFile(`${file}.1`, 'utf8')).toMatch(/first/)
    expect(await readFile(file, 'utf8')).toMatch(/^[^\n]*second[^\n]*\n$/)
  })

  const bundle = async (log: string): Promise<{ log: string[] }> => {
    const config = { log: { file: log } } as DiagnosticContext['config']
    const patient = {
      configFile: join(folder, 'none.toml'),
      config,
      genesis: undefined,
      running: false,
      live: undefined,
    }
    return JSON.parse(await bundleOf(patient as unknown as DiagnosticContext, [], '1'))
  }

  it('is shortened to its last lines in a bundle, which states the number of omitted bytes', async () => {
    const log = join(folder, 'node.log')
    await writeFile(log, 'one\ntwo\n')
    expect((await bundle(log)).log).toEqual(['one', 'two'])
    await truncate(log, 2 ** 40)
    await writeFile(log, `${'\n'.padStart(2_000, 'x')}last line\n`, { flag: 'a' })
    const { log: lines } = await bundle(log)
    expect(lines[0]).toMatch(/^\(the last \d+ lines of 1099511629786 bytes\)$/)
    expect(lines.at(-1)).toBe('last line')
    await rm(log)
    expect((await bundle(log)).log).toEqual([expect.stringContaining('no such file')])
  })
})
