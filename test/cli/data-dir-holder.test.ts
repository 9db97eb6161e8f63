/** Commands beside whatever uses the data directory: a node that runs or fills it by a snapshot, a command, another machine. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DataDir, joiningFolder, LOCK_FILE, openDataDir } from '../../src/storage/index.js'
import { FRESH_CHAIN, type FreshPeer, freshPeer } from '../support/fresh-peer.js'
import { causewayHere } from './in-process.js'

let root: string
let peer: FreshPeer
let data: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'causeway-holder-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  peer = await freshPeer(root, Date.now())
  data = join(peer.folder, 'data')
})

const hold = (folder: string, use: 'node' | 'command'): Promise<DataDir> =>
  openDataDir(folder, { chain: FRESH_CHAIN, genesisHash: Buffer.from(peer.genesisHash, 'hex') }, use)
/** A lock that a process of another container touches. */
async function holdElsewhere(): Promise<void> {
  await mkdir(data)
  const lock = { pid: process.pid, started: '1', place: 'elsewhere', token: 'af', use: 'node' }
  await writeFile(join(data, LOCK_FILE), JSON.stringify(lock))
}

async function run(...words: string[]): Promise<Record<string, unknown>> {
  return (await causewayHere([...words, '--config', peer.config, '--json'])).json()
}
const codeOf = async (...words: string[]): Promise<unknown> => (await run(...words))['error']
/** Reloads, and says what was signalled. */
async function reload(): Promise<{ readonly error: unknown; readonly signalled: readonly unknown[] }> {
  const signalled: unknown[] = []
  const { kill } = process
  process.kill = (pid, signal) => {
    if (signal === 0) return kill.call(process, pid, signal)
    signalled.push([pid, signal])
    return true
  }
  try {
    return { error: await codeOf('node', 'reload', '--timeout', '1s'), signalled }
  } finally {
    process.kill = kill
  }
}

describe('while a node fills the data directory from a snapshot', () => {
  let joining: DataDir
  beforeEach(async () => {
    joining = await hold(joiningFolder(data), 'node')
    return () => joining.close()
  })

  it('the node is shown as running', async () => {
    expect(await run('node', 'info')).toMatchObject({ running: true, pid: process.pid })
  })

  it('no other process can use the directory, and no files remain', async () => {
    const backup = join(peer.folder, 'backup')
    await hold(backup, 'command').then((dir) => dir.close())
    const file = join(peer.folder, 'state.snapshot')
    await writeFile(file, '')
    const locked = expect.objectContaining({ code: 'data_dir_locked' })
    expect(await codeOf('snapshot', 'restore', file)).toEqual(locked)
    expect(await codeOf('node', 'restore', '--backup', backup)).toEqual(locked)
    expect(await codeOf('block', 'import', file)).toEqual(locked)
    expect(await codeOf('snapshot', 'create', `${file}.new`)).toEqual(locked)
    expect((await readdir(peer.folder)).filter((name) => name.includes('data'))).toEqual(['data.joining'])
  })

  it('a reload reports that the node is starting, and sends it no signal', async () => {
    expect(await reload()).toEqual({ error: expect.objectContaining({ code: 'node_starting' }), signalled: [] })
  })
})

describe('a reload', () => {
  it('signals a node', async () => {
    const held = await hold(data, 'node')
    expect(await reload()).toEqual({
      error: expect.objectContaining({ code: 'pending' }),
      signalled: [[process.pid, 'SIGHUP']],
    })
    await held.close()
  })

  it('does not signal a running command, because the signal would terminate it', async () => {
    const held = await hold(data, 'command')
    expect(await reload()).toEqual({ error: expect.objectContaining({ code: 'data_dir_locked' }), signalled: [] })
    expect(await run('node', 'info')).toMatchObject({ running: false, pid: null })
    await held.close()
  })

  it('does not signal a process of an earlier release, whose type is unknown', async () => {
    const held = await hold(data, 'node')
    const { use: _, ...lock } = JSON.parse(await readFile(join(data, LOCK_FILE), 'utf8'))
    await writeFile(join(data, LOCK_FILE), JSON.stringify(lock))
    expect(await reload()).toEqual({ error: expect.objectContaining({ code: 'data_dir_locked' }), signalled: [] })
    expect(await run('node', 'info')).toMatchObject({ running: true, pid: process.pid })
    await held.close()
  })

  it('never signals a local process with the process id of a node on another host', async () => {
    await holdElsewhere()
    expect(await reload()).toEqual({ error: expect.objectContaining({ code: 'unreachable' }), signalled: [] })
    expect(await run('node', 'info')).toMatchObject({ running: true, pid: null })
  })
})
