/** `tx build|sign|submit|decode` in pipes against a gateway, without one, dry runs, `consensus`, `block show|export`, `codec`. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeKeyFile } from '../../src/files/key-file.js'
import type { Gateway } from '../../src/gateway/index.js'
import { formatAddress } from '../../src/model/index.js'
import { blocksBetween } from '../unit/gateway/fake-chain.js'
import { accountOf, alice, bob, CHAIN, consensusRecord, FakeNode, gatewayOf } from '../unit/gateway/support.js'
import { causewayHere } from './in-process.js'
import { EXECUTABLE, environmentOf, ROOT, type Run } from './run.js'

const node = new FakeNode()
let gateway: Gateway
let folder: string
let url: string
const address = formatAddress(accountOf(alice))
const INSTRUCTIONS = JSON.stringify([
  { RegisterDomain: { id: 'shop', metadata: {} } },
  { RegisterDomain: { id: 'stall', metadata: {} } },
])
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-tx-'))
  await writeKeyFile(join(folder, 'alice.json'), alice, {})
  await writeKeyFile(join(folder, 'bob.json'), bob, {})
  node.blocks.push(...(await blocksBetween(8, 12)))
  node.consensus = () => consensusRecord({ height: 12 })
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
  url = (await gateway.listen()).url
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (words: readonly string[], input?: string | Uint8Array): Promise<Run> =>
  causewayHere([...words, '--quiet'], { cwd: folder, ...(input === undefined ? {} : { input }) })
const online = (words: readonly string[], input?: string | Uint8Array): Promise<Run> =>
  run([...words, '--gateway', url], input)
const OFFLINE = ['--chain', CHAIN, '--account', address, '--nonce', '7']

describe('tx', () => {
  test('is signed by a program that holds the key, and errors of the program are reported', async () => {
    const program = join(folder, 'signer')
    const script = join(ROOT, 'test/support/signer-program.mjs')
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${script}" secp256k1\n`, { mode: 0o700 })
    const linked = await run(['key', 'link', '--out', 'held.json', './signer', '--json'])
    const { address: own, public_key: key } = linked.json() as unknown as { address: string; public_key: string }
    const draft = ['--chain', CHAIN, '--account', own, '--nonce', '9']
    const built = await run(['tx', 'build', '-', ...draft], INSTRUCTIONS)
    const signed = await Promise.all([
      run(['tx', 'sign', '-', '--yes', '--signer-command', program], built.stdout),
      run(['tx', 'sign', '-', '--yes', '--key-file', 'held.json'], built.stdout),
    ])
    for (const one of signed) {
      const [signature] = (one.json() as unknown as { signatures: { public_key: string }[] }).signatures
      expect(signature?.public_key).toBe(key)
      expect((await online(['tx', 'submit', '-', '--wait', 'none', '--json'], one.stdout)).code).toBe(0)
    }
    expect((await run(['key', 'show', 'held.json', '--json'])).json()).toMatchObject({ public_key: key })
    expect((await run(['key', 'list'])).stdout).toMatch(/held\.json +secp256k1 +held by a program/)
    const both = await run(['tx', 'sign', '-', '--key-file', 'held.json', '--signer-command', program], built.stdout)
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining('both a key file and a signer command are set'),
    ])
    const prover = await online(['conference', 'key', 'show', 'bank:board', '--key-file', 'held.json'])
    expect([prover.code, prover.stderr]).toEqual([3, expect.stringContaining('key_held_elsewhere')])
    // An untrusted folder must not run a program.
    await mkdir(join(folder, '.causeway'))
    await writeFile(join(folder, '.causeway', 'config.json'), JSON.stringify({ key_file: 'held.json' }))
    const looked = await run(['tx', 'sign', '-', '--yes'], built.stdout)
    expect([looked.code, looked.stderr]).toEqual([3, expect.stringContaining('key_program_untrusted')])
    await writeFile(join(folder, '.causeway', 'config.json'), JSON.stringify({ signer_command: './signer' }))
    expect((await run(['tx', 'sign', '-', '--yes'], built.stdout)).stderr).toContain('unknown key signer_command')
    await rm(join(folder, '.causeway'), { recursive: true })
    node.submitted.length = 0
  })

  test('is built, signed and submitted in a pipe for the account of the key', async () => {
    const built = await online(['tx', 'build', '-', '--key-file', 'alice.json'], INSTRUCTIONS)
    expect(built.json()).toMatchObject({ chain: CHAIN, authority: address })
    const signed = await run(['tx', 'sign', '-', '--key-file', 'alice.json'], built.stdout)
    expect(signed.json()).toMatchObject({ payload: { authority: address }, policy: null })
    const submitted = await online(['tx', 'submit', '-', '--wait', 'queued', '--json'], signed.stdout)
    expect(submitted.json()).toMatchObject({ state: 'queued' })
    expect(node.submitted).toHaveLength(1)
    const hash = String((submitted.json() as unknown as { hash: string }).hash)
    const explained = await online(['tx', 'explain', hash, '--json'])
    expect([explained.code, explained.json()]).toMatchObject([
      8,
      { state: 'queued', queue: { lane: 1, ahead: 40, teu_ahead: 6400 } },
    ])
    expect((await online(['tx', 'explain', hash])).stdout).toContain(
      'is queued behind 40 transactions of 6400 units in lane 1: the chain is stalled',
    )
  })

  test('build and sign work without a node, and produce the same transaction as bytes and as JSON', async () => {
    await writeFile(join(folder, 'many.json'), INSTRUCTIONS)
    const json = await run(['tx', 'build', 'many.json', ...OFFLINE])
    await writeFile(join(folder, 'payload.json'), json.stdout)
    const encoded = await run(['codec', 'encode', 'TransactionPayload', 'payload.json'])
    const jsonForm = await run(['codec', 'decode', '-', '--type', 'TransactionPayload'], encoded.stdout)
    expect(jsonForm.json()).toEqual(json.json())
    const signed = await run(['tx', 'sign', 'payload.json', '--key-file', 'alice.json'])
    const framed = await run(['codec', 'encode', 'SignedTransaction', '-', '--frame'], signed.stdout)
    const bytes = Buffer.from(framed.stdout.trim(), 'hex')
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('CWY1')
    const [fromJson, fromFrame] = await Promise.all([
      run(['tx', 'decode', '-', '--json'], signed.stdout),
      run(['tx', 'decode', '-', '--json'], bytes),
    ])
    expect(fromFrame.json()).toEqual(fromJson.json())
    expect(fromJson.json()).toMatchObject({ signatures: [{ signer: address, valid: true }] })
    expect((fromJson.json() as unknown as { instructions: unknown[] }).instructions).toHaveLength(2)
  })

  test('a signed frame is accepted by a gateway, and equals the output of codec encode', async () => {
    const built = await run(['tx', 'build', '-', ...OFFLINE], INSTRUCTIONS)
    const signed = await run(['tx', 'sign', '-', '--key-file', 'alice.json'], built.stdout)
    const encoded = await run(['codec', 'encode', 'SignedTransaction', '-', '--frame'], signed.stdout)
    await writeFile(join(folder, 'payload.json'), built.stdout)
    const words = ['tx', 'sign', 'payload.json', '--key-file', 'alice.json']
    const framed = spawnSync(process.execPath, [EXECUTABLE, ...words, '--frame'], {
      cwd: folder,
      env: environmentOf({}),
    })
    expect(framed.stdout.toString('hex')).toBe(encoded.stdout.trim())
    const both = await run([...words, '--frame', '--binary', '--json'])
    expect([both.code, both.json()]).toMatchObject([2, { error: { code: 'usage' } }])
  })

  test('a changed payload has an invalid signature, and another key cannot sign it', async () => {
    const built = await run(['tx', 'build', '-', ...OFFLINE], INSTRUCTIONS)
    const signed = await run(['tx', 'sign', '-', '--key-file', 'alice.json'], built.stdout)
    const forged = await run(['tx', 'decode', '-', '--json'], signed.stdout.replace('"stall"', '"stole"'))
    expect(forged.code).toBe(10)
    expect(forged.json()).toMatchObject({ signatures: [{ valid: false }] })
    const other = await run(['tx', 'sign', '-', '--key-file', 'bob.json', '--json'], built.stdout)
    expect(other.code).toBe(4)
    expect(other.json()).toMatchObject({ error: { code: 'signature_unknown_signer' } })
    const unsigned = await online(['tx', 'submit', '-', '--json'], built.stdout)
    expect(unsigned.json()).toMatchObject({ error: { code: 'signature_missing' } })
  })

  test('a dry run reports the effect, and sends nothing', async () => {
    const before = node.submitted.length
    const send = await online(['tx', 'send', '-', '--key-file', 'alice.json', '--dry-run', '--json'], INSTRUCTIONS)
    expect(send.json()).toMatchObject({ dry_run: true, outcome: 'Approved', height: 8, teu: 160 })
    const write = ['domain', 'register', 'shop', '--key-file', 'alice.json', '--dry-run']
    expect((await online(write)).stdout).toContain('would be  approved at height 8')
    expect(node.submitted).toHaveLength(before)
  })

  test('the position of a fault is reported', async () => {
    const wrong = await run(
      ['tx', 'build', '-', ...OFFLINE, '--json'],
      '[{"RegisterDomain": {"id": 5, "metadata": {}}}]',
    )
    expect(wrong.code).toBe(4)
    const { error } = wrong.json() as unknown as { error: { message: string } }
    expect(error.message).toContain('instructions[0]')
  })
})

describe('consensus', () => {
  test.each([
    'status',
    'leader',
    'qc',
    'phases',
    'pacemaker',
    'collectors',
    'params',
    'keys',
    'validators',
    'telemetry',
    'certificates',
    'checkpoints',
    'rbc status',
    'rbc sessions',
    'evidence list',
    'evidence count',
  ])('%s prints the response of the node', async (words) => {
    const text = await online(['consensus', ...words.split(' ')])
    expect([text.code, text.stderr]).toEqual([0, ''])
    expect(text.stdout.length).toBeGreaterThan(1)
  })
})

test('consensus output with --json is the response of the node', async () => {
  expect((await online(['consensus', 'leader', '--json'])).json()).toMatchObject({ height: 8, leader_index: 1 })
})

test('bash completion suggests subcommands, flags and flag values', async () => {
  const { stdout } = await run(['completion', 'bash'])
  await writeFile(join(folder, 'completion.bash'), stdout)
  const line = `source completion.bash
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _causeway; echo "\${COMPREPLY[*]}"; }
ask causeway consensus rbc ''; ask causeway tx send f --dry; ask causeway tx send f --wait ''`
  const asked = spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' })
  expect(asked.stdout.trim().split('\n')).toEqual(['sessions status', '--dry-run', 'committed queued none'])
})

test.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
] as const)('%s completion is accepted by the shell', async (shell, words) => {
  const { stdout, code } = await run(['completion', shell])
  expect(code).toBe(0)
  // One line or block per command, with its words quoted: a person's shell must survive every text of a help page.
  for (const word of ['consensus', 'localnet', 'import']) expect(stdout).toContain(word)
  const path = join(folder, `completion.${shell}`)
  await writeFile(path, stdout)
  if (spawnSync(shell, ['-c', 'true']).status !== 0) return
  const read = spawnSync(shell, [...words, path], { encoding: 'utf8' })
  expect([read.status, read.stderr]).toEqual([0, ''])
})

test('fish completion suggests commands, subcommands and flag values', async () => {
  await writeFile(join(folder, 'ask.fish'), (await run(['completion', 'fish'])).stdout)
  if (spawnSync('fish', ['-c', 'true']).status !== 0) return
  const ask = ['causeway be', 'causeway bench t', 'causeway tx send f --wait '].map((line) => `complete -C '${line}'`)
  const asked = spawnSync('fish', ['--no-config', '-c', `source ask.fish; ${ask.join('; ')}`], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(asked.stderr).toBe('')
  const words = asked.stdout.split('\n').map((one) => one.split('\t')[0])
  expect(words).toEqual(expect.arrayContaining(['bench', 'tx', 'committed', 'none', 'queued']))
})

test('zsh completion contains no array slice that zsh parses as a modifier', async () => {
  const { stdout } = await run(['completion', 'zsh'])
  // `:COMP_CWORD-1` behind an array is a modifier there, and every completion fails.
  expect(stdout).not.toMatch(/:[A-Z]/)
  expect(stdout).toContain('{COMP_WORDS[@]:1:$((COMP_CWORD-1))}')
})

test('bash completion has no syntax errors', async () => {
  await writeFile(join(folder, 'syntax.bash'), (await run(['completion', 'bash'])).stdout)
  const read = spawnSync('bash', ['-n', 'syntax.bash'], { cwd: folder, encoding: 'utf8' })
  expect([read.status, read.stderr]).toEqual([0, ''])
})

describe('block', () => {
  test('show prints a block, and export writes a range without overwriting a file', async () => {
    expect((await online(['block', 'show', '9', '--json'])).json()).toMatchObject({ header: { height: 9 } })
    expect((await online(['block', 'show', '9'])).stdout).toMatch(/^height +9\n/)
    const absent = await online(['block', 'show', '99', '--json'])
    expect([absent.code, absent.json()]).toMatchObject([1, { error: { code: 'not_found' } }])
    const out = ['block', 'export', 'blocks.bin', '--from-height', '8', '--to-height', '10']
    expect((await online(out)).stdout).toBe('blocks.bin: 3 blocks\n')
    const lines = await online(['block', 'export', '-', '--from-height', '8', '--to-height', '10', '--json'])
    const heights = lines.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).header.height as number)
    expect(heights).toEqual([8, 9, 10])
    expect((await online([...out, '--json'])).json()).toMatchObject({ error: { code: 'file_exists' } })
    expect((await readFile(join(folder, 'blocks.bin'))).subarray(0, 4).toString('latin1')).toBe('CWY1')
  })
})
