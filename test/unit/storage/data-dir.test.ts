// Checks the data directory: what it creates, what it refuses and with which values, and its lock.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LedgerError } from '../../../src/model/index.js'
import { dataDirHolder, joiningFolder, openDataDir, readDataDirFormat, VoteLog } from '../../../src/storage/index.js'
import { LOCK_STALE_MS } from '../../../src/storage/limits.js'
import { needs } from '../../support/needs.js'
import { temporary } from './support.js'

const identity = { chain: 'test', genesisHash: Buffer.alloc(32, 7) }

async function refusal(run: Promise<unknown>): Promise<LedgerError> {
  const error = await run.then(() => undefined).catch((fault: unknown) => fault)
  if (!(error instanceof LedgerError)) throw new Error(`no refusal: ${String(error)}`)
  return error
}

/** A process that does nothing until it is killed. */
async function sleeper(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(child, 'spawn')
  return child as ChildProcess & { pid: number }
}

test('a new data directory is private, contains the network identity, and has no vote log', async () => {
  const path = join(await temporary(), 'deep', 'data')
  const dir = await openDataDir(path, identity)
  expect([dir.path, dir.created]).toEqual([path, true])
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  expect(JSON.parse(await readFile(join(path, 'format.json'), 'utf8'))).toEqual({
    format: 1,
    chain: 'test',
    genesis_hash: '07'.repeat(32),
  })
  const votes = await VoteLog.open(path)
  expect(votes.missing).toBe(true)
  await votes.close()
  await dir.close()
  expect((await readdir(path)).sort()).toEqual(['format.json'])
  const again = await openDataDir(path, identity)
  expect(again.created).toBe(false)
  await again.close()
})

test('an existing data directory is made private with its content, except for the targets of links', async () => {
  const root = await temporary()
  const path = join(root, 'data')
  const elsewhere = join(root, 'elsewhere')
  await mkdir(join(path, 'deep'), { recursive: true })
  await writeFile(join(path, 'deep', 'payments'), '')
  await writeFile(elsewhere, '')
  await symlink(elsewhere, join(path, 'link'))
  const modes = () =>
    Promise.all(
      [path, join(path, 'deep'), join(path, 'deep', 'payments'), elsewhere].map(
        async (one) => (await stat(one)).mode & 0o777,
      ),
    )
  for (const [one, mode] of [
    [path, 0o755],
    [join(path, 'deep'), 0o775],
    [join(path, 'deep', 'payments'), 0o664],
    [elsewhere, 0o644],
  ] as const)
    await chmod(one, mode)
  await (await openDataDir(path, identity)).close()
  expect(await modes()).toEqual([0o700, 0o700, 0o600, 0o644])
  await chmod(path, 0o755)
  await chmod(join(path, 'format.json'), 0o644)
  await (await openDataDir(path, identity)).close()
  expect([...(await modes()), (await stat(join(path, 'format.json'))).mode & 0o777]).toEqual([
    ...[0o700, 0o700, 0o600, 0o644],
    0o600,
  ])
})

test('a data directory with another format, genesis or chain is refused with both values, as is a foreign folder', async () => {
  const path = await temporary()
  await (await openDataDir(path, identity)).close()
  const genesis = await refusal(openDataDir(path, { chain: 'test', genesisHash: Buffer.alloc(32, 8) }))
  expect(genesis.code).toBe('genesis_mismatch')
  expect(genesis.message).toContain('07'.repeat(32))
  expect(genesis.message).toContain('08'.repeat(32))
  const chain = await refusal(openDataDir(path, { ...identity, chain: 'other' }))
  expect([chain.code, chain.message.includes('chain test'), chain.message.includes('chain other')]).toEqual([
    'genesis_mismatch',
    true,
    true,
  ])
  await writeFile(join(path, 'format.json'), JSON.stringify({ format: 2, chain: 'test', genesis_hash: '' }))
  const format = await refusal(openDataDir(path, identity))
  expect([format.code, format.details]).toEqual(['data_dir_format', { path, found: 2, expected: 1 }])
  await writeFile(join(path, 'format.json'), 'hello')
  expect((await refusal(openDataDir(path, identity))).code).toBe('data_dir_format')
  const foreign = await temporary()
  await mkdir(join(foreign, 'blocks'))
  expect((await refusal(openDataDir(foreign, identity))).code).toBe('data_dir_format')
  // Nothing stays locked after a refusal.
  expect((await readdir(path)).sort()).toEqual(['format.json'])
})

test('a second opening of a data directory in the same process is refused', async () => {
  const path = await temporary()
  const [first, second] = await Promise.allSettled([openDataDir(path, identity), openDataDir(path, identity)])
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  const error = await refusal(openDataDir(path, identity))
  expect([error.code, error.details?.pid]).toEqual(['data_dir_locked', process.pid])
  if (first.status === 'fulfilled') await first.value.close()
  if (second.status === 'fulfilled') await second.value.close()
  await (await openDataDir(path, identity)).close()
})

test('a data directory lock of a running process is reported, and one of an ended process is replaced', async () => {
  const path = await temporary()
  const child = await sleeper()
  try {
    const dir = await openDataDir(path, identity)
    const own = JSON.parse(await readFile(join(path, 'lock'), 'utf8'))
    await dir.close()
    await writeFile(join(path, 'lock'), JSON.stringify({ ...own, pid: child.pid, started: '', token: 'aa' }))
    const error = await refusal(openDataDir(path, identity))
    expect([error.code, error.details?.pid, error.message.includes(String(child.pid))]).toEqual([
      'data_dir_locked',
      child.pid,
      true,
    ])
    // The same id, but started at another time: a later process, not the holder.
    await writeFile(join(path, 'lock'), JSON.stringify({ ...own, pid: child.pid, started: '1', token: 'ab' }))
    await (await openDataDir(path, identity)).close()
    await writeFile(join(path, 'lock'), JSON.stringify({ ...own, pid: child.pid, started: '', token: 'ac' }))
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await (await openDataDir(path, identity)).close()
  expect((await readdir(path)).sort()).toEqual(['format.json'])
})

test('a data directory lock from another machine is valid while it is refreshed', async () => {
  const path = await temporary()
  const record = { pid: 1, started: '1', place: 'elsewhere', token: 'ad' }
  await writeFile(join(path, 'lock'), JSON.stringify(record))
  const touch = setInterval(() => void utimes(join(path, 'lock'), new Date(), new Date()), 50)
  const error = await refusal(openDataDir(path, identity))
  clearInterval(touch)
  expect([error.code, error.message.includes('another machine')]).toEqual(['data_dir_locked', true])
  const past = new Date(Date.now() - 60_000)
  await utimes(join(path, 'lock'), past, past)
  const dir = await openDataDir(path, identity)
  await dir.close()
})

test('a data directory lock refreshed just before a reboot is replaced once it is stale', async () => {
  const path = await temporary()
  await writeFile(join(path, 'lock'), JSON.stringify({ pid: 1, started: '1', place: 'before the reboot', token: 'b0' }))
  const moment = new Date(Date.now() - LOCK_STALE_MS + 1_000)
  await utimes(join(path, 'lock'), moment, moment)
  await (await openDataDir(path, identity)).close()
})

test('a data directory lock with a time in the future expires as early as an unrefreshed lock', async () => {
  const path = await temporary()
  await writeFile(join(path, 'lock'), JSON.stringify({ pid: 1, started: '1', place: 'elsewhere', token: 'af' }))
  const future = new Date(Date.now() + 3_600_000)
  await utimes(join(path, 'lock'), future, future)
  await (await openDataDir(path, identity)).close()
})

test('a data directory lock records its use and whether it is local, except in an earlier release', async () => {
  const path = await temporary()
  expect(await dataDirHolder(path)).toBeUndefined()
  for (const use of ['node', 'command'] as const) {
    const dir = await openDataDir(path, identity, use)
    expect(await dataDirHolder(path)).toEqual({ pid: process.pid, use, isElsewhere: false, isJoining: false })
    await dir.close()
  }
  await writeFile(join(path, 'lock'), JSON.stringify({ pid: 1, started: '1', place: 'elsewhere', token: 'ae' }))
  expect(await dataDirHolder(path)).toEqual({ pid: 1, use: undefined, isElsewhere: true, isJoining: false })
})

test('a data directory that is being filled from a snapshot is locked, and nothing is created in it', async () => {
  const root = await temporary()
  const path = join(root, 'data')
  const joining = await openDataDir(joiningFolder(`${path}/`), identity, 'node')
  expect(await dataDirHolder(path)).toEqual({ pid: process.pid, use: 'node', isElsewhere: false, isJoining: true })
  const error = await refusal(openDataDir(path, identity))
  expect([error.code, error.details]).toEqual(['data_dir_locked', { path, pid: process.pid }])
  expect(await readdir(root)).toEqual(['data.joining'])
  await joining.close()
  await (await openDataDir(path, identity)).close()
})

test('a partial lock file and an abandoned claim do not prevent a start', async () => {
  const path = await temporary()
  await writeFile(join(path, 'lock'), '{"pid":')
  await writeFile(join(path, 'lock.claim-unreadable-7'), '{"pid":')
  await (await openDataDir(path, identity)).close()
})

test(
  'a data directory of another user is reported as unreadable, with the user to run as',
  needs(process.getuid?.() === 0 ? 'root reads every directory' : undefined),
  async () => {
    const path = await temporary()
    await (await openDataDir(path, identity)).close()
    await chmod(join(path, 'format.json'), 0o000)
    const error = await refusal(readDataDirFormat(path))
    expect([error.code, error.hint]).toEqual(['file_unreadable', expect.stringContaining('as the user')])
  },
)
