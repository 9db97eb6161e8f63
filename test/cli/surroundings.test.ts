/** Commands where the surroundings are poor: no standard input, a reader that leaves, no home, nowhere to write, a full disk, an interrupt. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LINUX_MISSING, needs } from '../support/needs.js'
import { causeway, EXECUTABLE, startCauseway, UNPRIVILEGED, unprivilegedMissing } from './run.js'

const SHELL_WORDS = `"${process.execPath}" "${EXECUTABLE}"`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-surroundings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a line of a shell in a bare environment. */
const shell = (line: string, cwd = folder) =>
  spawnSync('/bin/sh', ['-c', line], { cwd, env: { PATH: process.env.PATH ?? '' }, encoding: 'utf8' })

test('with closed standard input, commands that read it fail, and others work', () => {
  const reads = shell(`${SHELL_WORDS} tx decode - --json <&-`)
  expect(reads.status).toBe(4)
  expect(JSON.parse(reads.stdout)).toMatchObject({ error: { exit: 4 } })
  expect(shell(`${SHELL_WORDS} codec schema Transfer <&-`).status).toBe(0)
})

test.each([
  ['a long result', 'codec schema'],
  ['a help page', '--help'],
  ['a JSON result', 'config schema --json'],
])('a reader that closes early is not a failure: %s', (_name, words) => {
  const run = shell(`{ ${SHELL_WORDS} ${words}; echo $? >code; } | head -n 1; cat code`)
  expect(run.stdout.trim().split('\n').at(-1)).toBe('0')
  expect(run.stderr).toBe('')
})

test('commands work if the home directory is not set or does not exist', async () => {
  expect(shell(`${SHELL_WORDS} codec schema Transfer`).status).toBe(0)
  expect((await causeway(['profile', 'list', '--json'], { cwd: folder, env: { HOME: '/nonexistent' } })).code).toBe(0)
})

test(
  'commands work with the home of another user and in a folder of another user',
  needs(process.getuid?.() === 0 ? unprivilegedMissing() : undefined),
  async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o000)
    await chmod(folder, 0o755)
    const user = process.getuid?.() === 0 ? UNPRIVILEGED : {}
    const as = { ...user, env: { HOME: closed } }
    const key = await causeway(['key', 'show', join(folder, 'nofile'), '--json'], as)
    expect([key.code, key.stderr]).toEqual([3, ''])
    expect(key.json()).toMatchObject({ error: { code: 'key_file_missing' } })
    const named = await causeway(['status', '--gateway', 'http://127.0.0.1:1', '--key-file', 'k.json', '--json'], as)
    expect([named.stderr, named.json()]).toMatchObject(['', { error: { code: 'unreachable' } }])
    const unnamed = await causeway(['status', '--json'], as)
    expect(unnamed.json()).toMatchObject({ error: { code: 'file_unreadable', exit: 3 } })
    expect(unnamed.stdout).toContain(closed)
  },
)

test(
  'in a read-only folder reads work, and a failed write reports its path',
  needs(existsSync('/proc/self') ? undefined : '/proc is not mounted'),
  () => {
    expect(shell(`${SHELL_WORDS} codec schema Transfer`, '/proc').status).toBe(0)
    const write = shell(`${SHELL_WORDS} key generate --out new.json --json`, '/proc')
    expect(write.status).toBe(3)
    const { error } = JSON.parse(write.stdout) as { error: { message: string; exit: number } }
    expect(error).toMatchObject({ exit: 3 })
    expect(error.message).toContain('new.json')
  },
)

test('on a full disk, a command reports that its result cannot be written', needs(LINUX_MISSING), () => {
  const run = shell(`${SHELL_WORDS} codec schema > /dev/full`)
  expect(run.status).not.toBe(0)
  expect(run.stderr).toContain('standard output: the disk is full')
  expect(run.stderr).not.toContain('at ')
})

test('an interrupt terminates a waiting command', async () => {
  // A node that takes the connection and never answers.
  const held = new Set<import('node:net').Socket>()
  const server = createServer((socket) => held.add(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const child = startCauseway(['status', '--gateway', `http://127.0.0.1:${port}`])
  await new Promise((resolve) => server.once('connection', resolve))
  child.kill('SIGINT')
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('exit', (...how) => resolve(how)),
  )
  expect(signal === 'SIGINT' || code === 130).toBe(true)
  for (const socket of held) socket.destroy()
  server.close()
})

test.each([
  ['a misspelt word', 'consensus ledaer', 'causeway consensus leader'],
  ['a misspelt topic', 'gensis create', 'causeway genesis create'],
])('for %s the intended command is suggested first', async (_name, words, meant) => {
  const run = await causeway([...words.split(' '), '--json'], { cwd: folder })
  const { error } = run.json() as unknown as { error: { hint: string; exit: number } }
  expect([run.code, error.exit]).toEqual([2, 2])
  expect(error.hint.split(', ')[0]).toBe(meant)
})
