/** Commands that write onto a disk that is full, or fills up under them: they say so, leave no half of a file, and lose nothing. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestNet } from '../e2e/localnet.js'
import { needs } from '../support/needs.js'

/** Size of the disk, in KiB. */
const DISK_KIB = 2_048

const folder = mkdtempSync(join(tmpdir(), 'causeway-full-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
// A disk of our own: only a system that lets us mount one can be filled up.
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KIB}k`, 'tmpfs', disk]).status === 0

/** Leaves so much room on the disk and nothing else, in KiB. */
function leave(freeKib: number): void {
  for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
  const { bavail, bsize } = statfsSync(disk)
  const room = bavail * bsize - freeKib * 1024
  if (room > 0) writeFileSync(join(disk, 'fill'), Buffer.alloc(room))
}
const left = (): string[] => readdirSync(disk).filter((name) => name !== 'fill')

afterAll(async () => {
  await TestNet.closeAll()
  if (mounted) spawnSync('umount', [disk])
  rmSync(folder, { recursive: true, force: true })
})

describe('on a full disk', needs(mounted ? undefined : 'a tmpfs cannot be mounted by this user'), () => {
  let net: TestNet
  /** The peer that is down; the other one answers reads. */
  const peer = (): string => join(net.folder, 'val-1')
  beforeAll(async () => {
    net = await TestNet.start('permissioned-4', '--peers', '2')
    for (const amount of ['1', '2']) {
      const words = ['--to', 'bob@bank', '--asset', 'eur#bank', '--amount', amount, '--key-file', net.keyFile('alice')]
      expect((await net.cli('asset', 'transfer', ...words)).code).toBe(0)
    }
    await net.agreed(2, 3)
    expect((await net.cli('block', 'export', join(folder, 'blocks.bin'))).code).toBe(0)
    await net.cli('localnet', 'down', '--only', 'val-1')
  })
  beforeEach(() => leave(0))

  /** Commands that write, into a folder. */
  const WRITERS: readonly (readonly [string, (folder: string) => string[]])[] = [
    ['block export', (at) => ['block', 'export', join(at, 'blocks.bin')]],
    ['key generate', (at) => ['key', 'generate', '--out', join(at, 'key.json')]],
    ['node backup', (at) => ['node', 'backup', '--peer-dir', peer(), '--out', join(at, 'backup')]],
    ['snapshot create', (at) => ['snapshot', 'create', join(at, 'state'), '--peer-dir', peer()]],
    ['init', (at) => ['init', '--dir', join(at, 'peer'), '--name', 'a', '--address', 'a:1']],
    ['topology create', (at) => ['topology', 'create', '--out', join(at, 'topology.json')]],
  ]

  const IMPORT = (at: string): string[] => [
    ...['block', 'import', join(folder, 'blocks.bin'), '--peer-dir', peer()],
    ...['--data-dir', join(at, 'data')],
  ]

  test.each([
    ...WRITERS,
    ['localnet up', (at: string) => ['localnet', 'up', '--dir', join(at, 'net')]] as const,
    ['block import', IMPORT] as const,
  ])('%s reports the full disk and leaves no files', async (_name, words) => {
    const run = await net.program(...words(disk), '--json')
    expect([run.code, run.json()]).toMatchObject([3, { error: { code: 'file_unwritable', exit: 3 } }])
    expect(run.stdout).toContain('the disk is full')
    expect(left()).toEqual([])
  })

  test.each(WRITERS)('%s reports the path of the target file, not its temporary name', async (_name, words) => {
    const blocker = join(folder, 'blocker')
    writeFileSync(blocker, '')
    const run = await net.program(...words(blocker), '--json')
    expect([run.code, run.json()]).toMatchObject([3, { error: { code: 'file_unwritable', exit: 3 } }])
    const { message } = (run.json() as unknown as { error: { message: string } }).error
    expect(message).toMatch(/blocker\/[a-z]\S*: a part of the path is not a folder$/)
    expect(message).not.toContain('.tmp')
  })

  test('a backup into a folder that is not empty suggests another one, and keeps the existing files', async () => {
    const run = await net.program('node', 'backup', '--peer-dir', peer(), '--out', net.folder, '--json')
    expect(run.json()).toMatchObject({ error: { code: 'file_exists', hint: expect.stringContaining('backup') } })
  })

  test('reports the error as text without a stack trace', async () => {
    const run = await net.program('node', 'backup', '--peer-dir', peer(), '--out', join(disk, 'backup'))
    expect(run.code).toBe(3)
    expect(run.stderr).toMatch(/^error: .*the disk is full \[file_unwritable\]\n {2}Try: /)
    expect(run.stderr).not.toMatch(/^\s+at /m)
  })

  test('an import stops with a message, and resumes once space is free', async () => {
    const words = [
      'block',
      'import',
      join(folder, 'blocks.bin'),
      '--peer-dir',
      peer(),
      '--data-dir',
      join(disk, 'data'),
    ]
    const codes = new Set<number | null>()
    // Somewhere between nothing and enough it ends in the middle, at whatever it was writing.
    for (let freeKib = 16; freeKib <= 96; freeKib += 16) {
      leave(freeKib)
      const run = await net.program(...words, '--json')
      codes.add(run.code)
      if (run.code === 0) break
      expect([run.code, run.json()], `${freeKib} KiB`).toMatchObject([3, { error: { code: 'file_unwritable' } }])
      rmSync(join(disk, 'fill'))
      const again = await net.program(...words, '--json')
      expect([again.code, again.stdout], `after ${freeKib} KiB`).toEqual([0, expect.stringContaining('"height": 3')])
    }
    expect(codes).toContain(3)
  })
})
