/** Commands about files of a network in the making, help by words, and our words for what a command does not take. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VARIABLES } from '../../src/cli/command/help.js'
import { EXIT } from '../../src/model/errors.js'
import { runHere } from './in-process.js'

let config: Config
let folder: string
beforeAll(async () => {
  config = await Config.load(process.cwd())
  folder = await mkdtemp(join(tmpdir(), 'causeway-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const at = (name: string): string => join(folder, name)
const run = (id: string, ...argv: string[]) => runHere(config, id, argv)
async function json(id: string, ...argv: string[]) {
  const { code, stdout } = await run(id, ...argv, '--json')
  return { code, result: JSON.parse(stdout) as Record<string, unknown> }
}

describe('key list', () => {
  it('shows key files without secrets, and skips other files', async () => {
    const made = await json('key:generate', '--algorithm', 'ed25519', '--out', at('alice.json'))
    await run('key:generate', '--algorithm', 'bls', '--out', at('validator.json'))
    await writeFile(at('notes.json'), '{"not": "a key"}')
    await writeFile(at('broken.json'), '{')
    chmodSync(at('validator.json'), 0o644)
    const { code, result } = await json('key:list', folder)
    expect(code).toBe(0)
    expect(result.keys).toEqual([
      { ...made.result, key_file: at('alice.json'), sealed: false, held_elsewhere: false, mode: '0600' },
      expect.objectContaining({ key_file: at('validator.json'), algorithm: 'bls', mode: '0644' }),
    ])
    const secret = (JSON.parse(await readFile(at('alice.json'), 'utf8')) as { private_key: string }).private_key
    expect(JSON.stringify(result)).not.toContain(secret)
    const text = await run('key:list', folder)
    expect(text.stdout).toMatch(
      /^FILE +ALGORITHM +SECRET +MODE +ADDRESS OR KEY\n.*alice.json +ed25519 +unencrypted +0600 +cw1/,
    )
    expect(text.stdout).not.toContain(secret)
  })

  it('reports a missing folder', async () => {
    expect(await json('key:list', at('nowhere'))).toMatchObject({
      code: EXIT.config,
      result: { error: { code: 'file_missing' } },
    })
  })
})

describe('topology remove', () => {
  const peers = [
    { name: 'a', key: 'ea0130aa' },
    { name: 'b', key: 'EA0130BB' },
  ]
  it('removes a peer by name or key, and lists the known peers if none matches', async () => {
    const file = at('topology.json')
    await writeFile(file, JSON.stringify({ peers }))
    expect(await json('topology:remove', 'ea0130bb', '--file', file)).toMatchObject({ code: 0, result: { peers: 1 } })
    const unknown = await json('topology:remove', 'b', '--file', file)
    expect(unknown).toMatchObject({
      code: EXIT.config,
      result: { error: { code: 'topology_invalid', hint: 'Peers: a.' } },
    })
    expect(await json('topology:remove', 'a', '--file', file)).toMatchObject({ code: 0, result: { peers: 0 } })
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ peers: [] })
  })
})

describe('genesis add and diff', () => {
  it('append instructions to a manifest, and show the difference path by path', async () => {
    const [file, other, added] = [at('genesis.json'), at('other.json'), at('added.json')]
    const manifest = {
      chain: 'one',
      parameters: { block_teu: 1 },
      instructions: [{ Log: { level: 'Info', text: 'a' } }],
    }
    await writeFile(file, JSON.stringify(manifest))
    await writeFile(other, JSON.stringify({ ...manifest, chain: 'two' }))
    await writeFile(added, JSON.stringify({ RegisterDomain: { id: 'shop', metadata: {} } }))
    expect((await run('genesis:diff', file, file)).stdout).toBe('equal\n')
    expect(await json('genesis:add', added, '--file', file)).toMatchObject({
      code: 0,
      result: { added: 1, instructions: 2 },
    })
    const { code, result } = await json('genesis:diff', file, other)
    expect(code).toBe(EXIT.checkFailed)
    expect(result.differences).toEqual([
      { path: 'chain', first: 'one', second: 'two' },
      { path: 'instructions[1]', first: { RegisterDomain: { id: 'shop', metadata: {} } } },
    ])
    expect((await run('genesis:diff', file, other)).stdout).toContain(`${other}: absent`)
  })

  it('change nothing if the input or the manifest is invalid', async () => {
    const [file, input] = [at('none.json'), at('input.json')]
    await writeFile(file, '[1]')
    await writeFile(input, '{"RegisterDomain": {}}')
    expect(await json('genesis:add', input, '--file', file)).toMatchObject({
      code: EXIT.config,
      result: { error: { code: 'genesis_invalid' } },
    })
    expect(await readFile(file, 'utf8')).toBe('[1]')
    await writeFile(input, '7')
    expect((await json('genesis:add', input, '--file', file)).code).toBe(EXIT.badInput)
  })
})

describe('help', () => {
  it('is available for commands, groups and topics', async () => {
    expect((await run('help', 'tx', 'build')).stdout).toContain('causeway tx build FILE')
    expect((await run('help', 'tx')).stdout).toContain('tx decode')
    expect((await run('help')).stdout).toContain('TOPICS')
    expect((await run('help', 'exit-codes')).stdout).toContain('10        a check found a fault')
    expect((await run('help', 'env')).stdout).toContain('CAUSEWAY_GATEWAY')
    expect(await json('help', 'nonsense')).toMatchObject({ code: EXIT.usage, result: { error: { code: 'usage' } } })
  })

  it('about the environment lists every variable that the program reads', () => {
    const sources = ['src', 'commands', 'bin'].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[jt]sx?$/.test(name))
        .map((name) => readFileSync(join(root, name), 'utf8')),
    )
    const read = new Set(
      sources.flatMap((text) =>
        [...text.matchAll(/\b(?:CAUSEWAY_[A-Z0-9_]*[A-Z0-9]|NO_COLOR)\b/g)].map(([name]) => name),
      ),
    )
    const known = new Set(Object.keys(VARIABLES))
    // Fail points are for tests; variables of node.toml have one entry for all.
    const missing = [...read].filter((name) => !known.has(name) && !/^CAUSEWAY_(?:FAIL_POINT|NODE)/.test(name))
    expect(missing).toEqual([])
    expect([...known].filter((name) => !read.has(name))).toEqual([])
  })
})

describe('invalid arguments', () => {
  it.each([
    ['node:start', [], 'missing flag --config'],
    ['status', ['--gatewy', 'x'], 'unknown flag --gatewy; did you mean --gateway?'],
    ['localnet:up', ['--peers', 'x'], '--peers: expected an integer, got x'],
    ['localnet:up', ['--peers', '0'], '--peers: expected an integer of at least 1, got 0'],
    ['localnet:up', ['--mode', 'x'], '--mode: expected one of permissioned, npos, got x'],
    ['localnet:fault', ['burn', 'val-0'], 'expected one of kill, pause, resume, partition, delay, got burn'],
    ['gov:show', ['x'], 'expected an integer, got x'],
    ['status', ['x'], 'unexpected argument: x'],
    ['iso:convert', ['-', '--to', 'x'], '--to: expected one of xml, flat, json, flat-xml, got x'],
    ['rwa:freeze', ['gold#bank/1', '--reason', ''], '--reason is empty'],
    ['sim:run', [], 'Exactly one of the following must be provided: --seed, --seeds'],
  ])('%s %j: %s', async (id, argv, message) => {
    expect(await json(id, ...argv)).toMatchObject({ code: EXIT.usage, result: { error: { code: 'usage', message } } })
  })
})
