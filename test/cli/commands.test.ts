import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { causewayHere } from './in-process.js'
import { causeway, type Run } from './run.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const here = (...words: string[]): Promise<Run> => causewayHere(words, { cwd: folder })
const program = (...words: string[]): Promise<Run> => causeway(words, { cwd: folder })

/** The error of a run with --json; its exit code must be that of the run. */
function errorOf(run: Run): { code: string; message: string; exit: number; details?: Record<string, unknown> } {
  const { error } = run.json() as unknown as { error: ReturnType<typeof errorOf> }
  expect(run.code).toBe(error.exit)
  return error
}

describe('key', () => {
  test('generate creates a private file and never overwrites it, and show prints its public part', async () => {
    const made = await here('key', 'generate', '--out', 'alice.json', '--json')
    expect(made.code).toBe(0)
    expect(made.stderr).toBe('')
    expect((await stat(join(folder, 'alice.json'))).mode & 0o777).toBe(0o600)
    const before = await readFile(join(folder, 'alice.json'), 'utf8')
    const again = await here('key', 'generate', '--out', 'alice.json', '--json')
    expect(errorOf(again)).toMatchObject({ code: 'file_exists', exit: 3 })
    expect(await readFile(join(folder, 'alice.json'), 'utf8')).toBe(before)
    const shown = await here('key', 'show', 'alice.json', '--json')
    expect(shown.json()).toEqual(made.json())
    const secret = (JSON.parse(before) as { private_key: string }).private_key
    for (const run of [made, again, shown]) expect(run.stdout + run.stderr).not.toContain(secret)
  })

  test.each(['ed25519', 'secp256k1', 'bls'])('%s keys can be generated', async (algorithm) => {
    const run = await here('key', 'generate', '--algorithm', algorithm, '--out', `keys/${algorithm}.json`, '--json')
    expect(run.json()).toMatchObject({ algorithm })
  })

  test('a passphrase encrypts the key, and is required to read it', async () => {
    const env = { CAUSEWAY_KEY_PASSPHRASE: 'open sesame' }
    await causewayHere(['key', 'generate', '--out', 'sealed.json'], { cwd: folder, env })
    expect(await readFile(join(folder, 'sealed.json'), 'utf8')).not.toContain('"private_key"')
    expect((await causewayHere(['key', 'show', 'sealed.json'], { cwd: folder, env })).code).toBe(0)
    expect(errorOf(await here('key', 'show', 'sealed.json', '--json'))).toMatchObject({ code: 'key_passphrase' })
  })

  test('missing, too permissive and corrupt key files are refused', async () => {
    expect(errorOf(await here('key', 'show', 'absent.json', '--json'))).toMatchObject({
      code: 'key_file_missing',
      exit: 3,
    })
    await here('key', 'generate', '--out', 'loose.json')
    await chmod(join(folder, 'loose.json'), 0o644)
    const loose = await here('key', 'show', 'loose.json')
    expect(loose.code).toBe(3)
    expect(loose.stderr).toContain('chmod 600')
    await writeFile(join(folder, 'bad.json'), '{', { mode: 0o600 })
    expect(errorOf(await here('key', 'show', 'bad.json', '--json'))).toMatchObject({ code: 'key_file_invalid' })
  })

  test('proofs of possession are created and verified', async () => {
    await here('key', 'generate', '--algorithm', 'bls', '--out', 'v.json')
    const made = await here('key', 'pop', 'create', '--key-file', 'v.json', '--json')
    const { public_key: key, pop } = made.json() as unknown as Record<string, string>
    const good = await here('key', 'pop', 'verify', '--public-key', key!, '--pop', pop!, '--json')
    expect(good.json()).toMatchObject({ valid: true })
    await here('key', 'generate', '--algorithm', 'bls', '--out', 'w.json')
    const other = (await here('key', 'pop', 'create', '--key-file', 'w.json')).stdout.trim()
    const bad = await here('key', 'pop', 'verify', '--public-key', key!, '--pop', other, '--json')
    expect(errorOf(bad)).toMatchObject({ code: 'check_failed', exit: 10 })
  })
})

describe('topology and genesis', () => {
  test('are created from keys, and the genesis verifies', async () => {
    const words = ['topology', 'create']
    for (const at of [0, 1, 2]) {
      await here('key', 'generate', '--algorithm', 'bls', '--out', `k${at}/validator.json`)
      await here('key', 'generate', '--out', `k${at}/network.json`)
      words.push('--peer', `val-${at}=k${at},127.0.0.1:${7400 + at}`)
    }
    expect((await here(...words)).code).toBe(0)
    const three = await here('topology', 'check', '--json')
    expect(three.json()).toMatchObject({ validators: 3, quorum: 3, faults: 0 })
    expect(three.stderr).toContain('any failure stops the network')
    await here('key', 'generate', '--algorithm', 'bls', '--out', 'k3/validator.json')
    await here('key', 'generate', '--out', 'k3/network.json')
    const add = ['topology', 'add', 'val-3', '--key-file', 'k3/validator.json', '--network-key', 'k3/network.json']
    expect((await here(...add, '--address', '127.0.0.1:7403')).code).toBe(0)
    expect((await here('topology', 'check')).stdout).toContain('4 validators, quorum 3, survives 1')
    expect((await here('topology', 'show')).stdout).toContain('4 <- this topology')

    await here('key', 'generate', '--out', 'genesis-key.json')
    const fresh = ['genesis', 'create', '--chain', 'demo', '--key-file', 'genesis-key.json']
    for (const name of ['alice', 'bob', 'bridge']) {
      const key = await here('key', 'generate', '--out', `account-${name}.json`, '--json')
      fresh.push('--account', `${name}=${(key.json() as unknown as Record<string, string>).address}`)
    }
    const manifest = await here(...fresh, '--json')
    expect(manifest.json()).toMatchObject({ missing_accounts: [] })
    const wrong = await here('genesis', 'sign', 'genesis.json', '--key-file', 'account-bob.json', '--json')
    expect(errorOf(wrong)).toMatchObject({ code: 'genesis_invalid' })
    const signed = await here('genesis', 'sign', 'genesis.json', '--key-file', 'genesis-key.json', '--json')
    const { hash } = signed.json() as unknown as { hash: string }
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const again = ['genesis', 'sign', 'genesis.json', '--key-file', 'genesis-key.json', '--out', 'again.signed']
    expect((await here(...again, '--json')).json()).toMatchObject({ hash })
    expect(await readFile(join(folder, 'again.signed'))).toEqual(await readFile(join(folder, 'genesis.signed')))
    expect((await here('genesis', 'verify', '--hash', hash, '--json')).json()).toMatchObject({ hash, valid: true })
    const other = await here('genesis', 'verify', '--hash', '00'.repeat(32), '--json')
    expect(errorOf(other)).toMatchObject({ code: 'check_failed', exit: 10 })
    expect((await here('genesis', 'show', '--json')).json()).toMatchObject({ hash })
  })

  test('an invalid chain id and an unknown template are refused with a hint', async () => {
    const words = ['genesis', 'create', '--key-file', 'genesis-key.json', '--out', 'never.json', '--json']
    const blanks = errorOf(await here(...words, '--chain', 'bad chain name'))
    expect(blanks).toMatchObject({ code: 'usage', message: expect.stringContaining('without blanks') })
    expect(errorOf(await here(...words, '--chain', 'c'.repeat(65))).message).toContain('at most 64 bytes')
    const absent = errorOf(await here(...words, '--chain', 'demo', '--template', 'nope'))
    expect(absent).toMatchObject({ code: 'file_missing', exit: 3 })
    for (const one of ['nope', 'permissioned-4', 'lanes-3', 'iso-demo']) expect(absent.message).toContain(one)
    await expect(stat(join(folder, 'never.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a missing proof of possession is written into the topology', async () => {
    const file = join(folder, 'partial.json')
    const { peers } = JSON.parse(await readFile(join(folder, 'topology.json'), 'utf8')) as { peers: { pop: string }[] }
    const [first, ...rest] = peers
    await writeFile(file, JSON.stringify({ peers: [{ ...first, pop: '' }, ...rest] }))
    const missing = errorOf(await here('topology', 'check', 'partial.json', '--json'))
    expect(missing).toMatchObject({ code: 'topology_invalid', exit: 3 })
    expect(missing.details?.faults).toEqual([expect.objectContaining({ path: 'peers[0].pop' })])
    await here('key', 'pop', 'create', '--key-file', 'k0/validator.json', '--into', 'partial.json')
    expect((await here('topology', 'check', 'partial.json')).code).toBe(0)
  })
})

describe('init without a terminal', () => {
  test('reports all faults, and leaves no files', async () => {
    const words = ['--dir', 'faulty', '--name', 'bad name!', '--address', 'nohost', '--gateway-listen', ':x']
    const error = errorOf(await here('init', ...words, '--json'))
    expect(error).toMatchObject({ code: 'usage', exit: 2 })
    expect(error.details?.faults).toMatchObject([
      { path: '--name', value: 'bad name!' },
      { path: '--address', value: 'nohost' },
      { path: '--gateway-listen', value: ':x' },
    ])
    const text = await here('init', '--listen', 'nowhere')
    expect(text.stderr).toMatch(
      /--name: the name of the peer is missing\n.*--address: the address of the peer is missing\n.*--listen: expected host:port/,
    )
    await expect(stat(join(folder, 'faulty'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('keys encrypted with a passphrase can be used by a node that has it', async () => {
    const env = { CAUSEWAY_KEY_PASSPHRASE: 'open sesame' }
    const words = ['init', '--dir', 'sealed', '--name', 'a', '--address', 'a:1']
    expect((await causewayHere(words, { cwd: folder, env })).stderr).toContain('set CAUSEWAY_KEY_PASSPHRASE')
    const info = ['node', 'info', '--config', 'sealed/node.toml', '--json']
    expect((await causewayHere(info, { cwd: folder, env })).code).toBe(0)
    expect(errorOf(await here(...info)).code).toBe('key_passphrase')
  })
})

describe('iso validate', () => {
  const template = join(process.cwd(), 'templates', 'iso', 'pacs008.xml')

  test('a valid message is summarised, also from a slow pipe', async () => {
    const file = await here('iso', 'validate', template, '--json')
    expect(file.json()).toMatchObject({ valid: true, family: 'pacs.008', amount: '1250.00', currency: 'EUR' })
    const input = await readFile(template)
    const piped = await causeway(['iso', 'validate', '-', '--json'], { cwd: folder, input, inputDelayMs: 300 })
    expect(piped.json()).toEqual(file.json())
  })

  test('reports every fault of a refused message as text and as JSON, with exit code 4', async () => {
    const text = (await readFile(template, 'utf8'))
      .replace('DE75512108001245126199', 'DE76512108001245126199')
      .replace('>1250.00<', '>1250.001<')
    await writeFile(join(folder, 'bad.xml'), text)
    const json = errorOf(await here('iso', 'validate', 'bad.xml', '--json'))
    expect(json).toMatchObject({ code: 'iso_invalid', exit: 4 })
    const faults = json.details?.faults as { path: string; line: number; reason_code: string }[]
    expect(faults.length).toBeGreaterThanOrEqual(2)
    expect(faults.every((one) => one.line > 0 && one.reason_code.length > 0)).toBe(true)
    const people = await here('iso', 'validate', 'bad.xml')
    expect(people.code).toBe(4)
    expect(people.stdout).toBe('')
    for (const one of faults) expect(people.stderr).toContain(one.path)
  })

  test.each([
    ['no XML', 'Hello=', 'iso_malformed'],
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'iso_malformed'],
    ['nothing', '', 'iso_malformed'],
  ])('%s is refused', async (_name, input, code) => {
    const run = await causewayHere(['iso', 'validate', '-', '--json'], { cwd: folder, input })
    const error = errorOf(run)
    expect(error.exit).toBe(4)
    expect([code, 'iso_invalid']).toContain(error.code)
  })
})

describe('errors', () => {
  test.each([
    ['an unknown flag', ['key', 'show', '--nonsense']],
    ['a missing argument', ['iso', 'validate']],
    ['one argument too many', ['key', 'show', 'a', 'b']],
    ['an unexpected argument', ['status', 'nonsense']],
    ['an unknown command', ['statuss']],
    ['a value outside its list', ['key', 'generate', '--out', 'x.json', '--algorithm', 'rsa']],
    ['an invalid gateway', ['status', '--gateway', 'nowhere']],
    ['an invalid duration', ['status', '--timeout', 'soon']],
    ['an invalid hash', ['tx', 'show', 'abc']],
  ])('%s is a usage error with exit code 2, as text and as JSON', async (_name, words) => {
    expect(errorOf(await here(...words, '--json'))).toMatchObject({ code: 'usage', exit: 2 })
    const people = await here(...words)
    expect(people.code).toBe(2)
    expect(people.stdout).toBe('')
    expect(people.stderr).toContain('[usage]')
    expect(people.stderr.length).toBeLessThan(1_000)
  })

  test('a missing argument is reported with its description', async () => {
    expect(errorOf(await here('multisig', 'approve', 'pair@bank', '--json'))).toMatchObject({
      message: 'missing PROPOSAL: id of the proposal',
    })
  })

  test('unknown arguments are distinguished from unknown commands', async () => {
    expect(errorOf(await here('block', 'verify', '2', '--json'))).toMatchObject({
      message: 'causeway block verify does not accept the argument `2`',
      hint: 'causeway block verify --help',
    })
    expect(errorOf(await here('statuss', '--json'))).toMatchObject({
      message: 'unknown command `statuss`',
      hint: expect.stringMatching(/^causeway status,/),
    })
  })

  test('help for an unknown command fails like the command itself', async () => {
    for (const words of [['acount', 'show'], ['statuss'], ['tx', 'sined', '--key-file', 'x.json']]) {
      const [wanted, helped] = [await here(...words, '--json'), await here(...words, '--help', '--json')]
      expect(errorOf(helped)).toEqual(errorOf(wanted))
      expect(errorOf(helped)).toMatchObject({ code: 'usage', exit: 2 })
    }
    const people = await here('acount', 'show', '--help')
    expect([people.code, people.stdout]).toEqual([2, ''])
    expect(people.stderr).toBe('error: unknown command `acount` [usage]\n' + '  Try: causeway account show\n')
    // Help is printed past what the tests see of this process.
    expect((await program('account', '--help')).code).toBe(0)
    expect((await program('account', 'show', 'alice@bank', '--help')).stdout).toContain('USAGE')
  })

  test('a file without a policy is refused with a hint to the command that prints one', async () => {
    await writeFile(join(folder, 'no-policy.json'), '{"rules": []}')
    expect(errorOf(await here('lane', 'policy', 'set', 'no-policy.json', '--json'))).toMatchObject({
      code: 'bad_value',
      exit: 4,
      hint: expect.stringContaining('causeway lane policy show --json'),
    })
  })

  test('a command to an unresponsive node exits with code 5', async () => {
    const words = ['--gateway', 'http://127.0.0.1:9', '--timeout', '2s']
    expect(errorOf(await here('status', ...words, '--json'))).toMatchObject({ code: 'unreachable', exit: 5 })
    expect((await here('domain', 'list', ...words)).code).toBe(5)
    expect((await here('iso', 'status', 'M-1', ...words)).code).toBe(5)
  })

  test('a write without a key and invalid JSON input are refused', async () => {
    const none = await causewayHere(['tx', 'send', '-', '--json'], { cwd: folder, input: '[]' })
    expect(errorOf(none)).toMatchObject({ code: 'key_file_missing', exit: 3 })
    const twice = await causewayHere(['tx', 'send', '-', '--json'], { cwd: folder, input: '{"a": 1,\n "a": 2}' })
    expect(errorOf(twice)).toMatchObject({ code: 'duplicate_field', exit: 4, details: { line: 2 } })
  })

  test('a missing local network is reported', async () => {
    for (const verb of ['status', 'down', 'logs']) {
      expect(errorOf(await here('localnet', verb, '--json'))).toMatchObject({ code: 'config_invalid', exit: 3 })
    }
    expect((await here('localnet', 'reset', '--yes')).code).toBe(3)
  })

  test.each([
    ['partition', 'val-1', '--by', '3s'],
    ['kill', 'val-1', '--by', '3s'],
    ['delay', 'val-1', '--by', '3s', '--heal'],
  ])('localnet fault rejects --by for a partition, a kill or --heal: %s', async (...words) => {
    const error = errorOf(await here('localnet', 'fault', ...words, '--json'))
    expect(error).toMatchObject({ code: 'usage', exit: 2, message: expect.stringContaining('--by') })
  })
})

test('every group of commands has a description', async () => {
  const { commands } = JSON.parse(await readFile('oclif.manifest.json', 'utf8')) as { commands: Record<string, object> }
  const { oclif } = JSON.parse(await readFile('package.json', 'utf8')) as {
    oclif: { topics: Record<string, { description?: string }> }
  }
  const groups = Object.keys(commands).flatMap((id) =>
    id.split(':').map((_, at, words) => words.slice(0, at).join(':')),
  )
  const named = new Set(Object.keys(oclif.topics).filter((name) => oclif.topics[name]?.description))
  expect(
    [...new Set(groups)].filter((name) => name !== '' && !named.has(name) && commands[name] === undefined),
  ).toEqual([])
  expect([...named].filter((name) => !groups.includes(name))).toEqual([])
})

test('--version prints the version, and every command has a description and an example', async () => {
  const { stdout } = await program('--version')
  expect(stdout).toMatch(/^causeway\/\d/)
  const manifest = JSON.parse(await readFile('oclif.manifest.json', 'utf8')) as {
    commands: Record<string, { description?: string; examples?: unknown[] }>
  }
  for (const [id, command] of Object.entries(manifest.commands)) {
    expect(command.description, id).toBeTruthy()
    expect(command.examples?.length, id).toBeGreaterThan(0)
  }
})
