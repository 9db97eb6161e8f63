/** `genesis pin`: what it writes, and that a refusal leaves configuration and genesis file as they were. */
import { chmod, copyFile, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EXIT } from '../../src/model/errors.js'
import { openDataDir } from '../../src/storage/index.js'
import { FRESH_CHAIN, type FreshPeer, freshPeer } from '../support/fresh-peer.js'
import { runHere } from './in-process.js'

let config: Config
let root = ''
let peer: FreshPeer
let genesis = ''

beforeAll(async () => {
  config = await Config.load(process.cwd())
  root = await mkdtemp(join(tmpdir(), 'causeway-pin-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

beforeEach(async () => {
  peer = await freshPeer(root, Date.now())
  genesis = join(peer.folder, 'genesis.signed')
  await peer.set('hash', `"${'0'.repeat(64)}"`)
})

async function pin(...words: string[]) {
  const { code, stdout } = await runHere(config, 'genesis:pin', [...words, '--config', peer.config, '--json'])
  return { code, result: JSON.parse(stdout) as Record<string, unknown> }
}

/** Files that `genesis pin` may change. */
const files = () => Promise.all([peer.config, genesis].map((path) => readFile(path).catch(() => undefined)))

/** Refused with a code, and nothing changed. */
async function refused(words: string[], code: string, exit: number): Promise<string> {
  const before = await files()
  const { code: ended, result } = await pin(...words)
  expect(result).toMatchObject({ error: { code } })
  expect(ended).toBe(exit)
  expect(await files()).toEqual(before)
  return (result.error as { message: string }).message
}

describe('genesis pin', () => {
  it('writes the hash, and keeps all other lines and the file mode of the configuration', async () => {
    await chmod(peer.config, 0o640)
    const before = await readFile(peer.config, 'utf8')
    const umask = process.umask(0o077)
    const { code, result } = await pin(genesis, '--hash', peer.genesisHash.toUpperCase()).finally(() =>
      process.umask(umask),
    )
    expect(code).toBe(0)
    expect(result).toMatchObject({ chain: FRESH_CHAIN, hash: peer.genesisHash })
    expect(await readFile(peer.config, 'utf8')).toBe(before.replace('0'.repeat(64), peer.genesisHash))
    expect((await stat(peer.config)).mode & 0o777).toBe(0o640)
  })

  it('copies a genesis file from another path to the configured path', async () => {
    const brought = join(root, 'brought.signed')
    await rename(genesis, brought)
    expect((await pin(brought)).code).toBe(0)
    expect(await readFile(genesis)).toEqual(await readFile(brought))
  })

  it('is idempotent, also with a second path to the same file', async () => {
    expect((await pin(genesis)).code).toBe(0)
    const before = await files()
    expect((await pin(join(peer.folder, '..', 'val-0', 'genesis.signed'))).code).toBe(0)
    expect(await files()).toEqual(before)
  })
})

describe('genesis pin changes nothing and rejects', () => {
  it('a genesis whose hash differs from --hash', async () => {
    expect(await refused([genesis, '--hash', 'ab'.repeat(32)], 'check_failed', EXIT.checkFailed)).toContain(
      peer.genesisHash,
    )
  })

  it('a genesis with one changed byte', async () => {
    const broken = join(root, 'broken.signed')
    const bytes = await readFile(genesis)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(broken, bytes)
    const before = await files()
    const { code, result } = await pin(broken)
    expect(result).toHaveProperty('error')
    expect(code).not.toBe(0)
    expect(await files()).toEqual(before)
  })

  it('a peer that is not in the genesis, unless --joining is given', async () => {
    const foreign = join(root, 'stranger.json')
    await runHere(config, 'key:generate', ['--algorithm', 'bls', '--out', foreign])
    await copyFile(foreign, join(peer.folder, 'keys', 'validator.json'))
    await refused([genesis], 'check_failed', EXIT.checkFailed)
    expect((await pin(genesis, '--joining')).code).toBe(0)
  })

  it('a node whose data belongs to another genesis', async () => {
    const kept = await openDataDir(join(peer.folder, 'data'), {
      chain: FRESH_CHAIN,
      genesisHash: Buffer.alloc(32, 7),
    })
    await kept.close()
    expect(await refused([genesis], 'genesis_mismatch', EXIT.config)).toContain('07'.repeat(32))
  })
})
