// Checks the audit log: the chain of its lines, the torn end, tampering that is seen and told, and group commit.
import { chmod, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hash } from '../../../src/crypto/index.js'
import type { AuditEntry } from '../../../src/model/index.js'
import { AUDIT_LOG_FILE, AuditLog, type AuditReport, checkAuditLog } from '../../../src/storage/index.js'
import { cut, temporary } from './support.js'

const entry = (name: string): AuditEntry => ({
  action: 'test',
  actor: 'cw1someone',
  fields: { name, count: 1, z: null },
})

interface Line {
  readonly sequence: number
  readonly time_ms: number
  readonly action: string
  readonly actor: string
  readonly fields: Record<string, unknown>
  readonly prev: string
  readonly hash: string
}

const pathOf = (folder: string): string => join(folder, AUDIT_LOG_FILE)
const textOf = (folder: string): Promise<string> => readFile(pathOf(folder), 'utf8')
const linesIn = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const linesOf = async (folder: string): Promise<Line[]> => linesIn(await textOf(folder))

async function reportOf(folder: string): Promise<AuditReport> {
  const file = await open(pathOf(folder), 'r')
  try {
    return await checkAuditLog(file)
  } finally {
    await file.close()
  }
}

/** A closed log with these lines after its first. */
async function written(...names: string[]): Promise<string> {
  const folder = await temporary()
  const log = await AuditLog.open(folder, { wallMs: () => 1_700_000_000_000 })
  await Promise.all(names.map((name) => log.append(entry(name))))
  await log.close()
  return folder
}

/** Opens and closes a log; what it said about its chain. */
async function reopened(folder: string, name?: string) {
  const log = await AuditLog.open(folder)
  if (name !== undefined) await log.append(entry(name))
  await log.close()
  return log.broken
}

test('audit log lines are chained from the first one, across restarts, in a private file', async () => {
  const folder = await written('a', 'b')
  expect(await reopened(folder, 'c')).toBeUndefined()
  const lines = await linesOf(folder)
  expect(lines.map((line) => line.sequence)).toEqual([1, 2, 3, 4])
  expect(lines.map((line) => line.fields['name'])).toEqual([undefined, 'a', 'b', 'c'])
  expect(lines[0]).toMatchObject({ action: 'audit_segment_start', prev: '0'.repeat(64) })
  expect(lines[1]).toMatchObject({ time_ms: 1_700_000_000_000, actor: 'cw1someone', action: 'test' })
  let prev = '0'.repeat(64)
  for (const text of (await textOf(folder)).trimEnd().split('\n')) {
    const line = JSON.parse(text) as Line
    expect(line.prev).toBe(prev)
    // A text editor and the hash function suffice to check it.
    const body = text.replace(/,"hash":"[0-9a-f]{64}"\}$/, '}')
    expect(hash('audit', Buffer.from(line.prev, 'hex'), Buffer.from(body)).toString('hex')).toBe(line.hash)
    prev = line.hash
  }
  expect(await reportOf(folder)).toMatchObject({ lines: 4, segments: 1, broken: undefined })
  expect((await stat(pathOf(folder))).mode & 0o777).toBe(0o600)
  await chmod(pathOf(folder), 0o644)
  await reopened(folder)
  expect((await stat(pathOf(folder))).mode & 0o777).toBe(0o600)
})

test('concurrent audit log lines keep the order of their calls', async () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `n${at}`)
  const folder = await written(...names)
  const lines = await linesOf(folder)
  expect(lines.slice(1).map((line) => line.fields['name'])).toEqual(names)
  expect((await reportOf(folder)).broken).toBeUndefined()
})

test('an audit log entry with any text is a single line', async () => {
  const folder = await written('a\nb\r\u2028"\\\u0000\ud800é')
  expect(await reportOf(folder)).toMatchObject({ lines: 2, broken: undefined })
})

test('a torn last line of the audit log is truncated, wherever it was torn', async () => {
  const whole = await textOf(await written('a', 'b'))
  const second = whole.split('\n').slice(0, 2).join('\n').length + 1
  for (const length of [second + 1, second + 100, whole.length - 2, whole.length - 1]) {
    const folder = await temporary()
    await writeFile(pathOf(folder), whole)
    await cut(pathOf(folder), length)
    expect(await reopened(folder, 'c')).toBeUndefined()
    expect((await linesOf(folder)).map((line) => line.fields['name'])).toEqual([undefined, 'a', 'c'])
    expect(await reportOf(folder)).toMatchObject({ segments: 1, broken: undefined })
  }
})

const tamperings: [string, (lines: string[]) => string[], number][] = [
  ['a changed field', (lines) => lines.map((line) => line.replace('"b"', '"x"')), 3],
  ['a changed time', (lines) => lines.map((line, at) => (at === 2 ? line.replace('17000', '17001') : line)), 3],
  ['an inserted blank', (lines) => lines.map((line, at) => (at === 1 ? line.replace(',', ', ') : line)), 2],
  ['a missing line', (lines) => lines.toSpliced(2, 1), 3],
  ['a missing first line', (lines) => lines.slice(1), 1],
  ['two exchanged lines', (lines) => [lines[0]!, lines[2]!, lines[1]!, lines[3]!], 2],
  ['a duplicate line', (lines) => lines.toSpliced(2, 0, lines[1]!), 3],
  ['a foreign line', (lines) => lines.toSpliced(1, 0, 'not JSON'), 2],
  ['an overlong line', (lines) => lines.toSpliced(1, 0, 'x'.repeat(3_000_000)), 2],
  ['an empty file', () => [], 0],
]

test.each(tamperings)(
  '%s is detected in the audit log; a new segment records it and continues',
  async (_name, tamper, line) => {
    const folder = await written('a', 'b', 'c')
    const lines = (await textOf(folder)).trimEnd().split('\n')
    const tampered = tamper(lines).map((text) => `${text}\n`)
    await writeFile(pathOf(folder), tampered.join(''))
    const broken = await reopened(folder, 'd')
    expect(broken).toMatchObject({ line })
    // Existing content is unchanged.
    expect((await textOf(folder)).startsWith(tampered.join(''))).toBe(true)
    const [start, next] = (await textOf(folder))
      .trimEnd()
      .split('\n')
      .slice(-2)
      .map((text) => JSON.parse(text) as Line)
    expect(start).toMatchObject({ action: 'audit_segment_start', prev: '0'.repeat(64) })
    expect(start?.fields).toEqual({ reason: 'broken chain', broken_line: line, found: broken?.reason })
    expect([next?.prev, next?.sequence]).toEqual([start?.hash, (start?.sequence ?? 0) + 1])
    // Told once: the next start finds a sound segment, and a check still lists the break.
    expect(await reopened(folder)).toBeUndefined()
    expect((await reportOf(folder)).breaks.map((one) => one.line)).toEqual(line === 0 ? [] : [line])
  },
)

test('a missing audit log file is created again', async () => {
  const folder = await written('a')
  await rm(pathOf(folder))
  expect(await reopened(folder, 'b')).toBeUndefined()
  expect((await linesOf(folder)).map((line) => line.sequence)).toEqual([1, 2])
})

test('the audit log accepts no lines after an I/O error, and reports the error to its owner', async () => {
  const folder = await temporary()
  const faults: unknown[] = []
  const log = await AuditLog.open(folder, { onFault: (error) => faults.push(error) })
  const { file } = log as unknown as { file: { close(): Promise<void> } }
  await file.close()
  await expect(log.append(entry('a'))).rejects.toThrow()
  await expect(log.append(entry('b'))).rejects.toThrow()
  expect(faults).toEqual([expect.any(Error)])
  expect((await linesOf(folder)).length).toBe(1)
})

test('the audit log rejects an overlong line, and its chain is unchanged', async () => {
  const folder = await temporary()
  const log = await AuditLog.open(folder)
  await expect(log.append(entry('x'.repeat(20_000)))).rejects.toThrow('too long')
  await log.append(entry('a'))
  await log.close()
  await expect(log.append(entry('b'))).rejects.toThrow('closed')
  expect(await reportOf(folder)).toMatchObject({ lines: 2, broken: undefined })
})

/** Names of the files of a log that are full, oldest first. */
const fullFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^audit-\d+\.log$/.test(name)).sort()

/** A log with many lines in files of a few of them; all are appended at once, which is how they wait while the disk is slow. */
async function inFiles(lines: number): Promise<string> {
  const folder = await temporary()
  const log = await AuditLog.open(folder, { wallMs: () => 1_700_000_000_000, fileMaxBytes: 1_000 })
  await Promise.all(Array.from({ length: lines }, (_, at) => log.append(entry(`line ${at}`))))
  await log.close()
  return folder
}

test('a full audit log file is kept, and the next file contains its name and last hash', async () => {
  const folder = await inFiles(20)
  const names = await fullFiles(folder)
  expect(names.length).toBeGreaterThan(3)
  const seen: Line[] = []
  for (const name of [...names, AUDIT_LOG_FILE]) {
    const lines = linesIn(await readFile(join(folder, name), 'utf8'))
    const last = seen.at(-1)
    if (last !== undefined) {
      expect(lines[0]).toMatchObject({ action: 'audit_segment_start', prev: '0'.repeat(64) })
      expect(lines[0]?.fields).toMatchObject({ reason: 'full file', last: last.hash })
      expect(names).toContain(lines[0]?.fields['file'])
      expect(lines[0]?.fields['file']).toBe(`audit-${String(last.sequence).padStart(16, '0')}.log`)
    }
    seen.push(...lines)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
  expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, at) => at + 1))
  expect(seen.flatMap(({ fields }) => fields['name'] ?? [])).toEqual(
    Array.from({ length: 20 }, (_, at) => `line ${at}`),
  )
})

test('the audit log reads only its newest file at a start, and continues after it', async () => {
  const folder = await inFiles(20)
  const sequence = (await linesOf(folder)).at(-1)?.sequence ?? 0
  expect((await reportOf(folder)).lines).toBeLessThan(sequence / 2)
  // Files not read by a start may even be missing: an operator may keep them elsewhere.
  for (const name of await fullFiles(folder)) await rm(join(folder, name))
  expect(await reopened(folder, 'next')).toBeUndefined()
  expect((await linesOf(folder)).at(-1)).toMatchObject({ sequence: sequence + 1, fields: { name: 'next' } })
  expect(await reportOf(folder)).toMatchObject({ segments: 1, broken: undefined, breaks: [] })
})

test('a crash during the switch of audit log files keeps the full file, and the next line starts a new file', async () => {
  const folder = await inFiles(3)
  expect(await fullFiles(folder)).toEqual([])
  const lines = await linesOf(folder)
  // The link was made, the new file was not.
  await writeFile(join(folder, `audit-${String(lines.at(-1)?.sequence).padStart(16, '0')}.log`), 'of an earlier try')
  const log = await AuditLog.open(folder, { fileMaxBytes: 1 })
  await log.append(entry('next'))
  await log.close()
  const [full] = await fullFiles(folder)
  expect(linesIn(await readFile(join(folder, full ?? ''), 'utf8'))).toEqual(lines)
  expect((await linesOf(folder)).map(({ fields }) => fields['name'])).toEqual([undefined, 'next'])
})
